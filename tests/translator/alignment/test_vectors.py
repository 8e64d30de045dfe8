"""Queries, keys and values of a head are those that its weights come from."""

from __future__ import annotations

import threading

import pytest
import torch

from translator.alignment.record import record_attention
from translator.alignment.vectors import Head, kept_vectors
from translator.errors import InputError
from translator.model.attention import attention, causal_mask
from translator.model.embedding import pad
from translator.store.model_directory import LoadedModel

SOURCE, TARGET = "Der Hund sieht die Katze.", "The dog sees the cat."


@pytest.mark.parametrize("kind", ["encoder", "decoder", "cross"])
def test_the_weights_follow_from_the_vectors(loaded: LoadedModel, kind: str) -> None:
    wanted = Head(kind, layer=2, head=3)
    record = record_attention(
        loaded.model,
        loaded.tokenizer,
        source=SOURCE,
        target=TARGET,
        source_language="de",
        target_language="en",
        vectors_of=wanted,
    )
    found = record.vectors
    assert found is not None
    mask = causal_mask(len(found.query))[0, 0] if kind == "decoder" else None
    _, weights = attention(found.query, found.key, found.value, mask)
    expected = record.select(kind, 2, 3).weights  # type: ignore[arg-type]
    torch.testing.assert_close(weights, expected)
    assert found.value.shape == (len(expected[0]), 8)


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        (Head("cross", 3, 1), "layer 3: there are layers 1 to 2"),
        (Head("encoder", 0, 1), "layer 0: there are layers 1 to 2"),
        (Head("decoder", 1, 5), "head 5: this model has heads 1 to 4"),
    ],
)
def test_a_head_that_does_not_exist_is_named(
    loaded: LoadedModel, wanted: Head, message: str
) -> None:
    with pytest.raises(InputError, match=message), kept_vectors(loaded.model, wanted):
        pass


def test_other_threads_are_not_heard_and_nothing_stays_behind(loaded: LoadedModel) -> None:
    model, tokenizer = loaded.model, loaded.tokenizer
    src = pad([tokenizer.encode_source(SOURCE, "en")], tokenizer.pad_id)
    with kept_vectors(model, Head("encoder", 1, 1)) as kept:
        other = threading.Thread(target=lambda: model.encode(src, None))
        other.start()
        other.join()
        assert vars(kept) == {}
        model.encode(src, None)
        assert {*vars(kept)} == {"query", "key", "value"}
    before = kept.query
    model.encode(src, None)
    assert kept.query is before
