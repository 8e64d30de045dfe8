"""What languages there are, in DeepL's codes: /v2/languages, and /v3/languages with their uses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from flask import Blueprint, Response, jsonify, request
from pydantic import Field, RootModel

from service.config import ServiceConfig
from service.deepl.parameters import KEY_ERRORS, KEYED, DeepLBody, base_of
from service.http.context import Context
from service.http.endpoint import FORM, JSON, Example, describe
from service.http.fields import Answer, Json, read_fields
from translator.language_names import english_name

if TYPE_CHECKING:
    from translator import Language


class LanguagesQuery(DeepLBody):
    """Which languages."""

    type: Literal["source", "target"] = Field(
        default="source", description="Those that are translated from, or into."
    )


class DeepLLanguage(Answer):
    """A language."""

    language: str = Field(description="Its code.", examples=["DE"])
    name: str = Field(description="Its English name.", examples=["German"])
    supports_formality: bool = Field(
        default=False, description="Of targets only: whether `formality` has an effect."
    )


class DeepLLanguages(RootModel[list[DeepLLanguage]]):
    """The languages of the models."""


class ResourceQuery(DeepLBody):
    """What languages are wanted for."""

    resource: Literal[
        "translate_text",
        "translate_document",
        "glossary",
        "voice",
        "write",
        "style_rules",
        "translation_memory",
    ] = Field(description="There are no languages for the last four.")


class SupportStatus(Answer):
    """How far a feature has come."""

    status: Literal["stable"]


class SupportedLanguage(Answer):
    """A language, and what can be done with it."""

    lang: str = Field(description="Its code.", examples=["de"])
    name: str = Field(description="Its English name.", examples=["German"])
    status: Literal["stable"]
    usable_as_source: bool = Field(description="Whether it is translated from.")
    usable_as_target: bool = Field(description="Whether it is translated into.")
    features: dict[str, SupportStatus] = Field(description="Its features, by their names.")


class SupportAnswer(RootModel[list[SupportedLanguage]]):
    """The languages that can be used."""


class ResourceFeature(Answer):
    """A feature, and which language of a pair must have it."""

    name: str = Field(description="Its name.", examples=["glossary"])
    needs_source_support: bool = Field(default=False, description="The language of the text.")
    needs_target_support: bool = Field(default=False, description="The language wanted.")


class Resource(Answer):
    """Something that languages can be used for."""

    name: str = Field(description="What it is called.", examples=["translate_text"])
    features: list[ResourceFeature]


class ResourcesAnswer(RootModel[list[Resource]]):
    """All that languages can be used for."""


REGIONS = {"en": ("EN-GB", "EN-US"), "pt": ("PT-BR", "PT-PT")}
"""Targets that DeepL's clients ask for in place of the language alone, which they refuse."""

NEEDS: Mapping[str, Mapping[str, bool]] = {
    "tag_handling": {"needs_source_support": True, "needs_target_support": True},
    "glossary": {"needs_source_support": True, "needs_target_support": True},
    "auto_detection": {"needs_source_support": True},
}
"""Features, and which language of a pair must have them."""

FEATURES = {
    "translate_text": ("tag_handling", "glossary", "auto_detection"),
    "translate_document": ("glossary", "auto_detection"),
    "glossary": (),
}
"""What languages are used for, and the features that each has."""

