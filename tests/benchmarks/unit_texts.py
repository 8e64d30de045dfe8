"""Translate sentences with one vector unit; print each score, to its last bit, and its text.

    python -m tests.benchmarks.unit_texts --unit avx2 --input news.de --count 2000 >avx2.txt

`diff` then says what another unit, or another CPU, makes different. Seconds of computing go to the
standard error, of the fastest round.

PyTorch's sines are not the same on all kinds of CPUs. `--positions` writes the vectors of positions
to a file, or reads them if there is one, so that a comparison is one of the kernels.
"""

from __future__ import annotations

import argparse
import sys
import time
from itertools import islice
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from translator import Translator
from translator.files import read_lines
from translator.model.positions import POSITIONS
from translator.runtime.kernels.unit import hold_to, unit
from translator.translate.translator import DEFAULT_MODEL

MOST_POSITIONS = 4096
"""In the file."""


def hold_positions_to(path: Path) -> None:
    """Take the vectors of positions from a file, which is written if there is none."""
    computed = POSITIONS["sinusoidal"]

    def kept(positions: Tensor, d_model: int) -> Tensor:
        if not path.exists():
            save_file({str(d_model): computed(torch.arange(MOST_POSITIONS), d_model)}, path)
        return load_file(path)[str(d_model)][positions.long()]

    POSITIONS["sinusoidal"] = kept


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
    parser.add_argument("--positions", type=Path, help="a file of vectors, for the default model")
    parser.add_argument("--rounds", type=int, default=1)
    options = parser.parse_args()
    if options.unit:
        hold_to(options.unit)
    if options.positions:
        hold_positions_to(options.positions)
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
