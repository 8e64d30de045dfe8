"""Measure this engine beside CTranslate2, in turn, and beside what the machine could do at best.

Run `python -m tests.benchmarks.decoding --input FILE`; it needs `pip install ctranslate2`.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.benchmarks.arguments import add_source
from tests.benchmarks.decoding.report import report, run_benchmark
from tests.benchmarks.decoding.subject import DEFAULT_FORMS, FORMS, TRAINED
from tests.units import hold_to
from translator.commands import CommandParser, run_command
from translator.pipeline.translator import DEFAULT_MODEL
from translator.runtime.ctranslate2 import require_ctranslate2


def main(arguments: list[str] | None = None) -> int:
    """Measure; return the exit code."""
    parser = CommandParser(prog="python -m tests.benchmarks.decoding", description=__doc__)
    parser.add_argument("--model", type=Path, default=DEFAULT_MODEL, help="model directory")
    add_source(parser)
    parser.add_argument(
        "--threads", type=int, nargs="+", default=[1, 2], help="numbers of threads to measure"
    )
    parser.add_argument(
        "--form",
        nargs="+",
        default=list(DEFAULT_FORMS),
        help=f"models to measure: {TRAINED}, or random weights of the sizes {', '.join(FORMS)}",
    )
    parser.add_argument("--quick", action="store_true", help="fewer sentences and repeats")
    parser.add_argument("--unit", help="hold both engines to a vector unit, such as avx2")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    parser.set_defaults(execute=_measure)
    return run_command(parser, arguments)


def _measure(options: argparse.Namespace) -> None:
    if not options.here:
        require_ctranslate2()
        run_benchmark(options)
        return
    if options.unit:
        hold_to(options.unit)
    report(options)


if __name__ == "__main__":
    sys.exit(main())
