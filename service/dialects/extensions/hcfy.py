"""POST /hcfy: the custom source of Hcfy, whose languages have Chinese names.

Source: https://hcfy.ai/docs/services/custom-api
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, jsonify, request
from pydantic import BaseModel, Field

from service.dialects.extensions.asking import ERRORS, TAG, Said, texts_of, translated
from service.routes.context import Context
from service.schemas.fields import read_fields, string_of
from service.schemas.languages import find_language
from service.schemas.translate.request import AUTO
from service.specification.endpoint import JSON, Endpoint, Example, describe
from service.translation.plan import finder_of
from translator.errors import InputError
from translator.language_names import language_name

if TYPE_CHECKING:
    from translator.translate.translation import Language

NAME = "hcfy"
MOST_WANTED = 2
"""Languages that one request names."""

CHINESE = {
    "中文(简体)": ("zh-Hans", "zh-CN", "zh"),
    "中文(繁体)": ("zh-Hant", "zh-TW"),
    "中文(文言文)": ("lzh",),
}
"""Names that are not those of CLDR, with codes that models may have."""


class HcfyBody(BaseModel):
    """What Hcfy sends."""

    name: str | None = Field(default=None, description="What its user calls this service.")
    text: str = Field(description="The text.", examples=["Guten Morgen!"])
    destination: list[str] = Field(
        description="Languages wanted: the first one that there is and that is not the text's.",
        examples=[["英语"]],
    )
    source: str | None = Field(default=None, description="Its language; detected without.")


class HcfyAnswer(Said):
    """A text translated."""

    text: str = Field(description="The text as it came.", examples=["Guten Morgen!"])
    from_: str = Field(alias="from", description="Its language.", examples=["德语"])
    to: str = Field(description="Language of the translation.", examples=["英语"])
    result: list[str] = Field(
        description="The translation, line by line.", examples=[["Good morning!"]]
    )


HCFY = Endpoint(
    summary="Translate for Hcfy",
    tag=TAG,
    body=HcfyBody,
    body_types=(JSON,),
    answers={JSON: HcfyAnswer},
    errors=ERRORS,
    examples=(
        Example(
            summary="A text",
            fields={"text": "Guten Morgen!", "destination": ["英语", "中文(简体)"]},
            answer={
                "text": "Guten Morgen!",
                "from": "德语",
                "to": "英语",
                "result": ["Good morning!"],
            },
        ),
    ),
    access="counted",
    takes_place=True,
    is_repeatable=True,
)


def name_of(code: str) -> str:
    """Return what Hcfy calls a language."""
    known = (name for name, codes in CHINESE.items() if code in codes)
    return next(known, language_name(code, "zh"))


def find_by_name(name: str, languages: Sequence[Language]) -> Language | None:
    """Return the language that Hcfy calls so, or that has this code; None if there is none."""
    for language in languages:
        if name_of(language.code) == name:
            return language
    return find_language(name, languages)


def _unsupported(name: str) -> InputError:
    return InputError(f"{name} is not supported", "unsupported_language")


def blueprint(context: Context) -> Blueprint:
    """Return the address."""
    routes = Blueprint(NAME, __name__)

    @routes.post("/hcfy")
    @describe(HCFY)
    def hcfy() -> Response:
        fields = read_fields(request, text="text")
        if not fields.get("text"):
            raise InputError("Invalid request: missing text parameter")
        text = string_of("text", fields["text"])
        source, target = _pair(context, fields, text)
        known = source.code if fields.get("source") else AUTO
        [done], _ = translated(context, [text], source=known, target=target.code)
        return jsonify(
            {
                "text": text,
                "from": name_of(source.code),
                "to": name_of(target.code),
                "result": done.split("\n"),
            }
        )

    return routes


def _pair(context: Context, fields: Any, text: str) -> tuple[Language, Language]:
    """Return the languages; the first one wanted that is another than the text's."""
    languages = context.translator.languages
    names = [
        string_of(f"destination[{number}]", name)
        for number, name in enumerate(texts_of(fields, "destination")[:MOST_WANTED])
    ]
    wanted = [found for found in (find_by_name(name, languages) for name in names) if found]
    if not wanted:
        raise _unsupported(names[0])
    source: Language | None
    if fields.get("source"):
        name = string_of("source", fields["source"])
        source = find_by_name(name, languages)
        if source is None:
            raise _unsupported(name)
    else:
        found = finder_of(wanted[0].code, languages, context.detector).of_text(text)
        source = next(language for language in languages if language.code == found.language)
    others = (language for language in wanted if language.code != source.code)
    return source, next(others, wanted[0])
