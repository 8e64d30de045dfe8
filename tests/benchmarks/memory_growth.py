"""How much memory a worker holds, and how it grows with what it has translated.

python -m tests.benchmarks.memory_growth --input SENTENCES [--sentences 100000]
"""

from __future__ import annotations

import argparse
import dataclasses
import itertools
import time
from functools import partial

from tests.benchmarks.arguments import print_header, print_row, read_sentences, sentences_parser
from tests.benchmarks.decoding.subject import first_target
from tests.benchmarks.machine import resident_mb
from tests.benchmarks.results import results
from translator.translate.streaming import translate_lines
from translator.translate.translator import Translator

REPORTS = 10


def main() -> None:
    """Translate a file again and again."""
    parser = sentences_parser(__doc__)
    parser.add_argument("--beam-size", type=int, default=1)
    parser.add_argument("--sentences", type=int, default=100_000)
    options = parser.parse_args()
    with results(options.write, "memory"):
        measure(options)


def measure(options: argparse.Namespace) -> None:
    """Print a row after each tenth."""
    started = time.perf_counter()
    with Translator.load(options.model, threads=options.threads) as translator:
        target = first_target(translator.description, options.source_language)
        decoding = dataclasses.replace(translator.description.decoding, beam_size=options.beam_size)
        translate = partial(
            translator.translate, source=options.source_language, target=target, options=decoding
        )
        translate(["a"])
        seconds = time.perf_counter() - started
        print(f"First translation {seconds:.2f} s after `import torch`; {resident_mb():.0f} MB.\n")
        print_header("sentences", "MB", "growth since the first row", "sentences/s")
        lines = itertools.cycle(read_sentences(options.input))
        answers = translate_lines(translate, itertools.islice(lines, options.sentences))
        step, first = max(1, options.sentences // REPORTS), 0.0
        for count, _ in enumerate(answers, 1):
            if count % step == 0:
                now = resident_mb()
                first = first or now
                rate = count / (time.perf_counter() - started)
                print_row(f"{count:,}", f"{now:.0f}", f"{now / first - 1:+.1%}", f"{rate:.0f}")


if __name__ == "__main__":
    main()
