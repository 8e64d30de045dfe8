"""API keys in a Redis, for servers on several machines; and which store the settings name."""

from __future__ import annotations

import dataclasses
import hmac
import json
import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from redis import Redis
from redis.exceptions import RedisError

from service.access.keys import (
    NAME_TAKEN,
    NO_SUCH_NAME,
    ApiKey,
    Keys,
    KeyStore,
    digest_of,
    new_key,
    unless_expired,
)
from service.config import IN_DATABASE, ServiceConfig
from service.errors import NotReady
from translator.errors import ConfigError

KEYS = "translator-api-keys"
"""A hash of Redis: from a key's ID to what is known of it, as JSON, with its digest."""

NAMES = "translator-api-key-names"
"""From a name to the ID."""

PATIENCE_S = 1.0
"""How long to wait for the Redis, and how long to leave it alone after it has not answered."""

MAX_REMEMBERED = 10_000
RETRY_AFTER_S = 5

log = logging.getLogger(__name__)


def open_keys(config: ServiceConfig) -> Keys:
    """Return the store of keys that the settings name.

    Raises:
        ConfigError: the database cannot be opened, or the URL of the Redis is none.
    """
    if config.keys_storage == IN_DATABASE:
        return KeyStore(config.database)
    return SharedKeys(config.keys_storage)


class SharedKeys:
    """The keys in a Redis; see `Keys`.

    While the Redis is away, the keys that this process has seen go on being good, and whoever
    presents another one is told to come back.
    """

    def __init__(self, url: str) -> None:
        """Connect when a key is first wanted.

        Raises:
            ConfigError: the URL is none of a Redis.
        """
        try:
            self._redis: Any = Redis.from_url(
                url,
                decode_responses=True,
                socket_timeout=PATIENCE_S,
                socket_connect_timeout=PATIENCE_S,
            )
        except ValueError as error:
            problem = f"keys_storage: {error}; take redis://HOST:PORT"
            raise ConfigError([problem], "service") from error
        self._lock = threading.Lock()
        self._seen: OrderedDict[str, str] = OrderedDict()
        self._asks_again_s = 0.0

    def add(
        self,
        name: str,
        *,
        expires_at: int | None = None,
        rate_limit: str = "",
        char_limit: int | None = None,
    ) -> str:
        """Make a key and return it: it cannot be read again.

        Raises:
            ValueError: there is a key of that name.
        """
        key_id, key = new_key()
        made = ApiKey(
            id=key_id,
            name=name,
            created_at=int(time.time()),
            expires_at=expires_at,
            rate_limit=rate_limit,
            char_limit=char_limit,
        )

        def write(redis: Any) -> None:
            if redis.hexists(NAMES, name):
                raise ValueError(NAME_TAKEN.format(name))
            redis.multi()
            redis.hset(NAMES, name, key_id)
            redis.hset(KEYS, key_id, _written(made, digest_of(key).hex()))

        self._at_once(write)
        return key

    def remove(self, name: str) -> None:
        """Delete a key; running servers refuse it from now on.

        Raises:
            ValueError: there is none of that name.
        """

        def write(redis: Any) -> None:
            key_id = _id_of(name, redis)
            redis.multi()
            redis.hdel(KEYS, key_id)
            redis.hdel(NAMES, name)

        self._at_once(write)

    def limit(self, name: str, *, rate_limit: str, char_limit: int | None) -> None:
        """Change the limits of a key.

        Raises:
            ValueError: there is none of that name.
        """

        def write(redis: Any) -> None:
            key_id = _id_of(name, redis)
            text = redis.hget(KEYS, key_id)
            if text is None:
                raise ValueError(NO_SUCH_NAME.format(name))
            key, digest = _read(text)
            changed = dataclasses.replace(key, rate_limit=rate_limit, char_limit=char_limit)
            redis.multi()
            redis.hset(KEYS, key_id, _written(changed, digest))

        self._at_once(write)

    def list(self) -> list[ApiKey]:
        """Return all keys by name, without their secrets."""
        every = (_read(text)[0] for text in self._redis.hvals(KEYS))
        return sorted(every, key=lambda key: key.name)

    def find(self, presented: str) -> ApiKey | None:
        """Return the key that someone has presented; None if it is wrong or has expired.

        Raises:
            NotReady: the Redis is away, and this process has not seen that key.
        """
        key_id, dot, _ = presented.partition(".")
        if not (presented.isascii() and dot):
            return None
        text = self._look_up(key_id)
        if text is None:
            return None
        key, digest = _read(text)
        is_right = hmac.compare_digest(digest, digest_of(presented).hex())
        return unless_expired(key) if is_right else None

    def close(self) -> None:
        """Close the connections."""
        self._redis.close()

    def _at_once(self, write: Callable[[Any], None]) -> None:
        """Let `write` read, call `multi` and change: all of it at once, or anew if others did."""
        self._redis.transaction(write, KEYS, NAMES)

    def _look_up(self, key_id: str) -> str | None:
        """Return what the Redis has of a key, or has had when it last answered."""
        if time.monotonic() >= self._asks_again_s:
            try:
                text: str | None = self._redis.hget(KEYS, key_id)
            except RedisError as error:
                self._asks_again_s = time.monotonic() + PATIENCE_S
                log.warning("only keys seen before are good while the storage is away: %s", error)
            else:
                self._remember(key_id, text)
                return text
        with self._lock:
            if key_id in self._seen:
                return self._seen[key_id]
        raise NotReady("API keys cannot be looked up now; try again", retry_after=RETRY_AFTER_S)

    def _remember(self, key_id: str, text: str | None) -> None:
        with self._lock:
            self._seen.pop(key_id, None)
            if text is not None:
                self._seen[key_id] = text
            if len(self._seen) > MAX_REMEMBERED:
                self._seen.popitem(last=False)


def _id_of(name: str, redis: Any) -> str:
    key_id = redis.hget(NAMES, name)
    if key_id is None:
        raise ValueError(NO_SUCH_NAME.format(name))
    return str(key_id)


def _written(key: ApiKey, digest: str) -> str:
    return json.dumps({**dataclasses.asdict(key), "digest": digest})


def _read(text: str) -> tuple[ApiKey, str]:
    fields = json.loads(text)
    digest = fields.pop("digest")
    return ApiKey(**fields), digest
