"""API keys, of which only the hash is kept: in a database of SQLite or in a Redis."""

from __future__ import annotations

import dataclasses
import hashlib
import hmac
import json
import logging
import secrets
import sqlite3
import threading
import time
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from redis import Redis
from redis.exceptions import RedisError

from service.config import IN_DATABASE, ServiceConfig, wrong_setting
from service.http.errors import NotReady
from service.storage import Database, DatabaseAwayError

SCHEMA = """
CREATE TABLE IF NOT EXISTS api_keys (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    digest BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    rate_limit TEXT NOT NULL,
    char_limit INTEGER
);
"""

COLUMNS = "id, name, created_at, expires_at, rate_limit, char_limit, digest"
ID_BYTES, SECRET_BYTES = 4, 32
UNLIMITED = "none"
KEYS = "translator-api-keys"
"""A hash of Redis: from a key's ID to what is known of it, as JSON, with its digest."""

NAMES = "translator-api-key-names"
"""From a name to the ID."""

TIMEOUT_S = 1.0
"""How long to wait for the Redis, and how long to leave it alone after it has not answered."""

AWAY = (RedisError, DatabaseAwayError)
MAX_REMEMBERED = 10_000
RETRY_AFTER_S = 5
log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True, slots=True)
class ApiKey:
    """What is known of a key.

    Attributes:
        id: the first part of the key, which is no secret.
        name: whose it is, for those who run the service.
        created_at: seconds of the epoch.
        expires_at: the same; None is never.
        rate_limit: in place of the service's; `none` is no limit, empty is the service's.
        char_limit: characters of one text, in place of the service's; None is the service's.
    """

    id: str
    name: str
    created_at: int
    expires_at: int | None = None
    rate_limit: str = ""
    char_limit: int | None = None


def open_keys(config: ServiceConfig, *, is_read_only: bool = False) -> Keys:
    """Return the store of keys that the settings name."""
    if config.keys_storage == IN_DATABASE:
        return KeyStore(config.database, is_read_only=is_read_only)
    return SharedKeys(config.keys_storage)


