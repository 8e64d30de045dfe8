"""POST /v2/translate."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from flask import Blueprint, Response, jsonify, request
from pydantic import BaseModel, Field

from service.access.guard import config_of_caller
from service.config import ServiceConfig
from service.deepl.account import Accounts
from service.deepl.parameters import (
    KEY_ERRORS,
    KEYED,
    base_of,
    check_glossary,
    check_style,
    one_of,
    read_formality,
    read_languages,
    required,
    strings,
    tag_names,
    truth,
)
from service.http.context import Context
from service.http.endpoint import FORM, JSON, Example, describe
from service.http.fields import Answer, Fields, Json, read_fields
from service.libretranslate.answer import Outcome
from service.libretranslate.request import (
    AUTO,
    FormalityWish,
    TranslateRequest,
    check_length,
    check_pair,
)
from service.libretranslate.work import begin, translate_all
from translator.errors import InputError
from translator.text.formats.html.rules import TagWishes
from translator.translate.options import TextFormat


class DeepLTranslateBody(BaseModel):
    """What to translate, and how."""

    text: list[str] | str = Field(
        description="A text or several; in a form, the field comes once for each.",
        examples=[["Guten Morgen!"]],
    )
    target_lang: str = Field(description="Language wanted.", examples=["EN-US"])
    source_lang: str | None = Field(
        default=None, description="Language of the texts; detected without.", examples=["DE"]
    )
    tag_handling: Literal["xml", "html"] | None = Field(
        default=None, description="What the texts are, if no plain text."
    )
    tag_handling_version: Literal["v1", "v2"] | None = Field(
        default=None, description="Taken, and of no effect."
    )
    outline_detection: bool | None = Field(
        default=None,
        description="Whether tags of XML that enclose whole texts split; on by default.",
    )
    splitting_tags: list[str] | str | None = Field(default=None, description="Tags that split.")
    non_splitting_tags: list[str] | str | None = Field(
        default=None, description="Tags that do not split."
    )
    ignore_tags: list[str] | str | None = Field(
        default=None, description="Tags whose content comes back as it is."
    )
    glossary_id: str | None = Field(default=None, description="A glossary; needs `source_lang`.")
    glossary_ids: list[str] | None = Field(
        default=None, description="Up to five glossaries, the first of which come first."
    )
    formality: FormalityWish | None = Field(
        default=None,
        description="How the translation addresses its reader. Languages without a choice refuse "
        "`more` and `less`, and ignore `prefer_more` and `prefer_less`.",
    )
    model_type: (
        Literal["quality_optimized", "prefer_quality_optimized", "latency_optimized"] | None
    ) = Field(default=None, description="There is one model; the answer names what was asked for.")
    split_sentences: Literal["0", "1", "nonewlines"] | None = Field(
        default=None, description="Taken, and of no effect: sentences are always split."
    )
    preserve_formatting: bool | None = Field(
        default=None, description="Taken, and of no effect: it always is."
    )
    context: str | None = Field(default=None, description="Taken, and of no effect.")
    show_billed_characters: bool | None = Field(
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


ARRAYS = ("splitting_tags", "non_splitting_tags", "ignore_tags", "glossary_ids")
MODELS = ("quality_optimized", "prefer_quality_optimized", "latency_optimized")
MAX_GLOSSARIES = 5
MARKUPS: tuple[TextFormat, ...] = ("xml", "html")

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
    takes_place=True,
    is_repeatable=True,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class DeepLRequest:
    """A request that has passed every check.

    Attributes:
        request: as the service knows it.
        shows_billed: whether the answer tells the characters of each text.
        model_used: what the answer calls the model; empty if it does not name it.
    """

    request: TranslateRequest
    shows_billed: bool
    model_used: str

    @classmethod
    def read(
        cls, fields: Fields, context: Context, accounts: Accounts, config: ServiceConfig
    ) -> DeepLRequest:
        """Check fields.

        Raises:
            InputError: the first check that fails.
            NotFound: see `Accounts.terms`.
        """
        languages = context.translator.languages
        source, target = read_languages(fields, languages)
        required(fields, "text")
        texts = strings(fields, "text")
        _check_texts(texts, config)
        formality = read_formality(fields, source, target, languages)
        check_style(fields)
        one_of(fields, "split_sentences", ("0", "1", "nonewlines"))
        truth(fields, "preserve_formatting")
        one_of(fields, "tag_handling_version", ("v1", "v2"))
        model = one_of(fields, "model_type", MODELS)
        shows_billed = bool(truth(fields, "show_billed_characters"))
        markup, tags = _markup(fields)
        if source is not None:
            check_pair(source, target)
        ids = _glossary_ids(fields)
        check_glossary(ids, source)
        request = TranslateRequest(
            texts=texts,
            is_batch=True,
            source=source.code if source else AUTO,
            target=target.code,
            num_alternatives=0,
            text_format=markup,
            tags=tags,
            pairs=accounts.terms(ids, source.code, target.code) if source else {},
            formality=formality,
        )
        used = (model or "").removeprefix("prefer_")
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
        with context.place():
            outcome = translate_all(begin(context, deepl_request.request))
        accounts.count(sum(map(len, deepl_request.request.texts)))
        return jsonify(deepl_request.answer(outcome))


def _check_texts(texts: tuple[str, ...], config: ServiceConfig) -> None:
    if not texts:
        raise InputError("Parameter 'text' not specified.")
    if len(texts) > config.batch_limit:
        raise InputError(
            f"Too many texts: {len(texts)} were sent, {config.batch_limit} are allowed.",
            "text_too_long",  # DeepL answers 413 to both
        )
    for text in texts:
        check_length(text, config)


def _markup(fields: Fields) -> tuple[TextFormat, TagWishes | None]:
    """Return the format of the texts, and what to do with their tags."""
    markup = one_of(fields, "tag_handling", MARKUPS)
    if markup is None:
        return "text", None
    outline = truth(fields, "outline_detection")
    wishes = TagWishes(
        ignored=tag_names(fields, "ignore_tags"),
        splitting=tag_names(fields, "splitting_tags"),
        joining=tag_names(fields, "non_splitting_tags"),
        finds_outline=outline is not False,
    )
    return markup, wishes


def _glossary_ids(fields: Fields) -> tuple[str, ...]:
    glossary_ids, several = strings(fields, "glossary_id"), strings(fields, "glossary_ids")
    if glossary_ids and several:
        raise InputError("Parameters 'glossary_id' and 'glossary_ids' exclude each other.")
    if len(glossary_ids) > 1 or len(several) > MAX_GLOSSARIES:
        raise InputError(f"At most {MAX_GLOSSARIES} glossaries can be used.")
    return tuple(glossary_id for glossary_id in glossary_ids or several if glossary_id)
