"""Marian's arrays become this project's weights, or are refused by name."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from tests.translator.store.imports.foreign import foreign_model
from tests.translator.store.imports.marian.published import YAML, marian_arrays
from translator.errors import ImportedModelError
from translator.model.transformer import make_model
from translator.store.imports.marian.configuration import model_form
from translator.store.imports.marian.flat_yaml import read_table
from translator.store.imports.marian.npz import Arrays
from translator.store.imports.marian.weights import own_weights

FORM = model_form(read_table(YAML, "yaml"))


@pytest.fixture
def arrays() -> Arrays:
    return marian_arrays(foreign_model("marian").state_dict())


def floats(*shape: int) -> Any:
    return np.random.default_rng(0).normal(size=shape).astype(np.float32)


def test_which_matrices_are_one_is_told_by_their_names(arrays: Arrays) -> None:
    shared = arrays.pop("Wemb")
    config, weights = own_weights(arrays | {"encoder_Wemb": floats(40, 32), "Wemb": shared}, FORM)
    assert (config.tied, config.vocab_size, config.source_vocab_size) == ("target", 60, 41)
    assert config.pad_id == 40, "the smaller one's last, in both"
    assert not weights["decoder_embedding.weight"][40].any()
    assert not weights["output_bias"][40]
    torch.testing.assert_close(weights["decoder_embedding.weight"][41], torch.tensor(shared[40]))
    output = floats(32, 59)
    config, weights = own_weights(arrays | {"Wemb": shared, "decoder_ff_logit_out_W": output}, FORM)
    assert config.tied == "none"
    np.testing.assert_array_equal(weights["output"][:59], output.T)
    make_model(config).load_state_dict(weights)


def test_learned_positions_come_with_unscaled_embeddings(arrays: Arrays) -> None:
    config, weights = own_weights(arrays | {"Wpos": floats(50, 32)}, FORM)
    assert (config.positions, config.max_positions) == ("learned", 50)
    assert not config.scale_embedding
    make_model(config).load_state_dict(weights)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"decoder_l1_rnn_U": floats(2, 2)}, "decoder_l1_rnn_U: this project's model has no such"),
        (
            {"Wemb": floats(59)},
            r"Wemb: must be a matrix in float32 or float16, got float32 \(59,\)",
        ),
        ({"Wemb": np.zeros((59, 32), ">f4")}, "Wemb: must be a matrix in float32 or float16"),
        ({"Wemb": None}, "the weights have neither Wemb nor encoder_Wemb and decoder_Wemb"),
        ({"encoder_l1_ffn_W1": None}, "the weights have no encoder_l1_ffn_W1"),
        ({"decoder_ff_logit_out_W": floats(32, 9)}, r"logit_out_W has the shape \(9, 32\)"),
    ],
)
def test_what_has_no_place_is_named(arrays: Arrays, changed: Any, message: str) -> None:
    given = {name: array for name, array in (arrays | changed).items() if array is not None}
    with pytest.raises(ImportedModelError, match=message):
        own_weights(given, FORM)
