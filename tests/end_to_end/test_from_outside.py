"""Conditions and limits deep inside that a user of the public interface relies on."""

from __future__ import annotations

import inspect

import pytest

from tests.documents import shouted
from tests.engines import CopyEngine
from translator import Translator
from translator.documents.kinds import FileOptions, read_file
from translator.search.hypothesis import Hypothesis
from translator.store.model_directory import LoadedModel
from translator.tokens.tokenizer import Tokenizer


class OneAnswer(CopyEngine):
    """Answers everything with one text."""

    def __init__(self, tokenizer: Tokenizer, text: str) -> None:
        super().__init__()
        self.ids = tuple(tokenizer.encode(text))

    def answer(self, place: int) -> None:
        answer = Hypothesis(ids=self.ids, score=-1.0, log_prob=-2.0, finish_reason="eos")
        self.futures[place].set_result([answer] * self.submitted[place][1].num_hypotheses)


@pytest.mark.parametrize(
    ("english", "german", "is_flagged"),
    [
        ("We met on 3 April.", "Das war am 4/3.", False),  # Americans write the month first
        ("We met on 3 April.", "Das war am 5/3.", True),
        ("pages 11 and 62", "Seiten 11:62", True),
    ],
)
def test_a_date_in_digits_has_the_numbers_of_one_in_words(
    loaded: LoadedModel, tokenizer: Tokenizer, english: str, german: str, is_flagged: bool
) -> None:
    with Translator(loaded, OneAnswer(tokenizer, german)) as translator:
        [answer] = translator.translate([english], source="en", target="de")
    assert ("numbers" in answer.flags) == is_flagged


def test_a_model_takes_one_thread_if_nobody_asks_for_more() -> None:
    assert inspect.signature(Translator.load).parameters["threads"].default == 1


@pytest.mark.parametrize(("last", "translated"), [("a,b", "A,b"), ("a;b", "A;b")])
def test_the_first_fifty_rows_of_a_table_say_what_separates_its_cells(
    last: str, translated: str
) -> None:
    rows = ["a,b"] * 24 + ["a;b"] * 25 + [last] + ["a,b" if last == "a;b" else "a;b"] * 9
    document = read_file("a.csv", "\n".join(rows).encode(), "de", FileOptions(columns=("1",)))
    assert shouted(document).decode().splitlines()[49] == translated
