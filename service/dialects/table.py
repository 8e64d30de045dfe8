"""The dialects that there are, a line each."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint

from service.config import ServiceConfig
from service.dialects.deepl import api as deepl
from service.dialects.extensions import deeplx, hcfy, immersive, kiss, mtran
from service.routes.context import Context

MakeBlueprint = Callable[[Context], Blueprint]

DIALECTS: tuple[tuple[str, MakeBlueprint], ...] = (
    ("deepl", deepl.blueprint),
    ("extensions", immersive.blueprint),
    ("extensions", kiss.blueprint),
    ("extensions", hcfy.blueprint),
    ("extensions", mtran.blueprint),
    ("extensions", deeplx.blueprint),
)
"""What makes the addresses of each, behind the setting that switches it on."""


def switched_on(config: ServiceConfig) -> list[MakeBlueprint]:
    """Return the dialects that the settings want."""
    return [make for setting, make in DIALECTS if getattr(config, setting) == "on"]
