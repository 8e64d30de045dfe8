"""Lexicons and parallel corpora from what there is: a dictionary, texts, phrasebooks with slots.

    python -m training.sources lexicon --input /usr/share/trans/de-en --model MODEL --out FOLDER \
        --parallel NAME …
    python -m training.sources set-phrases --model MODEL
    python -m training.sources rewrites --model MODEL --input FILE
    python -m training.sources phrasebook --input training/recipes/de-en-forms.txt --out FOLDER

The comments of `recipes/de-en-words.toml` say which corpora the shipped model was made with.

**A lexicon** has what words of all forms mean most often in parallel texts, by alignment, as far as
the Ding word list of German and English (https://dict.tu-chemnitz.de, also in Debian's package
`trans-de-en`) confirms it or the alignment is sure (`training.lexicon`). `from-de.*` has the lines
from which a model learns to translate German words, `from-en.*` those for English words. Words for
which the model has another answer have several lines. With `--add`, those that it
copies or guesses when they stand alone are also written into its directory, where the translator
looks them up.

**Set phrases** are those of `set_phrases.tsv`: greetings, thanks, wishes, signs. Those that the
model translates otherwise are written into the lexicon in its directory. `lexicon --add` makes that
anew, so call this after it.

**A phrasebook** has sentences with slots, and what may stand in the slots:

    [slot weekday]
    Montag<TAB>Monday
    [phrases]
    Bis {weekday}!<TAB>See you on {weekday}!

Books and web pages seldom have what people write in mails, and a model learns the turns of mails
from few examples. A value that is the same in both languages stands on a line without a tab. Values
may have slots that have come before. Lines that begin with `#` are remarks. Slots whose names
begin with `#`, such as `{#sum}`, are numbers, dates and codes that are drawn. Both sides of a drawn
value say the same, each as its language writes it: `1.200,50 €` and `€1,200.50`.
"""

from __future__ import annotations

import argparse
import dataclasses
import datetime
import math
import random
import re
import string
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from babel.dates import format_date
from babel.numbers import format_decimal

from training.commands import positive, require_files
from training.data.cleaning import write_sides
from training.data.corpus import CleaningReport, SentencePair, read_pairs
from training.lexicon import (
    SET_PHRASES,
    is_known,
    lexicon,
    read_set_phrases,
    read_words,
    typed_words,
    unknown_alone,
    unknown_phrases,
)
from training.lexicon import lines_of as lexicon_lines
from training.word_list import LANGUAGES, read_list, read_spellings
from translator.commands import CommandParser, Commands, run_command
from translator.detection.own_words import is_rare_word
from translator.errors import InputError
from translator.files import OPENERS, read_lines
from translator.pipeline.translation import Translation
from translator.pipeline.translator import Translator
from translator.store.model_directory import add_table
from translator.tokens.lexicon import LEXICON, Lexicon
from translator.tokens.rewrites import REWRITES, Rewrites

SHIPPED = Path(__file__).with_name("recipes") / "de-en-phrases.txt"
HEADING = re.compile(r"\[(?:slot (\w+)|phrases)\]")
SLOT = re.compile(r"\{(\w+|#[a-z-]+)\}")
TRIES = 4  # for each variant that is wanted: drawing the same values twice is likely


@dataclass(slots=True)
class Phrasebook:
    """Phrases with slots, and the values of each slot by its name."""

    phrases: list[SentencePair] = field(default_factory=list)
    slots: dict[str, list[SentencePair]] = field(default_factory=dict)


CURRENCIES = ("€", "$", "£")
EPOCH = datetime.date(1950, 1, 1)
DAYS = 36_500


