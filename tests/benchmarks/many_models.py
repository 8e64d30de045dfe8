"""What it costs that models come and go: five models in memory for five, three, two and one.

    python -m tests.benchmarks.many_models [--width 256] [--requests 40]

Sixteen clients ask one after the other for short texts in six directions and two pairs that go
through English, without pause. The models are random, so their translations are as long as they may
be; every answer is compared with what the models say one by one.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.benchmarks.arguments import percentile, print_header, print_row
from tests.small_models import write_model
from translator.translate.models.model_set import ModelSet

DIRECTIONS = {
    "de-en": ("de-en", "en-de"),
    "en-fr": ("en-fr",),
    "es-en": ("es-en",),
    "it-en": ("it-en",),
    "en-pl": ("en-pl",),
}
PAIRS = [
    *(("de", "en"), ("en", "de"), ("en", "fr"), ("es", "en"), ("it", "en"), ("en", "pl")),
    *(("es", "pl"), ("it", "fr")),
]
TEXT = "Der Hund sieht die Katze. Das Kind mag {0}! Die Frau hört den Vogel."
CLIENTS = 16

Expected = dict[tuple[str, str], str]


def answer(models: ModelSet, pair: tuple[str, str]) -> str:
    """Return the translation of the text."""
    [found] = models.translate([TEXT], source=pair[0], target=pair[1])
    return found.text


def measure(models: ModelSet, expected: Expected, num_requests: int) -> tuple[list[float], int]:
    """Return how long each request took, and how many answers were not as expected."""
    lock, waited_s, wrong = threading.Lock(), list[float](), 0

    def work(seed: int) -> None:
        nonlocal wrong
        rng = random.Random(seed)
        for _ in range(num_requests):
            pair = rng.choice(PAIRS)
            started_s = time.perf_counter()
            is_right = answer(models, pair) == expected[pair]
            with lock:
                waited_s.append(time.perf_counter() - started_s)
                wrong += not is_right

    with ThreadPoolExecutor(CLIENTS) as pool:
        for done in [pool.submit(work, seed) for seed in range(CLIENTS)]:
            done.result()
    return waited_s, wrong


def main() -> None:
    """Print a row for each budget."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--width", type=int, default=256, help="d_model of the models")
    parser.add_argument("--requests", type=int, default=40, help="of each client")
    options = parser.parse_args()
    print_header(
        *("memory for", "requests/s", "median ms", "p95 ms", "loads", "mean load ms", "wrong")
    )
    with tempfile.TemporaryDirectory() as folder:
        for seed, (name, directions) in enumerate(DIRECTIONS.items()):
            write_model(Path(folder) / name, *directions, seed=seed, width=options.width)
        with ModelSet.load([folder]) as models:
            expected = {pair: answer(models, pair) for pair in PAIRS}
            largest = max(state.num_bytes for state in models.models())
        for count in (5, 3, 2, 1):
            with ModelSet.load([folder], max_bytes=count * largest) as models:
                for pair in PAIRS:
                    answer(models, pair)
                before = sum(state.loads for state in models.models())
                started_s = time.perf_counter()
                waited_s, wrong = measure(models, expected, options.requests)
                spent_s = time.perf_counter() - started_s
                states = models.models()
            loads = sum(state.loads for state in states)
            print_row(
                f"{count} models ({count * largest / 1e6:.0f} MB)",
                f"{len(waited_s) / spent_s:.0f}",
                f"{1000 * percentile(waited_s, 50):.0f}",
                f"{1000 * percentile(waited_s, 95):.0f}",
                f"{loads - before}",
                f"{1000 * sum(state.load_s for state in states) / len(states):.0f}",
                f"{wrong}",
            )


if __name__ == "__main__":
    main()
