"""Bulk work without a cluster."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from translator.bulk.job import JobProgress, Outcome, outcome_of
from translator.bulk.parts import Job, PartTranslator
from translator.bulk.plan import Part
from translator.bulk.translating import RowTranslator


class HereWorkers:
    """Does the work in this process, a part after the other; needs no cluster."""

    def run(
        self, job: Job, parts: Sequence[tuple[Part, str]], progress: JobProgress
    ) -> Iterator[Outcome]:
        """Yield an outcome for each part, in order; see `Workers`."""
        with job.load() as models:
            translator = PartTranslator(job, RowTranslator(models, job.options, models.faults))
            for part, name in parts:
                yield outcome_of(
                    translator, part, name, lambda number, rows: progress.tell_all({number: rows})
                )
