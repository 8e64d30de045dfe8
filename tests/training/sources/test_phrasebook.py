"""A phrasebook becomes pairs in which both sides of a slot say the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from training.cli import main
from training.sources.phrasebook import SHIPPED, Phrasebook, expand, read_phrasebook
from translator.errors import InputError
from translator.files import read_lines

BOOK = """\
# a remark
[slot number]
zwei\ttwo
drei\tthree
[slot date]
{number}. Mai\tMay {number}
[slot name]
Anna

[phrases]
Guten Tag,\tHello,
Bis {date}, {name}!\tSee you on {date}, {name}!
{number} Eier\t{number} eggs
vor {number} Tagen\t{number} days ago
"""


def book_of(text: str) -> Phrasebook:
    return read_phrasebook(text.splitlines(), "book")


def test_slots_are_filled_alike_on_both_sides() -> None:
    pairs = {pair.sides for pair in expand(book_of(BOOK), variants=8)}
    assert pairs == {
        ("Guten Tag,", "Hello,"),
        ("Bis zwei. Mai, Anna!", "See you on May two, Anna!"),
        ("Bis drei. Mai, Anna!", "See you on May three, Anna!"),
        ("Zwei Eier", "Two eggs"),
        ("Drei Eier", "Three eggs"),
        ("vor zwei Tagen", "two days ago"),
        ("vor drei Tagen", "three days ago"),
    }


def test_a_phrase_has_at_most_so_many_variants_and_the_same_each_time() -> None:
    first, again = (list(expand(book_of(BOOK), variants=1)) for _ in range(2))
    assert len(first) == 4
    assert first == again


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Hallo\tHello\n", "book, line 1: must be"),
        ("[phrases]\nHallo\t\n", "book, line 2: must be"),
        ("[phrases]\na\tb\tc\n", "book, line 2: must be"),
        ("[phrases]\nBis {day}!\tBye!\n", "book, line 2: both sides must have the same slots"),
        ("[phrases]\n{a} {a}\t{a} {a}\n", "book, line 2: both sides must have the same slots"),
        ("[phrases]\nBis {day}!\tBye, {day}!\n", r"book, line 2: no section `\[slot day\]`"),
        ("[slot day]\n{day}s\t{day}s\n", r"book, line 2: no section `\[slot day\]` above"),
    ],
)
def test_a_wrong_line_is_named(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        book_of(text)


@pytest.mark.parametrize(("name", "count"), [("phrases", 1_000), ("forms", 1_500), ("gender", 130)])
def test_the_shipped_books_are_whole(name: str, count: int) -> None:
    path = SHIPPED.with_name(f"de-en-{name}.txt")
    pairs = list(expand(read_phrasebook(read_lines(path), str(path)), variants=8))
    assert len(pairs) > count
    assert not any("{" in side or not side.strip() for pair in pairs for side in pair.sides)


def test_the_command_writes_two_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["write-phrasebook", "--out", str(tmp_path), "--variants", "2"])
    german, english = (
        (tmp_path / f"phrases.{language}").read_text("utf-8").splitlines()
        for language in ("de", "en")
    )
    assert german[0] == "Sehr geehrte Damen und Herren,"
    assert len(german) == len(english) > 300
    assert f"{len(german):,} pairs in" in capsys.readouterr().out
