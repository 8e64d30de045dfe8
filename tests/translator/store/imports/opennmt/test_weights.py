"""Variables of CTranslate2 become this project's weights, or are refused by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

from translator.cli.exchange.argos import write_package
from translator.errors import ImportedModelError
from translator.store.imports.opennmt.binary import read_variables
from translator.store.imports.opennmt.weights import own_form, zero_place
from translator.store.model_directory import LoadedModel


@pytest.fixture
def variables(loaded: LoadedModel, tmp_path: Path) -> dict[str, torch.Tensor]:
    write_package(loaded, "de-en", tmp_path / "package", "float32")
    return read_variables(tmp_path / "package/model/model.bin")


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"decoder/layer_0/rotary/weight": torch.ones(1)}, "rotary.*no such layer or setting"),
        ({"decoder/alibi": torch.tensor(1)}, "decoder/alibi: .*no such layer or setting"),
        ({"decoder/num_heads": torch.tensor(3)}, "num_heads must be the same on both sides"),
        ({"encoder/scale_embeddings": torch.tensor(2.5)}, "only 1 or √D are known"),
        (
            {f"{side}/activation": torch.tensor(4) for side in ("encoder", "decoder")},
            "activation GELUSigmoid: this project's model has no such; only CTranslate2 itself",
        ),
        ({"decoder/position_encodings/encodings": None}, "must be on both sides, or on none"),
    ],
)
def test_what_ours_has_not_is_named(
    variables: dict[str, torch.Tensor], changed: dict[str, Any], message: str
) -> None:
    given = {name: value for name, value in (variables | changed).items() if value is not None}
    with pytest.raises(ImportedModelError, match=message):
        own_form(given, pad_id=0)


def test_a_decoder_that_begins_with_zeros_gets_a_piece(variables: dict[str, torch.Tensor]) -> None:
    assert zero_place(variables) is None
    given = variables | {"decoder/start_from_zero_embedding": torch.tensor(1, dtype=torch.int8)}
    size = variables["decoder/embeddings/weight"].size(0)
    assert zero_place(given) == size
    config, weights = own_form(given, pad_id=size)
    assert (config.vocab_size, config.pad_id) == (size + 1, size)
    assert not weights["embedding.weight"][size].any()
    assert not weights["output_bias"][size]
