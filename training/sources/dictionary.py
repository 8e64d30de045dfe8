"""A parallel corpus from a dictionary: words, phrases and sentences of the Ding word list.

One line of the word list is one entry. ` :: ` parts the languages, ` | ` the forms and examples of
an entry, `;` synonyms. Marks in braces, brackets and parentheses say what is said of a word, and
are left out, as abbreviations between slashes are:

    Orkan {m} (Windstärke 12) [meteo.] | Orkane {pl} :: hurricane (wind force 12) | hurricanes

A word that people type alone stands without an article, an object or "to". So verbs lose their
objects, and mostly their "to"; and each word becomes several lines, the more the more frequent it
is, most of them with the translation that is most usual.

Source: https://dict.tu-chemnitz.de, of which Debian's package `trans-de-en` is a copy.
"""

from __future__ import annotations

import argparse
import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from training.commands import Commands, require_files
from training.data.cleaning import write_sides
from training.data.corpus import CleaningReport, SentencePair, read_pairs
from translator.errors import InputError
from translator.files import OPENERS, read_lines

LANGUAGES = ("de", "en")
PHRASE_WORDS = 4
MIN_USES = 2
MAX_SYNONYMS = 4
MAX_TRANSLATIONS = 3  # of one word
WORD_SHARE = 0.1  # a participle is a word of its own if it is so frequent, beside its verb
MIN_EXPLAINED = 0.08  # share of a word's uses that have one of its translations beside them
SPECIAL = 0.2  # how likely an entry of a special field is, beside one of none
STYLES = ("", "", "capital", "", "to", "", "capital", "small")  # the lines of a word, in turn
UNUSUAL = re.compile(r"\[(?:obs|veraltet|veraltend|vulg|slang|arch|dated|Dialekt|Dt\. Dial)[^]]*\]")
FIELD = re.compile(r"\[(?!Br\.|Am\.|coll\.|ugs\.)\w+\.?\]")
MARKS = re.compile(r"\{[^{}]*\}|\[[^][]*\]|\([^()]*\)|<[^<>]*>|(?<!\S)/[^\s/][^/]*/(?![^\s;,])")
CHOICE = re.compile(r"(?<=\w)/[\w’'-]+")  # "arrived/appeared": the first will do
LEFT_OVER = re.compile(r"[|{}()\[\]<>…/_]|\.\.\.|::")
SUBJECT = re.compile(r"(?:ich|er|sie|I|he|they) ")
OBJECTS = {"etw.", "jd.", "jdn.", "jdm.", "jds.", "sth.", "sb."}
BEFORE_OBJECTS = {"an", "auf", "aus", "bei", "durch", "für", "gegen", "in", "mit", "nach", "um"}
BEFORE_OBJECTS |= {"unter", "über", "von", "vor", "zu"}
LOOSE = {"with", "to", "of", "about"}  # what an English verb may lose with its object
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


@dataclass(frozen=True, slots=True)
class Sense:
    """A German and an English text that the dictionary gives for each other.

    Attributes:
        pair: both texts.
        likely: how likely they are, if no text says more: 1 for the first synonyms of an entry.
        is_verb: an infinitive, whose English has lost its "to".
        verb: the infinitive of which this is the present participle; empty for all others.
    """

    pair: SentencePair
    likely: float = 1.0
    is_verb: bool = False
    verb: str = ""


@dataclass(slots=True)
class Uses:
    """How often words occur in texts, and texts of the dictionary in the same pair of sentences."""

    words: tuple[Counter[str], Counter[str]] = field(default_factory=lambda: (Counter(), Counter()))
    together: Counter[SentencePair] = field(default_factory=Counter)
    num_pairs: int = 0

    def of(self, text: str, side: int) -> int:
        """Return how often the rarest word of a text occurs on a side."""
        return min((self.words[side][word] for word in _words(text)), default=0)

    def as_translation(self, pair: SentencePair) -> float:
        """Return in how many pairs of sentences both sides stand more than by chance."""
        key = SentencePair(pair.source.lower(), pair.target.lower())
        expected = self.of(key.source, 0) * self.of(key.target, 1) / max(self.num_pairs, 1)
        return max(self.together[key] - expected, 0.0)


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
    parser.add_argument(
        "--parallel",
        type=Path,
        nargs="+",
        default=[],
        metavar="NAME",
        help="parallel text in NAME.de and NAME.en, also compressed, which says how words are "
        "mostly translated; it counts for --usual-in as well",
    )
    parser.add_argument(
        "--out", type=Path, required=True, help="folder for from-de.*, from-en.* and phrases.*"
    )
    parser.set_defaults(execute=_execute)


