"""A corpus translated by many processes, on this machine or on a cluster, part by part."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from translator.bulk.cluster import ClusterOptions, RayWorkers
from translator.bulk.formats.rows import Columns
from translator.bulk.job import Workers, run_job
from translator.bulk.parts import Job
from translator.bulk.plan import Source
from translator.bulk.translating import RowOptions
from translator.config import DecodingOptions
from translator.files import read_lines

COLUMNS = Columns(text="source", has_alternatives=True)


def ray_workers(address: str, actors: int | None) -> Workers:
    """Return actors of Ray.

    Args:
        address: of a cluster; empty starts Ray on this machine.
        actors: how many; as many as the CPUs allow if None.

    Raises:
        ConfigError: Ray is not installed.
    """
    return RayWorkers(ClusterOptions(address=address, actors=actors))


def translate_in_parts(
    text: Path,
    model: Path,
    languages: tuple[str, str],
    out: Path,
    decoding: DecodingOptions,
    threads: int,
    workers: Workers,
) -> Iterator[dict[str, Any]]:
    """Translate what is left of a text; then yield a table for each of its lines, in order.

    Args:
        text: a sentence a line.
        model: a model directory.
        languages: source and target.
        out: folder for the parts.
        decoding: its beam size, and how many hypotheses are wanted.
        threads: CPU threads of each worker.
        workers: do the work.

    Yields:
        `source`, and `translations`: none if what stands for a placeholder was lost.

    Raises:
        TranslatorError: see `run_job`.
    """

    def job(*formats: object) -> Job:
        return Job(
            out=str(out.absolute()),
            input_format="text",
            output_format="jsonl",
            columns=COLUMNS,
            options=RowOptions(
                source=languages[0],
                target=languages[1],
                num_alternatives=decoding.num_hypotheses - 1,
            ),
            models=(model.absolute(),),
            threads=threads,
            beam_size=decoding.beam_size,
        )

    source = Source(place=str(text), columns=COLUMNS, input_format="text", output_format="jsonl")
    run_job(source, job, workers)
    for path in sorted(out.glob("part-*.jsonl")):
        for line in read_lines(path):
            yield _entry(json.loads(line))


def _entry(row: dict[str, Any]) -> dict[str, Any]:
    found, others = row["translation"], row["translation_alternatives"]
    is_whole = found is not None and "placeholders" not in row["translation_flags"]
    return {"source": row["source"], "translations": [found, *others] if is_whole else []}
