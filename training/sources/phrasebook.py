"""A parallel corpus from a phrasebook: sentences with slots, and what may stand in the slots.

    [slot weekday]
    Montag<TAB>Monday
    [phrases]
    Bis {weekday}!<TAB>See you on {weekday}!

Books and web pages seldom have what people write in mails, and a model learns the turns of mails
from few examples. A value that is the same in both languages stands on a line without a tab. Values
may have slots that have come before. Lines that begin with `#` are remarks. Slots whose names
begin with `#`, such as `{#sum}`, are numbers, dates and codes that are drawn; `drawn.py` has them.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from training.commands import Commands, require_files
from training.data.cleaning import write_sides
from training.data.corpus import SentencePair
from training.sources.drawn import DRAWN
from translator.errors import InputError
from translator.files import read_lines

SHIPPED = Path(__file__).parents[1] / "recipes" / "de-en-phrases.txt"
HEADING = re.compile(r"\[(?:slot (\w+)|phrases)\]")
SLOT = re.compile(r"\{(\w+|#[a-z-]+)\}")
TRIES = 4  # for each variant that is wanted: drawing the same values twice is likely


@dataclass(slots=True)
class Phrasebook:
    """Phrases with slots, and the values of each slot by its name."""

    phrases: list[SentencePair] = field(default_factory=list)
    slots: dict[str, list[SentencePair]] = field(default_factory=dict)


def add_command(commands: Commands) -> None:
    """Add `write-phrasebook` to the commands of `python -m training`."""
    parser = commands.add_parser(
        "write-phrasebook", help="make a parallel corpus from sentences with slots"
    )
    parser.add_argument(
        "--input", type=Path, default=SHIPPED, help="phrasebook; the shipped one by default"
    )
    parser.add_argument("--languages", nargs=2, default=["de", "en"], metavar="LANGUAGE")
    parser.add_argument(
        "--variants",
        type=int,
        default=8,
        help="most sentences made of a phrase with slots; 8 by default",
    )
    parser.add_argument("--out", type=Path, required=True, help="folder for phrases.*")
    parser.set_defaults(execute=_execute)


def _execute(options: argparse.Namespace) -> None:
    if options.variants < 1:
        raise InputError(f"--variants: must be 1 or more, got {options.variants}")
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
    section, known = None, set[str]()  # a slot knows those above it, so none can contain itself
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        if heading := HEADING.fullmatch(line):
            known = set(book.slots) - {heading[1]}
            section = book.slots.setdefault(heading[1], []) if heading[1] else book.phrases
            continue
        source, tab, target = line.partition("\t")
        pair = SentencePair(source, target if tab else source)
        place = f"{name}, line {number}"
        if section is None or "\t" in target or not all(side.strip() for side in pair.sides):
            raise InputError(f"{place}: must be `[slot NAME]`, `[phrases]` or a pair")
        _check_slots(pair, known, place)
        section.append(pair)
    return book


def _check_slots(pair: SentencePair, known: Set[str], place: str) -> None:
    source, target = (sorted(SLOT.findall(side)) for side in pair.sides)
    if source != target or len(set(source)) < len(source):
        raise InputError(f"{place}: both sides must have the same slots, each of them once")
    if unknown := sorted(set(source) - known - DRAWN.keys()):
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
        found = dict.fromkeys(fill(phrase) for _ in range(tries))
        yield from (_with_capitals(phrase, pair) for pair in list(found)[:variants])


def _filled(
    slots: Mapping[str, Sequence[SentencePair]],
    languages: tuple[str, str],
    draw: random.Random,
    pair: SentencePair,
) -> SentencePair:
    """Return a pair without slots; those of a drawn value are drawn before it is put in."""
    values = {
        name: DRAWN[name](draw, languages)
        if name in DRAWN
        else _filled(slots, languages, draw, draw.choice(slots[name]))
        for name in SLOT.findall(pair.source)
    }
    source = SLOT.sub(lambda found: values[found[1]].source, pair.source)
    target = SLOT.sub(lambda found: values[found[1]].target, pair.target)
    return SentencePair(source, target)


def _with_capitals(phrase: SentencePair, filled: SentencePair) -> SentencePair:
    if any(side[0].islower() for side in phrase.sides):
        return filled
    return SentencePair(*(side[0].upper() + side[1:] for side in filled.sides))