def _execute(options: argparse.Namespace) -> None:
    require_files(options.input, *options.usual_in)
    senses = [*read_dictionary(read_lines(options.input))]
    if not senses:
        raise InputError(f"{options.input}: has no entry in the form `German :: English`")
    uses = Uses()
    if options.usual_in or options.parallel:
        _count_words(options.usual_in, bool(options.parallel), uses)
        count_together(senses, _pairs_in(options.parallel), uses)
        senses = [*keep_usual(senses, uses)]
    phrases = [sense for sense in senses if _is_phrase(sense)]
    words = [sense for sense in senses if not _is_phrase(sense)]
    options.out.mkdir(parents=True, exist_ok=True)
    parts = {
        "from-de": lines_of(words, uses, 0),
        "from-en": lines_of(words, uses, 1),
        "phrases": dict.fromkeys(phrase_of(sense) for sense in phrases),
    }
    for name, pairs in parts.items():
        paths = [options.out / f"{name}.{language}" for language in LANGUAGES]
        print(f"{write_sides(paths, pairs):,} pairs in {paths[0]} and {paths[1]}")


def _count_words(paths: Iterable[Path], has_parallel: bool, uses: Uses) -> None:
    """Count the words of texts, each of one language."""
    for language, counts in zip(LANGUAGES, uses.words, strict=True):
        texts = [path for path in paths if path.suffix == f".{language}"]
        if not texts and not has_parallel:
            raise InputError(f"--usual-in: names no file that ends in .{language}")
        for path in texts:
            for line in read_lines(path):
                counts.update(_words(line))


def _pairs_in(names: Iterable[Path]) -> Iterator[SentencePair]:
    """Yield the pairs of parallel texts."""
    for name in names:
        found = []
        for language in LANGUAGES:
            candidates = [Path(f"{name}.{language}{suffix}") for suffix in ("", *OPENERS)]
            found.append(next((path for path in candidates if path.is_file()), candidates[0]))
        require_files(*found)
        yield from read_pairs(found[0], found[1], CleaningReport())


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def count_together(senses: Iterable[Sense], pairs: Iterable[SentencePair], uses: Uses) -> None:
    """Add to `uses` the words of `pairs`, and how often both sides of a sense stand in one."""
    by_word: dict[str, list[tuple[SentencePair, set[str], set[str]]]] = defaultdict(list)
    known = set[SentencePair]()
    for sense in senses:
        key = SentencePair(sense.pair.source.lower(), sense.pair.target.lower())
        sides = [_words(side) for side in key.sides]
        if key not in known and all(sides) and not _is_phrase(sense):
            known.add(key)
            by_word[max(sides[0], key=len)].append((key, set(sides[0]), set(sides[1])))
    for pair in pairs:
        uses.num_pairs += 1
        sides = [_words(side) for side in pair.sides]
        for counts, words in zip(uses.words, sides, strict=True):
            counts.update(words)
        german, english = map(set, sides)
        for word in german & by_word.keys():
            for key, ours, theirs in by_word[word]:
                if theirs <= english and ours <= german:
                    uses.together[key] += 1


def keep_usual(senses: Iterable[Sense], uses: Uses) -> Iterator[Sense]:
    """Yield the senses whose words all occur in texts; a participle must be a word in them.

    A participle that is none is typed by people who mean the verb: "giving" is "geben".
    """
    usual = [{word for word, n in counts.items() if n >= MIN_USES} for counts in uses.words]
    for sense in senses:
        if sense.verb and not _is_word(sense, uses):
            pair = SentencePair(sense.verb, sense.pair.target)
            sense = Sense(pair, sense.likely * SPECIAL)
        if all(
            known.issuperset(_words(side))
            for known, side in zip(usual, sense.pair.sides, strict=True)
        ):
            yield sense


