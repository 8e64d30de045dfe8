"""API keys, of which only the hash is kept."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import sqlite3
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from service.storage.database import Database

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
COLUMNS = "id, name, created_at, expires_at, rate_limit, char_limit"
ID_BYTES, SECRET_BYTES = 4, 32
UNLIMITED = "none"
NAME_TAKEN = "there is a key named {!r} already; remove it first"
NO_SUCH_NAME = "there is no key named {!r}; `keys list` shows all"


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


class Keys(Protocol):
    """Where keys are kept. A key is `ID.SECRET`; the secret is 32 random bytes."""

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

    def remove(self, name: str) -> None:
        """Delete a key; running servers refuse it from now on.

        Raises:
            ValueError: there is none of that name.
        """

    def limit(self, name: str, *, rate_limit: str, char_limit: int | None) -> None:
        """Change the limits of a key.

        Raises:
            ValueError: there is none of that name.
        """

    def list(self) -> list[ApiKey]:
        """Return all keys by name, without their secrets."""

    def find(self, presented: str) -> ApiKey | None:
        """Return the key that someone has presented; None if it is wrong or has expired."""

    def close(self) -> None:
        """Close the connection to where they are kept."""


class KeyStore:
    """The keys in a database of SQLite, for the processes of one machine; see `Keys`."""

    def __init__(self, path: str | Path) -> None:
        """Open a database, or make one; see `Database`."""
        self._database = Database(path, SCHEMA)

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
        row = (key_id, name, int(time.time()), expires_at, rate_limit, char_limit, digest_of(key))
        try:
            with self._database.transaction() as connection:
                connection.execute(
                    f"INSERT INTO api_keys ({COLUMNS}, digest) VALUES (?, ?, ?, ?, ?, ?, ?)", row
                )
        except sqlite3.IntegrityError:
            raise ValueError(NAME_TAKEN.format(name)) from None
        return key

    def remove(self, name: str) -> None:
        """Delete a key; running servers refuse it from now on.

        Raises:
            ValueError: there is none of that name.
        """
        with self._database.transaction() as connection:
            removed = connection.execute("DELETE FROM api_keys WHERE name = ?", (name,))
        _raise_unless_one(removed, name)

    def limit(self, name: str, *, rate_limit: str, char_limit: int | None) -> None:
        """Change the limits of a key.

        Raises:
            ValueError: there is none of that name.
        """
        with self._database.transaction() as connection:
            changed = connection.execute(
                "UPDATE api_keys SET rate_limit = ?, char_limit = ? WHERE name = ?",
                (rate_limit, char_limit, name),
            )
        _raise_unless_one(changed, name)

    def list(self) -> list[ApiKey]:
        """Return all keys by name, without their secrets."""
        with self._database.transaction() as connection:
            rows = connection.execute(f"SELECT {COLUMNS} FROM api_keys ORDER BY name").fetchall()
        return [_key_of(row) for row in rows]

    def find(self, presented: str) -> ApiKey | None:
        """Return the key that someone has presented; None if it is wrong or has expired."""
        if not presented.isascii():
            return None
        key_id = presented.partition(".")[0]
        with self._database.transaction() as connection:
            row = connection.execute(
                f"SELECT {COLUMNS}, digest FROM api_keys WHERE id = ?", (key_id,)
            ).fetchone()
        digest = row[-1] if row else bytes(hashlib.sha256().digest_size)
        is_right = hmac.compare_digest(digest, digest_of(presented))
        return unless_expired(_key_of(row[:-1])) if row is not None and is_right else None

    def close(self) -> None:
        """Close the database."""
        self._database.close()


def new_key() -> tuple[str, str]:
    """Return the ID of a new key, and the key."""
    key_id = secrets.token_hex(ID_BYTES)
    return key_id, f"{key_id}.{secrets.token_urlsafe(SECRET_BYTES)}"


def unless_expired(key: ApiKey) -> ApiKey | None:
    """Return the key, or None if its time is over."""
    return None if key.expires_at is not None and key.expires_at <= time.time() else key


def digest_of(key: str) -> bytes:
    """Return what is kept of a key."""
    # No slow hash: there is nothing to guess in 32 random bytes.
    return hashlib.sha256(key.encode()).digest()


def _key_of(row: tuple[str, str, int, int | None, str, int | None]) -> ApiKey:
    key_id, name, created_at, expires_at, rate_limit, char_limit = row
    return ApiKey(
        id=key_id,
        name=name,
        created_at=created_at,
        expires_at=expires_at,
        rate_limit=rate_limit,
        char_limit=char_limit,
    )


def _raise_unless_one(done: sqlite3.Cursor, name: str) -> None:
    if done.rowcount != 1:
        raise ValueError(NO_SUCH_NAME.format(name))
