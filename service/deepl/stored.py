"""Glossaries that callers keep here, each with a dictionary for some pairs of languages."""

from __future__ import annotations

import json
import sqlite3
import time
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from service.storage import Database

SCHEMA = """
CREATE TABLE IF NOT EXISTS glossaries (
    id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    name TEXT NOT NULL,
    created_at REAL NOT NULL
);
CREATE INDEX IF NOT EXISTS glossaries_by_owner ON glossaries (owner);
CREATE TABLE IF NOT EXISTS glossary_dictionaries (
    glossary TEXT NOT NULL,
    source TEXT NOT NULL,
    target TEXT NOT NULL,
    entries TEXT NOT NULL,
    num_entries INTEGER NOT NULL,
    PRIMARY KEY (glossary, source, target)
);
"""

PUT = (
    "INSERT INTO glossary_dictionaries VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE"
    " SET entries = excluded.entries, num_entries = excluded.num_entries"
)

OF_PAIR = " WHERE glossary = ? AND source = ? AND target = ?"


@dataclass(frozen=True, kw_only=True, slots=True)
class Dictionary:
    """The terms of one pair of languages, each with what stands for it in the other."""

    source: str
    target: str
    entries: Mapping[str, str]


@dataclass(frozen=True, kw_only=True, slots=True)
class KeptGlossary:
    """What is known of a glossary without its terms.

    Attributes:
        id: a UUID.
        created_at: seconds of the epoch.
        sizes: of each pair of languages, how many terms it has.
    """

    id: str
    name: str
    created_at: float
    sizes: Mapping[tuple[str, str], int]


class Glossaries:
    """Tables with a bound. A glossary is its owner's: others cannot tell that it is there."""

    def __init__(self, path: str | Path, max_glossaries: int) -> None:
        self._database = Database(path, SCHEMA)
        self._max_glossaries = max_glossaries

    def add(self, owner: str, name: str, dictionaries: Sequence[Dictionary]) -> KeptGlossary | None:
        """Keep a glossary; return None if there is no room for it."""
        glossary_id = str(uuid.uuid4())
        with self._database.transaction() as connection:
            done = connection.execute(
                "INSERT INTO glossaries SELECT ?, ?, ?, ?"
                " WHERE (SELECT count(*) FROM glossaries) < ?",
                (glossary_id, owner, name, time.time(), self._max_glossaries),
            )
            if done.rowcount != 1:
                return None
            for dictionary in dictionaries:
                _put(connection, glossary_id, dictionary)
            return _find(connection, owner, glossary_id)

    def list(self, owner: str) -> list[KeptGlossary]:
        """Return all glossaries of an owner, the oldest first."""
        with self._database.transaction() as connection:
            rows = connection.execute(
                "SELECT id, name, created_at FROM glossaries WHERE owner = ? ORDER BY created_at",
                (owner,),
            ).fetchall()
            return _with_sizes(connection, rows)

    def find(self, owner: str, glossary_id: str) -> KeptGlossary | None:
        """Return a glossary; None if the owner has none of that ID."""
        with self._database.transaction() as connection:
            return _find(connection, owner, glossary_id)

    def entries(
        self, owner: str, glossary_id: str, source: str, target: str
    ) -> dict[str, str] | None:
        """Return the terms of a pair of languages; None if there are none."""
        with self._database.transaction() as connection:
            if _find(connection, owner, glossary_id) is None:
                return None
            row = connection.execute(
                "SELECT entries FROM glossary_dictionaries" + OF_PAIR, (glossary_id, source, target)
            ).fetchone()
        entries: dict[str, str] | None = json.loads(row[0]) if row else None
        return entries

    def rename(self, owner: str, glossary_id: str, name: str) -> None:
        """Give a glossary another name, if it is there."""
        query = "UPDATE glossaries SET name = ? WHERE owner = ? AND id = ?"
        with self._database.transaction() as connection:
            connection.execute(query, (name, owner, glossary_id))

    def put(self, owner: str, glossary_id: str, dictionary: Dictionary) -> None:
        """Keep a dictionary in place of that of its pair, if the glossary is there."""
        with self._database.transaction() as connection:
            if _find(connection, owner, glossary_id) is not None:
                _put(connection, glossary_id, dictionary)

    def remove(self, owner: str, glossary_id: str) -> None:
        """Delete a glossary, if it is there."""
        with self._database.transaction() as connection:
            done = connection.execute(
                "DELETE FROM glossaries WHERE owner = ? AND id = ?", (owner, glossary_id)
            )
            if done.rowcount == 1:
                connection.execute(
                    "DELETE FROM glossary_dictionaries WHERE glossary = ?", (glossary_id,)
                )

    def remove_dictionary(self, owner: str, glossary_id: str, source: str, target: str) -> bool:
        """Delete the terms of a pair of languages; return False if there are none."""
        with self._database.transaction() as connection:
            if _find(connection, owner, glossary_id) is None:
                return False
            done = connection.execute(
                "DELETE FROM glossary_dictionaries" + OF_PAIR, (glossary_id, source, target)
            )
        return done.rowcount == 1


def _put(connection: sqlite3.Connection, glossary_id: str, dictionary: Dictionary) -> None:
    entries = json.dumps(dict(dictionary.entries), ensure_ascii=False)
    connection.execute(
        PUT, (glossary_id, dictionary.source, dictionary.target, entries, len(dictionary.entries))
    )


def _find(connection: sqlite3.Connection, owner: str, glossary_id: str) -> KeptGlossary | None:
    rows = connection.execute(
        "SELECT id, name, created_at FROM glossaries WHERE owner = ? AND id = ?",
        (owner, glossary_id),
    ).fetchall()
    return next(iter(_with_sizes(connection, rows)), None)


def _with_sizes(
    connection: sqlite3.Connection, rows: Iterable[tuple[str, str, float]]
) -> list[KeptGlossary]:
    glossaries = []
    for glossary_id, name, created_at in rows:
        pairs = connection.execute(
            "SELECT source, target, num_entries FROM glossary_dictionaries WHERE glossary = ?"
            " ORDER BY rowid",
            (glossary_id,),
        )
        sizes = {(source, target): count for source, target, count in pairs}
        glossaries.append(
            KeptGlossary(id=glossary_id, name=name, created_at=created_at, sizes=sizes)
        )
    return glossaries
