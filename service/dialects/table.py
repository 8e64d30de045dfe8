"""The dialects that there are, a line each."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from flask import Blueprint

from service.config import ServiceConfig
from service.dialects.deepl import api as deepl
from service.dialects.extensions import deeplx, hcfy, immersive, kiss, mtran
from service.routes.context import Context


@dataclass(frozen=True, kw_only=True, slots=True)
class Dialect:
    """A way to ask and to be answered.

    Attributes:
        name: of its blueprint.
        setting: that switches it on.
        counted: its addresses to which a POST counts among those that are allowed.
        blueprint: makes its addresses.
    """

    name: str
    setting: str
    counted: Collection[str]
    blueprint: Callable[[Context], Blueprint]


DIALECTS = tuple(
    Dialect(
        name=module.NAME,
        setting=setting,
        counted=frozenset(module.COUNTED),
        blueprint=module.blueprint,
    )
    for setting, module in (
        ("deepl", deepl),
        ("extensions", immersive),
        ("extensions", kiss),
        ("extensions", hcfy),
        ("extensions", mtran),
        ("extensions", deeplx),
    )
)


def switched_on(config: ServiceConfig) -> list[Dialect]:
    """Return the dialects that the settings want."""
    return [dialect for dialect in DIALECTS if getattr(config, dialect.setting) == "on"]