def _is_word(sense: Sense, uses: Uses) -> bool:
    participle = sense.pair.source
    forms = sum(uses.of(f"{participle}{ending}", 0) for ending in ("", "e", "en", "er", "es", "em"))
    return forms >= WORD_SHARE * uses.of(sense.verb, 0) and forms > MIN_USES


def lines_of(senses: Iterable[Sense], uses: Uses, side: int) -> Iterator[SentencePair]:
    """Yield the lines from which the words of one side are learned, most of them more than once.

    Args:
        senses: words and what they mean.
        uses: of them in texts.
        side: 0 if German words are translated, 1 if English ones are.
    """
    found: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    verbs = set[SentencePair]()
    for sense in senses:
        source, target = sense.pair.sides[side], sense.pair.sides[1 - side]
        found[source][target] += sense.likely
        if sense.is_verb:
            verbs.add(sense.pair)
    for source, likely in found.items():
        if len(source) < 2:
            continue
        weights = _weights(likely, source, uses, side)
        count = 1 + round(math.log10(max(_uses_explained(weights, source, uses, side), 1)) ** 2)
        targets = shared_out(weights, count)
        first = random.Random(source).randrange(len(STYLES))
        for number, target in enumerate(targets, first):
            pair = _in_order(source, target, side)
            yield _written(pair, STYLES[number % len(STYLES)], pair in verbs, side, found)


def _weights(likely: Mapping[str, float], source: str, uses: Uses, side: int) -> dict[str, float]:
    """Return how often a word is translated in each way; once in all, if no text has any."""
    total = sum(likely.values())
    return {
        target: weight / total + uses.as_translation(_in_order(source, target, side))
        for target, weight in likely.items()
    }


def _uses_explained(weights: Mapping[str, float], source: str, uses: Uses, side: int) -> float:
    """Return how often a word occurs; 0 if the dictionary lacks what it mostly means.

    The dictionary has "der" as "which" only, the article being grammar.
    """
    count, explained = uses.of(source, side), sum(weights.values())
    if " " in source:  # its words may occur without it
        return min(count, explained)
    return count if explained >= MIN_EXPLAINED * count else 0


def _in_order(source: str, target: str, side: int) -> SentencePair:
    return SentencePair(target, source) if side else SentencePair(source, target)


def shared_out(weights: Mapping[str, float], count: int) -> list[str]:
    """Return the `count` translations of a word's lines: the likeliest first, and most often."""
    best = sorted(weights, key=lambda text: -weights[text])[:MAX_TRANSLATIONS]
    total = sum(weights[text] for text in best)
    exact = {text: count * weights[text] / total for text in best}
    counts = {text: int(exact[text]) for text in best}
    for text in sorted(best, key=lambda text: counts[text] - exact[text]):
        if sum(counts.values()) < count:
            counts[text] += 1
    counts[best[0]] = max(counts[best[0]], 1)
    return [text for text in best for _ in range(counts[text])]


def _written(
    pair: SentencePair, style: str, is_verb: bool, side: int, known: Mapping[str, object]
) -> SentencePair:
    """Return a pair as people also write it, if the style fits.

    "capital" is the beginning of a line. A noun without its capital, "small", is what people type
    in haste. Neither is done where it would make another word: "essen", "Essen".
    """
    source = pair.sides[side]
    if style == "to" and is_verb:
        return SentencePair(pair.source, f"to {pair.target}")
    if style == "small" and not side and source[0].isupper() and source.lower() not in known:
        return SentencePair(source[0].lower() + source[1:], pair.target)
    capital = source[0].upper() + source[1:]
    if style == "capital" and source != capital and capital not in known:
        return SentencePair(*(text[0].upper() + text[1:] for text in pair.sides))
    return pair


def _is_phrase(sense: Sense) -> bool:
    return max(len(side.split()) for side in sense.pair.sides) >= PHRASE_WORDS


def phrase_of(sense: Sense) -> SentencePair:
    """Return a phrase; those with a verb have "to" in one of two cases."""
    has_to = sense.is_verb and random.Random(sense.pair.target).random() < 0.5
    return SentencePair(sense.pair.source, f"to {sense.pair.target}") if has_to else sense.pair


