"""POST /v2/translate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Literal

from flask import Blueprint, Response, jsonify, request
from pydantic import AfterValidator, Field

from service.access.guard import config_of_caller
from service.config import ServiceConfig
from service.deepl.account import Accounts
from service.deepl.parameters import (
    KEY_ERRORS,
    KEYED,
    GlossaryIds,
    LanguageBody,
    Strings,
    TagNames,
    Truth,
    base_of,
    check_glossary,
    check_style,
)
from service.http.context import Context
from service.http.endpoint import FORM, JSON, Example, describe
from service.http.fields import Answer, Fields, Info, Json, read_fields, settings_of
from service.libretranslate.answer import Outcome
from service.libretranslate.request import AUTO, TranslateRequest, check_length, check_pair
from service.libretranslate.work import begin, translate_all
from translator import TagOptions
from translator.errors import InputError

ARRAYS = ("splitting_tags", "non_splitting_tags", "ignore_tags", "glossary_ids")


MAX_TEXTS = 50


def _within_limits(texts: list[str], info: Info) -> list[str]:
    config = settings_of(info)
    limit = min(MAX_TEXTS, config.batch_limit)
    if len(texts) > limit:
        raise InputError(
            f"Too many texts: {len(texts)} were sent, {limit} are allowed.",
            "text_too_long",  # DeepL answers 413 to both
        )
    return [check_length(text, config) for text in texts]


class DeepLTranslateBody(LanguageBody):
    """What to translate, and how."""

    nouns: ClassVar = dict.fromkeys(
        ("text", "glossary_id", *ARRAYS), "a string or an array of strings"
    )
    may_be_empty: ClassVar = ("outline_detection", "preserve_formatting", "show_billed_characters")

    text: Annotated[Strings, AfterValidator(_within_limits)] = Field(
        description="A text or several; in a form, the field comes once for each.",
        examples=[["Guten Morgen!"]],
    )
    tag_handling: Literal["xml", "html"] | None = Field(
        default=None, description="What the texts are, if no plain text."
    )
    tag_handling_version: Literal["v1", "v2"] | None = Field(
        default=None, description="Taken, and of no effect."
    )
    outline_detection: Truth = Field(
        default=None,
        description="Whether tags of XML that enclose whole texts split; on by default.",
    )
    splitting_tags: TagNames = Field(default_factory=list, description="Tags that split.")
    non_splitting_tags: TagNames = Field(
        default_factory=list, description="Tags that do not split."
    )
    ignore_tags: TagNames = Field(
        default_factory=list, description="Tags whose content comes back as it is."
    )
    glossary_ids: GlossaryIds = Field(
        default_factory=list, description="Up to five glossaries, the first of which come first."
    )
    model_type: (
        Literal["quality_optimized", "prefer_quality_optimized", "latency_optimized"] | None
    ) = Field(default=None, description="There is one model; the answer names what was asked for.")
    split_sentences: Literal["0", "1", "nonewlines"] | None = Field(
        default=None, description="Taken, and of no effect: sentences are always split."
    )
    preserve_formatting: Truth = Field(
        default=None, description="Taken, and of no effect: it always is."
    )
    context: str | None = Field(default=None, description="Taken, and of no effect.")
    show_billed_characters: Truth = Field(
        default=None, description="Whether to tell the number of characters of each text."
    )


class DeepLTranslation(Answer):
    """A text translated."""

    detected_source_language: str = Field(description="Its language.", examples=["DE"])
    text: str = Field(description="The translation.", examples=["Good morning!"])
    billed_characters: int = Field(default=0, description="Characters of the text, if asked for.")
    model_type_used: str = Field(default="", description="The model, if one was asked for.")


class DeepLTranslateAnswer(Answer):
    """The translations, in the order of the texts."""

    translations: list[DeepLTranslation]


MAX_GLOSSARIES = 5

TRANSLATE = replace(
    KEYED,
    summary="Translate a text, or several, as DeepL does",
    body=DeepLTranslateBody,
    body_types=(JSON, FORM),
    answers={JSON: DeepLTranslateAnswer},
    errors=(400, *KEY_ERRORS, 404, 413, 503, 504),
    examples=(
        Example(
            summary="Two texts",
            fields={"text": ["Guten Morgen!", "Ich bin müde."], "target_lang": "EN-US"},
            answer={
                "translations": [
                    {"detected_source_language": "DE", "text": "Good morning!"},
                    {"detected_source_language": "DE", "text": "I'm tired."},
                ]
            },
        ),
    ),
    access="counted",
    takes_slot=True,
    is_repeatable=True,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class DeepLRequest:
    """A request that has passed every check; its answer names `model_used` unless it is empty."""

    request: TranslateRequest
    shows_billed: bool
    model_used: str

    @classmethod
    def read(
        cls, fields: Fields, context: Context, accounts: Accounts, config: ServiceConfig
    ) -> DeepLRequest:
        """Check fields: the first check that fails raises InputError or NotFound."""
        languages = context.translator.languages
        body = DeepLTranslateBody.read(fields, config)
        check_style(fields)
        source, target = body.languages(languages)
        formality = body.forms_of_address(source, target, languages)
        if source is not None:
            check_pair(source, target)
        ids = _glossary_ids(body)
        check_glossary(ids, source)
        request = TranslateRequest(
            texts=tuple(body.text),
            is_batch=True,
            source=source.code if source else AUTO,
            target=target.code,
            num_alternatives=0,
            text_format=body.tag_handling or "text",
            tags=_tags(body) if body.tag_handling else None,
            pairs=accounts.terms(ids, source.code, target.code) if source else {},
            formality=formality,
        )
        used = (body.model_type or "").removeprefix("prefer_")
        shows_billed = bool(body.show_billed_characters)
        return cls(request=request, shows_billed=shows_billed, model_used=used)

    def answer(self, outcome: Outcome) -> Json:
        """Return what is answered."""
        translations = []
        for number, (text, done) in enumerate(
            zip(self.request.texts, outcome.translations, strict=True)
        ):
            detected = outcome.detected[number] if outcome.detected else None
            source = detected.language if detected else self.request.source
            translation: Json = {
                "detected_source_language": base_of(source),
                "text": done.text if done else "",
            }
            if self.shows_billed:
                translation["billed_characters"] = len(text)
            if self.model_used:
                translation["model_type_used"] = self.model_used
            translations.append(translation)
        return {"translations": translations}


def add_translate(routes: Blueprint, context: Context, accounts: Accounts) -> None:
    """Add the address."""

    @routes.post("/v2/translate")
    @describe(TRANSLATE)
    def translate() -> Response:
        fields = read_fields(request, text="text", arrays=ARRAYS)
        deepl_request = DeepLRequest.read(
            fields, context, accounts, config_of_caller(context.config)
        )
        with context.slot():
            outcome = translate_all(begin(context, deepl_request.request))
        accounts.count(sum(map(len, deepl_request.request.texts)))
        return jsonify(deepl_request.answer(outcome))


def _tags(body: DeepLTranslateBody) -> TagOptions:
    return TagOptions(
        ignored=frozenset(body.ignore_tags),
        splitting=frozenset(body.splitting_tags),
        joining=frozenset(body.non_splitting_tags),
        finds_outline=body.outline_detection is not False,
    )


def _glossary_ids(body: DeepLTranslateBody) -> Sequence[str]:
    ids, several = body.glossary_id, body.glossary_ids
    if ids and several:
        raise InputError("Parameters 'glossary_id' and 'glossary_ids' exclude each other.")
    if len(ids) > 1 or len(several) > MAX_GLOSSARIES:
        raise InputError(f"At most {MAX_GLOSSARIES} glossaries can be used.")
    return ids or several
