"""Imported weights compute what `transformers` computes with them."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from tests.translator.store.imports.foreign import KINDS, foreign_model, own_model
from translator.errors import ImportedModelError
from translator.model.embedding import padding_mask
from translator.store.imports.huggingface.configuration import model_config
from translator.store.imports.huggingface.weights import own_weights


@pytest.mark.parametrize(
    ("kind", "changed"),
    [
        *((kind, {}) for kind in KINDS),
        ("marian-separate", {"decoder_vocab_size": 45, "pad_token_id": 44}),
        ("marian", {"scale_embedding": False, "activation_function": "relu"}),
        ("m2m100", {"activation_function": "gelu_new", "scale_embedding": False}),
    ],
)
@torch.inference_mode()
def test_logits_are_those_of_transformers(kind: str, changed: dict[str, Any]) -> None:
    foreign: Any = foreign_model(kind, **changed)
    ours = own_model(foreign)
    pad_id = foreign.config.pad_token_id
    source = torch.tensor([[5, 9, 8, 7, 40, 3, 2], [4, 11, 2, *[pad_id] * 4]])
    target = torch.tensor([[foreign.config.decoder_start_token_id % 45, 6, 30, 21], [2, 9, 41, 12]])
    expected = foreign(
        input_ids=source,
        attention_mask=(source != pad_id).long(),
        decoder_input_ids=target,
        decoder_attention_mask=torch.ones_like(target),
    ).logits
    found = ours(source, target, padding_mask(source, pad_id))
    torch.testing.assert_close(found, expected, atol=1e-4, rtol=1e-4)
    assert expected.std() > 0.5, "the model says the same everywhere"


def test_separate_matrices_stay_separate() -> None:
    names = set(own_model(foreign_model("marian-separate")).state_dict())
    assert {"embedding.weight", "decoder_embedding.weight", "output_bias"} <= names
    assert "output" not in names


def test_a_layer_without_a_place_is_named() -> None:
    foreign = foreign_model("m2m100")
    name = "model.encoder.layernorm_embedding.weight"
    tensors = {**foreign.state_dict(), name: torch.ones(32)}
    with pytest.raises(ImportedModelError, match=f"{name}: this project's model has no such layer"):
        own_weights(tensors, model_config(foreign.config.to_dict()))


def test_a_file_without_an_embedding_is_refused() -> None:
    config = model_config(foreign_model("m2m100").config.to_dict())
    with pytest.raises(ImportedModelError, match=r"no model\.decoder\.embed_tokens\.weight"):
        own_weights({}, config)
