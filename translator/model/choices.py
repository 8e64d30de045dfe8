"""Look up what a value of a model's configuration means in one part of the code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from translator.config import ModelConfig
from translator.errors import ConfigError

Meaning = TypeVar("Meaning")


def chosen(config: ModelConfig, field: str, table: Mapping[str, Meaning], place: str) -> Meaning:
    """Return the entry of a table for the value of a field.

    Args:
        config: of the model.
        field: of the configuration, such as `activation`.
        table: what each value means at this place.
        place: its name, for the message.

    Raises:
        ConfigError: the table does not have the value.
    """
    value = getattr(config, field)
    if value not in table:
        names = ", ".join(table)
        raise ConfigError([f"{field}: {place} has no {value!r}, only {names}"], "model")
    return table[value]
