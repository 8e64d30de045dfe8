"""One process of the benchmark; started by `python -m translator benchmark`."""

from __future__ import annotations

import sys
from pathlib import Path

from translator.benchmark.report import report

if __name__ == "__main__":
    model, source, language, threads, quick = sys.argv[1:]
    report(Path(model), Path(source), language, int(threads), bool(int(quick)))
