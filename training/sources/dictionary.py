"""A parallel corpus from a dictionary: words, phrases and sentences of the Ding word list.

One line of the word list is one entry. ` :: ` parts the languages, ` | ` the forms and examples of
an entry, `;` synonyms. Marks in braces, brackets and parentheses say what is said of a word, and
are left out:

    Orkan {m} (Windstärke 12) [meteo.] | Orkane {pl} :: hurricane (wind force 12) | hurricanes

Source: https://dict.tu-chemnitz.de, of which Debian's package `trans-de-en` is a copy.
"""

from __future__ import annotations

import argparse
import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from training.commands import Commands, require_files
from training.data.cleaning import write_sides
from training.data.corpus import SentencePair
from translator.errors import InputError
from translator.files import read_lines

LANGUAGES = ("de", "en")
PHRASE_WORDS = 4
MIN_USES = 2
MAX_SYNONYMS = 3
UNUSUAL = re.compile(r"\[(?:obs|veraltet|veraltend|vulg|slang|arch|dated|Dialekt|Dt\. Dial)[^]]*\]")
MARKS = re.compile(r"\{[^{}]*\}|\[[^][]*\]|\([^()]*\)|<[^<>]*>")
CHOICE = re.compile(r"(?<=\w)/[\w’'-]+")  # "arrived/appeared": the first will do
LEFT_OVER = re.compile(r"[|{}()\[\]<>…/_]|\.\.\.|::")
SHORT = {
    "de": {
        "etw.": "etwas",
        "jd.": "jemand",
        "jdn.": "jemanden",
        "jdm.": "jemandem",
        "jds.": "jemandes",
    },
    "en": {"sth.": "something", "sb.": "somebody", "sth.’s": "its", "sb.’s": "somebody's"},
}


def add_command(commands: Commands) -> None:
    """Add `read-dictionary` to the commands of `python -m training`."""
    parser = commands.add_parser(
        "read-dictionary", help="make a parallel corpus from the Ding word list, German-English"
    )
    parser.add_argument(
        "--input", type=Path, required=True, help="the word list, such as /usr/share/trans/de-en"
    )
    parser.add_argument(
        "--usual-in",
        type=Path,
        nargs="+",
        default=[],
        metavar="TEXT",
        help="text in files that end in .de and .en; keep pairs whose words all occur in it twice",
    )
    parser.add_argument("--out", type=Path, required=True, help="folder for words.* and phrases.*")
    parser.set_defaults(execute=_execute)


def _execute(options: argparse.Namespace) -> None:
    require_files(options.input, *options.usual_in)
    pairs = read_dictionary(read_lines(options.input))
    if options.usual_in:
        pairs = keep_usual(pairs, [_words_of(options.usual_in, code) for code in LANGUAGES])
    found: dict[str, list[SentencePair]] = {"words": [], "phrases": []}
    for pair in pairs:
        is_phrase = max(len(side.split()) for side in pair.sides) >= PHRASE_WORDS
        found["phrases" if is_phrase else "words"].append(pair)
    if not any(found.values()):
        raise InputError(f"{options.input}: has no entry in the form `German :: English`")
    options.out.mkdir(parents=True, exist_ok=True)
    for part, kept in found.items():
        paths = [options.out / f"{part}.{language}" for language in LANGUAGES]
        print(f"{write_sides(paths, kept):,} pairs in {paths[0]} and {paths[1]}")


def _words_of(paths: Iterable[Path], language: str) -> set[str]:
    """Return the words that occur at least `MIN_USES` times in the texts of one language."""
    texts = [path for path in paths if path.suffix == f".{language}"]
    if not texts:
        raise InputError(f"--usual-in: names no file that ends in .{language}")
    counts = Counter(word for path in texts for line in read_lines(path) for word in _words(line))
    return {word for word, count in counts.items() if count >= MIN_USES}


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def keep_usual(pairs: Iterable[SentencePair], usual: Sequence[set[str]]) -> Iterator[SentencePair]:
    """Yield the pairs all of whose words are usual, in lower case: `usual` is per language."""
    for pair in pairs:
        if all(
            known.issuperset(_words(side)) for known, side in zip(usual, pair.sides, strict=True)
        ):
            yield pair


def read_dictionary(lines: Iterable[str]) -> Iterator[SentencePair]:
    """Return each German form with its English one, once; at most three synonyms of each.

    What is obsolete or vulgar is left out, and so is what a person would have to read as a pattern
    ("Minimal…").
    """
    seen: set[SentencePair] = set()
    for line in lines:
        for pair in _pairs_of(line):
            if pair not in seen:
                seen.add(pair)
                yield pair


def _pairs_of(line: str) -> Iterator[SentencePair]:
    german, parting, english = line.partition(" :: ")
    forms = german.split(" | "), english.split(" | ")
    if line.startswith("#") or not parting or len(forms[0]) != len(forms[1]):
        return
    for german, english in zip(*forms, strict=True):
        sides = _synonyms(german, "de"), _synonyms(english, "en")
        if all(sides):
            count = min(max(map(len, sides)), MAX_SYNONYMS)
            cycles = (itertools.islice(itertools.cycle(side), count) for side in sides)
            yield from itertools.starmap(SentencePair, zip(*cycles, strict=True))


def _synonyms(form: str, language: str) -> list[str]:
    """Return the ways to say one form, without marks; none if it is not plain text."""
    found = (_plain(part, language) for part in _without_marks(form).split(";"))
    return [text for text in found if text]


def _without_marks(form: str) -> str:
    """Remove marks, which may be nested, and the synonyms that are marked as unusual."""
    form = ";".join(part for part in form.split(";") if not UNUSUAL.search(part))
    while (shorter := MARKS.sub(" ", form)) != form:
        form = shorter
    return form


def _plain(part: str, language: str) -> str:
    text = CHOICE.sub("", part)
    if LEFT_OVER.search(text):
        return ""
    words = (SHORT[language].get(word, word).replace("’", "'") for word in text.split())
    return re.sub(r" ([,.!?:])", r"\1", " ".join(words)).strip(" ,:")
