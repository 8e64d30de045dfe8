"""Batches of a few shapes are gathered on a device, are those of the CPU, and are made ahead."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch

from tests.streams import write_streams
from tests.toy import toy_sides
from training.data import on_device
from training.data.encoded import EncodedCorpus, Stream, TokenStore, TrainBatch, make_batch
from training.data.on_device import WIDTHS, DeviceText, Shapes, ahead
from training.data.sampler import BatchSampler
from translator.tokens.tokenizer import Tokenizer


def some_lengths(count: int, longest: int = 300) -> np.ndarray:
    generator = np.random.default_rng(1)
    return np.clip(generator.gamma(3.0, 9.0, (2, count)).astype(np.int32), 1, longest)


@pytest.mark.parametrize(
    ("longest", "last_widths"),
    [(5, [256]), (256, [256]), (257, [256, 384]), (900, [576, 864, 1296])],
)
def test_the_widest_shape_fits_the_longest_pair(longest: int, last_widths: list[int]) -> None:
    shapes = Shapes.fitting(np.array([[3, longest], [4, 2]]), 1000)
    assert shapes.widths[: len(WIDTHS)] == WIDTHS
    assert list(shapes.widths[-len(last_widths) :]) == last_widths


@pytest.mark.parametrize(
    ("longest", "most", "last_width"),
    [(100, 200, 200), (300, 300, 300), (300, 400, 384), (9, 5, 256)],
)
def test_no_shape_is_wider_than_the_model_has_positions(
    longest: int, most: int, last_width: int
) -> None:
    assert Shapes.fitting(np.array([[longest], [4]]), 1000, most).widths[-1] == last_width


def test_a_batch_has_the_narrowest_shape_that_fits_it() -> None:
    shapes = Shapes((8, 16, 64), max_batch_tokens=100)
    assert shapes.of(np.array([[3, 8], [8, 1]])) == (12, 8)
    assert shapes.of(np.array([[3, 8], [9, 1]])) == (6, 16)
    assert shapes.of(np.array([[17], [1]])) == (1, 64)
    assert Shapes((8, 200), 100).of(np.array([[150], [1]])) == (1, 200)


@pytest.mark.parametrize("count", [1, 7, 5000])
def test_every_pair_is_in_one_batch_and_hardly_a_row_is_empty(count: int) -> None:
    lengths = some_lengths(count)
    shapes = Shapes.fitting(lengths, 2000)
    order = np.random.default_rng(2).permutation(count)
    batches = shapes.group(lengths, order)
    assert sorted(np.concatenate(batches).tolist()) == list(range(count))
    for batch in batches:
        rows, width = shapes.of(lengths[:, batch])
        assert lengths[:, batch].max() <= width
        assert len(batch) <= rows
    missing = [shapes.of(lengths[:, batch])[0] - len(batch) for batch in batches]
    # what is left over of a width may fill a batch of the next one by itself
    assert sum(rows > 0 for rows in missing) <= len(shapes.widths)
    assert sum(missing) <= 2 * shapes.rows_of(8)


def test_pairs_of_one_width_come_in_the_order_given() -> None:
    shapes = Shapes((8, 16), max_batch_tokens=16)
    lengths = np.array([[1, 12, 2, 3, 11, 4, 5], [1, 1, 1, 1, 1, 1, 1]])
    order = np.array([6, 5, 4, 3, 2, 1, 0])
    found = [batch.tolist() for batch in shapes.group(lengths, order)]
    assert found == [[6, 5], [3, 2], [0], [4], [1]], "the pair that is left over goes with the next"


def test_the_sampler_resumes_within_an_epoch_of_shapes() -> None:
    lengths = some_lengths(3000)
    shapes = Shapes.fitting(lengths, 1000)

    def make() -> BatchSampler:
        return BatchSampler(lengths, 1000, seed=3, group=shapes.group)

    stream = iter(make())
    first = [next(stream).tolist() for _ in range(200)]
    resumed = make()
    resumed.restore(0, 50)
    again = iter(resumed)
    assert [next(again).tolist() for _ in range(150)] == first[50:]


CPU = torch.device("cpu")


@pytest.fixture
def corpus(tmp_path: Path, tokenizer: Tokenizer) -> EncodedCorpus:
    """Two directions that share their text, and a synthetic stream with two tags."""
    streams = write_streams(tmp_path / "a", tokenizer, toy_sides(40, seed=1), ["de-en", "en-de"])
    few = {"de": ["Ja", "", "Der Hund"], "en": ["", "Yes", "The dog"]}
    [other] = write_streams(tmp_path / "b", tokenizer, few, ["de-en"])
    tags = (*other.tag_ids, 300)
    return EncodedCorpus(
        [*streams, Stream(source=other.source, target=other.target, tag_ids=tags)], tokenizer.eos_id
    )


def device_text(corpus: EncodedCorpus, tokenizer: Tokenizer, budget: int = 400) -> DeviceText:
    shapes = Shapes.fitting(corpus.lengths, budget)
    return DeviceText(corpus, shapes, CPU, pad_id=tokenizer.pad_id, bos_id=tokenizer.bos_id)


def padded(batch: TrainBatch, pad_id: int, rows: int, width: int) -> tuple[torch.Tensor, ...]:
    """Return source, decoder's input and output, with columns and rows of padding added."""
    wide = []
    for ids in (batch.src, batch.tgt_in, batch.tgt_out):
        full = torch.full((rows, width), pad_id)
        full[: ids.size(0), : ids.size(1)] = ids
        wide.append(full)
    return tuple(wide)


