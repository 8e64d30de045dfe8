"""What the checks of translations cost: our own Python, and what is searched for again.

    python -m tests.benchmarks.checks --input newstest2013.de --input tatoeba-dev.de [--count 1000]

Every sentence is translated once, and what the engine answered is kept. Then the same sentences are
translated again and again with those answers in the place of the engine, so that only our own
Python counts, with and without the checks in turn. What is searched for again is told in steps of
the search, one for each beam and id, which no other process disturbs. With `--turns N`, the engine
itself translates with and without the checks in turn: that is what requests cost. `--profile`
prints where the time of our own Python goes.
"""

from __future__ import annotations

import argparse
import cProfile
import dataclasses
import pstats
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from tests.benchmarks.arguments import print_header, print_row, read_sentences, results_parser
from tests.benchmarks.replay import Recorder, Replay
from tests.benchmarks.results import results
from translator.config import DecodingOptions
from translator.engine.start import start_engine
from translator.store.model_directory import LoadedModel, load_model_directory
from translator.translate.documents import translate_texts
from translator.translate.translator import DEFAULT_MODEL, Translator
from translator.translate.units import TextOptions

ROUNDS = 5
"""Of our own Python; the quickest counts, since others only add to it."""


def main() -> None:
    """Print the tables."""
    parser = results_parser(__doc__)
    parser.add_argument("--model", type=Path, default=DEFAULT_MODEL)
    parser.add_argument("--input", type=Path, action="append", required=True, dest="inputs")
    parser.add_argument("--from", dest="source", default="de", help="of --input")
    parser.add_argument("--to", dest="target", default="en")
    parser.add_argument("--count", type=int, default=1_000, help="sentences of each input")
    parser.add_argument("--turns", type=int, default=0, help="with the engine itself")
    parser.add_argument("--profile", action="store_true")
    options = parser.parse_args()
    with results(options.write, "checks"):
        measure(options)


def measure(options: argparse.Namespace) -> None:
    """Print a row for each input."""
    loaded = load_model_directory(options.model)
    print_header(
        *("sentences", "searched again", "our Python, µs a sentence", "without checks, µs"),
        *("checks, µs", "steps of the search, more", "engine's time, more"),
    )
    for path in options.inputs:
        lines = read_sentences(path)[: options.count]
        measure_input(options, loaded, path.name, lines)


def measure_input(
    options: argparse.Namespace, loaded: LoadedModel, name: str, lines: Sequence[str]
) -> None:
    """Print a row."""
    recorder = Recorder(start_engine(loaded, 1, "auto"))
    checked = loaded.description.decoding
    plain = dataclasses.replace(checked, search_again=False)

    def translate(translator: Translator, decoding: DecodingOptions) -> int:
        wanted = TextOptions(source=options.source, target=options.target, decoding=decoding)
        return sum("retried" in found.flags for found in translate_texts(translator, lines, wanted))

    with Translator(loaded, recorder) as translator:
        translate(translator, plain)
        steps = recorder.steps
        num_again = translate(translator, checked)
        more_steps = (recorder.steps - steps) / steps - 1
        ratios = [
            seconds(partial(translate, translator, checked))
            / seconds(partial(translate, translator, plain))
            for _ in range(options.turns)
        ]
    replayed = Translator(loaded, Replay(recorder.answers))
    rounds = [
        [
            1e6 * seconds(partial(translate, replayed, one), time.process_time) / len(lines)
            for one in (checked, plain)
        ]
        for _ in range(ROUNDS)
    ]
    ours, without = (min(column) for column in zip(*rounds, strict=True))
    more = f"{statistics.median(ratios) - 1:+.1%}" if ratios else "–"
    print_row(
        f"{name} ({len(lines)})",
        f"{num_again / len(lines):.1%}",
        *(f"{us:.0f}" for us in (ours, without, ours - without)),
        *(f"{more_steps:+.1%}", more),
    )
    if options.profile:
        profile = cProfile.Profile()
        profile.runcall(translate, replayed, checked)
        pstats.Stats(profile, stream=sys.stderr).sort_stats("tottime").print_stats(40)


def seconds(work: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    """Return how long something takes by a clock."""
    start_s = clock()
    work()
    return clock() - start_s


if __name__ == "__main__":
    main()
