"""Encoded text on disk and in memory, and the batches that are made of it."""

from __future__ import annotations

import itertools
import os
import pickle
from pathlib import Path

import pytest
import torch

from tests.streams import write_encoded
from tests.toy import toy_sides
from training.data import encoded
from training.data.encoded import EncodedCorpus, EncodedPair, StoreError, TokenStore, make_batch
from training.data.loader import StepBatches, load, plans
from training.data.sampler import BatchSampler
from translator.tokens.tokenizer import Tokenizer

SENTENCES = [[1, 2, 3], [], [65535], [7] * 5]


def write(folder: Path, sentences: list[list[int]] = SENTENCES) -> TokenStore:
    TokenStore.write(folder / "text", sentences)
    return TokenStore(folder / "text")


@pytest.mark.parametrize("ids_per_write", [1, 3, 1000])
def test_sentences_come_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ids_per_write: int
) -> None:
    monkeypatch.setattr(encoded, "IDS_PER_WRITE", ids_per_write)
    assert TokenStore.write(tmp_path / "deep" / "text", SENTENCES) == 4
    store = TokenStore(tmp_path / "deep" / "text")
    assert [store[i].tolist() for i in range(len(store))] == SENTENCES
    assert store.lengths.tolist() == [3, 0, 1, 5]


def test_an_empty_text_has_no_sentences(tmp_path: Path) -> None:
    store = write(tmp_path, [])
    assert (len(store), store.lengths.tolist()) == (0, [])


def test_a_store_is_sent_to_other_processes_as_its_path(tmp_path: Path) -> None:
    store = write(tmp_path, [[1] * 10_000])
    sent = pickle.dumps(store)
    assert len(sent) < 1000
    assert pickle.loads(sent)[0].tolist() == store[0].tolist()


def test_a_missing_file_says_which_stage_writes_it(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "text.ends").unlink()
    with pytest.raises(StoreError, match=r"text\.ends: No such file.*; run `subwords` first"):
        TokenStore(tmp_path / "text")


@pytest.mark.parametrize(("suffix", "left"), [("ids", 4), ("ids", 3), ("ends", 8), ("ends", 5)])
def test_a_truncated_file_is_named(tmp_path: Path, suffix: str, left: int) -> None:
    write(tmp_path)
    path = tmp_path / f"text.{suffix}"
    path.write_bytes(path.read_bytes()[:left])
    with pytest.raises(StoreError, match=r"text\.\w+: truncated; run `subwords` again"):
        TokenStore(tmp_path / "text")


def test_writing_anew_leaves_those_alone_that_share_the_old_files(tmp_path: Path) -> None:
    write(tmp_path)
    for suffix in ("ids", "ends"):
        os.link(tmp_path / f"text.{suffix}", tmp_path / f"linked.{suffix}")
    assert write(tmp_path, [[9]])[0].tolist() == [9]
    linked = TokenStore(tmp_path / "linked")
    assert [linked[i].tolist() for i in range(len(linked))] == SENTENCES
    assert not list(tmp_path.glob("*.tmp"))


def pair(src: list[int], tgt: list[int]) -> EncodedPair:
    return EncodedPair(src, tgt)


def test_input_is_the_output_shifted_behind_bos() -> None:
    batch = make_batch([pair([9, 8, 3], [5, 6, 3]), pair([9, 3], [3])], pad_id=0, bos_id=2)
    assert batch.tgt_in.tolist() == [[2, 5, 6], [2, 0, 0]]
    assert batch.tgt_out.tolist() == [[5, 6, 3], [3, 0, 0]]
    assert batch.src.tolist() == [[9, 8, 3], [9, 3, 0]]
    assert batch.src_mask.tolist() == [[[[True, True, True]]], [[[True, True, False]]]]
    assert batch.num_targets == 4


def test_widths_are_rounded_up_for_tensor_cores() -> None:
    batch = make_batch([pair([1] * 9, [1] * 3)], pad_id=0, bos_id=2, multiple_of=8)
    assert (batch.src.shape[1], batch.tgt_in.shape[1]) == (16, 8)


def test_a_corpus_on_disk_holds_both_directions(tmp_path: Path, tokenizer: Tokenizer) -> None:
    sides = {"de": ["Der Hund.", ""], "en": ["The dog.", "The cat sees."]}
    corpus = write_encoded(tmp_path, tokenizer, sides, ["de-en", "en-de"])
    assert len(corpus) == 4
    assert corpus[0].src == tokenizer.encode_source("Der Hund.", "en")
    assert corpus[0].tgt == [*tokenizer.encode("The dog."), tokenizer.eos_id]
    assert corpus[1].src == [tokenizer.tag_id("en"), tokenizer.eos_id]
    assert corpus[2].src == tokenizer.encode_source("The dog.", "de")
    assert corpus[3].tgt == [tokenizer.eos_id]
    assert corpus.lengths[:, 1].tolist() == [2, len(corpus[1].tgt)]


def test_special_pieces_in_the_text_end_nothing(tmp_path: Path, tokenizer: Tokenizer) -> None:
    sides = {"de": ["a </s> b"], "en": ["<pad> </s>"]}
    stored = write_encoded(tmp_path, tokenizer, sides, ["de-en"])[0]
    assert stored.src.count(tokenizer.eos_id) == 1
    assert stored.tgt.count(tokenizer.eos_id) == 1
    assert tokenizer.pad_id not in stored.tgt
    assert tokenizer.decode(stored.tgt) == "<pad> </s>"
    batch = make_batch([stored], tokenizer.pad_id, tokenizer.bos_id)
    assert batch.tgt_out[0, -1] == tokenizer.eos_id
    assert batch.src_mask.all()


def test_sides_of_different_length_are_refused(tmp_path: Path, tokenizer: Tokenizer) -> None:
    sides = {"de": ["a", "b"], "en": ["a"]}
    with pytest.raises(ValueError, match=r"de and .*en are not aligned"):
        write_encoded(tmp_path, tokenizer, sides, ["de-en"])


CPU = torch.device("cpu")


@pytest.fixture
def small_corpus(tmp_path: Path, tokenizer: Tokenizer) -> EncodedCorpus:
    return write_encoded(tmp_path, tokenizer, toy_sides(40, seed=1), ["de-en"])


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