LANGUAGES = replace(
    KEYED,
    summary="The languages, in DeepL's codes",
    query=LanguagesQuery,
    answers={JSON: DeepLLanguages},
    errors=(400, *KEY_ERRORS),
    examples=(
        Example(
            summary="Languages that are translated from",
            answer=[{"language": "DE", "name": "German"}, {"language": "EN", "name": "English"}],
        ),
    ),
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

SUPPORT = replace(
    KEYED,
    summary="The languages that can be used for something, and their features",
    query=ResourceQuery,
    answers={JSON: SupportAnswer},
    errors=(400, *KEY_ERRORS),
    examples=(
        Example(
            summary="Languages of texts",
            fields={"resource": "translate_text"},
            answer=[
                {
                    "lang": "de",
                    "name": "German",
                    "status": "stable",
                    "usable_as_source": True,
                    "usable_as_target": True,
                    "features": {name: {"status": "stable"} for name in NEEDS},
                }
            ],
        ),
    ),
)

RESOURCES = replace(
    KEYED,
    summary="What languages can be used for, with the features of each",
    answers={JSON: ResourcesAnswer},
)


def sources_of(languages: Sequence[Language]) -> list[dict[str, str]]:
    """Return what can be translated from."""
    bases = [
        base_of(language.code) for language in languages if {*language.targets} - {language.code}
    ]
    return [{"language": base, "name": english_name(base.lower())} for base in dict.fromkeys(bases)]


def targets_of(languages: Sequence[Language]) -> list[dict[str, object]]:
    """Return what can be translated into."""
    formal = {target for language in languages for target in language.formality}
    targets = {
        target for language in languages for target in language.targets if target != language.code
    }
    codes = {
        code: language.code in formal
        for language in languages
        if language.code in targets
        for code in REGIONS.get(language.code, (language.code.upper(),))
    }
    return [
        {"language": code, "name": english_name(code), "supports_formality": has_choice}
        for code, has_choice in codes.items()
    ]


def as_bcp47(code: str) -> str:
    """Return a code of DeepL's in the usual case: `EN-US` as `en-US`, `ZH-HANS` as `zh-Hans`."""
    base, *rest = code.split("-")
    return "-".join(
        [base.lower(), *(subtag.title() if len(subtag) == 4 else subtag for subtag in rest)]
    )


def resources_of(config: ServiceConfig) -> dict[str, tuple[str, ...]]:
    """Return what languages are used for, with its features, as far as it is switched on."""
    kept = dict(FEATURES)
    if config.files == "off":
        del kept["translate_document"]
    if not config.glossaries_limit:
        del kept["glossary"]
        kept = {
            name: tuple(feature for feature in every if feature != "glossary")
            for name, every in kept.items()
        }
    return kept


def support_of(languages: Sequence[Language], features: Sequence[str]) -> list[Json]:
    """Return the languages that are translated, with the features of each, by their codes."""
    sources = {
        as_bcp47(language["language"]): language["name"] for language in sources_of(languages)
    }
    targets = {
        as_bcp47(str(language["language"])): language["name"] for language in targets_of(languages)
    }
    names = {**targets, **sources}
    return [
        {
            "lang": code,
            "name": names[code],
            "status": "stable",
            "usable_as_source": code in sources,
            "usable_as_target": code in targets,
            "features": {
                name: {"status": "stable"}
                for name in features
                if code in sources or "needs_target_support" in NEEDS[name]
            },
        }
        for code in sorted(names)
    ]


def add_languages(routes: Blueprint, context: Context) -> None:
    """Add the addresses."""

    def listed() -> Response:
        # the libraries for Python and Ruby ask with GET, and send a form and JSON all the same
        body = read_fields(request) if request.is_json else request.form
        kind = LanguagesQuery.read({**body, **request.args}).type
        languages = context.translator.languages
        return jsonify(sources_of(languages) if kind == "source" else targets_of(languages))

    @routes.get("/v2/languages")
    @describe(LANGUAGES)
    def languages() -> Response:
        return listed()

    @routes.post("/v2/languages")
    @describe(POSTED)
    def languages_posted() -> Response:
        return listed()


def add_support(routes: Blueprint, context: Context) -> None:
    """Add the addresses."""
    resources = resources_of(context.config)

    @routes.get("/v3/languages")
    @describe(SUPPORT)
    def support() -> Response:
        name = ResourceQuery.read(request.args).resource
        if name not in resources:
            return jsonify([])
        return jsonify(support_of(context.translator.languages, resources[name]))

    @routes.get("/v3/languages/resources")
    @describe(RESOURCES)
    def every_resource() -> Response:
        return jsonify(
            [
                {
                    "name": name,
                    "features": [{"name": feature, **NEEDS[feature]} for feature in features],
                }
                for name, features in resources.items()
            ]
        )
