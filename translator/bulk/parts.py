"""The work of one process: a part of a file is read, translated and written, as a whole."""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from translator.bulk.formats.kinds import ROW_FORMATS, FormatName
from translator.bulk.formats.lines import compression_of, packing
from translator.bulk.formats.rows import Batch, Columns, Row, TranslatedRow
from translator.bulk.plan import Part
from translator.bulk.storage import OutputFolder
from translator.bulk.translating import BulkModels, RowOptions, RowTranslator
from translator.config import Precision
from translator.pipeline.streaming import in_windows

NOTES = "_notes"
"""A folder for what has no place in a file of text."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Job:
    """All that a process has to know besides the part."""

    out: str  # path or URL of the folder for the results
    input_format: FormatName
    output_format: FormatName
    columns: Columns
    options: RowOptions
    models: Sequence[Path]  # in order of preference
    threads: int = 1  # of a process
    precision: Precision = "auto"
    beam_size: int | None = None  # the models' own if None

    def load(self) -> BulkModels:
        """Return the models; each is loaded when it is wanted."""
        models = BulkModels.load(self.models, threads=self.threads, precision=self.precision)
        models.beam_size = self.beam_size
        return models


@dataclass(kw_only=True, slots=True)
class Counts:
    """What has become of rows."""

    rows: int = 0  # how many there were
    errors: int = 0  # how many could not be translated
    flags: Counter[str] = field(default_factory=Counter)  # how many have each flag

    def add(self, rows: Sequence[TranslatedRow]) -> None:
        """Count some more rows."""
        self.rows += len(rows)
        self.errors += sum(bool(row.error) for row in rows)
        for row in rows:
            self.flags.update(row.flags)

    def include(self, other: Counts) -> None:
        """Count what another has counted."""
        self.rows, self.errors = self.rows + other.rows, self.errors + other.errors
        self.flags.update(other.flags)


class PartTranslator:
    """Translates one part after the other."""

    def __init__(self, job: Job, translator: RowTranslator) -> None:
        self._job, self._translator = job, translator
        self._source, self._target = ROW_FORMATS[job.input_format], ROW_FORMATS[job.output_format]
        self._out = OutputFolder(job.out)

    def translate(self, part: Part, name: str, tell: Callable[[int], None]) -> Counts:
        """Translate a part into a file, which appears when it is whole; return counts of its rows.

        There are none if the file is there already. `tell` is called now and then with the number
        of rows that are done.

        Raises:
            TranslatorError: the part cannot be read, or the engine has failed.
            OSError: the file cannot be read or written.
        """
        counts = Counts()
        if self._out.has(name):
            return counts
        notes = list[bytes]()
        with self._out.writing(name) as stream, packing(stream, compression_of(name)) as packed:
            writer = self._target.writer(packed, self._job.columns)
            for batch, translated in self._translated(part):
                if self._job.output_format == "text":
                    notes += _notes(translated, counts.rows)
                writer.write(batch, translated)
                counts.add(translated)
                tell(counts.rows)
            writer.close()
            if notes:
                number = f"{NOTES}/part-{part.number:06}.jsonl"
                with self._out.writing(number) as beside:
                    beside.write(b"".join(notes))
        return counts

    def _translated(self, part: Part) -> Iterator[tuple[Batch, list[TranslatedRow]]]:
        """Yield batches with their translations; a few of them are in memory at a time."""
        ahead = deque[Batch]()

        def rows() -> Iterator[Row]:
            for batch in self._source.read(part.url, part.split, self._job.columns):
                ahead.append(batch)
                yield from batch.rows

        done = list[TranslatedRow]()
        for row in in_windows(self._translator.translate, rows(), lambda row: len(row.text or "")):
            done.append(row)
            if len(done) == len(ahead[0].rows):
                yield ahead.popleft(), done
                done = []


def _notes(rows: Sequence[TranslatedRow], before: int) -> Iterator[bytes]:
    """Yield a line of JSON for each row that has a flag or an error; rows count from 1."""
    for number, row in enumerate(rows, start=before + 1):
        if row.flags or row.error:
            about = {"line": number, "flags": list(row.flags), "error": row.error or None}
            yield (json.dumps(about, ensure_ascii=False) + "\n").encode()
