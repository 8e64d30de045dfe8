"""GET /frontend/settings."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from service.config import ServiceConfig
from service.schemas.files import AUTO

if TYPE_CHECKING:
    from translator.translate.translation import Language

FRONTEND_TIMEOUT_MS = 500
"""How long LibreTranslate's page waits for the next key before it translates."""

USUAL_TARGET = "en"


def settings_to_json(
    config: ServiceConfig, languages: Sequence[Language], formats: Collection[str]
) -> dict[str, Any]:
    """Return the answer of GET /frontend/settings."""
    by_code = {language.code: language for language in languages}
    targets = [code for language in languages for code in language.targets if code in by_code]
    target = by_code[USUAL_TARGET if USUAL_TARGET in targets else targets[0]]
    return {
        "apiKeys": config.api_keys != "off",
        "charLimit": config.char_limit,
        "filesTranslation": config.files == "on",
        "frontendTimeout": FRONTEND_TIMEOUT_MS,
        "keyRequired": config.api_keys == "required",
        "language": {
            "source": {"code": AUTO, "name": "Auto Detect"},
            "target": {"code": target.code, "name": target.name},
        },
        "suggestions": config.suggestions_limit > 0,
        "supportedFilesFormat": [f".{ending}" for ending in formats]
        if config.files == "on"
        else [],
    }
