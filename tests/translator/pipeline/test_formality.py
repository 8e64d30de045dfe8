"""A form of address that is asked for: told to the model, and checked in what it writes."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Mapping, Sequence

import pytest

from tests.engines import CopyEngine
from tests.toy import toy_pairs
from training.config import SubwordsConfig
from training.data.subwords import train_tokenizer
from translator.errors import InputError, ModelDirectoryError
from translator.pipeline.translator import Translator
from translator.rules.formality import MARKS, Formality
from translator.search.hypothesis import Hypothesis
from translator.store.model_directory import LoadedModel
from translator.tokens.tokenizer import Tokenizer

SOURCE = "Can you see the dog?"
FORMAL, INFORMAL = "Sehen Sie den Hund?", "Siehst du den Hund?"


class WritingEngine(CopyEngine):
    """Answers with given texts, the best first, as many as are asked for; the last one again."""

    def __init__(self, tokenizer: Tokenizer, texts: Mapping[str, Sequence[str]]) -> None:
        super().__init__()
        self._tokenizer, self._texts = tokenizer, texts

    def answer(self, place: int) -> None:
        ids, options = self.submitted[place]
        texts = self._texts[self._tokenizer.decode(ids)]
        found = [texts[min(rank, len(texts) - 1)] for rank in range(options.num_hypotheses)]
        self.futures[place].set_result(
            [
                Hypothesis(
                    ids=tuple(self._tokenizer.encode(text)),
                    score=-1.0 - rank,
                    log_prob=-2.0 - rank,
                    finish_reason="eos",
                )
                for rank, text in enumerate(found)
            ]
        )


@pytest.fixture(scope="module")
def polite(tmp_path_factory: pytest.TempPathFactory) -> Tokenizer:
    lines = [line for pair in toy_pairs(200, random.Random(0)) for line in pair]
    marks = ("formal", "informal")
    return train_tokenizer(lines, ["de", "en"], SubwordsConfig(vocab_size=330), marks)


def translating(
    loaded: LoadedModel, tokenizer: Tokenizer, *texts: str
) -> tuple[Translator, WritingEngine]:
    description = dataclasses.replace(loaded.description, formality=("de",))
    engine = WritingEngine(tokenizer, {SOURCE: texts})
    model = dataclasses.replace(loaded, description=description, tokenizer=tokenizer)
    return Translator(model, engine), engine


def test_the_model_is_told_the_form(loaded: LoadedModel, polite: Tokenizer) -> None:
    translator, engine = translating(loaded, polite, FORMAL)
    [found] = translator.translate([SOURCE], source="en", target="de", formality="formal")
    assert (found.text, found.flags) == (FORMAL, ())
    [(ids, _)] = engine.submitted
    assert ids[:2] == [polite.tag_id("de"), polite.mark_id("formal")]


def test_without_a_wish_the_model_is_told_nothing(loaded: LoadedModel, polite: Tokenizer) -> None:
    translator, engine = translating(loaded, polite, INFORMAL)
    [found] = translator.translate([SOURCE], source="en", target="de")
    assert (found.text, found.flags) == (INFORMAL, ())
    assert engine.submitted[0][0] == [polite.tag_id("de"), *polite.encode(SOURCE), polite.eos_id]


LETTER = "Dear Mr Hill,\nDo you see the dog? You see the cat."


@pytest.mark.parametrize(
    ("text", "wish", "form"),
    [
        (LETTER, None, "formal"),
        (LETTER, "informal", "informal"),
        (LETTER.replace("Dear Mr Hill", "Hi Tom"), None, "informal"),
        (LETTER.replace("Dear Mr Hill", "Dear Tom"), None, None),
        ("Dear Mr Hill, do you see the dog?", None, None),
    ],
)
def test_a_letter_of_several_sentences_has_one_form(
    loaded: LoadedModel, polite: Tokenizer, text: str, wish: Formality | None, form: str | None
) -> None:
    description = dataclasses.replace(loaded.description, formality=("de",))
    model = dataclasses.replace(loaded, description=description, tokenizer=polite)
    whole, streamed = CopyEngine(), CopyEngine()
    Translator(model, whole).translate([text], source="en", target="de", formality=wish)
    list(Translator(model, streamed).stream([text], source="en", target="de", formality=wish))
    marks = {ids[1] for ids, _ in whole.submitted} & {*map(polite.mark_id, MARKS)}
    assert marks == ({polite.mark_id(form)} if form else set())
    assert [ids for ids, _ in streamed.submitted] == [ids for ids, _ in whole.submitted]


def test_another_form_is_searched_for_again(loaded: LoadedModel, polite: Tokenizer) -> None:
    translator, engine = translating(loaded, polite, INFORMAL, FORMAL)
    [found] = translator.translate([SOURCE], source="en", target="de", formality="formal")
    assert (found.text, found.flags) == (FORMAL, ("retried",))
    assert len(engine.submitted) == 2


def test_another_form_that_stays_is_flagged(loaded: LoadedModel, polite: Tokenizer) -> None:
    translator, _ = translating(loaded, polite, FORMAL)
    stream = translator.stream([SOURCE], source="en", target="de", formality="informal")
    [(_, found), _] = stream
    assert (found.text, found.flags) == (FORMAL, ("formality", "retried"))


def test_where_nothing_can_be_asked_for_it_is_refused(
    loaded: LoadedModel, polite: Tokenizer
) -> None:
    translator, _ = translating(loaded, polite, FORMAL)
    assert [(one.code, one.formality) for one in translator.languages] == [
        ("de", ()),
        ("en", ("de",)),
    ]
    with pytest.raises(InputError, match=r"no form of address .* from de to en"):
        translator.translate([FORMAL], source="de", target="en", formality="formal")
    usual = Translator(loaded, CopyEngine())
    with pytest.raises(InputError, match=r"no form of address .* from en to de"):
        usual.translate([SOURCE], source="en", target="de", formality="formal")


def test_a_vocabulary_without_marks_cannot_be_told(tokenizer: Tokenizer) -> None:
    with pytest.raises(ModelDirectoryError, match="no piece <formal>"):
        tokenizer.addressing("formal")
