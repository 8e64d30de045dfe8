"""The cache, slot by slot, and then all its tricks at once."""

from __future__ import annotations

import random

import pytest
import torch
from torch import Tensor

from translator.batch import pad, padding_mask
from translator.config import ModelConfig
from translator.model.attention import MultiHeadedAttention, causal_mask
from translator.model.kv_cache import DecoderCache, LayerCache, SlotPositions
from translator.model.transformer import Transformer, make_model

SOURCES = [[4, 9, 8, 7, 3], [4, 11, 3], [4, 20, 21, 22, 23, 24, 25, 3]]


def layer_cache(num_rows: int, capacity: int) -> LayerCache:
    positions = SlotPositions(num_rows, torch.device("cpu"))
    room = torch.zeros(num_rows, 2, capacity, 3)
    return LayerCache(room, room.clone(), positions)


def entry(num_rows: int, value: float) -> Tensor:
    return torch.full((num_rows, 2, 1, 3), value)


def test_room_doubles_when_full_and_keeps_what_was_written() -> None:
    cache = layer_cache(num_rows=2, capacity=1)
    for step in range(5):
        keys, values = cache.append(entry(2, step), entry(2, -step))
        cache.positions.advance()
        assert keys[0, 0, :, 0].tolist() == list(range(step + 1))
        assert values[1, 1, :, 2].tolist() == [-s for s in range(step + 1)]
    assert cache.key.size(2) == 8


def test_rows_of_equal_age_need_no_mask() -> None:
    cache = layer_cache(num_rows=2, capacity=4)
    assert cache.mask() is None
    cache.positions.uniform = False
    cache.positions.lengths, cache.positions.longest = torch.tensor([2, 0]), 2
    mask = cache.mask()
    assert mask is not None
    assert mask[:, 0, 0].tolist() == [[True, True, True], [True, False, False]]


def test_each_row_writes_at_its_own_place() -> None:
    cache = layer_cache(num_rows=2, capacity=4)
    cache.positions.uniform = False
    cache.positions.lengths, cache.positions.longest = torch.tensor([2, 0]), 2
    keys, _ = cache.append(entry(2, 7.0), entry(2, 7.0))
    assert keys[:, 0, :, 0].tolist() == [[0, 0, 7], [7, 0, 0]]


def test_repeated_rows_do_not_share_their_future() -> None:
    cache = layer_cache(num_rows=2, capacity=2)
    cache.append(torch.tensor([1.0, 2.0])[:, None, None, None].expand(2, 2, 1, 3), entry(2, 0.0))
    cache.positions.advance()
    decoder_cache = DecoderCache(cache.positions, [cache], [], torch.ones(1, 1, 1, 1))
    decoder_cache.select(torch.tensor([1, 1, 0]))
    later = torch.tensor([5.0, 6.0, 7.0])[:, None, None, None].expand(3, 2, 1, 3)
    keys, _ = cache.append(later, later)
    assert keys[:, 0, :, 0].tolist() == [[2, 5], [2, 6], [1, 7]]


def test_the_longest_row_may_leave() -> None:
    positions = SlotPositions(3, torch.device("cpu"))
    positions.uniform = False
    positions.lengths, positions.longest = torch.tensor([2, 9, 4]), 9
    positions.select(torch.tensor([2, 0]))
    assert (positions.lengths.tolist(), positions.longest) == ([4, 2], 4)
    positions.advance()
    assert (positions.lengths.tolist(), positions.longest) == ([5, 3], 5)
    positions.select(torch.tensor([], dtype=torch.long))
    assert positions.longest == 0


@torch.no_grad()
def test_stepwise_attention_is_causal_attention() -> None:
    layer = MultiHeadedAttention(12, 3, d_k=5, d_v=2).eval()
    x = torch.randn(2, 6, 12)
    expected, _ = layer(x, x, causal_mask(6))
    positions = SlotPositions(2, x.device)
    cache = LayerCache(torch.zeros(2, 3, 1, 5), torch.zeros(2, 3, 1, 2), positions)
    for t in range(6):
        torch.testing.assert_close(layer.step(x[:, t : t + 1], cache)[:, 0], expected[:, t])
        positions.advance()


@torch.no_grad()
@pytest.mark.parametrize("seed", range(4))
def test_mixed_ages_reordering_and_growth_together(model: Transformer, seed: int) -> None:
    generator = random.Random(seed)
    src = pad(SOURCES, model.config.pad_id)
    src_mask = padding_mask(src, model.config.pad_id)
    memory = model.encode(src, src_mask)
    cache = model.start_cache(memory, src_mask, num_beams=2, capacity=1)
    sentences, histories = [0, 1, 2], [[2] for _ in range(6)]
    for step in range(12):
        logits = model.decode_step(torch.tensor([h[-1] for h in histories]), cache)
        for row, history in enumerate(histories):
            own = slice(sentences[row // 2], sentences[row // 2] + 1)
            full = model.decode(torch.tensor([history]), memory[own], src_mask[own])
            torch.testing.assert_close(logits[row], model.logits(full)[0, -1], atol=1e-5, rtol=1e-5)
        kept = [0, 2] if step == 7 else list(range(len(sentences)))
        rows = [2 * place + generator.randrange(2) for place in kept for _ in range(2)]
        cache.select(torch.tensor(rows), torch.tensor(kept) if step == 7 else None)
        sentences = [sentences[place] for place in kept]
        histories = [[*histories[row], generator.randrange(4, 300)] for row in rows]
        if step == 3:  # one row starts its sentence again, as a newcomer to the batch would
            cache.positions.uniform = False
            cache.positions.lengths = cache.positions.lengths.clone()
            cache.positions.lengths[1], histories[1] = 0, [2]


@torch.no_grad()
def test_steps_beyond_the_table_of_positions() -> None:
    torch.manual_seed(0)
    config = ModelConfig(
        vocab_size=50, d_model=16, d_ff=16, num_heads=2, num_encoder_layers=1, num_decoder_layers=1
    )
    model = make_model(config).eval()
    src = torch.tensor([[4, 5, 3]])
    src_mask = padding_mask(src, 0)
    memory = model.encode(src, src_mask)
    tgt_in = torch.randint(4, 50, (1, 520))
    full = model.logits(model.decode(tgt_in, memory, src_mask))
    cache = model.start_cache(memory, src_mask)
    steps = torch.stack([model.decode_step(tgt_in[:, t], cache) for t in range(520)], dim=1)
    torch.testing.assert_close(steps, full, atol=1e-4, rtol=1e-4)
