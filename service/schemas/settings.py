"""GET /frontend/settings."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from pydantic import Field

from service.config import ServiceConfig
from service.schemas.fields import Answer, Json
from service.schemas.translate.request import AUTO

if TYPE_CHECKING:
    from translator.translate.translation import Language

FRONTEND_TIMEOUT_MS = 500
"""How long LibreTranslate's page waits for the next key before it translates."""

USUAL_TARGET = "en"


class NamedLanguage(Answer):
    """A language that the page begins with."""

    code: str = Field(description="Its code, or `auto`.", examples=["en"])
    name: str = Field(description="Its English name.", examples=["English"])


class FirstPair(Answer):
    """The languages that the page begins with."""

    source: NamedLanguage
    target: NamedLanguage


class SettingsAnswer(Answer):
    """Limits, and what is switched on."""

    apiKeys: bool = Field(description="Whether keys count.")
    charLimit: int = Field(description="Characters allowed in one text.")
    fileSizeLimit: int = Field(description="Bytes allowed in one file, and what is sent with it.")
    filesTranslation: bool = Field(description="Whether files are translated.")
    frontendTimeout: int = Field(description="Milliseconds a page waits for the next key.")
    keyRequired: bool = Field(description="Whether a key is needed.")
    language: FirstPair
    suggestions: bool = Field(description="Whether suggestions are kept.")
    supportedFilesFormat: list[str] = Field(
        description="Endings of files that are translated.", examples=[[".txt", ".html"]]
    )


def settings_to_json(
    config: ServiceConfig, languages: Sequence[Language], formats: Collection[str]
) -> Json:
    """Return the answer of GET /frontend/settings."""
    by_code = {language.code: language for language in languages}
    targets = [code for language in languages for code in language.targets if code in by_code]
    target = by_code[USUAL_TARGET if USUAL_TARGET in targets else targets[0]]
    return {
        "apiKeys": config.api_keys != "off",
        "charLimit": config.char_limit,
        "fileSizeLimit": config.max_body_bytes,
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
