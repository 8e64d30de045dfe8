"""The encoder without padding computes what the model computes, and lays it out for the decoder."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from translator.config import NormPlacement
from translator.model.layers import DecoderLayer
from translator.model.padding import pad, padding_mask
from translator.model.transformer import Transformer, make_model
from translator.runtime.torchscript.encoder import FusedEncoder, head_rows
from translator.runtime.torchscript.kv_cache import length_mask


def test_where_heads_lie_by_hand() -> None:
    """Rows 0 and 1 of a matrix of two parts of three heads: each row is six rows of heads."""
    found = head_rows(torch.tensor([[0, 1]]), parts=2, heads=3)
    assert found.shape == (2, 1, 3, 2)
    assert found[:, 0].tolist() == [[[0, 6], [1, 7], [2, 8]], [[3, 9], [4, 10], [5, 11]]]


@pytest.mark.parametrize("norm", ["pre", "post"])
@pytest.mark.parametrize("lengths", [[5], [3, 3], [2, 6, 1]])
@torch.inference_mode()
def test_keys_and_values_are_those_of_the_model(
    model: Transformer, norm: NormPlacement, lengths: list[int]
) -> None:
    torch.manual_seed(0)
    model = make_model(replace(model.config, norm=norm)).eval()
    sources = [list(range(5 + row, 5 + row + length)) for row, length in enumerate(lengths)]
    width, heads = max(lengths), model.config.num_heads
    starts = torch.tensor([0, *lengths]).cumsum(0)[:-1]
    steps, number = torch.arange(width), torch.tensor(lengths)[:, None]
    is_real = steps < number
    rows = starts[:, None] + torch.minimum(steps, number - 1)
    places = is_real.flatten().nonzero().flatten()
    found = FusedEncoder(model)(
        torch.tensor([piece_id for source in sources for piece_id in source]),
        model.embedding.positions(width)[places % width],
        rows,
        places,
        length_mask(lengths, width, rows.device),
    )
    src = pad(sources, model.config.pad_id)
    memory = model.encode(src, padding_mask(src, model.config.pad_id))
    assert len(found) == len(model.decoder_layers)
    for layer, both in zip(model.decoder_layers, found, strict=True):
        assert isinstance(layer, DecoderLayer)
        cross = layer.cross_attention
        assert both.shape == (2, len(lengths), heads, width, 32 // heads)
        for one, projection in zip(both, (cross.key_proj, cross.value_proj), strict=True):
            expected = cross.split_heads(projection(memory))
            for row, length in enumerate(lengths):
                torch.testing.assert_close(
                    one[row, :, :length], expected[row, :, :length], atol=1e-5, rtol=1e-5
                )
