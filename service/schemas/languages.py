"""GET /languages, and the codes by which requests name languages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pydantic import Field, RootModel

from service.schemas.fields import Answer, Json

if TYPE_CHECKING:
    from translator.translate.translation import Language


class LanguageAnswer(Answer):
    """A language, and what it can be translated into."""

    code: str = Field(description="The code that requests name it by.", examples=["de"])
    name: str = Field(description="Its English name.", examples=["German"])
    targets: list[str] = Field(
        description="The languages it can be translated into, itself included.",
        examples=[["de", "en"]],
    )
    formality: list[str] | None = Field(
        default=None,
        description="Those of them for which a request may ask for a form of address; left out if "
        "there are none.",
        examples=[["de"]],
    )


class LanguagesAnswer(RootModel[list[LanguageAnswer]]):
    """All languages of the model; some may only be translated into."""


def languages_to_json(languages: Sequence[Language]) -> list[Json]:
    """Return the answer of GET /languages."""
    return [
        LanguageAnswer(
            code=language.code,
            name=language.name,
            targets=list(language.targets),
            formality=list(language.formality) or None,
        ).model_dump(exclude_none=True)
        for language in languages
    ]


def find_language(code: str, languages: Sequence[Language]) -> Language | None:
    """Return the language of a code, or of the code without its last parts; None if there is none.

    Case does not matter, nor whether the parts are joined by `-` or `_`: `pt_BR` is found as
    `pt-BR`, or as `pt` where only that is known.

    Source: RFC 4647, §3.4.
    """
    for language in languages:
        if language.code == code:
            return language  # nearly always
    by_code = {language.code.lower(): language for language in languages}
    parts = code.lower().replace("_", "-").split("-")
    prefixes = ("-".join(parts[:count]) for count in range(len(parts), 0, -1))
    return next((by_code[prefix] for prefix in prefixes if prefix in by_code), None)
