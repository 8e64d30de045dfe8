"""What requests for glossaries say: names, pairs of languages, and terms.

DeepL's clients send terms as lines, with tabs or commas between.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Literal

from flask import Request
from pydantic import AfterValidator, Field

from service.config import ServiceConfig
from service.deepl.parameters import DeepLBody, Lowered, base_of, find_deepl_language
from service.deepl.stored import Dictionary
from service.http.fields import Json, read_fields
from translator import Glossary
from translator.errors import InputError

if TYPE_CHECKING:
    from translator import Language


MAX_NAME = 1024
INVALID = "Invalid glossary entries provided"
UNSUPPORTED_PAIR = "Unsupported glossary source and target language pair"
_NESTED = re.compile(r"dictionaries\[(\d{1,4})\](?:\.(\w+)|\[(\w+)\])")


def _named(name: str) -> str:
    """Refuse a name that is blank or too long."""
    name = name.strip()
    if not name or len(name) > MAX_NAME:
        raise InputError(f"Parameter 'name' must have 1 to {MAX_NAME} characters.")
    return name


Name = Annotated[str, AfterValidator(_named)]


class PairQuery(DeepLBody):
    """A pair of languages."""

    source_lang: str = Field(description="Language of the terms.", examples=["de"])
    target_lang: str = Field(description="Language of what stands for them.", examples=["en"])

    def pair(self, languages: Sequence[Language]) -> tuple[str, str]:
        """Return a pair of languages that a glossary may have, without regions, in capitals.

        Raises:
            InputError: a language is unknown, or one is not translated into the other.
        """
        source = find_deepl_language(self.source_lang, languages)
        target = find_deepl_language(self.target_lang, languages)
        if source is None or target is None:
            raise InputError(UNSUPPORTED_PAIR, "unsupported_language")
        if source.code == target.code or target.code not in source.targets:
            raise InputError(UNSUPPORTED_PAIR, "unsupported_pair")
        return base_of(source.code), base_of(target.code)


class DictionaryBody(PairQuery):
    """The terms of a pair of languages."""

    entries: str = Field(
        description="A term in each line, and what stands for it.", examples=["Haus\thome"]
    )
    entries_format: Annotated[Literal["tsv", "csv"], Lowered] = Field(
        description="What stands between the two."
    )

    def dictionary(self, languages: Sequence[Language], config: ServiceConfig) -> Dictionary:
        """Return the terms of the pair of languages.

        Raises:
            InputError: naming the line that is wrong, or see `pair`.
        """
        source, target = self.pair(languages)
        is_tsv, entries = self.entries_format == "tsv", dict[str, str]()
        lines = _tsv(self.entries) if is_tsv else _csv(self.entries, source, target)
        for number, term, translation in lines:
            term, translation = _plain(term), _plain(translation)
            if not term or not translation:
                raise InputError(f"{INVALID}: line {number} has an empty term")
            if term in entries:
                raise InputError(f"{INVALID}: line {number} has a term again, {term!r}")
            entries[term] = translation
        if not entries:
            raise InputError(f"{INVALID}: there are none")
        check_terms(entries, config)
        return Dictionary(source=source, target=target, entries=entries)


class GlossaryBody(DictionaryBody):
    """A glossary of one pair of languages."""

    name: Name = Field(description="What it is called.", examples=["Our words"])


class PatchBody(DeepLBody):
    """What to change of a glossary."""

    name: Name | None = Field(default=None, description="Another name.")
    dictionaries: list[DictionaryBody] = Field(
        default_factory=list,
        description="Terms that are added, or replace those that are the same.",
    )

    def every_dictionary(
        self, languages: Sequence[Language], config: ServiceConfig
    ) -> list[Dictionary]:
        """Return the dictionaries, one for each pair of languages.

        Raises:
            InputError: naming what is wrong.
        """
        dictionaries: dict[tuple[str, str], Dictionary] = {}
        for number, body in enumerate(self.dictionaries):
            dictionary = body.dictionary(languages, config)
            pair = dictionary.source, dictionary.target
            if pair in dictionaries:
                raise InputError(
                    f"Parameter 'dictionaries[{number}]' has the same pair as another."
                )
            dictionaries[pair] = dictionary
        return list(dictionaries.values())


class MultilingualBody(PatchBody):
    """A glossary of several pairs of languages."""

    name: Name = Field(description="What it is called.", examples=["Our words"])
    dictionaries: list[DictionaryBody] = Field(
        description="A dictionary for each pair; in a form, fields such as "
        "`dictionaries[0].source_lang`."
    )


def glossary_fields(request: Request) -> Json:
    """Return the fields of a request; those of a form named `dictionaries[0].entries` are nested.

    Raises:
        InputError: see `read_fields`.
    """
    fields = dict(read_fields(request, text="name"))
    nested: dict[int, Json] = {}
    for name in list(fields):
        if match := _NESTED.fullmatch(name):
            nested.setdefault(int(match[1]), {})[match[2] or match[3]] = fields.pop(name)
    if nested:
        fields["dictionaries"] = [nested[number] for number in sorted(nested)]
    return fields


def pairs_of(languages: Sequence[Language]) -> list[tuple[str, str]]:
    """Return the pairs of languages that a glossary may have."""
    by_code = {language.code: language for language in languages}
    pairs = [
        (base_of(language.code), base_of(target))
        for language in languages
        for target in language.targets
        if target != language.code and target in by_code
    ]
    return list(dict.fromkeys(pairs))


def check_terms(entries: Mapping[str, str], config: ServiceConfig) -> None:
    """Refuse terms that could not be used, and more than are allowed.

    Raises:
        InputError: naming the term, or their number.
    """
    if len(entries) > config.glossary_limit:
        raise InputError(
            f"{INVALID}: there are {len(entries)}, and {config.glossary_limit} are allowed"
        )
    try:
        Glossary(pairs=entries)
    except InputError as error:
        raise InputError(f"{INVALID}: {error}") from error


def to_tsv(entries: Mapping[str, str]) -> str:
    """Return terms as lines with a tab each; the last line does not end."""
    return "\n".join(f"{term}\t{translation}" for term, translation in entries.items())


def _plain(term: str) -> str:
    return " ".join(term.split())


def _tsv(text: str) -> Iterator[tuple[int, str, str]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            term, tab, translation = line.partition("\t")
            if not tab:
                raise InputError(f"{INVALID}: line {number} has no tab")
            yield number, term, translation


def _csv(text: str, source: str, target: str) -> Iterator[tuple[int, str, str]]:
    """Yield the lines of this pair of languages, which the third and fourth column may name."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        for row in reader:
            if not row:
                continue
            if len(row) < 2:
                raise InputError(f"{INVALID}: line {reader.line_num} has one column only")
            pair = [code.strip().lower() for code in row[2:4]]
            if len(pair) < 2 or pair == [source.lower(), target.lower()]:
                yield reader.line_num, row[0], row[1]
    except csv.Error as error:
        raise InputError(f"{INVALID}: line {reader.line_num}: {error}") from error
