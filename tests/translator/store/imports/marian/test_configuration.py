"""The form of a Marian model, and what is refused by name."""

from __future__ import annotations

import pytest

from tests.translator.store.imports.marian.published import YAML
from translator.errors import ImportedModelError
from translator.store.imports.marian.configuration import model_form, number, scalar
from translator.store.imports.marian.flat_yaml import Table, read_table


def settings(**changed: str | list[str]) -> Table:
    return read_table(YAML, "yaml") | {name.replace("_", "-"): v for name, v in changed.items()}


def test_the_usual_form_is_post_norm_with_swish() -> None:
    assert model_form(settings()) == {
        "num_heads": 4,
        "num_encoder_layers": 2,
        "num_decoder_layers": 2,
        "activation": "silu",
        "norm": "post",
        "decoder": "self_attention",
    }


def test_norms_may_be_before_the_layers() -> None:
    steps = {"preprocess": "nd", "postprocess": "da", "postprocess_top": "n"}
    form = model_form(settings(**{f"transformer_{name}": step for name, step in steps.items()}))
    assert form["norm"] == "pre"


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"type": "s2s"}, "type is 's2s'; only transformer can be imported"),
        (
            {"transformer_decoder_autoreg": "rnn"},
            "autoreg is 'rnn of gru'; only self-attention, rnn of ssru",
        ),
        ({"transformer_tied_layers": ["1", "1"]}, r"tied-layers is \['1', '1'\]; only none can"),
        ({"transformer_postprocess_emb": "nd"}, "postprocess-emb is 'nd'; only d can"),
        ({"right_left": "true"}, "right-left is 'true'; only false"),
        ({"transformer_ffn_activation": "gelu"}, "activation is 'gelu'; only relu, swish are"),
        ({"transformer_postprocess": "hn"}, "transformer-postprocess 'hn'.*norms must be behind"),
        ({"enc_depth": "six"}, "enc-depth must be a number, got 'six'"),
        ({"enc_depth": "nan"}, "enc-depth must be a number, got 'nan'"),
        ({"enc_depth": "inf"}, "enc-depth must be a number, got 'inf'"),
        ({"enc_depth": ["6"]}, r"enc-depth must be one value, got \['6'\]"),
    ],
)
def test_what_ours_has_not_is_named(changed: dict[str, str | list[str]], message: str) -> None:
    with pytest.raises(ImportedModelError, match=f"special:model.yml: .*{message}"):
        model_form(settings(**changed))


def test_settings_have_a_usual_value_and_a_place() -> None:
    assert scalar({}, "a", "b") == "b"
    with pytest.raises(ImportedModelError, match=r"decoder.yml: a must be a number, got ''"):
        number({}, "a", "decoder.yml")