def read_dictionary(lines: Iterable[str]) -> Iterator[Sense]:
    """Return the texts that the dictionary gives for each other, form by form.

    What is obsolete or vulgar is left out, and so is what a person would have to read as a pattern
    ("Minimal…").
    """
    for line in lines:
        german, parting, english = line.partition(" :: ")
        forms = german.split(" | "), english.split(" | ")
        if line.startswith("#") or not parting or len(forms[0]) != len(forms[1]):
            continue
        verb = ""
        for number, (ours, theirs) in enumerate(zip(*forms, strict=True)):
            likely = SPECIAL if FIELD.search(ours) or FIELD.search(theirs) else 1.0
            senses = [*_senses_of(ours, theirs, likely, verb)]
            if not number and senses and senses[0].is_verb:
                verb = senses[0].pair.source
            yield from senses


def _senses_of(german: str, english: str, likely: float, verb: str) -> Iterator[Sense]:
    """Yield each synonym of a German form with each of an English one; the first are likeliest."""
    is_verb = any(part.lstrip().startswith("to ") for part in english.split(";"))
    sides = [_synonyms(german, "de", is_verb), _synonyms(english, "en", is_verb)]
    for i, ours in enumerate(sides[0][:MAX_SYNONYMS]):
        for j, theirs in enumerate(sides[1][:MAX_SYNONYMS]):
            infinitive = theirs.removeprefix("to ")
            pair = SentencePair(ours, infinitive if is_verb else theirs)
            if i != j and len(ours.split()) + len(infinitive.split()) > PHRASE_WORDS:
                continue  # the synonyms of phrases are in the same order, more or less
            worth = likely / ((1 + i) * (1 + j))
            is_participle = verb and ours.endswith("nd") and theirs.split()[0].endswith("ing")
            has_to = is_verb and theirs != infinitive
            yield Sense(pair, worth, has_to, verb if is_participle else "")
            if "/sie" in german and (bare := _without_subject(pair)):  # "ich/er/sie gab"
                yield Sense(bare, worth)
            first, _, last = infinitive.rpartition(" ")
            if has_to and last in LOOSE and " " not in first:
                yield Sense(SentencePair(ours, first), worth * SPECIAL, has_to)


def _without_subject(pair: SentencePair) -> SentencePair | None:
    """Return a form without "he": "gibt", "gives"; None if it is not one."""
    if not all(SUBJECT.match(side) for side in pair.sides):
        return None
    bare = SentencePair(*(SUBJECT.sub("", side, count=1) for side in pair.sides))
    return bare if max(len(side.split()) for side in bare.sides) < PHRASE_WORDS - 1 else None


def _synonyms(form: str, language: str, is_verb: bool) -> list[str]:
    """Return the ways to say one form, without marks; none if it is not plain text."""
    found = (_plain(part, language, is_verb) for part in _without_marks(form).split(";"))
    return list(dict.fromkeys(text for text in found if text))


def _without_marks(form: str) -> str:
    """Remove marks, which may be nested, and the synonyms that are marked as unusual."""
    form = ";".join(part for part in form.split(";") if not UNUSUAL.search(part))
    while (shorter := MARKS.sub(" ", form)) != form:
        form = shorter
    return form


def _plain(part: str, language: str, is_verb: bool) -> str:
    words = part.split()
    if is_verb:
        words = _without_objects(words, language)
    text = CHOICE.sub("", " ".join(words))
    if LEFT_OVER.search(text):
        return ""
    words = [SHORT[language].get(word, word).replace("’", "'") for word in text.split()]
    return re.sub(r" ([,.!?:])", r"\1", " ".join(words)).strip(" ,:")


def _without_objects(words: Sequence[str], language: str) -> list[str]:
    """Return the words of a short verb without what stands for its objects.

    "jdn. an etw. erinnern" is "erinnern", and "to remind sb. of sth." is "to remind"; but "to
    believe in sth." is "to believe in".
    """
    kept: list[str] = []
    last_object = -1
    for number, word in enumerate(words):
        if not all(part in OBJECTS for part in word.split("/")):
            kept.append(word)
            continue
        is_second = last_object >= 0 and number - last_object == 2 and kept[-1:] != ["to"]
        is_before = language == "de" and kept and kept[-1] in BEFORE_OBJECTS
        if is_before or is_second:
            kept.pop()
        last_object = number
    short = [word for word in kept if word != "to"]
    return kept if 0 < len(short) < PHRASE_WORDS else list(words)
