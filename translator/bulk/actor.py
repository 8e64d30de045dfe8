"""What runs in the processes of a cluster: an actor translates parts, and a tally counts rows."""

from __future__ import annotations

import dataclasses
import json
import os
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from translator.bulk.formats.rows import Span
from translator.bulk.job import Outcome, outcome_of
from translator.bulk.pinning import pin
from translator.bulk.plan import Part
from translator.bulk.translating import RowTranslator
from translator.bulk.work import Counts, PartTranslator, Work
from translator.errors import EngineError, TranslatorError

if TYPE_CHECKING:
    from translator.bulk.model_files import ModelFiles

ENGINE_FAILED = 70
"""Exit code of an actor whose engine has failed; another takes its place."""


ATTEMPTS = 5
"""So often a part is begun whose actors end, one after the other."""


class Tally:
    """How many rows of each part are done, told by the actors and asked for by the job."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._rows = dict[int, int]()
        self._attempts = Counter[int]()

    def begin(self, part: int) -> int:
        """Note that an actor begins a part; return how often that has happened."""
        self._attempts[part] += 1
        return self._attempts[part]

    def tell(self, part: int, rows: int) -> None:
        """Note how many rows of a part are done."""
        self._rows[part] = rows

    def read(self) -> dict[int, int]:
        """Return what has been told since it was last asked for."""
        told, self._rows = self._rows, {}
        return told


class PartActor:
    """Translates a part for each row of a dataset; the row says which."""

    def __init__(self, work: Work, tally: Any, models: Any) -> None:
        """Take what all parts have in common; models are loaded with the first part.

        Args:
            work: to be done.
            tally: an actor of `Tally`.
            models: a reference to `ModelFiles`; None if the paths of `work` are good here.
        """
        pin(work.threads)
        self._work, self._tally, self._models = work, tally, models
        self._translator: PartTranslator | None = None

    def __call__(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """Return the outcome of a part as a row."""
        import ray

        part, name = as_part(row)
        if ray.get(self._tally.begin.remote(part.number)) > ATTEMPTS:
            error = f"{ATTEMPTS} processes have ended over it, perhaps for want of memory"
            outcome = Outcome(number=part.number, counts=Counts(), error=error)
            return as_table(outcome, is_fatal=False)
        try:
            outcome = outcome_of(self._loaded(), part, name, self._tell)
        except EngineError:
            os._exit(ENGINE_FAILED)
        except (TranslatorError, OSError) as error:  # of the models, without which nothing goes on
            outcome = Outcome(number=part.number, counts=Counts(), error=str(error))
            return as_table(outcome, is_fatal=True)
        return as_table(outcome, is_fatal=False)

    def _tell(self, part: int, rows: int) -> None:
        self._tally.tell.remote(part, rows)

    def _loaded(self) -> PartTranslator:
        if self._translator is None:
            work = self._work
            if self._models is not None:
                import ray

                files: ModelFiles = ray.get(self._models)
                work = dataclasses.replace(work, models=files.unpacked())
            models = work.load()
            rows = RowTranslator(models, work.options, models.faults)
            self._translator = PartTranslator(work, rows)
        return self._translator


def as_row(part: Part, name: str) -> dict[str, Any]:
    """Return a part, and the name of its file, as a row of a dataset."""
    return {"number": part.number, "url": part.url, "name": name, **part.span._asdict()}


def as_part(row: Mapping[str, Any]) -> tuple[Part, str]:
    """Return the part and the name that a row stands for."""
    span = Span(*(int(row[name]) for name in Span._fields))
    return Part(number=int(row["number"]), url=str(row["url"]), span=span), str(row["name"])


def as_table(outcome: Outcome, *, is_fatal: bool) -> dict[str, Any]:
    """Return an outcome as a row of a dataset."""
    counts = outcome.counts
    return {
        "number": outcome.number,
        "rows": counts.rows,
        "errors": counts.errors,
        "flags": json.dumps(counts.flags),
        "error": outcome.error,
        "is_fatal": is_fatal,
    }


def as_outcome(row: Mapping[str, Any]) -> tuple[Outcome, bool]:
    """Return the outcome that a row stands for, and whether no other part can do better."""
    flags = Counter[str](json.loads(row["flags"]))
    counts = Counts(rows=int(row["rows"]), errors=int(row["errors"]), flags=flags)
    outcome = Outcome(number=int(row["number"]), counts=counts, error=str(row["error"]))
    return outcome, bool(row["is_fatal"])
