"""Corpora from a dictionary and from phrasebooks are what people type, alike on both sides."""

from __future__ import annotations

import random
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from training.data.corpus import SentencePair
from training.sources import (
    SHIPPED,
    Phrasebook,
    Uses,
    count_together,
    drawn_value,
    expand,
    keep_usual,
    lines_of,
    main,
    read_dictionary,
    read_phrasebook,
    shared_out,
)
from translator.errors import InputError
from translator.files import read_lines
from translator.pipeline.translator import DEFAULT_MODEL

ENTRIES = """\
# Version :: devel
Orkan {m} (Windstärke 12) [meteo.] | Orkane {pl} :: hurricane (wind force 12) | hurricanes
Ort {m} des Geschehens; Schauplatz | Die Feuerwehr war da. :: scene | Firefighters arrived/came.
etw. aufwühlen {vt} (Boden, Wasser) :: to churn up <> sth. (soil, water)
Minimal…; Mindest… | Mindestgröße {f} :: minimum | minimum size
Muhme {f} [veraltet]; Tante {f} /T./ :: aunt
Gesichtserker {m} [obs.] :: nose
ungleich | zwei :: unequal
nur Deutsch
"""
GIVE = (
    "jdm. etw. geben | gebend | gegeben | er/sie gibt | ich/er/sie gab | ich gebe :: "
    "to give sb. sth. | giving | given | he/she gives | I/he/she gave | I give"
)


def pairs_of(text: str) -> list[tuple[str, str]]:
    return [sense.pair.sides for sense in read_dictionary(text.splitlines())]


def lines(text: str, side: int, uses: Uses | None = None) -> Counter[tuple[str, str]]:
    senses = read_dictionary(text.splitlines())
    return Counter(pair.sides for pair in lines_of(senses, uses or Uses(), side))


def test_forms_are_paired_and_marks_are_left_out() -> None:
    assert pairs_of(ENTRIES) == [
        ("Orkan", "hurricane"),
        ("Orkane", "hurricanes"),
        ("Ort des Geschehens", "scene"),
        ("Schauplatz", "scene"),
        ("Die Feuerwehr war da.", "Firefighters arrived."),
        ("aufwühlen", "churn up"),
        ("Mindestgröße", "minimum size"),
        ("Tante", "aunt"),
    ]


def test_a_verb_loses_to_and_what_stands_for_its_objects() -> None:
    assert pairs_of(GIVE)[:3] == [("geben", "give"), ("gebend", "giving"), ("gegeben", "given")]
    assert pairs_of(GIVE)[3:5] == [("er gibt", "he gives"), ("gibt", "gives")]
    assert pairs_of(GIVE)[5:] == [("ich gab", "I gave"), ("gab", "gave"), ("ich gebe", "I give")]
    assert pairs_of("jdn. an etw. erinnern :: to remind sb. of sth.") == [("erinnern", "remind")]
    assert pairs_of("an jdn./etw. glauben :: to believe in sb./sth.") == [("glauben", "believe in")]
    assert pairs_of("jdm. zustimmen :: to agree with sb.") == [
        ("zustimmen", "agree with"),
        ("zustimmen", "agree"),
    ]


def test_apostrophes_are_those_of_keyboards() -> None:
    assert pairs_of("Ich fass’ es nicht. :: I can’t get over sb.’s luck .") == [
        ("Ich fass' es nicht.", "I can't get over somebody's luck.")
    ]


def used(entries: str, german: str, english: str, times: int = 50) -> Uses:
    """Return what texts say in which two sentences occur so often."""
    uses = Uses()
    others = [SentencePair("x", "y")] * times
    pairs = [SentencePair(german, english)] * times + others
    count_together(list(read_dictionary(entries.splitlines())), pairs, uses)
    return uses


def test_the_bare_verb_comes_more_often_than_the_one_with_to() -> None:
    uses = used(GIVE, "sie geben es", "they give it", times=3_000)
    found = lines(GIVE, 0, uses)
    assert found["geben", "give"] > found["geben", "to give"] > 0
    assert found["Geben", "Give"] > 0  # at the beginning of a line


