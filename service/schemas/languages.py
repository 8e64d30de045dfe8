"""GET /languages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from translator.translate.translation import Language


def languages_to_json(languages: Sequence[Language]) -> list[dict[str, Any]]:
    """Return the answer of GET /languages."""
    return [
        {"code": language.code, "name": language.name, "targets": list(language.targets)}
        for language in languages
    ]
