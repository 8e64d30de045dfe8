"""Phrasebooks say the same on both sides, and a lexicon has what texts and a word list have."""

from __future__ import annotations

import random
import re
from collections import Counter
from pathlib import Path

import pytest

from training.sources import SHIPPED, Phrasebook, drawn_value, expand, main, read_phrasebook
from translator.errors import InputError
from translator.files import read_lines
from translator.pipeline.translator import DEFAULT_MODEL

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


def test_the_lexicon_has_more_lines_for_words_that_the_shipped_model_misses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = tmp_path / "list"
    words.write_text("heftig {adj} :: violent; heavy\nHund {m} | Hunde {pl} :: dog | dogs\n")
    german, english = "Hund\nbellt heftig\nbellt\nhurgel\n", "dog\nbarks heavily\nbarks\nfurgle\n"
    for language, text in (("de", german), ("en", english)):
        (tmp_path / f"text.{language}").write_text(text * 8)
    arguments = [f"--input={words}", f"--model={DEFAULT_MODEL}", f"--out={tmp_path}/out"]
    assert main(["lexicon", *arguments, f"--parallel={tmp_path}/text", "--most=32"]) == 0
    sides = ((tmp_path / "out" / f"from-de.{side}").read_text().split() for side in ("de", "en"))
    counts = Counter(zip(*sides, strict=True))
    assert counts["Hund", "dog"] == 1, "known"
    assert counts["hurgel", "furgle"] + counts["Hurgel", "Furgle"] == 8, "missed"
    assert "of them missed" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "count"), [("phrases", 1_000), ("forms", 1_500), ("gender", 130), ("daily", 600)]
)
def test_the_shipped_books_are_whole(name: str, count: int) -> None:
    path = SHIPPED.with_name(f"de-en-{name}.txt")
    pairs = list(expand(read_phrasebook(read_lines(path), str(path)), variants=8))
    assert len(pairs) > count
    assert not any("{" in side or not side.strip() for pair in pairs for side in pair.sides)


def test_the_command_writes_two_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["phrasebook", "--out", str(tmp_path), "--variants", "2"])
    german, english = (
        (tmp_path / f"phrases.{language}").read_text("utf-8").splitlines()
        for language in ("de", "en")
    )
    assert german[0] == "Sehr geehrte Damen und Herren,"
    assert len(german) == len(english) > 300
    assert f"{len(german):,} pairs in" in capsys.readouterr().out


NUMBERS = SHIPPED.with_name("de-en-numbers.txt")
LANGUAGES = ("de", "en")
IN_GERMAN = str.maketrans(".,", ",.")


def drawn(name: str) -> list[tuple[str, str]]:
    draw = random.Random(1)
    return [drawn_value(name, draw, LANGUAGES).sides for _ in range(200)]


@pytest.mark.parametrize("name", ["#large", "#fraction", "#sum", "#percent"])
def test_a_number_has_the_signs_of_its_language(name: str) -> None:
    for german, english in drawn(name):
        numbers = [re.findall(r"[\d.,]+", side) for side in (german, english)]
        assert [text.translate(IN_GERMAN) for text in numbers[0]] == numbers[1]


def test_the_currency_stands_before_an_english_sum_and_behind_a_german_one() -> None:
    for german, english in drawn("#sum"):
        assert german[-1] == english[0]
        assert german[-1] in "€$£"


def test_a_date_keeps_day_and_year() -> None:
    for german, english in drawn("#date"):
        assert sorted(re.findall(r"\d+", german)) == sorted(re.findall(r"\d+", english))


@pytest.mark.parametrize(
    "name", ["#account", "#code", "#long", "#numeric-date", "#phone", "#time", "#version", "#year"]
)
def test_what_every_language_writes_alike_is_the_same(name: str) -> None:
    sides = drawn(name)
    assert all(german == english for german, english in sides)
    assert len(set(sides)) > 10


def test_the_shipped_book_of_numbers_is_whole() -> None:
    book = read_phrasebook(read_lines(NUMBERS), str(NUMBERS))
    pairs = list(expand(book, variants=3, languages=LANGUAGES))
    assert len(pairs) > 250
    assert all(re.search(r"\d", side) for pair in pairs for side in pair.sides)
    assert not any(re.search(r"[{}]", side) for pair in pairs for side in pair.sides)
