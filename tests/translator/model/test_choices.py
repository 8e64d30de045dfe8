"""A choice means what the table of a place says, or is refused with all that it could have been."""

from __future__ import annotations

import pytest

from translator.config import ModelConfig
from translator.errors import ConfigError
from translator.model.choices import chosen

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
