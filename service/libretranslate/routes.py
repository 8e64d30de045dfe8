"""LibreTranslate's addresses: translating, detecting, languages, settings, suggestions."""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from flask import Blueprint, Response, jsonify, request
from pydantic import AfterValidator, Field, RootModel
from werkzeug.exceptions import Forbidden

from service.access.guard import config_of_caller
from service.config import ServiceConfig
from service.http.context import Context
from service.http.endpoint import JSON, Endpoint, Example, describe
from service.http.errors import DetectedLanguage
from service.http.fields import Answer, Body, Info, Json, Texts, read_fields, settings_of
from service.http.streaming import EVENT_STREAM, NDJSON, ServerSentEvent, streamed, streamed_type
from service.libretranslate.answer import StreamEvent, TranslateAnswer, answer_to_json
from service.libretranslate.request import (
    AUTO,
    OneText,
    TranslateBody,
    TranslateRequest,
    check_length,
)
from service.libretranslate.work import begin, stream_events, translate_all
from service.storage import Database
from translator import undetected
from translator.documents.kinds import kinds_by_ending
from translator.errors import InputError

if TYPE_CHECKING:
    from translator import Language


TRANSLATE = Endpoint(
    summary="Translate a text, or an array of texts",
    description="A text may have many sentences and lines. What lies between the sentences comes "
    "back as it was. The fields may also be in the query string. With `Accept: "
    "application/x-ndjson` or `text/event-stream`, each sentence is sent when it is done, and the "
    "whole answer at the end.",
    tag="translation",
    body=TranslateBody,
    answers={JSON: TranslateAnswer, NDJSON: StreamEvent, EVENT_STREAM: ServerSentEvent},
    errors=(400, 403, 413, 429, 503, 504),
    examples=(
        Example(
            summary="A text",
            fields={"q": "Guten Morgen!", "source": "de", "target": "en"},
            answer={"translatedText": "Good morning!"},
        ),
        Example(
            summary="Texts of whatever languages",
            fields={
                "q": ["Guten Morgen!", "The child is sleeping."],
                "source": "auto",
                "target": "en",
            },
            answer={
                "translatedText": ["Good morning!", "The child is sleeping."],
                "detectedLanguage": [
                    {"confidence": 97.1, "language": "de"},
                    {"confidence": 99.2, "language": "en"},
                ],
            },
        ),
        Example(
            summary="Other translations",
            fields={"q": "Guten Morgen!", "source": "de", "target": "en", "alternatives": 1},
            answer={"translatedText": "Good morning!", "alternatives": ["Good morning."]},
        ),
    ),
    access="counted",
    takes_slot=True,
    is_repeatable=True,
)


def _add_translate(routes: Blueprint, context: Context) -> None:
    @routes.post("/translate")
    @describe(TRANSLATE)
    def translate() -> Response:
        languages = context.translator.languages
        translation_request = TranslateRequest.read(
            read_fields(request), languages, config_of_caller(context.config)
        )
        mimetype = streamed_type(request.headers.get("Accept", ""))
        if mimetype is None:
            with context.slot():
                outcome = translate_all(begin(context, translation_request))
            return jsonify(answer_to_json(translation_request, outcome))
        if translation_request.num_alternatives:
            raise InputError("Invalid request: alternatives cannot be streamed; ask for 0")
        return streamed(_events(context, translation_request), mimetype)


def _events(context: Context, translation_request: TranslateRequest) -> Generator[Json, None, None]:
    with context.slot():
        yield from stream_events(begin(context, translation_request))


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


def _as_one(q: str | list[str], info: Info) -> str:
    """Return the texts of an array, which some clients send, together."""
    return check_length(q if isinstance(q, str) else "\n".join(q), settings_of(info))


class DetectBody(Body):
    """A text whose language is to be found."""

    nouns: ClassVar = OneText.nouns

    q: Annotated[Texts[str], AfterValidator(_as_one)] = Field(
        description="A text, or the parts of one.", examples=["Guten Morgen!"]
    )
    api_key: str | None = Field(default=None, description="Your key, where one is needed.")


class DetectAnswer(RootModel[list[DetectedLanguage]]):
    """The languages that a text may be written in, best first; at least one."""


SCHEMA = """
CREATE TABLE IF NOT EXISTS suggestions (
    q TEXT NOT NULL,
    s TEXT NOT NULL,
    source TEXT NOT NULL,
    target TEXT NOT NULL,
    created_at INTEGER NOT NULL
);
"""