def main(arguments: list[str] | None = None) -> int:
    """Make one corpus; return the exit code."""
    parser = CommandParser(prog="python -m training.sources", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for add in (_add_lexicon, _add_set_phrases, _add_rewrites, _add_phrasebook):
        add(commands)
    return run_command(parser, arguments)


def _add_lexicon(commands: Commands) -> None:
    parser = commands.add_parser(
        "lexicon", help="make a corpus of what words mean most often in parallel texts"
    )
    parser.add_argument("--input", type=Path, required=True, help="the Ding word list")
    parser.add_argument("--model", type=Path, required=True, help="model directory of both ways")
    help_text = "parallel text in NAME.de and NAME.en, also compressed"
    parser.add_argument(
        "--parallel", type=Path, nargs="+", required=True, metavar="NAME", help=help_text
    )
    parser.add_argument("--out", type=Path, required=True, help="folder for from-de.*, from-en.*")
    parser.add_argument(
        "--most",
        type=positive,
        default=60_000,
        help="pairs of each text, spread over all of it; 60,000 by default",
    )
    parser.add_argument(
        "--add",
        action="store_true",
        help="add the words that the model does not know alone to its directory, as lexicon.tsv",
    )
    parser.set_defaults(execute=_from_lexicon)


def _add_set_phrases(commands: Commands) -> None:
    parser = commands.add_parser(
        "set-phrases", help="add greetings, wishes and the like to the lexicon of a model"
    )
    parser.add_argument("--model", type=Path, required=True, help="model directory")
    parser.add_argument(
        "--input",
        type=Path,
        default=SET_PHRASES,
        help="language, language wanted, phrase and meaning, with tabs between them; some 480 of "
        "German and English by default",
    )
    parser.set_defaults(execute=_from_set_phrases)


def _add_rewrites(commands: Commands) -> None:
    parser = commands.add_parser(
        "rewrites", help="say what a model reads instead of words that it misreads"
    )
    parser.add_argument("--model", type=Path, required=True, help="model directory")
    parser.add_argument(
        "--input",
        type=Path,
        required=True,
        help="language, language wanted (* for any), words of which one is in the sentence, a "
        "regular expression, and what is read instead, with tabs between them",
    )
    parser.set_defaults(execute=_to_rewrites)


def _add_phrasebook(commands: Commands) -> None:
    parser = commands.add_parser(
        "phrasebook", help="make a parallel corpus from sentences with slots"
    )
    parser.add_argument(
        "--input", type=Path, default=SHIPPED, help="phrasebook; the shipped one by default"
    )
    parser.add_argument("--languages", nargs=2, default=["de", "en"], metavar="LANGUAGE")
    help_text = "most sentences made of a phrase with slots; 8 by default"
    parser.add_argument("--variants", type=positive, default=8, help=help_text)
    parser.add_argument("--out", type=Path, required=True, help="folder for phrases.*")
    parser.set_defaults(execute=_from_phrasebook)


def _pairs_of(name: Path) -> list[SentencePair]:
    paths = []
    for language in LANGUAGES:
        candidates = [Path(f"{name}.{language}{suffix}") for suffix in ("", *OPENERS)]
        paths.append(next((path for path in candidates if path.is_file()), candidates[0]))
    require_files(*paths)
    return [*read_pairs(paths[0], paths[1], CleaningReport())]


def _from_lexicon(options: argparse.Namespace) -> None:
    require_files(options.input)
    pairs = list[SentencePair]()
    for name in options.parallel:
        text = _pairs_of(name)
        pairs += text[:: math.ceil(len(text) / options.most) or 1]
    lines = [*read_lines(options.input)]
    words, lists, spellings = read_words(pairs), read_list(lines), read_spellings(lines)
    unknown = list[tuple[str, str, str, str]]()
    options.out.mkdir(parents=True, exist_ok=True)
    with Translator.load(options.model) as translator:
        for side, source in enumerate(LANGUAGES):
            target = LANGUAGES[1 - side]
            entries = lexicon(words, lists, spellings, side)
            typed = {word: word for word in entries}
            if options.add:
                typed = typed_words(entries, words.uses[side], side)
            answers = _alone(translator, [*typed], source, target)
            is_missed = {
                word: not is_known(answers[word].text, word, entry.meanings, lists[side], side)
                for word, entry in entries.items()
            }
            if options.add:
                is_rare = partial(is_rare_word, log_prob=translator.tokenizer.log_prob)
                words_with_meaning = unknown_alone(
                    answers, typed, is_rare, entries, lists[side], side
                )
                unknown += [(source, target, *pair) for pair in words_with_meaning]
            paths = [options.out / f"from-{source}.{language}" for language in LANGUAGES]
            count = write_sides(paths, lexicon_lines(entries, is_missed, side))
            missed_words = sum(is_missed.values())
            print(
                f"{count:,} pairs of {len(entries):,} words, {missed_words:,} of them missed, "
                f"in {paths[0]} and {paths[1]}"
            )
    if options.add:
        add_table(options.model, LEXICON, Lexicon.of_words(unknown).content)
        print(f"{len(unknown):,} words that it does not know alone added to {options.model}")


def _from_set_phrases(options: argparse.Namespace) -> None:
    require_files(options.input)
    with Translator.load(options.model) as translator:
        phrases = unknown_phrases(translator, read_set_phrases(options.input))
        known = translator.tokenizer.lexicon or Lexicon(b"")
    add_table(options.model, LEXICON, known.with_entries(phrases).content)
    print(f"{len(phrases):,} phrases that it does not know added to {options.model}")


def _to_rewrites(options: argparse.Namespace) -> None:
    require_files(options.input)
    rewrites = Rewrites(options.input.read_bytes())
    add_table(options.model, REWRITES, rewrites.content)
    print(f"{len(rewrites):,} lines are the rewrites of {options.model} now")


def _alone(
    translator: Translator, words: Sequence[str], source: str, target: str
) -> dict[str, Translation]:
    """Return what a model makes of words by itself, with how probable it is."""
    options = dataclasses.replace(translator.description.decoding, search_again=False)
    answers = translator.translate(
        words, source=source, target=target, options=options, num_alternatives=1
    )
    return dict(zip(words, answers, strict=True))


def _from_phrasebook(options: argparse.Namespace) -> None:
    require_files(options.input)
    book = read_phrasebook(read_lines(options.input), str(options.input))
    options.out.mkdir(parents=True, exist_ok=True)
    paths = [options.out / f"phrases.{language}" for language in options.languages]
    pairs = expand(book, options.variants, tuple(options.languages))
    print(f"{write_sides(paths, pairs):,} pairs in {paths[0]}, {paths[1]}")


def read_phrasebook(lines: Iterable[str], name: str = "phrasebook") -> Phrasebook:
    """Return the phrases and slots of the form above.

    Raises:
        InputError: a line has another form or is in no section; or the sides of a pair have
            different slots, or one that has no section above. It names `name` and the line.
    """
    book = Phrasebook()
    section, slots_above = None, set[str]()  # a slot knows those above, so none contains itself
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        if heading := HEADING.fullmatch(line):
            slots_above = set(book.slots) - {heading[1]}
            section = book.slots.setdefault(heading[1], []) if heading[1] else book.phrases
            continue
        source, tab, target = line.partition("\t")
        pair = SentencePair(source, target if tab else source)
        place = f"{name}, line {number}"
        if section is None or "\t" in target or not all(side.strip() for side in pair.sides):
            raise InputError(f"{place}: must be `[slot NAME]`, `[phrases]` or a pair")
        _check_slots(pair, slots_above, place)
        section.append(pair)
    return book


def _check_slots(pair: SentencePair, slots_above: Set[str], place: str) -> None:
    source, target = (sorted(SLOT.findall(side)) for side in pair.sides)
    if source != target or len(set(source)) < len(source):
        raise InputError(f"{place}: both sides must have the same slots, each of them once")
    if unknown := sorted(
        set(source) - slots_above - WRITTEN_ALIKE.keys() - WRITTEN_BY_LANGUAGE.keys()
    ):
        raise InputError(f"{place}: no section `[slot {unknown[0]}]` above")


def expand(
    book: Phrasebook, variants: int, languages: tuple[str, str] = ("de", "en"), seed: int = 0
) -> Iterator[SentencePair]:
    """Yield each phrase with values drawn for its slots, in up to `variants` different ways.

    A slot that begins a side begins with a capital there, unless the other side has a small letter.
    """
    draw = random.Random(seed)
    fill = partial(_filled, book.slots, languages, draw)
    for phrase in book.phrases:
        tries = variants * TRIES if SLOT.search(phrase.source) else 1
        filled = dict.fromkeys(fill(phrase) for _ in range(tries))
        yield from (_with_capitals(phrase, pair) for pair in list(filled)[:variants])


def _filled(
    slots: Mapping[str, Sequence[SentencePair]],
    languages: tuple[str, str],
    draw: random.Random,
    pair: SentencePair,
) -> SentencePair:
    """Return a pair without slots; those of a drawn value are drawn before it is put in."""
    values = {
        name: drawn_value(name, draw, languages)
        if name.startswith("#")
        else _filled(slots, languages, draw, draw.choice(slots[name]))
        for name in SLOT.findall(pair.source)
    }
    source = SLOT.sub(lambda slot: values[slot[1]].source, pair.source)
    target = SLOT.sub(lambda slot: values[slot[1]].target, pair.target)
    return SentencePair(source, target)


def _with_capitals(phrase: SentencePair, filled: SentencePair) -> SentencePair:
    if any(side[0].islower() for side in phrase.sides):
        return filled
    return SentencePair(*(side[0].upper() + side[1:] for side in filled.sides))


def _decimal(value: float, decimals: int, languages: tuple[str, str]) -> SentencePair:
    """Return a number as both languages write it, with groups of three digits."""
    pattern = "#,##0" + ("." + "0" * decimals if decimals else "")
    return SentencePair(*(format_decimal(value, pattern, language) for language in languages))


def _large(draw: random.Random, languages: tuple[str, str]) -> SentencePair:
    digits = draw.randint(4, 10)
    return _decimal(draw.randrange(10 ** (digits - 1), 10**digits), 0, languages)


def _fraction(draw: random.Random, languages: tuple[str, str]) -> SentencePair:
    decimals = draw.choice((1, 1, 2, 2, 3))
    return _decimal(draw.uniform(0, 10 ** draw.randint(1, 4)), decimals, languages)


def _sum(draw: random.Random, languages: tuple[str, str]) -> SentencePair:
    """A price with its sign, before the number in English and after it in other languages."""
    number = _decimal(draw.uniform(1, 10 ** draw.randint(1, 7)), draw.choice((0, 2, 2)), languages)
    sign = draw.choice(CURRENCIES)
    sides = zip(number.sides, languages, strict=True)
    return SentencePair(
        *(f"{sign}{text}" if language == "en" else f"{text} {sign}" for text, language in sides)
    )


def _percent(draw: random.Random, languages: tuple[str, str]) -> SentencePair:
    number = _decimal(draw.uniform(0, 100), draw.choice((0, 1, 1, 2)), languages)
    sides = zip(number.sides, languages, strict=True)
    return SentencePair(
        *(f"{text}%" if language == "en" else f"{text} %" for text, language in sides)
    )


def _date(draw: random.Random, languages: tuple[str, str]) -> SentencePair:
    day, american = _day(draw), draw.random() < 0.5
    pattern = {"de": "d. MMMM y", "en": "MMMM d, y" if american else "d MMMM y"}
    return SentencePair(
        *(format_date(day, pattern.get(code, "long"), locale=code) for code in languages)
    )


def _day(draw: random.Random) -> datetime.date:
    return EPOCH + datetime.timedelta(days=draw.randrange(DAYS))


def _account(draw: random.Random) -> str:
    text = draw.choice(("DE", "AT", "CH", "GB", "FR")) + _digits(draw, 20)
    groups = [text[at : at + 4] for at in range(0, len(text), 4)]
    return draw.choice((text, " ".join(groups)))


def _phone(draw: random.Random) -> str:
    country, area = draw.choice(("+49 ", "+43 ", "+44 ", "+1 ", "0")), _digits(draw, 3)
    return f"{country}{area}{draw.choice('  /-')}{_digits(draw, draw.randint(5, 8))}"


def _code(draw: random.Random) -> str:
    """An order's or a part's number, in capitals and digits."""
    letters = "".join(draw.choices(string.ascii_uppercase, k=draw.randint(1, 4)))
    parts = [letters, _digits(draw, draw.randint(2, 8)), _digits(draw, draw.randint(1, 4))]
    return draw.choice(("", "-", "-", "/")).join(parts[: draw.randint(2, 3)])


def _digits(draw: random.Random, count: int) -> str:
    return "".join(draw.choices(string.digits, k=count))


DATES = ("%d.%m.%Y", "%Y-%m-%d", "%d/%m/%Y")
WRITTEN_ALIKE: Mapping[str, Callable[[random.Random], str]] = {
    "#account": _account,
    "#code": _code,
    "#long": lambda draw: _digits(draw, draw.randint(5, 16)),
    # a date in digits stays: whether `3/4` is in March depends on the reader
    "#numeric-date": lambda draw: _day(draw).strftime(draw.choice(DATES)),
    "#phone": _phone,
    "#plain": lambda draw: str(draw.randrange(100, 10_000)),
    "#small": lambda draw: str(draw.randint(2, 999)),
    "#time": lambda draw: f"{draw.randrange(24)}:{draw.randrange(60):02}",
    "#version": lambda draw: ".".join(str(draw.randrange(30)) for _ in range(draw.randint(2, 4))),
    "#year": lambda draw: str(draw.randrange(1100, 2060)),
}
WRITTEN_BY_LANGUAGE: Mapping[str, Callable[[random.Random, tuple[str, str]], SentencePair]] = {
    "#date": _date,
    "#fraction": _fraction,
    "#large": _large,
    "#percent": _percent,
    "#sum": _sum,
}


def drawn_value(name: str, draw: random.Random, languages: tuple[str, str]) -> SentencePair:
    """Return the value of a slot such as `#date`, as both languages write it."""
    if name in WRITTEN_BY_LANGUAGE:
        return WRITTEN_BY_LANGUAGE[name](draw, languages)
    text = WRITTEN_ALIKE[name](draw)
    return SentencePair(text, text)


if __name__ == "__main__":
    sys.exit(main())