def test_what_texts_say_mostly_comes_first_and_most_often() -> None:
    entries = "basteln {vt} :: to make\nmachen {vt} :: to make"
    uses = used(entries, "wir machen das", "we make that", times=1_000)
    uses.words[0]["basteln"] = uses.together[SentencePair("basteln", "make")] = 200
    found = lines(entries, 1, uses)
    assert found["machen", "make"] > found["basteln", "make"] > 0
    assert next(iter(found)) == ("machen", "make")


def test_a_frequent_word_has_more_lines_than_a_rare_one() -> None:
    entries = "Brot {n} :: bread\nKipf {m} :: long bread"
    found = lines(entries, 0, used(entries, "Brot", "bread"))
    assert found["Brot", "bread"] > found["Kipf", "long bread"] == 1


def test_a_word_whose_meaning_the_dictionary_lacks_has_one_line() -> None:
    entries = "der :: which"
    assert lines(entries, 0, used(entries, "der Hund", "the dog", times=1_000)).total() == 1


def test_a_noun_has_lines_without_a_capital_unless_that_is_a_verb() -> None:
    entries = "Brot {n} :: bread\nEssen {n} :: food\nessen {vt} :: to eat"
    uses = used(entries, "Brot Essen essen", "bread food eat", times=1_000)
    found = lines(entries, 0, uses)
    assert found["brot", "bread"] > 0
    assert found["essen", "food"] == 0
    assert lines(entries, 1, uses)["Brot", "Bread"] > 0


def test_a_participle_stays_only_if_it_is_a_word() -> None:
    entries = "folgen | folgend :: to follow | following\n" + GIVE
    senses = list(read_dictionary(entries.splitlines()))
    uses = Uses()
    uses.words[0].update({"folgen": 50, "folgend": 4, "folgende": 20, "geben": 50, "gebend": 2})
    uses.words[1].update(dict.fromkeys(["follow", "following", "give", "giving"], 9))
    kept = [sense.pair.sides for sense in keep_usual(senses, uses)]
    assert kept == [
        ("folgen", "follow"),
        ("folgend", "following"),
        ("geben", "give"),
        ("geben", "giving"),
    ]


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(st.text(min_size=1, max_size=3), st.floats(0.001, 1e6), min_size=1, max_size=6),
    st.integers(1, 40),
)
def test_lines_are_shared_out_in_the_order_of_their_weights(
    weights: dict[str, float], count: int
) -> None:
    found = shared_out(weights, count)
    counts = Counter(found)
    by_weight = sorted(counts, key=lambda text: -weights[text])
    assert len(found) in (count, count + 1)
    assert weights[found[0]] == max(weights.values())
    assert all(counts[a] + 1 >= counts[b] for a, b in pairwise(by_weight))


def run(tmp_path: Path, entries: str, *more: str) -> int:
    (tmp_path / "list").write_text(entries)
    return main(["dictionary", "--input", f"{tmp_path}/list", "--out", f"{tmp_path}/out", *more])


def test_words_and_phrases_are_written_apart(tmp_path: Path) -> None:
    assert run(tmp_path, ENTRIES) == 0
    found = {path.name: path.read_text().splitlines() for path in (tmp_path / "out").iterdir()}
    assert found["phrases.de"] == ["Die Feuerwehr war da."]
    assert found["phrases.en"] == ["Firefighters arrived."]
    for side in ("from-de", "from-en"):
        assert len(found[f"{side}.de"]) == len(found[f"{side}.en"])
        assert {text.lower() for text in found[f"{side}.en"]} >= {"hurricane", "aunt", "scene"}


def test_texts_say_what_is_usual(tmp_path: Path) -> None:
    (tmp_path / "a.de").write_text("Ein Orkan!\nEIN ORKAN, Tante\n")
    (tmp_path / "a.en").write_text("aunt aunt hurricane\nHurricane\n")
    assert run(tmp_path, ENTRIES, "--parallel", f"{tmp_path}/a") == 0
    assert {*(tmp_path / "out" / "from-de.de").read_text().lower().split()} == {"orkan"}
    assert {*(tmp_path / "out" / "from-en.en").read_text().lower().split()} == {"hurricane"}


def test_a_file_in_another_form_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, "Hund\tdog\n") == 1
    assert "has no entry in the form" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


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
    ("name", "count"),
    [("phrases", 1_000), ("forms", 1_500), ("gender", 130), ("daily", 600)],
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