class Keys(ABC):
    """Where keys are kept. A key is `ID.SECRET`; the secret is 32 random bytes.

    While that place is away, the keys that this process has seen go on being good, and whoever
    presents another one is told to come back.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._seen: OrderedDict[str, tuple[ApiKey, bytes]] = OrderedDict()

    def add(self, name: str, **limits: Any) -> str:
        """Make a key and return it: it cannot be read again. A name that is taken is a ValueError.

        Limits and expiry, if they are not the default ones, are fields of `ApiKey`.
        """
        key_id = secrets.token_hex(ID_BYTES)
        presented = f"{key_id}.{secrets.token_urlsafe(SECRET_BYTES)}"
        key = ApiKey(id=key_id, name=name, created_at=int(time.time()), **limits)
        if not self._keep(key, _digest(presented)):
            raise ValueError(f"there is a key named {name!r} already; remove it first")
        return presented

    def remove(self, name: str) -> None:
        """Delete a key; running servers refuse it from now on. No such name is a ValueError."""
        if not self._remove(name):
            raise _no_such(name)

    def change(self, name: str, changes: Mapping[str, str | int | None]) -> None:
        """Change `rate_limit`, `char_limit` or `expires_at`; no such name is a ValueError."""
        if not self._change(name, changes):
            raise _no_such(name)

    def find(self, presented: str) -> ApiKey | None:
        """Return the key that someone has presented; None if it is wrong or has expired.

        Raises:
            NotReady: the keys are away, and this process has not seen that one.
        """
        key_id, dot, _ = presented.partition(".")
        if not (presented.isascii() and dot):
            return None
        key, digest = self._known(key_id) or (None, bytes(hashlib.sha256().digest_size))
        is_right = hmac.compare_digest(digest, _digest(presented))
        if key is None or not is_right:
            return None
        return None if key.expires_at is not None and key.expires_at <= time.time() else key

    def are_away(self) -> bool:
        """Whether keys cannot be looked up now."""
        try:
            self._look_up("")
        except AWAY:
            return True
        return False

    def _known(self, key_id: str) -> tuple[ApiKey, bytes] | None:
        """Return what is kept of a key, or was when it could last be looked up."""
        try:
            kept = self._look_up(key_id)
        except AWAY as error:
            with self._lock:
                kept = self._seen.get(key_id)
            if kept is None:
                reason = "API keys cannot be looked up now; try again"
                raise NotReady(reason, retry_after=RETRY_AFTER_S) from error
            return kept
        with self._lock:
            self._seen.pop(key_id, None)
            if kept is not None:
                self._seen[key_id] = kept
            if len(self._seen) > MAX_REMEMBERED:
                self._seen.popitem(last=False)
        return kept

    @abstractmethod
    def list(self) -> list[ApiKey]:
        """Return all keys by name, without their secrets."""

    @abstractmethod
    def close(self) -> None:
        """Close the connection to where they are kept."""

    @abstractmethod
    def _keep(self, key: ApiKey, digest: bytes) -> bool:
        """Keep a new key; return False if there is one of its name."""

    @abstractmethod
    def _remove(self, name: str) -> bool:
        """Delete a key; return False if there is none."""

    @abstractmethod
    def _change(self, name: str, changes: Mapping[str, str | int | None]) -> bool:
        """Change a key; return False if there is none."""

    @abstractmethod
    def _look_up(self, key_id: str) -> tuple[ApiKey, bytes] | None:
        """Return what is kept of a key, and its digest, or raise one of AWAY."""


class KeyStore(Keys):
    """The keys in a database of SQLite, for the processes of one machine."""

    def __init__(self, path: str | Path, *, is_read_only: bool = False) -> None:
        super().__init__()
        self._database = Database(path, SCHEMA, is_read_only=is_read_only)

    def list(self) -> list[ApiKey]:
        """Return all keys by name, without their secrets."""
        with self._database.transaction() as connection:
            rows = connection.execute(f"SELECT {COLUMNS} FROM api_keys ORDER BY name").fetchall()
        return [_of_row(row)[0] for row in rows]

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    def _keep(self, key: ApiKey, digest: bytes) -> bool:
        try:
            with self._database.transaction() as connection:
                connection.execute(
                    f"INSERT INTO api_keys ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)",
                    (*dataclasses.astuple(key), digest),
                )
        except sqlite3.IntegrityError:
            return False
        return True

    def _remove(self, name: str) -> bool:
        with self._database.transaction() as connection:
            return connection.execute("DELETE FROM api_keys WHERE name = ?", (name,)).rowcount == 1

    def _change(self, name: str, changes: Mapping[str, str | int | None]) -> bool:
        columns = ", ".join(f"{column} = ?" for column in changes)
        with self._database.transaction() as connection:
            changed = connection.execute(
                f"UPDATE api_keys SET {columns} WHERE name = ?", (*changes.values(), name)
            )
        return changed.rowcount == 1

    def _look_up(self, key_id: str) -> tuple[ApiKey, bytes] | None:
        with self._database.transaction() as connection:
            row = connection.execute(
                f"SELECT {COLUMNS} FROM api_keys WHERE id = ?", (key_id,)
            ).fetchone()
        return None if row is None else _of_row(row)


class SharedKeys(Keys):
    """The keys in a Redis, for servers on several machines."""

    def __init__(self, url: str) -> None:
        """Connect when a key is first wanted; a URL that is none of a Redis is a ConfigError."""
        super().__init__()
        try:
            self._redis: Any = Redis.from_url(
                url,
                decode_responses=True,
                socket_timeout=TIMEOUT_S,
                socket_connect_timeout=TIMEOUT_S,
            )
            self._redis.connection_pool.make_connection()  # which is not opened yet
        except (TypeError, ValueError) as error:  # the first for a parameter that it does not know
            raise wrong_setting("keys_storage", f"{error}; take redis://HOST:PORT") from error
        self._asks_again_s = 0.0

    def list(self) -> list[ApiKey]:
        """Return all keys by name, without their secrets."""
        keys = (_of_json(text)[0] for text in self._redis.hvals(KEYS))
        return sorted(keys, key=lambda key: key.name)

    def close(self) -> None:
        """Close the connections."""
        self._redis.close()

    def _keep(self, key: ApiKey, digest: bytes) -> bool:
        def write(redis: Any) -> bool:
            if redis.hexists(NAMES, key.name):
                return False
            redis.multi()
            redis.hset(NAMES, key.name, key.id)
            redis.hset(KEYS, key.id, _to_json(key, digest))
            return True

        return self._at_once(write)

    def _remove(self, name: str) -> bool:
        def write(redis: Any) -> bool:
            key_id = redis.hget(NAMES, name)
            if key_id is None:
                return False
            redis.multi()
            redis.hdel(KEYS, key_id)
            redis.hdel(NAMES, name)
            return True

        return self._at_once(write)

    def _change(self, name: str, changes: Mapping[str, str | int | None]) -> bool:
        def write(redis: Any) -> bool:
            key_id = redis.hget(NAMES, name)
            text = None if key_id is None else redis.hget(KEYS, key_id)
            if text is None:
                return False
            key, digest = _of_json(text)
            key = dataclasses.replace(key, **changes)  # type: ignore[arg-type]
            redis.multi()
            redis.hset(KEYS, key_id, _to_json(key, digest))
            return True

        return self._at_once(write)

    def _look_up(self, key_id: str) -> tuple[ApiKey, bytes] | None:
        if time.monotonic() < self._asks_again_s:
            raise RedisError("the storage of keys did not answer just now")
        try:
            text: str | None = self._redis.hget(KEYS, key_id)
        except RedisError as error:
            self._asks_again_s = time.monotonic() + TIMEOUT_S
            log.warning("only keys seen before are good while the storage is away: %s", error)
            raise
        return None if text is None else _of_json(text)

    def _at_once(self, write: Callable[[Any], bool]) -> bool:
        """Let `write` read, call `multi` and change: all of it at once, or anew if others did."""
        is_done: bool = self._redis.transaction(write, KEYS, NAMES, value_from_callable=True)
        return is_done


def _no_such(name: str) -> ValueError:
    return ValueError(f"there is no key named {name!r}; `keys list` shows all")


def _digest(presented: str) -> bytes:
    """Return what is kept of a key; by no slow hash, as there is nothing to guess in 32 bytes."""
    return hashlib.sha256(presented.encode()).digest()


def _of_row(row: tuple[str, str, int, int | None, str, int | None, bytes]) -> tuple[ApiKey, bytes]:
    *values, digest = row
    names = (field.name for field in dataclasses.fields(ApiKey))
    return ApiKey(**dict(zip(names, values, strict=True))), digest  # type: ignore[arg-type]


def _to_json(key: ApiKey, digest: bytes) -> str:
    return json.dumps({**dataclasses.asdict(key), "digest": digest.hex()})


def _of_json(text: str) -> tuple[ApiKey, bytes]:
    fields = json.loads(text)
    digest = bytes.fromhex(fields.pop("digest"))
    return ApiKey(**fields), digest