class Suggestions:
    """A table with a bound."""

    def __init__(self, path: str | Path, max_rows: int) -> None:
        self._database = Database(path, SCHEMA)
        self._max_rows = max_rows

    def add(self, *, q: str, s: str, source: str, target: str) -> bool:
        """Keep a suggestion `s` for the text `q`; return False if there is no room for it."""
        with self._database.transaction() as connection:
            done = connection.execute(
                "INSERT INTO suggestions SELECT ?, ?, ?, ?, ?"
                " WHERE (SELECT count(*) FROM suggestions) < ?",
                (q, s, source, target, int(time.time()), self._max_rows),
            )
        return done.rowcount == 1


MAX_CODE = 20


def _limited(text: str, info: Info) -> str:
    limit = settings_of(info).char_limit if info.field_name in ("q", "s") else MAX_CODE
    if len(text) > limit:
        raise InputError(
            f"Invalid request: {info.field_name} ({len(text)}) exceeds text limit ({limit})"
        )
    return text


Limited = Annotated[str, AfterValidator(_limited)]


class SuggestBody(Body):
    """A better translation."""

    q: Limited = Field(description="The text.", examples=["Guten Morgen!"])
    s: Limited = Field(description="Its translation.", examples=["Good morning!"])
    source: Limited = Field(description="Language of the text, or `auto`.", examples=["de"])
    target: Limited = Field(description="Language of the translation.", examples=["en"])
    api_key: str | None = Field(default=None, description="Your key, where one is needed.")


class SuggestAnswer(Answer):
    """The suggestion is kept."""

    success: Literal[True]


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


def settings_to_json(config: ServiceConfig, languages: Sequence[Language]) -> Json:
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
        "supportedFilesFormat": [f".{ending}" for ending in kinds_by_ending()]
        if config.files == "on"
        else [],
    }


LANGUAGES = Endpoint(
    summary="The languages, and what each can be translated into",
    tag="translation",
    answers={JSON: LanguagesAnswer},
    examples=(
        Example(
            summary="A model of two languages",
            answer=[
                {"code": "de", "name": "German", "targets": ["de", "en"]},
                {"code": "en", "name": "English", "targets": ["de", "en"]},
            ],
        ),
    ),
)

DETECT = Endpoint(
    summary="Which language a text is written in",
    description="The answer has languages of the models only, the likeliest first. A text without "
    "letters is answered with English and a confidence of 0. The fields may also be in the query "
    "string.",
    tag="translation",
    body=DetectBody,
    answers={JSON: DetectAnswer},
    errors=(400, 403, 413, 429),
    examples=(
        Example(
            summary="A sentence",
            fields={"q": "Guten Morgen!"},
            answer=[{"confidence": 97.1, "language": "de"}, {"confidence": 2.9, "language": "en"}],
        ),
    ),
    access="counted",
    is_repeatable=True,
)

SWITCHED_OFF = "Suggestions are disabled on this server."
FULL = "No more suggestions are accepted: as many are kept as the operator allows"

SUGGEST = Endpoint(
    summary="Suggest a better translation",
    description="It is kept for the operator, if suggestions are switched on.",
    tag="translation",
    body=SuggestBody,
    answers={JSON: SuggestAnswer},
    errors=(400, 403, 413, 429),
    examples=(
        Example(
            summary="A better translation",
            fields={"q": "Guten Morgen!", "s": "Good morning!", "source": "de", "target": "en"},
            answer={"success": True},
        ),
    ),
    access="counted",
)

SETTINGS = Endpoint(
    summary="Limits, and what is switched on", tag="operations", answers={JSON: SettingsAnswer}
)


def blueprint(context: Context) -> Blueprint:
    """Return the addresses."""
    routes = Blueprint("libretranslate", __name__)
    _add_translate(routes, context)

    @routes.get("/languages")
    @describe(LANGUAGES)
    def languages() -> Response:
        return jsonify(languages_to_json(context.translator.languages))

    @routes.post("/detect")
    @describe(DETECT)
    def detect() -> Response:
        text = DetectBody.read(read_fields(request), config_of_caller(context.config)).q
        codes = [language.code for language in context.translator.languages]
        candidates = context.detector.detect(str(text)) or [undetected(codes)]
        return jsonify([DetectedLanguage.of(one).model_dump() for one in candidates])

    config = context.config
    limit = config.suggestions_limit
    suggestions = Suggestions(config.database, limit) if limit else None

    @routes.post("/suggest")
    @describe(SUGGEST)
    def suggest() -> Response:
        if suggestions is None:
            raise Forbidden(SWITCHED_OFF)
        suggestion = SuggestBody.read(read_fields(request), config)
        if not suggestions.add(**suggestion.model_dump(exclude={"api_key"})):
            raise Forbidden(FULL)
        return jsonify({"success": True})

    @routes.get("/frontend/settings")
    @describe(SETTINGS)
    def settings() -> Response:
        return jsonify(settings_to_json(context.config, context.translator.languages))

    return routes
