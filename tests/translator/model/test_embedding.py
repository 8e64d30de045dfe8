"""Embeddings: their scale, their positions, and tables that end."""

from __future__ import annotations

import pytest
import torch

from translator.config import ModelConfig
from translator.errors import InputError
from translator.model.embedding import Embedding
from translator.model.positions import sinusoidal_positions


def test_embedding_is_scaled_and_padding_is_zero() -> None:
    config = ModelConfig(vocab_size=2000, d_model=64, dropout=0.0)
    embedding = Embedding(config)
    assert (embedding.weight[config.pad_id] == 0).all()
    assert embedding.weight.std().item() == pytest.approx(64**-0.5, rel=0.05)
    ids = torch.tensor([[3]])
    expected = embedding.weight[3] * 8 + sinusoidal_positions(torch.tensor([0]), 64)[0]
    torch.testing.assert_close(embedding(ids)[0, 0], expected)


def test_embedding_may_go_without_scale() -> None:
    config = ModelConfig(vocab_size=20, d_model=64, dropout=0.0, scale_embedding=False)
    embedding = Embedding(config)
    expected = embedding.weight[3] + sinusoidal_positions(torch.tensor([0]), 64)[0]
    torch.testing.assert_close(embedding(torch.tensor([[3]]))[0, 0], expected)


def test_positions_have_no_end() -> None:
    embedding = Embedding(ModelConfig(vocab_size=10, d_model=16))
    beyond = embedding.positions(540)
    torch.testing.assert_close(beyond, sinusoidal_positions(torch.arange(540), 16))


def test_learned_positions_are_weights_and_have_an_end() -> None:
    config = ModelConfig(
        vocab_size=10, d_model=16, positions="learned", max_positions=7, position_offset=2
    )
    embedding = Embedding(config)
    assert embedding.state_dict()["position_table"].shape == (7, 16)
    torch.testing.assert_close(embedding.positions(5), embedding.position_table[2:])
    with pytest.raises(InputError, match="6 pieces are too long for this model; at most 5"):
        embedding.positions(6)
