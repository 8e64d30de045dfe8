"""How much memory a worker holds, and how it grows with what it has translated.

python -m tests.benchmarks.memory_growth --src SENTENCES [--model MODEL] [--sentences 100000]
"""

from __future__ import annotations

import dataclasses
import itertools
import time

from tests.benchmarks.arguments import sentences_parser
from translator.benchmark.machine import resident_mb
from translator.benchmark.subject import first_target
from translator.files import read_lines
from translator.translate.streaming import lines_of, translate_lines
from translator.translate.translator import Translator

REPORTS = 10


def main() -> None:
    """Translate a file again and again, and print the memory after each tenth."""
    parser = sentences_parser(__doc__)
    parser.add_argument("--beam-size", type=int, default=1)
    parser.add_argument("--sentences", type=int, default=100_000)
    options = parser.parse_args()
    started = time.perf_counter()
    with Translator.load(options.model, threads=options.threads) as translator:
        target = first_target(translator.description, options.source_language)
        decoding = dataclasses.replace(
            translator.description.decoding, beam_size=options.beam_size, reverse_weight=0.0
        )
        translate = lines_of(translator, options.source_language, target, decoding)
        translate(["a"])
        print(f"first translation {time.perf_counter() - started:.2f} s after `import torch`")
        print(f"loaded: {resident_mb():.0f} MB")
        lines = itertools.cycle(list(read_lines(options.src)))
        answers = translate_lines(translate, itertools.islice(lines, options.sentences))
        step, first = max(1, options.sentences // REPORTS), 0.0
        for count, _ in enumerate(answers, 1):
            if count % step == 0:
                now = resident_mb()
                first = first or now
                rate = count / (time.perf_counter() - started)
                print(
                    f"{count:,} sentences: {now:.0f} MB, {now / first - 1:+.1%} against the first "
                    f"{step:,}; {rate:.0f} sentences/s",
                    flush=True,
                )


if __name__ == "__main__":
    main()