def test_it_is_the_batch_that_padding_makes(corpus: EncodedCorpus, tokenizer: Tokenizer) -> None:
    text = device_text(corpus, tokenizer)
    order = np.random.default_rng(1).permutation(len(corpus))
    batches = text.shapes.group(corpus.lengths, order)
    assert len(batches) > 5
    for indices in batches:
        gathered = text.batch(indices).to(CPU)
        expected = make_batch(corpus.pairs(indices.tolist()), tokenizer.pad_id, tokenizer.bos_id)
        rows, width = text.shapes.of(corpus.lengths[:, indices])
        src, tgt_in, tgt_out = padded(expected, tokenizer.pad_id, rows, width)
        count = len(indices)
        src[count:, 0], tgt_in[count:, 0] = tokenizer.eos_id, tokenizer.bos_id
        assert torch.equal(gathered.src, src)
        assert torch.equal(gathered.tgt_in, tgt_in)
        assert torch.equal(gathered.tgt_out, tgt_out)
        assert torch.equal(gathered.src_mask, (src != tokenizer.pad_id)[:, None, None])
        assert gathered.num_targets == expected.num_targets
        assert gathered.src.dtype == torch.int64


def test_every_row_has_something_to_attend_to(corpus: EncodedCorpus, tokenizer: Tokenizer) -> None:
    batch = device_text(corpus, tokenizer, 4000).batch(np.array([3])).to(CPU)
    assert batch.src.size(0) > 100
    assert batch.src_mask.any(dim=-1).all()
    assert (batch.tgt_out[1:] == tokenizer.pad_id).all()


def test_text_that_streams_share_is_there_once(corpus: EncodedCorpus, tokenizer: Tokenizer) -> None:
    text = device_text(corpus, tokenizer)
    stores = {side.path: len(side.ids) for stream in corpus.streams for side in stream.sides}
    assert len(stores) == 4
    assert text.ids.numel() == sum(stores.values()) + 1


def test_ids_use_all_16_bits(tmp_path: Path) -> None:
    for side, ids in (("de", [65535, 40000, 7]), ("en", [32767, 32768])):
        TokenStore.write(tmp_path / side, [ids])
    stream = Stream(
        source=TokenStore(tmp_path / "de"), target=TokenStore(tmp_path / "en"), tag_ids=(9,)
    )
    corpus = EncodedCorpus([stream], eos_id=3)
    text = DeviceText(corpus, Shapes((8,), 8), CPU, pad_id=0, bos_id=2)
    batch = text.batch(np.array([0])).to(CPU)
    assert batch.src.tolist() == [[9, 65535, 40000, 7, 3, 0, 0, 0]]
    assert batch.tgt_in.tolist() == [[2, 32767, 32768, 0, 0, 0, 0, 0]]
    assert batch.tgt_out.tolist() == [[32767, 32768, 3, 0, 0, 0, 0, 0]]


def threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "batches ahead"]


def wait_until_none() -> None:
    deadline = time.monotonic() + 60
    while threads():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_everything_comes_in_order() -> None:
    assert list(ahead(iter(range(100)), 3)) == list(range(100))
    wait_until_none()


def test_no_more_than_wanted_is_made_ahead() -> None:
    made = []

    def items() -> Iterator[int]:
        for number in itertools.count():
            made.append(number)
            yield number

    stream = ahead(items(), 4)
    assert [next(stream) for _ in range(3)] == [0, 1, 2]
    time.sleep(0.1)
    assert len(made) <= 3 + 4 + 1
    stream.close()  # type: ignore[attr-defined]
    wait_until_none()


def test_an_exception_reaches_the_reader() -> None:
    def items() -> Iterator[int]:
        yield 1
        raise ZeroDivisionError("broken")

    stream = ahead(items(), 4)
    assert next(stream) == 1
    with pytest.raises(ZeroDivisionError, match="broken"):
        next(stream)
    wait_until_none()


def test_the_thread_ends_while_it_waits_for_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_device, "POLL_S", 0.01)
    stream = ahead(itertools.count(), 1)
    assert next(stream) == 0
    stream.close()  # type: ignore[attr-defined]
    wait_until_none()
