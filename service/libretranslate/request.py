"""POST /translate: what a request may say, and the checks that it must pass.

The messages are LibreTranslate's, because clients look for parts of them. What is missing is said
first, then what is wrong with a field, and then which languages are not translated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self, get_args

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from service.config import ServiceConfig
from service.http.fields import (
    Array,
    Body,
    Fields,
    Flag,
    Info,
    Lowered,
    Texts,
    json_of,
    json_type,
    settings_of,
)
from translator.errors import InputError

if TYPE_CHECKING:
    from translator import Formality, Language, TagOptions
    from translator import TextFormat as Markup


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


AUTO = "auto"
TextFormat = Literal["text", "html", "markdown"]

FORMALITIES: dict[str, Formality | None] = {
    "default": None,
    "more": "formal",
    "less": "informal",
    "prefer_more": "formal",
    "prefer_less": "informal",
}
"""The form of address that is meant by each wish, as DeepL names them."""

STRICT = ("more", "less")
"""Wishes that are refused where they cannot be met."""


FormOfAddress = Annotated[Literal["default", "more", "less", "prefer_more", "prefer_less"], Lowered]


def check_length(text: str, config: ServiceConfig) -> str:
    """Return a text; refuse one that is longer than the server allows."""
    if len(text) > config.char_limit:
        raise InputError(_exceeds(len(text), config.char_limit), "text_too_long", config.char_limit)
    return text


def _exceeds(number: int, limit: int) -> str:
    return f"Invalid request: request ({number}) exceeds text limit ({limit})"


FULL_TEXTS = 100
"""An array may have more texts than these, but no more characters than these may have."""


def _within_limits(q: str | list[str], info: Info) -> str | list[str]:
    """Refuse more or longer texts than the server allows."""
    config = settings_of(info)
    if isinstance(q, list) and len(q) > config.batch_limit:
        raise InputError(_exceeds(len(q), config.batch_limit), limit=config.batch_limit)
    total, limit = sum(map(len, q)), FULL_TEXTS * config.char_limit
    if total > limit:
        raise InputError(_exceeds(total, limit), "text_too_long", limit)
    for text in [q] if isinstance(q, str) else q:
        check_length(text, config)
    return q


def _format(value: object) -> object:
    if isinstance(value, str) and value not in get_args(TextFormat):
        raise InputError(f"{value} format is not supported")
    return value


def _alternatives(value: object, info: Info) -> int:
    """Return how many alternatives are asked for; negative numbers mean none."""
    try:
        if isinstance(value, bool) or not isinstance(value, int | str):
            raise ValueError
        number = int(value)
    except ValueError:
        raise InputError("Invalid request: alternatives parameter is not a number") from None
    limit = settings_of(info).alternatives_limit
    if number > limit:
        raise InputError(f"Invalid request: alternatives parameter must be <= {limit}")
    return max(number, 0)


def _check_count(name: str | None, count: int, config: ServiceConfig) -> None:
    if count > config.glossary_limit:
        raise InputError(
            f"Invalid request: {name} has {count} entries; {config.glossary_limit} are allowed"
        )


def _pairs(value: object, info: Info) -> list[object]:
    """Return the pairs of `glossary`: an object, an array, or either as JSON in a string."""
    value = json_of(value, info)
    pairs = list(value.items()) if isinstance(value, dict) else value
    if not isinstance(pairs, list):
        raise InputError(
            "Invalid request: glossary must be an object or an array of pairs, "
            f"got {json_type(pairs)}"
        )
    _check_count("glossary", len(pairs), settings_of(info))
    for number, pair in enumerate(pairs):
        if not (isinstance(pair, list | tuple) and len(pair) == 2):
            raise InputError(
                f"Invalid request: glossary[{number}] must be a term and its translation"
            )
    return pairs


def _not_blank(terms: list[Any], info: Info) -> list[Any]:
    """Refuse terms of `glossary` or `do_not_translate` that are blank, and too many."""
    _check_count(info.field_name, len(terms), settings_of(info))
    for number, term in enumerate(terms):
        if isinstance(term, str) and not term.strip():
            raise InputError(f"Invalid request: {info.field_name}[{number}] must not be empty")
        if not isinstance(term, str) and not all(text.strip() for text in term):
            raise InputError(
                f"Invalid request: {info.field_name}[{number}] must not have empty texts"
            )
    return terms


Pairs = Annotated[
    Array[tuple[str, str]],
    BeforeValidator(_pairs, json_schema_input_type=dict[str, str] | list[tuple[str, str]] | None),
    AfterValidator(_not_blank),
]
Terms = Annotated[
    Array[str],
    BeforeValidator(json_of, json_schema_input_type=list[str] | None),
    AfterValidator(_not_blank),
]


Q = Annotated[Texts[str], AfterValidator(_within_limits)]


class OneText(Body):
    """A text of an array, which is checked alone."""

    nouns: ClassVar = {"q": "a string or an array of strings"}

    q: Q


class TranslateBody(OneText):
    """What to translate, and how."""

    nouns: ClassVar = {**OneText.nouns, "do_not_translate": "an array of terms"}
    may_be_empty: ClassVar = ("alternatives", "prefix")

    q: Q = Field(description="A text, or an array of texts.", examples=["Guten Morgen!"])
    source: str = Field(
        description="Code of the language that the texts are in, or `auto`.", examples=["de"]
    )
    target: str = Field(description="Code of the language wanted.", examples=["en"])
    format: Annotated[TextFormat | None, BeforeValidator(_format)] = Field(
        default="text",
        description="Format of the texts. Of `html` and `markdown`, only what people read is "
        "translated.",
    )
    alternatives: Annotated[
        int, BeforeValidator(_alternatives, json_schema_input_type=int | None)
    ] = Field(default=0, description="How many other translations of each text to give as well.")
    prefix: Texts[str | None] | None = Field(
        default=None,
        description="Words that the translation begins with, of the first sentence of plain text; "
        "an array beside an array of texts. Alternatives begin with them too, and each goes on "
        "with another word; so they do if it is empty.",
        examples=["Good day"],
    )
    api_key: str | None = Field(default=None, description="Your key, where one is needed.")
    glossary: Pairs = Field(
        default_factory=list,
        description="Terms and their translations: an object, or an array of pairs. A form writes "
        "them as JSON.",
    )
    do_not_translate: Terms = Field(
        default_factory=list,
        description="Terms that come back as they are. A form writes them as JSON.",
    )
    formality: FormOfAddress | None = Field(
        default="default",
        description="How the translation addresses its reader: formally (`more`), informally "
        "(`less`), or as the model does (`default`). Languages without a choice refuse `more` and "
        "`less`, and ignore `prefer_more` and `prefer_less`.",
    )
    details: Flag = Field(
        default=False, description="Whether the answer also has sentences, scores and times."
    )
    alignment: Flag = Field(
        default=False,
        description="Whether each sentence of the details, or of a stream, also says where each "
        "word comes from and how sure the model is of it. That takes a second pass of the model.",
    )
    errors: Literal["fail", "per_item"] | None = Field(
        default="fail",
        description="What happens if a text of an array cannot be translated. With `fail`, the "
        "whole request fails. With `per_item`, this text gets null, and `errors` says why.",
    )

    @model_validator(mode="after")
    def _fits_together(self, info: Info) -> Self:
        q, prefix = self.q, self.prefix
        if prefix is not None and (
            isinstance(prefix, list) != isinstance(q, list)
            or (isinstance(prefix, list) and len(prefix) != len(q))
        ):
            raise InputError(
                "Invalid request: prefix must be a string beside a string q, and an array as long "
                "beside an array"
            )
        for words in prefix if isinstance(prefix, list) else [prefix]:
            check_length(words or "", settings_of(info))
        for number, term in enumerate(self.do_not_translate):
            if term in dict(self.glossary):
                raise InputError(f"Invalid request: do_not_translate[{number}] is in glossary too")
        return self


@dataclass(frozen=True, kw_only=True, slots=True)
class TranslateRequest:
    """A request that has passed every check.

    Attributes:
        texts: what to translate; empty for those that have faults.
        is_batch: whether `q` was an array, and so must the answer be.
        source: language code as the model spells it, or `auto`.
        prefixes: what the translation of each text begins with, or None; empty if there are none.
        pairs: terms of the glossary, and their translations.
        kept: terms that are not translated.
        formality: the form of address wanted, by the languages from which it can be had; from
            others the translation addresses its reader as the model does.
        has_alignment: whether it says where each word comes from.
        has_errors: whether a text that cannot be translated fails alone.
        faults: why texts are not translated, by number; empty unless `has_errors`.
    """

    texts: tuple[str, ...]
    is_batch: bool
    source: str
    target: str
    num_alternatives: int
    prefixes: tuple[str | None, ...] = ()
    text_format: Markup = "text"
    tags: TagOptions | None = None
    pairs: Mapping[str, str] = field(default_factory=dict)
    kept: tuple[str, ...] = ()
    formality: Mapping[str, Formality] = field(default_factory=dict)
    has_details: bool = False
    has_alignment: bool = False
    has_errors: bool = False
    faults: Mapping[int, str] = field(default_factory=dict)

    @classmethod
    def read(
        cls, fields: Fields, languages: Sequence[Language], config: ServiceConfig
    ) -> TranslateRequest:
        """Check `fields` against what the model can do and what the server allows.

        The first check that fails, in LibreTranslate's order, is an InputError.
        """
        faults = _faults(fields.get("q"), config) if fields.get("errors") == "per_item" else {}
        if faults:
            q = ["" if number in faults else text for number, text in enumerate(fields["q"])]
            fields = {**fields, "q": q}
        body = TranslateBody.read(fields, config)
        source = None if body.source.lower() == AUTO else language_of(body.source, languages)
        target = language_of(body.target, languages)
        if source is not None:
            check_pair(source, target)
        is_batch = isinstance(body.q, list)
        prefixes = body.prefix if isinstance(body.prefix, list) else (body.prefix,)
        return cls(
            texts=(body.q,) if isinstance(body.q, str) else tuple(body.q),
            is_batch=is_batch,
            source=source.code if source else AUTO,
            target=target.code,
            num_alternatives=body.alternatives,
            prefixes=() if body.prefix is None else tuple(prefixes),
            text_format=body.format or "text",
            pairs=dict(body.glossary),
            kept=tuple(dict.fromkeys(body.do_not_translate)),
            formality=forms_of_address(body.formality, source, target, languages),
            has_details=body.details or body.alignment,
            has_alignment=body.alignment,
            has_errors=is_batch and body.errors == "per_item",
            faults=faults,
        )


def check_pair(source: Language, target: Language) -> None:
    """Refuse a pair of languages that the model does not translate, naming both."""
    if target.code not in source.targets:
        raise InputError(
            f"{target.name} ({target.code}) is not available as a target language "
            f"from {source.name} ({source.code})",
            "unsupported_pair",
        )


def forms_of_address(
    wish: str | None,
    source: Language | None,
    target: Language,
    languages: Sequence[Language],
    unmet: str = "",
) -> dict[str, Formality]:
    """Return the form of address that a request asks for, by the languages that it can be had from.

    The wish is a word of FORMALITIES; None is `default`. The source is None if it is to be
    detected. `unmet` is what an InputError says of a strict wish if no model has learned the form.
    """
    form = FORMALITIES[wish or "default"]
    sources = languages if source is None else (source,)
    codes = [
        language.code
        for language in sources
        if target.code in language.formality
        and (wish in STRICT or target.code not in language.formality_elsewhere)
    ]
    if wish in STRICT and not codes:
        problem = unmet or (
            f"formality: {target.name} ({target.code}) has no choice here; ask for prefer_{wish} "
            "to translate all the same"
        )
        raise InputError(problem, "unsupported_formality")
    return dict.fromkeys(codes, form) if form else {}


def language_of(code: str, languages: Sequence[Language]) -> Language:
    """Return the language of a code; refuse one that there is not."""
    language = find_language(code, languages)
    if language is None:
        raise InputError(f"{code.lower()} is not supported", "unsupported_language")
    return language


def _faults(q: object, config: ServiceConfig) -> dict[int, str]:
    """Return what is wrong with single texts of an array, by their numbers."""
    faults = dict[int, str]()
    if not isinstance(q, list) or len(q) > config.batch_limit:
        return faults
    for number, text in enumerate(q):
        try:
            OneText.read({"q": [text]}, config)
        except InputError as error:
            faults[number] = str(error).replace("q[0]", f"q[{number}]")
    return faults
