"""Translate sentences with one vector unit; print each score, to its last bit, and its text.

    python -m tests.benchmarks.unit_texts --unit avx2 --input news.de --count 2000 >avx2.txt

`diff` then says what another unit, or another CPU, makes different. Seconds of computing go to the
standard error, of the fastest round.
"""

from __future__ import annotations

import argparse
import sys
import time
from itertools import islice
from pathlib import Path

from translator import Translator
from translator.files import read_lines
from translator.runtime.kernels.unit import hold_to, unit
from translator.translate.translator import DEFAULT_MODEL


def main() -> None:
    """Translate, and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--unit", help="the best that the CPU has if none is named")
    parser.add_argument("--precision", default="int8", choices=["int8", "float32"])
    parser.add_argument("--model", type=Path, default=DEFAULT_MODEL)
    parser.add_argument("--input", type=Path, required=True, help="sentences, one a line")
    parser.add_argument("--count", type=int, default=100, help="of the sentences, the first ones")
    parser.add_argument("--from", dest="source", default="de")
    parser.add_argument("--to", dest="target", default="en")
    parser.add_argument("--rounds", type=int, default=1)
    options = parser.parse_args()
    if options.unit:
        hold_to(options.unit)
    lines = list(islice(read_lines(options.input), options.count))
    seconds = []
    with Translator.load(options.model, precision=options.precision, threads=1) as translator:
        for _ in range(options.rounds):
            begin = time.process_time()
            found = translator.translate(lines, source=options.source, target=options.target)
            seconds.append(time.process_time() - begin)
    for one in found:
        print(repr(one.score), one.text)
    print(f"{unit().name} {options.precision}: {min(seconds):.2f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
