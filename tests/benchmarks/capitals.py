"""Texts written in capitals beside the same texts as they are ordinarily written.

    python -m tests.benchmarks.capitals --set FOLDER/tatoeba-dev --set FOLDER/newstest2013

Of each set there are two files, `NAME.de` and `NAME.en`. Translations and references are compared
in capitals, so that both ways of writing have the same to reach.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from tests.benchmarks.arguments import print_header, print_row, results_parser
from tests.benchmarks.results import results
from training.stages.evaluation import bleu_and_chrf
from translator.files import read_lines
from translator.translate.translator import DEFAULT_MODEL, Translator

DIRECTIONS = {"German→English": ("de", "en"), "English→German": ("en", "de")}


def main() -> None:
    """Print the table."""
    parser = results_parser(__doc__)
    parser.add_argument("--model", type=Path, default=DEFAULT_MODEL)
    parser.add_argument("--set", type=Path, action="append", required=True, dest="sets")
    parser.add_argument("--count", type=int, default=1_500, help="sentences of each set")
    options = parser.parse_args()
    with results(options.write, "capitals"):
        compare(options)


def compare(options: argparse.Namespace) -> None:
    """Print a row for each set and direction."""
    print_header("set", "direction", "BLEU, ordinary", "BLEU, in capitals", "difference")
    with Translator.load(options.model) as translator:
        for own in options.sets:
            lines = {
                language: [*read_lines(own.with_name(f"{own.name}.{language}"))][: options.count]
                for language in ("de", "en")
            }
            for name, (source, target) in DIRECTIONS.items():
                references = [line.upper() for line in lines[target]]

                def score(
                    texts: list[str],
                    pair: tuple[str, str] = (source, target),
                    wanted: list[str] = references,
                ) -> float:
                    found = translator.translate(texts, source=pair[0], target=pair[1])
                    return bleu_and_chrf([one.text.upper() for one in found], wanted)["bleu"]

                ordinary = score(lines[source])
                capitals = score([line.upper() for line in lines[source]])
                print_row(
                    *(own.name, name, f"{ordinary:.2f}", f"{capitals:.2f}"),
                    f"{capitals - ordinary:+.2f}",
                )


if __name__ == "__main__":
    main()
