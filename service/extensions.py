"""Dialects of browser extensions and of MTranServer: a reader for each, and one handler for all.

`POST /translate` is answered in two of them too. It is LibreTranslate's address, whose requests
have `q`: one with other fields is answered before it comes to LibreTranslate's handler.

Sources: https://immersivetranslate.com/en/docs/services/custom/,
https://github.com/fishjar/kiss-translator/blob/master/custom-api_v2.md,
https://hcfy.ai/docs/services/custom-api, https://github.com/OwO-Network/DeepLX,
https://github.com/xxnuo/MTranServer/blob/main/docs/API_en.md
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, Self

from flask import Blueprint, Request, Response, jsonify, request
from pydantic import BaseModel, BeforeValidator, Field, model_validator

from service.access.guard import config_of_caller
from service.deepl.parameters import find_deepl_language
from service.http.context import Context
from service.http.endpoint import JSON, Endpoint, Example, describe
from service.http.fields import Answer, Array, Body, Fields, Flag, Json, parse_object, read_fields
from service.libretranslate.request import AUTO, TranslateRequest, find_language
from service.libretranslate.work import begin, finder_of, translate_all
from translator import TagOptions
from translator.errors import InputError
from translator.language_names import language_name

if TYPE_CHECKING:
    from translator import Language


TAG = "browser extensions"
SHARED = "/translate"
"""LibreTranslate's address, which others ask too."""

MOST_WANTED = 2
"""Languages that one request of Hcfy names."""

CHINESE = {
    "中文(简体)": ("zh-Hans", "zh-CN", "zh"),
    "中文(繁体)": ("zh-Hant", "zh-TW"),
    "中文(文言文)": ("lzh",),
}
"""Hcfy's names that are not those of CLDR, with codes that models may have."""

Markup = Literal["text", "html", "xml"]


class ImmersiveBody(Body):
    """What Immersive Translate sends."""

    source_lang: str | None = Field(
        default=None, description="Language of the texts, or `auto`.", examples=["auto"]
    )
    target_lang: str = Field(description="Language wanted.", examples=["en"])
    text_list: Array[str] = Field(description="The texts.", examples=[["Guten Morgen!"]])


class ImmersiveTranslation(Answer):
    """A text translated."""

    detected_source_lang: str = Field(description="Its language.", examples=["de"])
    text: str = Field(description="The translation.", examples=["Good morning!"])


class ImmersiveAnswer(Answer):
    """The translations, in the order of the texts."""

    translations: list[ImmersiveTranslation]


class KissBody(Body):
    """What KISS Translator sends: `text` or `texts`."""

    text: str | None = Field(default=None, description="A text.", examples=["Guten Morgen!"])
    texts: Array[str] | None = Field(default=None, description="Several texts in its place.")
    from_: str | None = Field(
        alias="from", default=None, description="Their language, or `auto`.", examples=["auto"]
    )
    to: str = Field(description="Language wanted.", examples=["en"])

    @model_validator(mode="after")
    def _has_text(self) -> Self:
        if self.texts == [] or (self.texts is None and self.text is None):
            raise InputError(self.missing.format("text" if self.texts is None else "texts"))
        return self


class KissTranslation(Answer):
    """A text translated."""

    text: str = Field(description="The translation.", examples=["Good morning!"])
    src: str = Field(description="Language of the text.", examples=["de"])


class KissAnswer(Answer):
    """The translation of `text`, or those of `texts` in order."""

    text: str = Field(default="", description="The translation.", examples=["Good morning!"])
    src: str = Field(default="", description="Language of the text.", examples=["de"])
    translations: list[KissTranslation] = Field(default_factory=list)


class HcfyBody(Body):
    """What Hcfy sends."""

    name: str | None = Field(default=None, description="What its user calls this service.")
    text: str = Field(description="The text.", examples=["Guten Morgen!"])
    destination: Array[str] = Field(
        description="Languages wanted: the first one that there is and that is not the text's.",
        examples=[["英语"]],
    )
    source: str | None = Field(default=None, description="Its language; detected without.")


