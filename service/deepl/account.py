"""What belongs to a key: its glossaries, what it has had translated; and GET /v2/usage."""

from __future__ import annotations

import hashlib
import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from uuid import UUID

from flask import Blueprint, Response, jsonify, request
from pydantic import Field
from werkzeug.exceptions import Forbidden, NotFound, ServiceUnavailable

from service.access.guard import current_caller, presented_key
from service.deepl.parameters import KEY_ERRORS, KEYED, base_of, not_supported
from service.deepl.stored import Glossaries
from service.http.context import Context
from service.http.endpoint import JSON, Example, describe
from service.http.fields import Answer
from service.storage import Database, DatabaseAwayError
from translator.errors import ConfigError

SCHEMA = """
CREATE TABLE IF NOT EXISTS usage (
    caller TEXT NOT NULL,
    month TEXT NOT NULL,
    characters INTEGER NOT NULL,
    PRIMARY KEY (caller, month)
);
"""

WRITE_EVERY_S = 5.0


class UsageCounts:
    """Counts in memory, which are written down every few seconds and when they are read.

    So a process that is killed loses the last seconds, and another one does not see them yet.
    """

    def __init__(self, path: str | Path, clock: Callable[[], float] = time.time) -> None:
        self._database = Database(path, SCHEMA)
        self._clock = clock
        self._lock = threading.Lock()
        self._waiting: Counter[tuple[str, str]] = Counter()
        self._written_s = clock()

    def add(self, caller: str, num_characters: int) -> None:
        """Count characters of a caller."""
        with self._lock:
            self._waiting[caller, self._month()] += num_characters
            if self._clock() - self._written_s >= WRITE_EVERY_S:
                self._write()

    def of(self, caller: str) -> int:
        """Return how many characters a caller has had translated in this month of UTC."""
        with self._lock:
            self._write()
        with self._database.transaction() as connection:
            row = connection.execute(
                "SELECT characters FROM usage WHERE caller = ? AND month = ?",
                (caller, self._month()),
            ).fetchone()
        return row[0] if row else 0

    def _month(self) -> str:
        return time.strftime("%Y-%m", time.gmtime(self._clock()))

    def _write(self) -> None:
        self._written_s = self._clock()
        if not self._waiting:
            return
        rows = [(*caller_and_month, count) for caller_and_month, count in self._waiting.items()]
        with self._database.transaction() as connection:
            connection.executemany(
                "INSERT INTO usage VALUES (?, ?, ?) ON CONFLICT DO UPDATE"
                " SET characters = characters + excluded.characters",
                rows,
            )
        self._waiting.clear()


class UsageAnswer(Answer):
    """What a key has had translated in this month."""

    character_count: int = Field(description="Characters of texts and documents.")
    character_limit: int = Field(description="A number that DeepL writes where there is no limit.")


log = logging.getLogger(__name__)
NO_LIMIT = 1_000_000_000_000
"""What DeepL answers to those who have no limit."""

NOT_FOUND = "Glossary not found"
SWITCHED_OFF = "Glossaries are disabled on this server."

USAGE = replace(
    KEYED,
    summary="How many characters a key has had translated in this month",
    answers={JSON: UsageAnswer},
    errors=(*KEY_ERRORS, 503),
    examples=(
        Example(
            summary="A key in use", answer={"character_count": 180118, "character_limit": NO_LIMIT}
        ),
    ),
)


class Accounts:
    """What belongs to the keys that requests come with.

    The database is opened when it is first needed.
    """

    def __init__(self, context: Context) -> None:
        self._config = context.config
        self._lock = threading.Lock()
        self._glossaries: Glossaries | None = None
        self._usage: UsageCounts | None = None

    @property
    def counted(self) -> str:
        """Whose characters are counted: those of a key, or of all who have none together."""
        key = current_caller().key
        return f"key {key.id}" if key is not None else ""

    @property
    def keeper(self) -> str:
        """The owner of glossaries: a key; without one they would be everyone's: forbidden."""
        if not self._config.glossaries_limit:
            raise Forbidden(SWITCHED_OFF)
        if self.counted:
            return self.counted
        presented = presented_key(request) if self._config.api_keys == "off" else ""
        if not presented:
            raise Forbidden("Send an auth key: glossaries belong to one")
        key = presented.encode("utf-8", "backslashreplace")
        return f"digest {hashlib.sha256(key).hexdigest()}"

    @property
    def glossaries(self) -> Glossaries:
        """The glossaries of all."""
        with self._lock, _database_at_hand():
            if self._glossaries is None:
                limit = self._config.glossaries_limit
                self._glossaries = Glossaries(self._config.database, limit)
        return self._glossaries

    @property
    def usage(self) -> UsageCounts:
        """The counts of all."""
        with self._lock, _database_at_hand():
            if self._usage is None:
                self._usage = UsageCounts(self._config.database)
        return self._usage

    def count(self, num_characters: int) -> None:
        """Count what the owner has had translated; without a database, the translation goes on."""
        try:
            self.usage.add(self.counted, num_characters)
        except (ServiceUnavailable, DatabaseAwayError) as error:
            log.warning("characters are not counted: %s", error)

    def terms(self, glossary_ids: Sequence[str], source: str, target: str) -> Mapping[str, str]:
        """Return the terms of some glossaries; of terms that several have, the first counts.

        Raises:
            InputError: an ID is none.
            NotFound: there is no such glossary, or it has not this pair of languages.
        """
        terms: dict[str, str] = {}
        for glossary_id in reversed(glossary_ids):
            owner, pair = self.keeper, (base_of(source), base_of(target))
            entries = self.glossaries.entries(owner, checked_id(glossary_id), *pair)
            if entries is None:
                raise NotFound(f"{NOT_FOUND}, or it has no dictionary from {pair[0]} to {pair[1]}")
            terms |= entries
        return terms


def checked_id(glossary_id: str) -> str:
    """Return the ID of a glossary as it is kept; refuse what is no UUID."""
    try:
        return str(UUID(glossary_id))
    except ValueError:
        raise not_supported("glossary_id") from None


def add_usage(routes: Blueprint, accounts: Accounts) -> None:
    """Add the address."""

    @routes.get("/v2/usage")
    @describe(USAGE)
    def usage() -> Response:
        count = accounts.usage.of(accounts.counted)
        return jsonify({"character_count": count, "character_limit": NO_LIMIT})


@contextmanager
def _database_at_hand() -> Iterator[None]:
    try:
        yield
    except ConfigError as error:
        log.warning("%s", error)
        raise ServiceUnavailable("Nothing can be kept on this server now") from error
