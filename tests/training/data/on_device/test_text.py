"""A gathered batch is the padded batch that is made of the same pairs on the CPU."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
import torch

from tests.streams import write_streams
from tests.toy import toy_pairs
from training.data.encoded import EncodedCorpus, Stream, TrainBatch, make_batch
from training.data.on_device.shapes import Shapes
from training.data.on_device.text import DeviceText
from training.data.token_store import TokenStore
from translator.tokens.tokenizer import Tokenizer

CPU = torch.device("cpu")


@pytest.fixture
def corpus(tmp_path: Path, tokenizer: Tokenizer) -> EncodedCorpus:
    """Two directions that share their text, and a synthetic stream with two tags."""
    pairs = toy_pairs(40, random.Random(1))
    sides = {"de": [de for de, _ in pairs], "en": [en for _, en in pairs]}
    streams = write_streams(tmp_path / "a", tokenizer, sides, ["de-en", "en-de"])
    few = {"de": ["Ja", "", "Der Hund"], "en": ["", "Yes", "The dog"]}
    [other] = write_streams(tmp_path / "b", tokenizer, few, ["de-en"])
    tags = (*other.tag_ids, 300)
    return EncodedCorpus(
        [*streams, Stream(source=other.source, target=other.target, tag_ids=tags)],
        tokenizer.eos_id,
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
