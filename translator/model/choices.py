"""How each place that computes a model finds what a choice of its configuration means there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from translator.config import ModelConfig
from translator.errors import ConfigError

Meaning = TypeVar("Meaning")


PLAIN: dict[str, object] = {
    "tied": "all",
    "scale_embedding": True,
    "output_bias": False,
}
"""Fields for the form of other projects' models, with the values of a model trained here."""


def refuse_foreign(config: ModelConfig, place: str) -> None:
    """Refuse a model with a form that only other projects' models have.

    Raises:
        ConfigError: naming the field and its value.
    """
    for field, plain in PLAIN.items():
        value = getattr(config, field)
        if value != plain:
            raise ConfigError([f"{field}: {place} has no {value!r}, only {plain}"], "model")


def chosen(config: ModelConfig, field: str, table: Mapping[str, Meaning], place: str) -> Meaning:
    """Return what a place's table says of a field's value.

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
        known = ", ".join(table)
        raise ConfigError([f"{field}: {place} has no {value!r}, only {known}"], "model")
    return table[value]
