"""POST /translate: what a request may say, and the checks that it must pass.

The checks are made in LibreTranslate's order and with its messages, because clients look for parts
of them. What LibreTranslate does not know is checked after all of that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, Field

from service.config import ServiceConfig
from service.http.fields import Fields, json_of, json_type, string_of, truth_of
from translator.errors import InputError

if TYPE_CHECKING:
    from translator.text.formality import Formality
    from translator.text.formats.html.rules import TagWishes
    from translator.translate.options import TextFormat as Markup
    from translator.translate.translation import Language


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
FormalityWish = Literal["default", "more", "less", "prefer_more", "prefer_less"]

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

UNKNOWN_FORMALITY = f"Invalid request: formality must be one of {', '.join(FORMALITIES)}"
FORMATS: dict[str, TextFormat] = {"text": "text", "html": "html", "markdown": "markdown"}


class TranslateBody(BaseModel):
    """What to translate, and how."""

    q: str | list[str] = Field(
        description="A text, or an array of texts.", examples=["Guten Morgen!"]
    )
    source: str = Field(
        description="Code of the language that the texts are in, or `auto`.", examples=["de"]
    )
    target: str = Field(description="Code of the language wanted.", examples=["en"])
    format: TextFormat | None = Field(
        default="text",
        description="Format of the texts. Of `html` and `markdown`, only what people read is "
        "translated.",
    )
    alternatives: int | None = Field(
        default=0, description="How many other translations of each text to give as well."
    )
    prefix: str | list[str | None] | None = Field(
        default=None,
        description="Words that the translation begins with, of the first sentence of plain text; "
        "an array beside an array of texts. Alternatives begin with them too, and each goes on "
        "with another word; so they do if it is empty.",
        examples=["Good day"],
    )
    api_key: str | None = Field(default=None, description="Your key, where one is needed.")
    glossary: dict[str, str] | list[tuple[str, str]] | None = Field(
        default=None,
        description="Terms and their translations: an object, or an array of pairs. A form writes "
        "them as JSON.",
    )
    do_not_translate: list[str] | None = Field(
        default=None,
        description="Terms that come back as they are. A form writes them as JSON.",
    )
    formality: FormalityWish | None = Field(
        default="default",
        description="How the translation addresses its reader: formally (`more`), informally "
        "(`less`), or as the model does (`default`). Languages without a choice refuse `more` and "
        "`less`, and ignore `prefer_more` and `prefer_less`.",
    )
    details: bool | None = Field(
        default=False, description="Whether the answer also has sentences, scores and times."
    )
    alignment: bool | None = Field(
        default=False,
        description="Whether each sentence of the details, or of a stream, also says where each "
        "word comes from and how sure the model is of it. That takes a second pass of the model.",
    )
    errors: Literal["fail", "per_item"] | None = Field(
        default="fail",
        description="What happens if a text of an array cannot be translated. With `fail`, the "
        "whole request fails. With `per_item`, this text gets null, and `errors` says why.",
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class TranslateRequest:
    """A request that has passed every check.

    Attributes:
        texts: what to translate; empty for those that have faults.
        is_batch: whether `q` was an array, and so must the answer be.
        source: language code as the model spells it, or `auto`.
        target: language code as the model spells it.
        num_alternatives: other translations wanted per text.
        prefixes: what the translation of each text begins with, or None; empty if there are none.
        text_format: of the texts.
        tags: what to do with some of their tags.
        pairs: terms of the glossary, and their translations.
        kept: terms that are not translated.
        formality: the form of address wanted, by the languages from which it can be had; from
            others the translation addresses its reader as the model does.
        has_details: whether the answer says more.
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
    tags: TagWishes | None = None
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

        Raises:
            InputError: the first check that fails, in LibreTranslate's order.
        """
        for name in ("q", "source", "target"):
            if not fields.get(name):
                raise InputError(f"Invalid request: missing {name} parameter")
        num_alternatives = _read_alternatives(fields.get("alternatives"), config)
        has_errors = fields.get("errors") == "per_item" and isinstance(fields["q"], list)
        texts, faults = _read_texts(fields["q"], config, has_errors)
        code = string_of("source", fields["source"])
        source = None if code.lower() == AUTO else _read_language("source", fields, languages)
        target = _read_language("target", fields, languages)
        text_format = _read_format(fields.get("format"))
        if source is not None:
            check_pair(source, target)
        if fields.get("errors") not in (None, "", "fail", "per_item"):
            raise InputError("Invalid request: errors must be fail or per_item")
        formality = read_formality(fields.get("formality"), source, target, languages)
        pairs = read_pairs(fields.get("glossary"), config)
        has_alignment = truth_of("alignment", fields.get("alignment"))
        return cls(
            texts=texts,
            is_batch=isinstance(fields["q"], list),
            source=source.code if source else AUTO,
            target=target.code,
            num_alternatives=num_alternatives,
            prefixes=_read_prefixes(fields.get("prefix"), fields["q"], config),
            text_format=text_format,
            pairs=pairs,
            kept=read_kept(fields.get("do_not_translate"), pairs, config),
            formality=formality,
            has_details=truth_of("details", fields.get("details")) or has_alignment,
            has_alignment=has_alignment,
            has_errors=has_errors,
            faults=faults,
        )


def check_pair(source: Language, target: Language) -> None:
    """Refuse a pair of languages that the model does not translate.

    Raises:
        InputError: naming both.
    """
    if target.code not in source.targets:
        raise InputError(
            f"{target.name} ({target.code}) is not available as a target language "
            f"from {source.name} ({source.code})",
            "unsupported_pair",
        )


def read_formality(
    value: object,
    source: Language | None,
    target: Language,
    languages: Sequence[Language],
    unknown: str = UNKNOWN_FORMALITY,
    unmet: str = "",
) -> dict[str, Formality]:
    """Return the form of address that a request asks for, by the languages that it can be had from.

    Args:
        value: what the request says.
        source: language of the texts; None if that is to be detected.
        target: language wanted.
        languages: all of them.
        unknown: what to say of a wish that there is not.
        unmet: what to say of a strict wish if no model has learned the form.

    Raises:
        InputError: saying one of the two.
    """
    wish = string_of("formality", value or "default").lower()
    if wish not in FORMALITIES:
        raise InputError(unknown)
    form = FORMALITIES[wish]
    sources = languages if source is None else (source,)
    codes = [language.code for language in sources if target.code in language.formality]
    if wish in STRICT and not codes:
        problem = unmet or (
            f"formality: {target.name} ({target.code}) has no choice here; ask for prefer_{wish} "
            "to translate all the same"
        )
        raise InputError(problem, "unsupported_formality")
    return dict.fromkeys(codes, form) if form else {}


def _read_alternatives(value: object, config: ServiceConfig) -> int:
    """Return how many alternatives are asked for; null and negative numbers mean none."""
    if value is None:
        return 0
    try:
        if isinstance(value, bool) or not isinstance(value, int | str):
            raise ValueError
        number = int(value)
    except ValueError:
        raise InputError("Invalid request: alternatives parameter is not a number") from None
    if number > config.alternatives_limit:
        raise InputError(
            f"Invalid request: alternatives parameter must be <= {config.alternatives_limit}"
        )
    return max(number, 0)


def _read_prefixes(
    value: object, q: str | list[str], config: ServiceConfig
) -> tuple[str | None, ...]:
    """Return the prefix of each text; none at all if there is no `prefix`."""
    if value is None:
        return ()
    if isinstance(value, list) != isinstance(q, list) or (
        isinstance(value, list) and len(value) != len(q)
    ):
        raise InputError(
            "Invalid request: prefix must be a string beside a string q, and an array as long "
            "beside an array"
        )
    prefixes = value if isinstance(value, list) else [value]
    for number, prefix in enumerate(prefixes):
        if prefix is not None:
            name = f"prefix[{number}]" if isinstance(value, list) else "prefix"
            check_length(string_of(name, prefix), config)
    return tuple(prefixes)


def _read_texts(
    q: object, config: ServiceConfig, has_errors: bool
) -> tuple[tuple[str, ...], dict[int, str]]:
    """Return the texts of `q`, a string or an array of strings, within the limits.

    With `has_errors`, what is wrong with single texts is returned by their numbers.
    """
    if not isinstance(q, list | str):
        raise InputError(
            f"Invalid request: q must be a string or an array of strings, got {json_type(q)}"
        )
    if isinstance(q, str):
        check_length(string_of("q", q), config)
        return (q,), {}
    if len(q) > config.batch_limit:
        raise InputError(_exceeds(len(q), config.batch_limit))
    faults: dict[int, str] = {}
    for number, text in enumerate(q):
        with _failing_alone(faults if has_errors else None, number):
            string_of(f"q[{number}]", text)
    for number, text in enumerate(q):
        with _failing_alone(faults if has_errors else None, number):
            if number not in faults:
                check_length(text, config)
    return tuple("" if number in faults else text for number, text in enumerate(q)), faults


@contextmanager
def _failing_alone(faults: dict[int, str] | None, number: int) -> Iterator[None]:
    """Note what is wrong with one text; without `faults`, let the request fail."""
    try:
        yield
    except InputError as error:
        if faults is None:
            raise
        faults[number] = str(error)


def check_length(text: str, config: ServiceConfig) -> None:
    """Refuse a text that is longer than the server allows."""
    if len(text) > config.char_limit:
        raise InputError(_exceeds(len(text), config.char_limit), "text_too_long", config.char_limit)


def _exceeds(number: int, limit: int) -> str:
    return f"Invalid request: request ({number}) exceeds text limit ({limit})"


def _read_language(name: str, fields: Fields, languages: Sequence[Language]) -> Language:
    code = string_of(name, fields[name]).lower()
    language = find_language(code, languages)
    if language is None:
        raise InputError(f"{code} is not supported", "unsupported_language")
    return language


def _read_format(value: object) -> TextFormat:
    name = string_of("format", value or "text")
    if name not in FORMATS:
        raise InputError(f"{name} format is not supported")
    return FORMATS[name]


def read_pairs(value: object, config: ServiceConfig) -> dict[str, str]:
    """Return the terms of `glossary`, each with what stands for it in a translation.

    Args:
        value: an object, an array of pairs, or either as JSON in a string; null is none.
        config: says how many there may be.

    Raises:
        InputError: naming the pair that is wrong.
    """
    value = json_of("glossary", value)
    if value is None:
        return {}
    if isinstance(value, dict):
        value = list(value.items())
    if not isinstance(value, list):
        raise InputError(
            "Invalid request: glossary must be an object or an array of pairs, "
            f"got {json_type(value)}"
        )
    _check_count("glossary", len(value), config)
    pairs: dict[str, str] = {}
    for number, pair in enumerate(value):
        path = f"glossary[{number}]"
        if not (isinstance(pair, list | tuple) and len(pair) == 2):
            raise InputError(f"Invalid request: {path} must be a term and its translation")
        term, translation = (string_of(f"{path}[{i}]", text) for i, text in enumerate(pair))
        if not (term.strip() and translation.strip()):
            raise InputError(f"Invalid request: {path} must not have empty texts")
        pairs[term] = translation
    return pairs


def read_kept(value: object, pairs: Mapping[str, str], config: ServiceConfig) -> tuple[str, ...]:
    """Return the terms of `do_not_translate`, none of which may be in the glossary too.

    Raises:
        InputError: naming the term that is wrong.
    """
    value = json_of("do_not_translate", value)
    if value is None:
        return ()
    if not isinstance(value, list):
        raise InputError(
            f"Invalid request: do_not_translate must be an array of terms, got {json_type(value)}"
        )
    _check_count("do_not_translate", len(value), config)
    for number, term in enumerate(value):
        path = f"do_not_translate[{number}]"
        if not string_of(path, term).strip():
            raise InputError(f"Invalid request: {path} must not be empty")
        if term in pairs:
            raise InputError(f"Invalid request: {path} is in glossary too")
    return tuple(dict.fromkeys(value))


def _check_count(name: str, count: int, config: ServiceConfig) -> None:
    if count > config.glossary_limit:
        raise InputError(
            f"Invalid request: {name} has {count} entries; {config.glossary_limit} are allowed"
        )
