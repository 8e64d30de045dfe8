"""`python -m translator benchmark`: the engine beside CTranslate2."""

from __future__ import annotations

import argparse
from pathlib import Path

from translator.benchmark.report import Measurement, run_benchmark
from translator.benchmark.subject import DEFAULT_FORMS, FORMS, TRAINED
from translator.runtime.ctranslate2 import require_ctranslate2
from translator.translate.translator import DEFAULT_MODEL


def add_benchmark(parser: argparse.ArgumentParser) -> None:
    """Add the flags of this command."""
    parser.add_argument("model", type=Path, nargs="?", default=DEFAULT_MODEL)
    parser.add_argument("--input", type=Path, required=True, help="sentences, one a line")
    parser.add_argument("--from", dest="source_language", default="de", help="of --input")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument(
        "--form",
        nargs="+",
        default=list(DEFAULT_FORMS),
        help=f"models to measure: {TRAINED}, or random weights of the sizes {', '.join(FORMS)}",
    )
    parser.add_argument("--quick", action="store_true", help="fewer sentences and repeats")
    parser.add_argument("--unit", help="hold both engines to a vector unit, such as avx2")
    parser.set_defaults(execute=_benchmark)


def _benchmark(options: argparse.Namespace) -> None:
    require_ctranslate2()
    wanted = Measurement(
        model=options.model,
        source=options.input,
        language=options.source_language,
        forms=tuple(options.form),
        quick=options.quick,
        unit=options.unit,
    )
    run_benchmark(wanted, options.threads)
