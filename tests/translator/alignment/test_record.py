"""Attention maps hold what the model computed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import torch

from translator.alignment.record import KINDS, Kind, record_attention
from translator.alignment.vectors import Head
from translator.errors import InputError, UnsupportedLanguageError
from translator.model.transformer import make_model
from translator.store.model_directory import LoadedModel

SOURCE, TARGET = "Der Hund sieht die Katze.", "The dog sees the cat."


def test_rows_are_queries_and_sum_to_one(loaded: LoadedModel) -> None:
    tokenizer = loaded.tokenizer
    record = record_attention(
        loaded.model,
        tokenizer,
        source=SOURCE,
        target=TARGET,
        source_language="de",
        target_language="en",
    )
    source = tuple(tokenizer.pieces(tokenizer.encode_source(SOURCE, "en")))
    target = ("<s>", *tokenizer.pieces(tokenizer.encode(TARGET)))
    sides: dict[Kind, tuple[tuple[str, ...], tuple[str, ...]]] = {
        "encoder": (source, source),
        "decoder": (target, target),
        "cross": (target, source),
    }
    for kind in KINDS:
        chosen = record.select(kind)
        assert (chosen.queries, chosen.keys) == sides[kind]
        assert chosen.weights.shape == (len(chosen.queries), len(chosen.keys))
        torch.testing.assert_close(chosen.weights.sum(-1), torch.ones(len(chosen.queries)))
    decoder = record.select("decoder").weights
    assert torch.equal(decoder, decoder.tril())


def test_the_mean_is_the_mean_of_the_heads(loaded: LoadedModel) -> None:
    record = record_attention(
        loaded.model,
        loaded.tokenizer,
        source=SOURCE,
        target=TARGET,
        source_language="de",
        target_language="en",
    )
    heads = torch.stack([record.select("cross", 1, head).weights for head in (1, 2, 3, 4)])
    torch.testing.assert_close(record.select("cross", 1).weights, heads.mean(0))
    assert not torch.allclose(record.select("cross", 1).weights, record.select("cross", 2).weights)
    assert record.select("cross").layer == 2


@pytest.mark.parametrize(
    ("layer", "head", "message"),
    [
        (3, None, "layer 3: cross-attention has layers 1 to 2"),
        (0, None, "layer 0"),
        (1, 5, "head 5: this model has heads 1 to 4"),
    ],
)
def test_what_does_not_exist_is_named(
    loaded: LoadedModel, layer: int, head: int | None, message: str
) -> None:
    record = record_attention(
        loaded.model,
        loaded.tokenizer,
        source=SOURCE,
        target=TARGET,
        source_language="de",
        target_language="en",
    )
    with pytest.raises(InputError, match=message):
        record.select("cross", layer, head)
    with pytest.raises(UnsupportedLanguageError, match="fr is not supported"):
        record_attention(
            loaded.model,
            loaded.tokenizer,
            source=SOURCE,
            target=TARGET,
            source_language="de",
            target_language="fr",
        )


@pytest.mark.parametrize("side", ["source", "target"])
def test_what_is_too_long_for_a_picture_is_refused(loaded: LoadedModel, side: str) -> None:
    texts = {"source": SOURCE, "target": TARGET} | {side: "Der Hund. " * 50}
    with pytest.raises(
        InputError, match=f"{side}: has ... pieces, .* at most 100; send one sentence"
    ):
        record_attention(
            loaded.model,
            loaded.tokenizer,
            source=texts["source"],
            target=texts["target"],
            source_language="de",
            target_language="en",
        )


def test_pieces_know_their_places_in_the_sentences(loaded: LoadedModel) -> None:
    record = record_attention(
        loaded.model,
        loaded.tokenizer,
        source=SOURCE,
        target=TARGET,
        source_language="de",
        target_language="en",
    )
    for pieces, places, text in (
        (record.source[1:-1], record.source_places[1:-1], SOURCE),
        (record.target[1:], record.target_places[1:], TARGET),
    ):
        assert "".join(text[slice(*place)] for place in places) == text.replace(" ", "")
        assert [text[slice(*place)] for place in places] == [p.lstrip("▁") for p in pieces]
    assert record.source_places[0] == record.target_places[0] == (0, 0), "tag and BOS"
    assert record.source_places[-1] == (len(SOURCE), len(SOURCE)), "EOS"
    assert len(record.source_places) == len(record.source)


def test_a_recurrent_decoder_has_attention_to_the_source_only(loaded: LoadedModel) -> None:
    model = make_model(replace(loaded.model.config, decoder="ssru")).eval()
    given: Any = {
        "source": SOURCE,
        "target": TARGET,
        "source_language": "de",
        "target_language": "en",
    }
    record = record_attention(model, loaded.tokenizer, **given)
    assert record.select("cross").weights.shape == (len(record.target), len(record.source))
    message = "this model's decoder is recurrent and has no self-attention"
    with pytest.raises(InputError, match=message):
        record.select("decoder")
    with pytest.raises(InputError, match=message):
        record_attention(model, loaded.tokenizer, **given, vectors_of=Head("decoder", 1, 1))
