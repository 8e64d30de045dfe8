"""How fast documents are translated, beside their bare texts.

    python -m tests.benchmarks.file_speed [MODEL] [--kind docx …] [--count 5] [--rounds 3]

A document is read, translated and written again; in turn with it, the same texts are translated as
plain text, without the marks of formats. A file is translated once before, which does not count.
"""

from __future__ import annotations

import argparse
import statistics
from pathlib import Path
from timeit import timeit

from tests.benchmarks import file_samples
from tests.benchmarks.arguments import print_header, print_row, results_parser
from tests.benchmarks.files import COUNTED, ENGLISH_TO_GERMAN
from tests.benchmarks.results import results
from translator.documents.kinds import read_file
from translator.text.formats.inline import TOKEN
from translator.translate.documents import translate_document
from translator.translate.texts import translate_texts
from translator.translate.translator import DEFAULT_MODEL, Translator


def main() -> None:
    """Measure and print."""
    parser = results_parser(__doc__)
    parser.add_argument("model", nargs="?", type=Path, default=DEFAULT_MODEL)
    parser.add_argument("--count", type=int, default=5, help="files of each kind")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--kind", action="append", choices=[*COUNTED], help="default: all")
    options = parser.parse_args()
    with results(options.write, "file-speed"):
        print_header("files", "characters", "characters a second", "beside plain text")
        with Translator.load(options.model) as translator:
            for kind in options.kind or COUNTED:
                measure(kind, translator, options)


def measure(kind: str, translator: Translator, options: argparse.Namespace) -> None:
    """Print a row for one kind of file."""
    samples = file_samples.samples(kind, options.count)
    documents = [read_file(f"a.{kind}", data, "de") for data in samples]
    texts = [
        [TOKEN.sub(lambda token: token["text"] or "", unit.text) for unit in document.units]
        for document in documents
    ]
    num_characters = sum(len(text) for own in texts for text in own)

    def whole() -> None:
        for data in samples:
            translate_document(translator, read_file(f"a.{kind}", data, "de"), ENGLISH_TO_GERMAN)

    def bare() -> None:
        for own in texts:
            translate_texts(translator, own, ENGLISH_TO_GERMAN)

    translate_document(translator, documents[0], ENGLISH_TO_GERMAN)
    rounds = [(timeit(whole, number=1), timeit(bare, number=1)) for _ in range(options.rounds)]
    rate = num_characters / statistics.median(one for one, _ in rounds)
    beside = statistics.median(plain / one for one, plain in rounds)
    print_row(kind, num_characters, f"{rate:.0f}", f"{beside:.0%}")


if __name__ == "__main__":
    main()
