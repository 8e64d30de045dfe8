"""What values of a model's configuration mean: how to look them up, and tables without PyTorch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from translator.config import ModelConfig
from translator.errors import ConfigError

Meaning = TypeVar("Meaning")


def chosen(
    config: ModelConfig, field: str, table: Mapping[str, Meaning], place: str = "the model"
) -> Meaning:
    """Return the entry of a table for the value of a field, such as `activation`.

    `place` is the name of where it is looked for, for the message.

    Raises:
        ConfigError: the table does not have the value.
    """
    value = getattr(config, field)
    if value not in table:
        names = ", ".join(table)
        raise ConfigError([f"{field}: {place} has no {value!r}, only {names}"], "model")
    return table[value]


OWN_MATRICES = {"all": (), "target": ("embedding",), "none": ("embedding", "output")}
"""What the decoder has of its own for each value of `tied`."""

IS_PRE_NORM = {"pre": True, "post": False}
IS_RECURRENT = {"self_attention": False, "ssru": True}


def is_pre_norm(config: ModelConfig) -> bool:
    """Return whether sublayers normalise their input, and the ends of both stacks their output."""
    return chosen(config, "norm", IS_PRE_NORM)


def is_recurrent(config: ModelConfig) -> bool:
    """Return whether decoder layers have an SSRU instead of self-attention."""
    return chosen(config, "decoder", IS_RECURRENT)
