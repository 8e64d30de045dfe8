"""A job from its plan to its end, whoever does the work; it can be interrupted at any time."""

from __future__ import annotations

import dataclasses
import json
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from translator.bulk.formats.kinds import FormatName
from translator.bulk.parts import Counts, Job, PartTranslator
from translator.bulk.plan import JobPlan, Part, Source, open_plan
from translator.bulk.storage import OutputFolder
from translator.bulk.translating import RowTranslator
from translator.errors import EngineError, ModelDirectoryError, TranslatorError
from translator.pipeline.models.model_set import ModelSet
from translator.progress import progress_bar

SHOWN = 3
"""Parts that failed which a message names."""

TOLD_EVERY_S = 1.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """What has become of a part."""

    number: int  # of the part
    counts: Counts = field(default_factory=Counts)  # of its rows
    error: str = ""  # why it failed; empty if it is there


class JobProgress:
    """A bar on standard error. A context; parts may tell of themselves in any order."""

    def __init__(self, total: int, done: int) -> None:
        self._bar = progress_bar(total=total, initial=done, unit="rows", unit_scale=False)
        self._by_part, self._finished = dict[int, int](), set[int]()
        self._lock = threading.Lock()

    def __enter__(self) -> JobProgress:
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.close()

    def tell_all(self, by_part: Mapping[int, int]) -> None:
        """Note how many rows of parts are done; of a finished one it is old news.

        They are fewer than before if a part has begun anew.
        """
        with self._lock:
            for part, rows in by_part.items():
                if part not in self._finished:
                    self._add(part, rows)
            self._bar.update(0)

    def finish(self, part: int, rows: int) -> None:
        """Note that all rows of a part are done."""
        with self._lock:
            self._add(part, rows)
            self._finished.add(part)

    def _add(self, part: int, rows: int) -> None:
        self._bar.update(rows - self._by_part.get(part, 0))
        self._by_part[part] = rows

    @property
    def rows(self) -> int:
        """Rows that are done."""
        return int(self._bar.n)


class Polling:
    """Asks again and again on a thread of its own, until the context ends."""

    def __init__(self, ask: Callable[[], None], every_s: float = TOLD_EVERY_S) -> None:
        self._ask, self._every_s = ask, every_s
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, name="bulk-progress", daemon=True)

    def __enter__(self) -> Polling:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join(timeout=self._every_s)

    def _run(self) -> None:
        while not self._end.wait(self._every_s):
            self._ask()


class Workers(Protocol):
    """Whoever translates parts."""

    def run(
        self, job: Job, parts: Sequence[tuple[Part, str]], progress: JobProgress
    ) -> Iterator[Outcome]:
        """Yield an outcome for each part, in any order; parts may be lost with their worker."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Report:
    """What a run of a job has done."""

    counts: Counts  # of the rows that it has translated
    num_parts: int  # of the job
    num_before: int  # parts that were there before


def run_job(
    source: Source, job_of: Callable[[FormatName, FormatName], Job], workers: Workers
) -> Report:
    """Translate all that is not translated yet.

    `job_of` makes what the workers have to know, from the formats that are read and written.

    Raises:
        InputError: the files or the folder for the results cannot be used.
        TranslatorError: some parts failed, and all others are done.
    """
    drafted = job_of("text", "text")
    out = OutputFolder(drafted.out)
    with drafted.load() as models:
        RowTranslator(models, drafted.options)  # refuses languages that no model has
        settings = settings_of(source, drafted, models)
    plan = open_plan(source, settings, out)
    there = out.names()
    pending, counts = plan.missing(there), Counts()
    num_before = len(plan.parts) - len(pending)
    ready = job_of(plan.input_format, plan.output_format)
    rows_before = plan.num_rows - sum(part.split.num_rows for part in pending)
    with JobProgress(plan.num_rows, rows_before) as progress:
        while pending:
            failed = _run_once(plan, ready, workers, pending, progress, counts)
            before, pending = pending, plan.missing(out.names())
            if failed or len(pending) == len(before):
                raise _failure(plan, pending, failed)
    out.clear_unfinished()
    return Report(counts=counts, num_parts=len(plan.parts), num_before=num_before)


def _run_once(
    plan: JobPlan,
    job: Job,
    workers: Workers,
    pending: Iterable[Part],
    progress: JobProgress,
    counts: Counts,
) -> dict[int, str]:
    """Let workers do what is left; return why parts failed."""
    failed = dict[int, str]()
    for outcome in workers.run(job, [(part, plan.name_of(part)) for part in pending], progress):
        counts.include(outcome.counts)
        if outcome.error:
            failed[outcome.number] = outcome.error
        else:
            progress.finish(outcome.number, plan.parts[outcome.number].split.num_rows)
    return failed


def _failure(plan: JobPlan, pending: Sequence[Part], failed: Mapping[int, str]) -> TranslatorError:
    lost = "no worker has done it"
    reasons = [f"{plan.name_of(part)}: {failed.get(part.number, lost)}" for part in pending[:SHOWN]]
    more = f"; and {len(pending) - SHOWN} more" if len(pending) > SHOWN else ""
    return TranslatorError(
        f"{len(pending)} of {len(plan.parts)} parts failed: {'; '.join(reasons)}{more}. Once the "
        "reason is gone, the same command does what is left"
    )


def settings_of(source: Source, job: Job, models: ModelSet) -> dict[str, Any]:
    """Return all that the result of a job depends on besides its files, as JSON has it."""
    options = job.options
    table = {
        "columns": dataclasses.asdict(source.columns),
        "input format": source.input_format,
        "output format": source.output_format,
        "rows of a part": source.max_rows,
        "source language": options.source,
        "target language": options.target,
        "format": options.text_format,
        "glossary": [sorted(options.glossary.pairs.items()), sorted(options.glossary.keep)],
        "precision": job.precision,
        "beam size": job.beam_size,
        "models": sorted({models.fingerprint(*pair) for pair in models.directions}),
    }
    return dict(json.loads(json.dumps(table)))


def outcome_of(
    translator: PartTranslator, part: Part, name: str, tell: Callable[[int, int], None]
) -> Outcome:
    """Translate a part; what is wrong with it becomes its outcome.

    Raises:
        ModelDirectoryError: a model cannot be loaded, for no part.
        EngineError: the engine has failed, which no other part would survive.
    """
    try:
        counts = translator.translate(part, name, lambda rows: tell(part.number, rows))
    except (EngineError, ModelDirectoryError):
        raise
    except (TranslatorError, OSError) as error:
        return Outcome(number=part.number, error=str(error))
    return Outcome(number=part.number, counts=counts)
