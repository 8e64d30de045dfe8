"""Plans deal batches out to processes; worker processes make what one process would."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import pytest
import torch

from tests.streams import write_encoded
from tests.toy import toy_pairs
from training.data.encoded import EncodedCorpus
from training.data.loader import StepBatches, load, plans
from training.data.sampler import BatchSampler
from translator.tokens.tokenizer import Tokenizer

CPU = torch.device("cpu")


@pytest.fixture
def small_corpus(tmp_path: Path, tokenizer: Tokenizer) -> EncodedCorpus:
    pairs = toy_pairs(40, random.Random(1))
    sides = {"de": [de for de, _ in pairs], "en": [en for _, en in pairs]}
    return write_encoded(tmp_path, tokenizer, sides, ["de-en"])


def sampler_of(corpus: EncodedCorpus) -> BatchSampler:
    return BatchSampler(corpus.lengths, 100, seed=1)


@pytest.mark.parametrize("accumulate", [1, 2])
def test_processes_share_the_batches_of_a_step_in_turn(
    small_corpus: EncodedCorpus, accumulate: int
) -> None:
    whole = itertools.islice(sampler_of(small_corpus), 12)
    expected = [batch.tolist() for batch in whole]
    dealt: list[list[int]] = []
    streams = [plans(sampler_of(small_corpus), accumulate, rank, 2) for rank in (0, 1)]
    for _ in range(6 // accumulate):
        first, second = (next(stream) for stream in streams)
        assert (first.epoch, first.position) == (second.epoch, second.position)
        for pair in zip(first.micro_batches, second.micro_batches, strict=True):
            dealt += [indices for indices, _ in pair]
    assert dealt == expected


def test_every_batch_has_a_key_of_its_own(small_corpus: EncodedCorpus) -> None:
    steps = itertools.islice(plans(sampler_of(small_corpus), 2, 0, 1), 20)
    keys = [key for step in steps for _, key in step.micro_batches]
    assert len(set(keys)) == len(keys) == 40


def batches(corpus: EncodedCorpus, tokenizer: Tokenizer, **settings: int) -> list[StepBatches]:
    stream = load(corpus, tokenizer, plans(sampler_of(corpus), 1, 0, 1), **settings)
    return list(itertools.islice(stream, 5))


def test_workers_make_the_same_batches_and_draw_no_random_numbers(
    small_corpus: EncodedCorpus, tokenizer: Tokenizer
) -> None:
    torch.manual_seed(5)
    before = torch.get_rng_state()
    alone, helped = (batches(small_corpus, tokenizer, workers=count) for count in (0, 2))
    assert torch.equal(torch.get_rng_state(), before), "dropout would draw others after a resume"
    for ours, theirs in zip(alone, helped, strict=True):
        assert (ours.epoch, ours.position) == (theirs.epoch, theirs.position)
        for mine, their in zip(ours.batches, theirs.batches, strict=True):
            one, other = mine.to(CPU), their.to(CPU)
            assert torch.equal(one.src, other.src)
            assert torch.equal(one.tgt_out, other.tgt_out)


def test_widths_are_rounded_up(small_corpus: EncodedCorpus, tokenizer: Tokenizer) -> None:
    for step in batches(small_corpus, tokenizer, multiple_of=8):
        batch = step.batches[0].to(CPU)
        assert batch.src.size(1) % 8 == batch.tgt_in.size(1) % 8 == 0