class HcfyAnswer(Answer):
    """A text translated."""

    text: str = Field(description="The text as it came.", examples=["Guten Morgen!"])
    from_: str = Field(alias="from", description="Its language.", examples=["德语"])
    to: str = Field(description="Language of the translation.", examples=["英语"])
    result: list[str] = Field(
        description="The translation, line by line.", examples=[["Good morning!"]]
    )


class MTranBody(Body):
    """What clients of MTranServer say beside their texts."""

    from_: str | None = Field(
        alias="from", default=None, description="Their language, or `auto`.", examples=["de"]
    )
    to: str = Field(description="Language wanted.", examples=["en"])
    html: Flag = Field(default=False, description="Whether the texts are HTML.")


class MTranBatchBody(MTranBody):
    """Texts to translate."""

    texts: Array[str] = Field(description="The texts.", examples=[["Guten Morgen!"]])


class MTranTextBody(MTranBody):
    """One text to translate, at the shared address."""

    may_be_empty: ClassVar = ("text",)

    text: str


class MTranBatchAnswer(Answer):
    """The translations, in the order of the texts."""

    results: list[str]


def _tag_handling(value: object) -> object:
    if value not in ("html", "xml"):
        raise InputError("Invalid tag_handling value. Allowed values are 'html' and 'xml'.")
    return value


class DeepLXBody(Body):
    """A text to translate."""

    may_be_empty: ClassVar = ("text",)

    text: str = Field(description="The text.", examples=["Guten Morgen!"])
    source_lang: str | None = Field(
        default=None, description="Its language, or `auto`.", examples=["DE"]
    )
    target_lang: str = Field(description="Language wanted.", examples=["EN"])
    tag_handling: Annotated[Literal["xml", "html"] | None, BeforeValidator(_tag_handling)] = Field(
        default=None, description="What the text is, if no plain text."
    )


class DeepLXAnswer(Answer):
    """A text translated."""

    code: Literal[200]
    id: int = Field(description="Another number each time.")
    data: str = Field(description="The translation.", examples=["Good morning!"])
    alternatives: list[str] = Field(description="Always empty.")
    source_lang: str = Field(description="Language of the text.", examples=["DE"])
    target_lang: str = Field(description="Language of the translation.", examples=["EN"])
    method: Literal["Free"]


@dataclass(frozen=True, kw_only=True, slots=True)
class PlainRequest:
    """What a request asks for.

    Attributes:
        source: code of their language; it is detected if it is `auto` or missing.
        answer: makes the answer, from the translation of each text and the code of its language.
    """

    texts: Sequence[str]
    source: str | None
    target: str
    markup: Markup = "text"
    answer: Callable[[list[tuple[str, str]]], Json]


def read_immersive(context: Context, fields: Fields) -> PlainRequest:
    """Read a request of Immersive Translate."""
    body = ImmersiveBody.read(fields)
    return PlainRequest(
        texts=body.text_list,
        source=body.source_lang,
        target=body.target_lang,
        answer=lambda done: {
            "translations": [
                {"detected_source_lang": source, "text": text} for text, source in done
            ]
        },
    )


def read_kiss(context: Context, fields: Fields) -> PlainRequest:
    """Read a request of KISS Translator, for one text or several."""
    body = KissBody.read(fields)

    def answer(done: list[tuple[str, str]]) -> Json:
        translations = [{"text": text, "src": source} for text, source in done]
        return translations[0] if body.texts is None else {"translations": translations}

    texts = [body.text or ""] if body.texts is None else body.texts
    return PlainRequest(texts=texts, source=body.from_, target=body.to, answer=answer)


def read_hcfy(context: Context, fields: Fields) -> PlainRequest:
    """Read a request of Hcfy, whose languages have Chinese names."""
    body = HcfyBody.read(fields)
    source, target = _pair(context, body)
    return PlainRequest(
        texts=[body.text],
        source=source.code if body.source else AUTO,
        target=target.code,
        answer=lambda done: {
            "text": body.text,
            "from": name_of(source.code),
            "to": name_of(target.code),
            "result": done[0][0].split("\n"),
        },
    )


