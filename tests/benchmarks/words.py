"""Single words and phrases, the first things that people try.

    python -m tests.benchmarks.words --dictionary /usr/share/trans/de-en --set FOLDER/newstest2013

The words are the most frequent ones of a text, in `NAME.de` and `NAME.en`, that the Ding word list
has, as they are mostly written and with a capital. A translation is right if the list gives it for
the word, whatever form of it. About half of the others are right as well: no word list has all
translations. The phrases of `phrases.tsv` are
written as those from which a model learns, and none of them is one: sign-offs, abbreviations, names
and the like, each with a pattern that its translation must match.
"""

from __future__ import annotations

import argparse
import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks.arguments import print_header, print_row, results_parser
from tests.benchmarks.results import results
from training.word_list import LANGUAGES, Senses, is_listed, read_list, senses_of
from translator.files import read_lines
from translator.pipeline.translator import DEFAULT_MODEL, Translator

PHRASES = Path(__file__).with_name("phrases.tsv")


def main() -> None:
    """Print the table."""
    parser = results_parser(__doc__)
    parser.add_argument("--model", type=Path, default=DEFAULT_MODEL)
    parser.add_argument("--dictionary", type=Path, required=True, help="the Ding word list")
    parser.add_argument("--set", type=Path, required=True, help="NAME of NAME.de and NAME.en")
    parser.add_argument("--count", type=int, default=1_000, help="words of each language")
    parser.add_argument("--wrong", action="store_true", help="list what is not right")
    options = parser.parse_args()
    with results(options.write, "words"):
        compare(options)


def compare(options: argparse.Namespace) -> None:
    """Print a row for the words of each language, and for the phrases."""
    lists = read_list(read_lines(options.dictionary))
    wrong: list[str] = []
    print_header("what", "direction", "number", "right")
    with Translator.load(options.model) as translator:
        for side, source in enumerate(LANGUAGES):
            target = LANGUAGES[1 - side]
            text = read_lines(options.set.with_name(f"{options.set.name}.{source}"))
            words = frequent(text, lists[side], source, options.count)
            for name, written in (("words", words), ("Words", [w.capitalize() for w in words])):
                answers = translator.translate(written, source=source, target=target)
                failed = [
                    f"{word} → {answer.text}"
                    for word, answer in zip(written, answers, strict=True)
                    if not is_listed(answer.text, senses_of(word, lists[side], source), target)
                ]
                wrong += failed
                share = 1 - len(failed) / max(len(words), 1)
                print_row(name, f"{source}→{target}", f"{len(words):,}", f"{share:.1%}")
        failed, count = failed_phrases(translator)
        print_row("phrases", "both", count, f"{1 - len(failed) / count:.1%}")
    if options.wrong:
        print("\n".join(["", *wrong, *failed]))


def frequent(lines: Iterator[str], senses: Senses, language: str, count: int) -> list[str]:
    """Return the most frequent words that the list can judge, as they are mostly written."""
    written: dict[str, Counter[str]] = defaultdict(Counter)
    for line in lines:
        for word in re.findall(r"[^\W\d_]{2,}", line)[1:]:  # the first one has a capital anyway
            written[word.lower()][word] += 1
    words = (text.most_common(1)[0][0] for text in sorted(written.values(), key=_negative))
    judged = (word for word in words if senses_of(word, senses, language))
    return list(itertools.islice(judged, count))


def _negative(counts: Counter[str]) -> int:
    return -counts.total()


def failed_phrases(translator: Translator) -> tuple[list[str], int]:
    """Return the phrases whose translations do not match, and the number of all."""
    rows = [line.split("\t") for line in read_lines(PHRASES)]
    failed = []
    for direction in sorted({row[0] for row in rows}):
        source, target = direction.split("-")
        own = [row for row in rows if row[0] == direction]
        texts = [row[1].replace("\\n", "\n") for row in own]
        answers = translator.translate(texts, source=source, target=target)
        for text, (_, _, pattern), answer in zip(texts, own, answers, strict=True):
            if not re.search(pattern, answer.text):
                failed.append(f"{text!r} → {answer.text!r}")
    return failed, len(rows)


if __name__ == "__main__":
    main()
