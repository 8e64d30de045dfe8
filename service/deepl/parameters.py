"""Fields that several of DeepL's requests have, in its codes and checked with its messages."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Annotated

from pydantic import AfterValidator, BeforeValidator, Field

from service.http.endpoint import Endpoint
from service.http.fields import TRUTHS, Answer, Array, Body, Fields, Info
from service.libretranslate.request import FormOfAddress, find_language, forms_of_address
from translator.errors import InputError, InputProblem

if TYPE_CHECKING:
    from translator import Formality, Language


TAG = "DeepL"
KEY_ERRORS = (403, 429, 456)
"""Statuses of those who may not ask, or not now."""


class DeepLError(Answer):
    """An error, as DeepL says it."""

    message: str = Field(
        description="What is wrong.", examples=["Value for 'target_lang' not supported."]
    )
    detail: str = Field(default="", description="More of it.")


KEYED = Endpoint(
    summary="", tag=TAG, answers={}, errors=KEY_ERRORS, error=DeepLError, access="keyed"
)
"""What DeepL's addresses have in common: those that count requests say so."""

UNSUPPORTED = ("style_id", "translation_memory_id", "custom_instructions", "writing_style", "tone")
"""What cannot be done here, so that it is refused rather than left out in silence."""


def base_of(code: str) -> str:
    """Return a code without its region, in DeepL's capitals: `EN` for `en-US`."""
    return code.replace("_", "-").partition("-")[0].upper()


def find_deepl_language(code: str, languages: Sequence[Language]) -> Language | None:
    """Return the language of one of DeepL's codes; None if there is none.

    Where the model has a region only, the language alone means it: `PT` may be `pt-BR`.
    """
    exact = find_language(code, languages)
    if exact is not None:
        return exact
    return next(
        (language for language in languages if base_of(language.code) == code.upper()), None
    )


def not_supported(name: str, code: InputProblem = "invalid") -> InputError:
    """Return the error of a value that there is not."""
    return InputError(f"Value for '{name}' not supported.", code)


class DeepLBody(Body):
    """The fields of a request, checked with DeepL's messages."""

    missing = "Parameter '{}' not specified."
    wrong = "Parameter '{}' must be {}, got {}."

    @classmethod
    def not_among(cls, path: str, choices: str) -> InputError:
        """Return the error of a word that is none of some choices."""
        return not_supported(path)


def _truth(value: object, info: Info) -> bool:
    if str(value).lower() not in TRUTHS:
        raise not_supported(str(info.field_name))
    return TRUTHS[str(value).lower()]


def _listed(value: object) -> object:
    return [value] if isinstance(value, str) else value


def _split(names: list[str]) -> list[str]:
    """Return the names of tags, which may be joined by commas."""
    every = (tag.strip() for joined in names for tag in joined.split(","))
    return [tag for tag in every if tag]


Truth = Annotated[bool | None, BeforeValidator(_truth, json_schema_input_type=bool | None)]
Strings = Annotated[
    Array[str], BeforeValidator(_listed, json_schema_input_type=list[str] | str | None)
]
TagNames = Annotated[Strings, AfterValidator(_split)]
GlossaryIds = Annotated[
    Strings,
    BeforeValidator(_listed, json_schema_input_type=str | None),
    AfterValidator(lambda ids: [glossary_id for glossary_id in ids if glossary_id]),
]


class LanguageBody(DeepLBody):
    """What requests for texts and for documents share."""

    target_lang: str = Field(description="Language wanted.", examples=["EN-US"])
    source_lang: str | None = Field(
        default=None, description="Language of the texts; detected without.", examples=["DE"]
    )
    formality: FormOfAddress | None = Field(
        default=None,
        description="How the translation addresses its reader. Languages without a choice refuse "
        "`more` and `less`, and ignore `prefer_more` and `prefer_less`.",
    )
    glossary_id: GlossaryIds = Field(
        default_factory=list, description="A glossary; needs `source_lang`."
    )

    def languages(self, known: Sequence[Language]) -> tuple[Language | None, Language]:
        """Return the languages, the first None if it is to be detected; refuse unknown ones."""
        target = find_deepl_language(self.target_lang, known)
        if target is None:
            raise not_supported("target_lang", "unsupported_language")
        if self.source_lang is None:
            return None, target
        source = find_deepl_language(self.source_lang, known)
        if source is None:
            raise not_supported("source_lang", "unsupported_language")
        return source, target

    def forms_of_address(
        self, source: Language | None, target: Language, known: Sequence[Language]
    ) -> dict[str, Formality]:
        """Return the form of address asked for, by source; refuse strict wishes that go unmet."""
        unmet = f"Target language '{self.target_lang}' doesn't support formality."
        return forms_of_address(self.formality, source, target, known, unmet)


def check_glossary(ids: Collection[str], source: Language | None) -> None:
    """Refuse a glossary for a text whose language is to be detected."""
    if ids and source is None:
        raise InputError("Use of a glossary requires the source_lang parameter to be specified")


def check_style(fields: Fields) -> None:
    """Refuse what would change the translation and cannot be done."""
    for name in UNSUPPORTED:
        if fields.get(name) not in (None, "", []):
            raise InputError(f"Parameter '{name}' is not supported by this server.")
