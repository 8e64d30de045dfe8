"""Fields that several of DeepL's requests have, in its codes and checked with its messages."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import Field

from service.http.endpoint import Endpoint
from service.http.fields import Answer, Fields, json_type, string_of
from service.libretranslate import request
from service.libretranslate.request import find_language
from translator.errors import InputError, InputProblem

if TYPE_CHECKING:
    from translator.text.formality import Formality
    from translator.translate.translation import Language


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

Word = TypeVar("Word", bound=str)
_TRUTHS = {"1": True, "true": True, "0": False, "false": False}


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


def required(fields: Fields, name: str) -> Any:
    """Return a field; refuse a request without it."""
    value = fields.get(name)
    if value is None or value == "":
        raise InputError(f"Parameter '{name}' not specified.")
    return value


def one_of(fields: Fields, name: str, allowed: Collection[Word]) -> Word | None:
    """Return a word of a few; None if there is none.

    Raises:
        InputError: it is another one.
    """
    value = fields.get(name)
    if value is None or value == "":
        return None
    given = string_of(name, value)
    for word in allowed:
        if word == given:
            return word
    raise not_supported(name)


def truth(fields: Fields, name: str) -> bool | None:
    """Return whether a field is on; None if it is missing.

    Raises:
        InputError: it is neither on nor off.
    """
    value = fields.get(name)
    if value is None or isinstance(value, bool):
        return value
    if str(value).lower() not in _TRUTHS:
        raise not_supported(name)
    return _TRUTHS[str(value).lower()]


def strings(fields: Fields, name: str) -> tuple[str, ...]:
    """Return a field that is a string or an array of strings.

    Raises:
        InputError: it is something else.
    """
    value = fields.get(name)
    if value is None:
        return ()
    if isinstance(value, str):
        return (string_of(name, value),)
    if not isinstance(value, list):
        raise InputError(
            f"Parameter '{name}' must be a string or an array of strings, got {json_type(value)}."
        )
    return tuple(string_of(f"{name}[{number}]", item) for number, item in enumerate(value))


def tag_names(fields: Fields, name: str) -> frozenset[str]:
    """Return the names of tags, which may be joined by commas."""
    names = (tag.strip() for joined in strings(fields, name) for tag in joined.split(","))
    return frozenset(tag for tag in names if tag)


def read_languages(
    fields: Fields, languages: Sequence[Language]
) -> tuple[Language | None, Language]:
    """Return the languages of a request; the first is None if it is to be detected.

    Raises:
        InputError: one is not known, or there is no target.
    """
    target = find_deepl_language(
        string_of("target_lang", required(fields, "target_lang")), languages
    )
    if target is None:
        raise not_supported("target_lang", "unsupported_language")
    code = fields.get("source_lang")
    if code is None or code == "":
        return None, target
    source = find_deepl_language(string_of("source_lang", code), languages)
    if source is None:
        raise not_supported("source_lang", "unsupported_language")
    return source, target


def check_glossary(ids: Collection[str], source: Language | None) -> None:
    """Refuse a glossary for a text whose language is to be detected.

    Raises:
        InputError: there is one.
    """
    if ids and source is None:
        raise InputError("Use of a glossary requires the source_lang parameter to be specified")


def check_style(fields: Fields) -> None:
    """Refuse what would change the translation and cannot be done."""
    for name in UNSUPPORTED:
        if fields.get(name) not in (None, "", []):
            raise InputError(f"Parameter '{name}' is not supported by this server.")


def read_formality(
    fields: Fields,
    source: Language | None,
    target: Language,
    languages: Sequence[Language],
) -> dict[str, Formality]:
    """Return the form of address that is asked for, by source; see `request.read_formality`.

    Raises:
        InputError: the wish is not known, or it is strict and cannot be met.
    """
    return request.read_formality(
        fields.get("formality"),
        source,
        target,
        languages,
        unknown=str(not_supported("formality")),
        unmet=f"Target language '{fields.get('target_lang')}' doesn't support formality.",
    )
