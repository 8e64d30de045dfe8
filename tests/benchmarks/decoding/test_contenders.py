"""Both engines are given the same work, and say how much they have made of it."""

from __future__ import annotations

import dataclasses

import pytest

from tests.benchmarks.decoding.contenders import Contender, CTranslate2Contender, TorchContender
from tests.benchmarks.decoding.subject import Subject
from tests.cpu import NEEDS_INT8
from translator.store.model_directory import LoadedModel
from translator.tokens.port import SpecialIds

pytestmark = NEEDS_INT8


@pytest.fixture
def subject(loaded: LoadedModel) -> Subject:
    tokenizer = loaded.tokenizer
    return Subject(
        name="toy",
        model=loaded.model,
        pieces=tokenizer.all_pieces,
        special_ids=SpecialIds.of(tokenizer),
        unk_id=tokenizer.unk_id,
        sources=[
            [*tokenizer.encode_source("", "en")[:1], *range(20, 20 + length), tokenizer.eos_id]
            for length in range(1, 12)
        ],
        target_ids=0,
        options=dataclasses.replace(loaded.description.decoding, max_length_factor=1.0),
    )


@pytest.mark.parametrize("kind", [TorchContender, CTranslate2Contender])
@pytest.mark.parametrize("beam_size", [1, 3])
def test_all_sentences_are_as_long_as_asked_for(
    subject: Subject, kind: type[Contender], beam_size: int
) -> None:
    forbidden = (*subject.special_ids.forbidden_ids, subject.special_ids.eos_id)
    endless = dataclasses.replace(subject.special_ids, forbidden_ids=forbidden)
    fixed = dataclasses.replace(subject, target_ids=7, special_ids=endless)
    contender = kind(fixed, 1)
    assert contender.translate_batch(subject.sources, beam_size) == 7 * 11
    assert contender.translate_corpus(subject.sources, beam_size) == 7 * 11


@pytest.mark.parametrize("threads", [1, 2])
def test_a_batch_and_a_corpus_are_the_same_translations(subject: Subject, threads: int) -> None:
    contender = TorchContender(subject, threads)
    tokens = contender.translate_batch(subject.sources, 2)
    assert tokens == contender.translate_corpus(subject.sources, 2)
    limits = [subject.options.max_length(len(ids)) for ids in subject.sources]
    assert len(subject.sources) <= tokens <= sum(limits)


def test_names_say_what_was_measured(subject: Subject) -> None:
    assert TorchContender(subject, 1).name == "translator int8"
    assert CTranslate2Contender(subject, 1, "float32").name.endswith(" float32")
