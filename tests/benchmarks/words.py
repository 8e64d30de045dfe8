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
from translator.files import read_lines
from translator.translate.translator import DEFAULT_MODEL, Translator

LANGUAGES = ("de", "en")
PHRASES = Path(__file__).with_name("phrases.tsv")
MARKS = re.compile(r"\{[^{}]*\}|\[[^][]*\]|\([^()]*\)|<[^<>]*>|(?<!\S)/[^\s/][^/]*/(?![^\s;,])")
WITHOUT = re.compile(
    r"^(?:to|the|an?|der|die|das|eine?|sich|be|sein|(?:ich|er|sie|I|he|she)(?:/\w+)*) |"
    r" (?:etw|jdn|jdm|jds|jd|sth|sb)\b\.?|\b(?:etw|jdn|jdm|jds|jd|sth|sb)\. "
)
ENDINGS = {
    "de": "e en er es em n s t te ten tet test st et ste sten ster",
    "en": "s es ed d ing ly er est",
}
UMLAUTS = str.maketrans("äöüß", "aous")

Senses = dict[str, set[str]]


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
    lists = read_list(options.dictionary)
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


def read_list(path: Path) -> tuple[Senses, Senses]:
    """Return what each German and each English text of the list means, in lower case."""
    found: tuple[Senses, Senses] = (defaultdict(set), defaultdict(set))
    for line in read_lines(path):
        german, parting, english = line.partition(" :: ")
        if line.startswith("#") or not parting:
            continue
        for forms in zip(german.split(" | "), english.split(" | "), strict=False):
            sides = [[*_texts(form)] for form in forms]
            for ours, theirs in itertools.product(*sides):
                found[0][ours.translate(UMLAUTS)].add(theirs)
                found[1][theirs.translate(UMLAUTS)].add(ours)
    return found


def _texts(form: str) -> Iterator[str]:
    """Yield the synonyms of a form, without marks and articles."""
    while (shorter := MARKS.sub(" ", form)) != form:
        form = shorter
    for part in re.split(r"[;,]| / ", form):
        for text in part.split("/") if " " not in part.strip() else (part,):
            yield bare(text)


def bare(text: str) -> str:
    """Return a text in lower case, without punctuation, articles, "to" and objects."""
    text = " ".join(text.split()).strip(" .,:!?\"'„“”")
    while (shorter := WITHOUT.sub("", text).strip()) != text and shorter:
        text = shorter
    return text.lower()


def forms_of(word: str, language: str) -> set[str]:
    """Return what a word may be a form of: itself, and stems of three letters or more."""
    word = word.translate(UMLAUTS)
    found = {word}
    starts = {word}
    if language == "de" and "ge" in word[:6]:
        starts.add(word.replace("ge", "", 1))
    for start in starts:
        for ending in ENDINGS[language].split():
            if start.endswith(ending) and len(start) - len(ending) >= 3:
                found.add(start.removesuffix(ending))
    if language == "en":
        found |= {f"{stem[:-1]}y" for stem in found if stem.endswith("i")}
        found |= {stem[:-1] for stem in found if len(stem) > 4 and stem[-1] == stem[-2]}
        found |= {stem.removesuffix("e") for stem in found if len(stem) > 3}
    return found


def senses_of(word: str, senses: Senses, language: str) -> set[str]:
    """Return what the list gives for a word and for its forms."""
    word = word.lower().translate(UMLAUTS)
    found = set(senses.get(word, ()))
    endings = ["", "e", *ENDINGS[language].split()]
    for stem in {f"{stem}{ending}" for stem in forms_of(word, language) for ending in endings}:
        found |= senses.get(stem, set())
    return found


def is_listed(answer: str, senses: set[str], language: str) -> bool:
    """Return whether an answer is one of the senses, in whatever form."""
    ours = [forms_of(word, language) for word in bare(answer).split()]
    for sense in senses:
        theirs = [forms_of(word, language) for word in sense.split()]
        if len(ours) == len(theirs) and all(map(set.__and__, ours, theirs)):
            return True
    return False


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
