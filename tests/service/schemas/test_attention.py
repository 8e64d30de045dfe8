"""The request and the answer of POST /attention."""

from __future__ import annotations

import pytest
import torch

from service.config import ServiceConfig
from service.schemas import attention as schema
from service.schemas.attention import AttentionRequest, attention_to_json, rounded
from tests.service.conftest import LANGUAGES
from translator.errors import InputError
from translator.model.transformer import AttentionWeights
from translator.translate.attention.record import AttentionRecord

FIELDS = {"q": "Ja.", "source": "de", "target": "en"}


def read(**fields: object) -> AttentionRequest:
    return AttentionRequest.read({**FIELDS, **fields}, LANGUAGES, ServiceConfig())


def record(num_pieces: int, num_heads: int) -> AttentionRecord:
    shape = (1, num_heads, num_pieces, num_pieces)
    layers = [torch.full(shape, 1 / num_pieces)]
    pieces = tuple(map(str, range(num_pieces)))
    return AttentionRecord(
        weights=AttentionWeights(encoder=layers, decoder=layers, cross=layers),
        source=pieces,
        target=pieces,
        source_places=((0, 0),) * num_pieces,
        target_places=((0, 0),) * num_pieces,
    )


def test_what_is_left_out_has_a_meaning() -> None:
    wanted = read()
    assert (wanted.kinds, wanted.layer, wanted.head) == (("cross",), None, None)
    assert (wanted.translation, wanted.has_vectors) == (None, False)
    assert read(translation="  ").translation is None
    assert read(kinds=["encoder", "encoder"]).kinds == ("encoder",)
    assert read(kinds="decoder").kinds == ("decoder",)
    assert read(layer="2", head="").layer == 2


def test_weights_have_three_decimals() -> None:
    assert rounded(torch.tensor([[1 / 3, 2 / 3], [0.0004, 1.0]])) == [[0.333, 0.667], [0.0, 1.0]]


def test_an_answer_that_would_be_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "MOST_WEIGHTS", 100)
    assert len(attention_to_json(read(), record(5, 4), "Yes.", None)["maps"]) == 4
    with pytest.raises(InputError, match="more than 100 weights; ask for one kind, layer or head"):
        attention_to_json(read(), record(6, 4), "Yes.", None)
    assert len(attention_to_json(read(head=2), record(6, 4), "Yes.", None)["maps"]) == 1
