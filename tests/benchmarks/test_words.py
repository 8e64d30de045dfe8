"""The benchmark of words forgives inflection and nothing else; its phrases are held back."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.benchmarks.words import PHRASES, frequent
from training.sources import SHIPPED, expand, read_phrasebook
from training.word_list import is_listed, read_list, senses_of
from translator.files import read_lines

LIST = """\
# Ding
jdm. etw. geben {vt} | gegeben | er/sie gibt :: to give sb. sth. | given | he/she gives
Brot {n} | Brote {pl} :: bread; loaf | breads
Haus {n} /Hs./; Gebäude {n} :: house /hse./
schnell; rasch {adj} :: fast; quick
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "list").write_text(LIST)
    return tmp_path / "list"


@pytest.mark.parametrize(
    ("word", "language", "answer", "is_right"),
    [
        ("geben", "de", "give", True),
        ("geben", "de", "to give", True),
        ("geben", "de", "giving", True),
        ("gegeben", "de", "given", True),
        ("give", "en", "geben", True),
        ("give", "en", "gibt", True),
        ("giving", "en", "Geben", True),
        ("breads", "en", "Brote", True),
        ("Häuser", "de", "houses", True),
        ("Brot", "de", "the loaf", True),
        ("rasch", "de", "Quickly.", True),
        ("geben", "de", "take", False),
        ("Brot", "de", "broth", False),
        ("fast", "en", "Haus", False),
        ("give", "en", "nehmen", False),
    ],
)
def test_a_listed_translation_is_right_in_any_form(
    path: Path, word: str, language: str, answer: str, is_right: bool
) -> None:
    side = ("de", "en").index(language)
    senses = senses_of(word, read_list(read_lines(path))[side], language)
    assert is_listed(answer, senses, ("en", "de")[side]) == is_right


def test_words_come_by_frequency_as_they_are_written(path: Path) -> None:
    text = ["Das schnell Brot Brot", "Ein Brot geben Xyz Xyz Xyz Xyz"]
    assert frequent(iter(text), read_list(read_lines(path))[0], "de", 2) == ["Brot", "schnell"]


def test_phrases_are_in_no_phrasebook() -> None:
    known = set[str]()
    for name in ("phrases", "forms", "gender"):
        path = SHIPPED.with_name(f"de-en-{name}.txt")
        book = read_phrasebook(read_lines(path), str(path))
        known |= {side for pair in expand(book, variants=100) for side in pair.sides}
    for line in read_lines(PHRASES):
        direction, text, pattern = line.split("\t")
        assert direction in ("de-en", "en-de")
        re.compile(pattern)
        assert text.replace("\\n", "\n") not in known, text
