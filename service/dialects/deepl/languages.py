"""Codes of languages as DeepL writes them, and /v2/languages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from flask import Blueprint, Response, jsonify, request

from service.dialects.deepl.schemas import (
    KEY_ERRORS,
    TAG,
    DeepLError,
    DeepLLanguages,
    LanguagesQuery,
)
from service.routes.context import Context
from service.schemas.fields import read_fields
from service.schemas.languages import find_language
from service.specification.endpoint import FORM, JSON, Endpoint, Example, describe
from translator.errors import InputError
from translator.language_names import english_name

if TYPE_CHECKING:
    from translator.translate.translation import Language

REGIONS = {"en": ("EN-GB", "EN-US"), "pt": ("PT-BR", "PT-PT")}
"""Targets that DeepL's clients ask for in place of the language alone, which they refuse."""

LANGUAGES = Endpoint(
    summary="The languages, in DeepL's codes",
    tag=TAG,
    query=LanguagesQuery,
    answers={JSON: DeepLLanguages},
    errors=(400, *KEY_ERRORS),
    error=DeepLError,
    examples=(
        Example(
            summary="Languages that are translated from",
            answer=[{"language": "DE", "name": "German"}, {"language": "EN", "name": "English"}],
        ),
    ),
    access="keyed",
)

POSTED = replace(
    LANGUAGES,
    summary="The same, as DeepL's library for Java asks",
    query=None,
    body=LanguagesQuery,
    body_types=(JSON, FORM),
    examples=(),
    is_repeatable=True,
)


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
    return next((one for one in languages if base_of(one.code) == code.upper()), None)


def sources_of(languages: Sequence[Language]) -> list[dict[str, str]]:
    """Return what can be translated from."""
    bases = [base_of(one.code) for one in languages if {*one.targets} - {one.code}]
    return [{"language": base, "name": english_name(base.lower())} for base in dict.fromkeys(bases)]


def targets_of(languages: Sequence[Language]) -> list[dict[str, object]]:
    """Return what can be translated into."""
    formal = {target for one in languages for target in one.formality}
    targets = {target for one in languages for target in one.targets if target != one.code}
    codes = {
        code: one.code in formal
        for one in languages
        if one.code in targets
        for code in REGIONS.get(one.code, (one.code.upper(),))
    }
    return [
        {"language": code, "name": english_name(code), "supports_formality": has_choice}
        for code, has_choice in codes.items()
    ]


def add_languages(routes: Blueprint, context: Context) -> None:
    """Add the addresses."""

    def listed() -> Response:
        # the libraries for Python and Ruby ask with GET, and send a form and JSON all the same
        body = read_fields(request) if request.is_json else request.form
        kind = request.args.get("type") or body.get("type") or "source"
        if kind not in ("source", "target"):
            raise InputError("Value for 'type' not supported.")
        known = context.translator.languages
        return jsonify(sources_of(known) if kind == "source" else targets_of(known))

    @routes.get("/v2/languages")
    @describe(LANGUAGES)
    def languages() -> Response:
        return listed()

    @routes.post("/v2/languages")
    @describe(POSTED)
    def languages_posted() -> Response:
        return listed()