def read_mtran(context: Context, fields: Fields) -> PlainRequest:
    """Read a request of MTranServer: for several texts, or for one at the shared address."""
    is_one = request.path == SHARED
    body = MTranTextBody.read(fields) if is_one else MTranBatchBody.read(fields)
    return PlainRequest(
        texts=[body.text] if isinstance(body, MTranTextBody) else body.texts,
        source=body.from_,
        target=body.to,
        markup="html" if body.html else "text",
        answer=lambda done: (
            {"result": done[0][0]} if is_one else {"results": [text for text, _ in done]}
        ),
    )


def read_deeplx(context: Context, fields: Fields) -> PlainRequest:
    """Read a request of DeepLX, in DeepL's codes."""
    body = DeepLXBody.read(fields)

    def known(code: str) -> str:
        """Return the model's code for one of DeepL's; any other one as it is, to be refused."""
        language = find_deepl_language(code, context.translator.languages)
        return language.code if language else code

    target = known(body.target_lang)
    return PlainRequest(
        texts=[body.text],
        source=known(body.source_lang or AUTO),
        target=target,
        markup=body.tag_handling or "text",
        answer=lambda done: {
            "code": 200,
            "id": secrets.randbelow(10**10),
            "data": done[0][0],
            "alternatives": [],
            "source_lang": done[0][1].upper(),
            "target_lang": target.upper(),
            "method": "Free",
        },
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class Extension:
    """A dialect.

    Attributes:
        address: of its own.
        text: its field with the text.
        shared_by: the field that tells its requests at the shared address; empty if it has none.
        is_any_type: whether a body is read as JSON whatever its header says, since many of its
            clients send none.
    """

    address: str
    text: str
    read: Callable[[Context, Fields], PlainRequest]
    endpoint: Endpoint
    shared_by: str = ""
    is_any_type: bool = False

    def fields_of(self, incoming: Request) -> Fields:
        """Return the fields of a request to its own address."""
        if self.is_any_type and not incoming.is_json:
            return parse_object(incoming.get_data())
        return read_fields(incoming, text=self.text)

    def shared_fields_of(self, incoming: Request) -> Fields | None:
        """Return the fields of a request to the shared address; None if it is not of this dialect.

        A look at the bytes tells nearly all others at once.
        """
        if not self.shared_by or incoming.path != SHARED or incoming.method != "POST":
            return None
        body = incoming.get_data()
        if b'"q"' in body or f'"{self.shared_by}"'.encode() not in body:
            return None
        if not (body.lstrip().startswith(b"{") if self.is_any_type else incoming.is_json):
            return None
        fields = self.fields_of(incoming)
        is_own = "q" not in fields and {"text", self.shared_by} <= fields.keys()
        return fields if is_own else None


def endpoint(
    summary: str,
    body: type[BaseModel],
    answer_type: type[BaseModel],
    fields: Fields,
    answer: Fields,
    description: str = "",
) -> Endpoint:
    """Return the description of a dialect's address, with an example."""
    return Endpoint(
        summary=summary,
        description=description,
        tag=TAG,
        body=body,
        body_types=(JSON,),
        answers={JSON: answer_type},
        errors=(400, 403, 413, 429, 503, 504),
        examples=(Example(summary="A text", fields=fields, answer=answer),),
        access="counted",
        takes_slot=True,
        is_repeatable=True,
    )


EXTENSIONS = (
    Extension(
        address="/imme",
        text="text_list",
        read=read_immersive,
        endpoint=endpoint(
            "Translate for Immersive Translate",
            ImmersiveBody,
            ImmersiveAnswer,
            {"source_lang": "auto", "target_lang": "en", "text_list": ["Guten Morgen!"]},
            {"translations": [{"detected_source_lang": "de", "text": "Good morning!"}]},
        ),
    ),
    Extension(
        address="/kiss",
        text="text",
        read=read_kiss,
        endpoint=endpoint(
            "Translate for KISS Translator",
            KissBody,
            KissAnswer,
            {"text": "Guten Morgen!", "from": "auto", "to": "en"},
            {"text": "Good morning!", "src": "de"},
        ),
    ),
    Extension(
        address="/hcfy",
        text="text",
        read=read_hcfy,
        endpoint=endpoint(
            "Translate for Hcfy",
            HcfyBody,
            HcfyAnswer,
            {"text": "Guten Morgen!", "destination": ["英语", "中文(简体)"]},
            {"text": "Guten Morgen!", "from": "德语", "to": "英语", "result": ["Good morning!"]},
        ),
    ),
    Extension(
        address="/translate/batch",
        text="texts",
        read=read_mtran,
        shared_by="to",
        endpoint=endpoint(
            "Translate for clients of MTranServer",
            MTranBatchBody,
            MTranBatchAnswer,
            {"from": "de", "to": "en", "texts": ["Guten Morgen!"]},
            {"results": ["Good morning!"]},
            "`POST /translate` is answered in this way too if it has `text`, `from` and `to` "
            "in place of `q`, `source` and `target`, as JSON: with `result` in place of `results`.",
        ),
    ),
    Extension(
        address="/deeplx",
        text="q",
        read=read_deeplx,
        shared_by="target_lang",
        is_any_type=True,
        endpoint=endpoint(
            "Translate for clients of DeepLX",
            DeepLXBody,
            DeepLXAnswer,
            {"text": "Guten Morgen!", "source_lang": "DE", "target_lang": "EN"},
            {
                "code": 200,
                "id": 8356681003,
                "data": "Good morning!",
                "alternatives": [],
                "source_lang": "DE",
                "target_lang": "EN",
                "method": "Free",
            },
            "`POST /translate` is answered in this way too if it has `text` and `target_lang` "
            "in place of `q` and `target`. The body is read as JSON whatever its Content-Type is.",
        ),
    ),
)


def blueprint(context: Context) -> Blueprint:
    """Return the addresses, and what looks at requests for the one that is shared."""
    routes = Blueprint("extensions", __name__)
    for extension in EXTENSIONS:
        _add(routes, context, extension)
    return routes


def _add(routes: Blueprint, context: Context, extension: Extension) -> None:
    @routes.post(extension.address, endpoint=extension.address.strip("/").replace("/", "_"))
    @describe(extension.endpoint)
    def own_address() -> Response:
        return answered(context, extension.read(context, extension.fields_of(request)))

    @routes.before_app_request
    def shared() -> Response | None:
        fields = extension.shared_fields_of(request)
        return None if fields is None else answered(context, extension.read(context, fields))


def answered(context: Context, plain: PlainRequest) -> Response:
    """Translate the texts of the request in hand, and answer."""
    fields = {"q": list(plain.texts), "source": plain.source or AUTO, "target": plain.target}
    translation_request = TranslateRequest.read(
        fields, context.translator.languages, config_of_caller(context.config)
    )
    tags = TagOptions() if plain.markup == "xml" else None
    translation_request = replace(translation_request, text_format=plain.markup, tags=tags)
    with context.slot():
        outcome = translate_all(begin(context, translation_request))
    texts = [translation.text if translation else "" for translation in outcome.translations]
    sources = [language.language if language else "" for language in outcome.detected]
    sources = sources or [translation_request.source] * len(texts)
    return jsonify(plain.answer(list(zip(texts, sources, strict=True))))


def name_of(code: str) -> str:
    """Return what Hcfy calls a language."""
    names = (name for name, codes in CHINESE.items() if code in codes)
    return next(names, language_name(code, "zh"))


def find_by_name(name: str, languages: Sequence[Language]) -> Language | None:
    """Return the language that Hcfy calls so, or that has this code; None if there is none."""
    named = (language for language in languages if name_of(language.code) == name)
    return next(named, None) or find_language(name, languages)


def _unsupported(name: str) -> InputError:
    return InputError(f"{name} is not supported", "unsupported_language")


def _pair(context: Context, body: HcfyBody) -> tuple[Language, Language]:
    """Return the languages; the first one wanted that is another than the text's."""
    languages, names = context.translator.languages, body.destination[:MOST_WANTED]
    targets = [target for name in names if (target := find_by_name(name, languages))]
    if not targets:
        raise _unsupported(names[0])
    source: Language | None
    if body.source:
        source = find_by_name(body.source, languages)
        if source is None:
            raise _unsupported(body.source)
    else:
        detected = finder_of(targets[0].code, languages, context.detector).of_text(body.text)
        source = next(language for language in languages if language.code == detected.language)
    others = (target for target in targets if target.code != source.code)
    return source, next(others, targets[0])
