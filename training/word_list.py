"""The Ding word list, in which one looks up what a word means, whatever its form.

Source: https://dict.tu-chemnitz.de. A line is an entry: ` :: ` parts the languages, ` | ` the forms
and examples, `;` synonyms. Marks in braces, brackets and parentheses say what is said of a word:

    Orkan {m} (Windstärke 12) [meteo.] | Orkane {pl} :: hurricane (wind force 12) | hurricanes
"""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

LANGUAGES = ("de", "en")
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


def _entries(lines: Iterable[str]) -> Iterator[tuple[list[str], list[str]]]:
    for line in lines:
        german, parting, english = line.partition(" :: ")
        if parting and not line.startswith("#"):
            yield german.split(" | "), english.split(" | ")


def read_list(lines: Iterable[str]) -> tuple[Senses, Senses]:
    """Return what each German and each English text of the list means, in lower case."""
    found: tuple[Senses, Senses] = (defaultdict(set), defaultdict(set))
    for entry in _entries(lines):
        for forms in zip(*entry, strict=False):
            sides = [[*_texts(form)] for form in forms]
            for ours, theirs in itertools.product(*sides):
                found[0][ours.translate(UMLAUTS)].add(theirs)
                found[1][theirs.translate(UMLAUTS)].add(ours)
    return found


def read_spellings(lines: Iterable[str]) -> tuple[set[str], set[str]]:
    """Return the German and English texts of the list, but exclamations, as it writes them."""
    found = (set[str](), set[str]())
    for entry in _entries(lines):
        for texts, forms in zip(found, entry, strict=True):
            parts = (part for form in forms for part in _without_marks(form).split(";"))
            texts.update(_bare(part) for part in parts if part.rstrip()[-1:] not in ("!", "?"))
    return found


def _texts(form: str) -> Iterator[str]:
    """Yield the synonyms of a form, in lower case."""
    for part in re.split(r"[;,]| / ", _without_marks(form)):
        for text in part.split("/") if " " not in part.strip() else (part,):
            yield _bare(text).lower()


def _without_marks(form: str) -> str:
    """Return a form without its marks, which may be nested."""
    while (shorter := MARKS.sub(" ", form)) != form:
        form = shorter
    return form


def _bare(text: str) -> str:
    """Return a text without punctuation, articles, "to" and objects."""
    text = " ".join(text.split()).strip(" .,:!?\"'„“”")
    while (shorter := WITHOUT.sub("", text).strip()) != text and shorter:
        text = shorter
    return text


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
    ours = [forms_of(word, language) for word in _bare(answer).lower().split()]
    for sense in senses:
        theirs = [forms_of(word, language) for word in sense.split()]
        if len(ours) == len(theirs) and all(map(set.__and__, ours, theirs)):
            return True
    return False
