"""A choice means what the table of a place says, or is refused with all that it could have been."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from translator.config import ModelConfig
from translator.errors import ConfigError
from translator.model.choices import PLAIN, chosen, refuse_foreign

CONFIG = ModelConfig(vocab_size=9, activation="gelu")


def test_the_table_decides() -> None:
    assert chosen(CONFIG, "activation", {"relu": 1, "gelu": 2}, "here") == 2


@pytest.mark.parametrize("nothing", [None, False, 0])
def test_a_meaning_may_be_nothing(nothing: object) -> None:
    assert chosen(CONFIG, "activation", {"gelu": nothing}, "here") is nothing


def test_what_the_table_lacks_is_refused_by_name() -> None:
    with pytest.raises(ConfigError) as caught:
        chosen(CONFIG, "activation", {"relu": 1, "silu": 2}, "the engine of tests")
    assert caught.value.problems == (
        "activation: the engine of tests has no 'gelu', only relu, silu",
    )


def test_a_plain_model_is_not_foreign() -> None:
    refuse_foreign(CONFIG, "here")
    assert all(getattr(CONFIG, field) == value for field, value in PLAIN.items())


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"tied": "none"}, "tied: here has no 'none', only all"),
        ({"scale_embedding": False}, "scale_embedding: here has no False, only True"),
        ({"output_bias": True}, "output_bias: here has no True, only False"),
    ],
)
def test_a_foreign_form_is_refused_by_name(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        refuse_foreign(dataclasses.replace(CONFIG, **changed), "here")
