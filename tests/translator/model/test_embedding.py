"""Embeddings: their scale, their positions, and tables that end."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from translator.config import ModelConfig
from translator.errors import InputError
from translator.model.embedding import Embedding, pad, padding_mask
from translator.model.positions import position_vectors


def test_embedding_is_scaled_and_padding_is_zero() -> None:
    config = ModelConfig(vocab_size=2000, d_model=64, dropout=0.0)
    embedding = Embedding(config)
    assert (embedding.weight[config.pad_id] == 0).all()
    assert embedding.weight.std().item() == pytest.approx(64**-0.5, rel=0.05)
    ids = torch.tensor([[3]])
    expected = embedding.weight[3] * 8 + torch.from_numpy(position_vectors(config, 1)[0])
    torch.testing.assert_close(embedding(ids)[0, 0], expected)


def test_embedding_may_go_without_scale() -> None:
    config = ModelConfig(vocab_size=20, d_model=64, dropout=0.0, scale_embedding=False)
    embedding = Embedding(config)
    expected = embedding.weight[3] + torch.from_numpy(position_vectors(config, 1)[0])
    torch.testing.assert_close(embedding(torch.tensor([[3]]))[0, 0], expected)


def test_positions_have_no_end() -> None:
    config = ModelConfig(vocab_size=10, d_model=16)
    beyond = Embedding(config).positions(540)
    assert np.array_equal(beyond.numpy(), position_vectors(config, 540))


def test_learned_positions_are_weights_and_have_an_end() -> None:
    config = ModelConfig(
        vocab_size=10, d_model=16, positions="learned", max_positions=7, position_offset=2
    )
    embedding = Embedding(config)
    assert embedding.state_dict()["position_table"].shape == (7, 16)
    torch.testing.assert_close(embedding.positions(5), embedding.position_table[2:])
    with pytest.raises(InputError, match="6 pieces are too long for this model; at most 5"):
        embedding.positions(6)


def test_shorter_ones_are_filled_up_at_the_end() -> None:
    found = pad([[5, 6, 7], [], [8]], pad_id=1)
    assert found.dtype == torch.int64
    assert found.tolist() == [[5, 6, 7], [1, 1, 1], [8, 1, 1]]


@pytest.mark.parametrize(
    ("lengths", "multiple_of", "width"),
    [([3], 1, 3), ([3], 8, 8), ([8, 2], 8, 8), ([9], 8, 16), ([0, 0], 1, 1), ([0], 4, 4)],
)
def test_the_width_is_a_multiple_and_never_nothing(
    lengths: list[int], multiple_of: int, width: int
) -> None:
    found = pad([[9] * length for length in lengths], 0, multiple_of)
    assert found.shape == (len(lengths), width)
    assert (found == 9).sum(dim=1).tolist() == lengths


def test_no_sentences_at_all() -> None:
    assert pad([], 0).shape == (0, 1)


def test_the_mask_is_true_where_something_stands() -> None:
    mask = padding_mask(pad([[5, 6, 7], [8]], pad_id=1), pad_id=1)
    assert mask.shape == (2, 1, 1, 3)
    assert mask[:, 0, 0].tolist() == [[True, True, True], [True, False, False]]
