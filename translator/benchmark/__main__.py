"""One process of the benchmark; started by `python -m translator benchmark`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from translator.benchmark.report import Measurement, report
from translator.benchmark.subject import DEFAULT_FORMS
from translator.commands import CommandParser, run_command
from translator.runtime.kernels.unit import hold_to


def main(arguments: list[str] | None = None) -> int:
    """Measure with one number of threads; return the exit code."""
    parser = CommandParser(prog="python -m translator.benchmark", description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("input", type=Path)
    parser.add_argument("language")
    parser.add_argument("--form", nargs="+", default=list(DEFAULT_FORMS))
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--unit")
    parser.set_defaults(execute=_report)
    return run_command(parser, arguments)


def _report(options: argparse.Namespace) -> None:
    if options.unit:
        hold_to(options.unit)
    wanted = Measurement(
        model=options.model,
        source=options.input,
        language=options.language,
        forms=tuple(options.form),
        quick=options.quick,
        unit=options.unit,
    )
    report(wanted, options.threads)


if __name__ == "__main__":
    sys.exit(main())
