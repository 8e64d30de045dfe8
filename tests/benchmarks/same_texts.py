"""Whether servers with LibreTranslate's interface translate alike, and how fast each is.

    python -m tests.benchmarks.libretranslate FOLDER --quantization float32
    ARGOS_PACKAGES_DIR=FOLDER ARGOS_INTRA_THREADS=1 libretranslate --load-only de,en --port 5002 &
    python -m translator import FOLDER/de-en --out MODEL
    TRANSLATOR_MODEL=MODEL TRANSLATOR_PRECISION=float32 make serve PORT=5001 &
    python -m tests.benchmarks.same_texts --input SENTENCES http://localhost:5001 http://localhost:5002

The servers are asked in turn, a sentence a request, in short rounds. Of the sentences whose
translations are not the same, a few are shown.
"""

from __future__ import annotations

import itertools
import json
import statistics
import time
import urllib.request
from collections.abc import Sequence

from tests.benchmarks.arguments import (
    add_source,
    print_header,
    print_row,
    read_sentences,
    results_parser,
)
from tests.benchmarks.results import results

TIMEOUT_S = 60
ROUND = 20
"""Sentences of a round."""

SIGNS = "!?.,;。"
"""LibreTranslate ends a translation with that of these that the source ends with, and begins it
with a capital where the source does."""

SHOWN = 5


def translated(url: str, text: str, source: str, target: str) -> str:
    """Return what a server makes of a sentence."""
    fields = {"q": text, "source": source, "target": target, "format": "text"}
    request = urllib.request.Request(
        f"{url}/translate", json.dumps(fields).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=TIMEOUT_S) as response:
        found: str = json.load(response)["translatedText"]
    return found


def plain(text: str) -> str:
    """Return a translation without what LibreTranslate changes in it."""
    return (text[:1].lower() + text[1:]).rstrip(SIGNS)


def ask(
    urls: Sequence[str], texts: Sequence[str], source: str, target: str
) -> tuple[list[list[str]], list[list[float]]]:
    """Return the translations that each server gives, and its requests a second in each round."""
    answers: list[list[str]] = [[] for _ in urls]
    rates: list[list[float]] = [[] for _ in urls]
    for url in urls:  # the first answers are slow
        for text in texts[:ROUND]:
            translated(url, text, source, target)
    for number, start in enumerate(range(0, len(texts), ROUND)):
        some = texts[start : start + ROUND]
        for turn in range(len(urls)):
            place = (number + turn) % len(urls)
            started_s = time.perf_counter()
            answers[place] += [translated(urls[place], text, source, target) for text in some]
            rates[place].append(len(some) / (time.perf_counter() - started_s))
    return answers, rates


def print_table(
    urls: Sequence[str], answers: Sequence[list[str]], rates: Sequence[list[float]]
) -> None:
    """Print a row for each server."""
    columns = "as the first", "but for first and last sign", "requests/s", "rate beside the first"
    print_header("server", "sentences", *columns)
    for url, found, own in zip(urls, answers, rates, strict=True):
        pairs = [*zip(found, answers[0], strict=True)]
        same = sum(one == other for one, other in pairs)
        nearly = sum(plain(one) == plain(other) for one, other in pairs)
        ratios = [rate / first for rate, first in zip(own, rates[0], strict=True)]
        rate, ratio = statistics.median(own), statistics.median(ratios)
        print_row(url, len(found), same, nearly, f"{rate:.0f}", f"{ratio:.2f}")


def main() -> None:
    """Ask and print."""
    parser = results_parser(__doc__)
    parser.add_argument("url", nargs="+", help="of servers that run, http://HOST:PORT")
    add_source(parser)
    parser.add_argument("--to", dest="target_language", default="en")
    parser.add_argument("--sentences", type=int, default=200)
    options = parser.parse_args()
    texts = read_sentences(options.input)[: options.sentences]
    with results(options.write, "same-texts"):
        answers, rates = ask(options.url, texts, options.source_language, options.target_language)
        print_table(options.url, answers, rates)
    print()
    different = (
        row for row in zip(texts, *answers, strict=True) if len({*map(plain, row[1:])}) > 1
    )
    for row in itertools.islice(different, SHOWN):
        print("\n    ".join(row))


if __name__ == "__main__":
    main()
