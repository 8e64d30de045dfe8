"""`python -m translator bulk`: tables and texts of any size, on one machine or on a cluster."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import get_args

from translator.bulk.cluster import RayWorkers
from translator.bulk.formats.kinds import FormatName
from translator.bulk.formats.rows import Columns
from translator.bulk.job import Report, run_job
from translator.bulk.parts import Job
from translator.bulk.plan import Source
from translator.bulk.storage import OutputFolder
from translator.bulk.translating import AUTO, RowOptions
from translator.cli.translate import add_terms, glossary_of
from translator.commands import utf8
from translator.config import Precision
from translator.errors import ConfigError, InputError
from translator.pipeline.models.here import default_paths
from translator.pipeline.options import TextFormat


def add_bulk(parser: argparse.ArgumentParser) -> None:
    """Add the flags of this command."""
    parser.add_argument(
        "place",
        metavar="IN",
        type=utf8,
        help="a file, a folder or a pattern such as 'news/*.parquet'; a path or an fsspec URL",
    )
    parser.add_argument("--out", required=True, help="folder for the results; a path or a URL")
    parser.add_argument(
        "--from",
        dest="source_language",
        metavar="LANGUAGE",
        help="source language, such as de; auto detects that of each row",
    )
    parser.add_argument(
        "--to",
        dest="target_language",
        metavar="LANGUAGE",
        required=True,
        help="target language, such as en",
    )
    parser.add_argument(
        "--column", default="text", type=utf8, help="column to translate; text by default"
    )
    parser.add_argument(
        "--from-column",
        default="",
        type=utf8,
        help="column that has the source language of each row",
    )
    parser.add_argument(
        "--into",
        default="translation",
        type=utf8,
        help="column for translations; translation by default",
    )
    formats = get_args(FormatName)
    parser.add_argument(
        "--input-format", choices=formats, help="format of IN; its endings tell by default"
    )
    parser.add_argument(
        "--output-format", choices=["jsonl"], help="format of the results; that of IN by default"
    )
    parser.add_argument(
        "--partition-rows", type=int, default=5000, help="most rows in a part; 5000 by default"
    )
    _add_work(parser)
    parser.set_defaults(execute=_bulk)


def _add_work(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--model",
        type=Path,
        nargs="+",
        default=[],
        help="model directories, or folders of them; by default downloaded ones, and after them "
        "the shipped one",
    )
    parser.add_argument(
        "--format", choices=get_args(TextFormat), default="text", help="format of the texts"
    )
    add_terms(parser)
    parser.add_argument(
        "--beam-size", type=int, help="hypotheses kept at each step; the model's own by default"
    )
    parser.add_argument(
        "--precision",
        choices=get_args(Precision),
        default="auto",
        help="auto, the default, takes int8",
    )
    parser.add_argument(
        "--address",
        default="",
        help="Ray cluster to use; auto finds the one on this machine; by default Ray starts here",
    )
    parser.add_argument(
        "--actors", type=int, help="processes that translate; as many as the CPUs allow by default"
    )
    parser.add_argument(
        "--threads", type=int, default=1, help="CPU threads of each process; 1 by default"
    )


def _bulk(options: argparse.Namespace) -> None:
    _check(options)
    workers = RayWorkers(options.address, options.actors)
    columns = Columns(
        text=options.column,
        language=options.from_column,
        translation=options.into,
        has_languages=bool(options.from_column) or options.source_language == AUTO,
    )
    rows = RowOptions(
        source=options.source_language or AUTO,
        target=options.target_language,
        text_format=options.format,
        glossary=glossary_of(options),
    )

    def job(read: FormatName, written: FormatName) -> Job:
        return Job(
            out=OutputFolder(options.out).url,
            input_format=read,
            output_format=written,
            columns=columns,
            options=rows,
            models=tuple(path.absolute() for path in options.model or default_paths()),
            threads=options.threads,
            precision=options.precision,
            beam_size=options.beam_size,
        )

    source = Source(
        place=options.place,
        columns=columns,
        input_format=options.input_format or "",
        output_format=options.output_format or "",
        max_rows=options.partition_rows,
    )
    started_s = time.monotonic()
    try:
        report = run_job(source, job, workers)
    except KeyboardInterrupt:
        print("interrupted; the same command does what is left", file=sys.stderr)
        raise
    _print(report, time.monotonic() - started_s, options)


def _check(options: argparse.Namespace) -> None:
    """Refuse flags that do not go together, before anything is loaded."""
    if not options.source_language and not options.from_column:
        raise InputError("name the source language with --from (auto finds it) or --from-column")
    problems = [
        f"--{name.replace('_', '-')}: must be 1 or more, got {value}"
        for name in ("partition_rows", "threads", "beam_size")
        if (value := getattr(options, name)) is not None and value < 1
    ]
    if problems:
        raise ConfigError(problems, "bulk")


def _print(report: Report, seconds: float, options: argparse.Namespace) -> None:
    counts, out = report.counts, options.out
    before = f" ({report.num_before} of them were there before)" if report.num_before else ""
    print(f"{out}: {report.num_parts} part{'s' if report.num_parts != 1 else ''}{before}")
    if counts.rows:
        flags = ", ".join(f"{count} {flag}" for flag, count in sorted(counts.flags.items()))
        print(
            f"rows: {counts.rows} in {seconds:.0f} s, {counts.rows / seconds:.1f} a second; "
            f"{counts.errors} with an error; flags: {flags or 'none'}"
        )
