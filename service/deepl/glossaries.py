"""DeepL's glossaries: what requests say, in lines of terms, and the addresses.

Those of version 2 show what has one pair of languages.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Literal

from flask import Blueprint, Request, Response, jsonify, request
from pydantic import AfterValidator, Field
from werkzeug.exceptions import Forbidden, NotFound

from service.config import ServiceConfig
from service.deepl.account import NOT_FOUND, Accounts, checked_id
from service.deepl.parameters import (
    KEY_ERRORS,
    KEYED,
    DeepLBody,
    base_of,
    find_deepl_language,
)
from service.deepl.stored import Dictionary, KeptGlossary
from service.http.context import Context
from service.http.endpoint import FORM, JSON, Endpoint, describe
from service.http.fields import Answer, Array, Fields, Json, Lowered, read_fields
from translator import Glossary
from translator.errors import InputError

if TYPE_CHECKING:
    from translator import Language


MAX_NAME = 1024
INVALID = "Invalid glossary entries provided"
UNSUPPORTED_PAIR = "Unsupported glossary source and target language pair"
_NESTED = re.compile(r"dictionaries\[(\d{1,4})\](?:\.(\w+)|\[(\w+)\])")


def _named(name: str) -> str:
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
        """Return a pair that a glossary may have, without regions, in capitals; refuse others."""
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
        """Return the terms of the pair of languages; refuse a line that is wrong, naming it."""
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
    dictionaries: Array[DictionaryBody] = Field(
        default_factory=list,
        description="Terms that are added, or replace those that are the same.",
    )

    def every_dictionary(
        self, languages: Sequence[Language], config: ServiceConfig
    ) -> list[Dictionary]:
        """Return the dictionaries, one for each pair of languages; refuse a second one."""
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
    dictionaries: Array[DictionaryBody] = Field(
        description="A dictionary for each pair; in a form, fields such as "
        "`dictionaries[0].source_lang`."
    )


def glossary_fields(request: Request) -> Json:
    """Return the fields; those of a form named `dictionaries[0].entries` are nested."""
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
    """Refuse terms that could not be used, naming one, and more than are allowed."""
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


class LanguagePair(Answer):
    """A pair of languages."""

    source_lang: str
    target_lang: str


class PairsAnswer(Answer):
    """The pairs of languages that a glossary may have."""

    supported_languages: list[LanguagePair]


class GlossaryAnswer(Answer):
    """What is known of a glossary of one pair."""

    glossary_id: str
    name: str
    ready: bool = Field(description="Always.")
    source_lang: str
    target_lang: str
    creation_time: str
    entry_count: int


class GlossariesAnswer(Answer):
    """The glossaries of a key that have one pair of languages."""

    glossaries: list[GlossaryAnswer]


class DictionaryAnswer(LanguagePair):
    """What is known of a dictionary."""

    entry_count: int


class MultilingualAnswer(Answer):
    """What is known of a glossary."""

    glossary_id: str
    name: str
    dictionaries: list[DictionaryAnswer]
    creation_time: str


class MultilingualsAnswer(Answer):
    """The glossaries of a key."""

    glossaries: list[MultilingualAnswer]


class DictionaryEntries(LanguagePair):
    """The terms of a pair of languages."""

    entries: str
    entries_format: Literal["tsv"]


class EntriesAnswer(Answer):
    """The dictionary that was asked for."""

    dictionaries: list[DictionaryEntries]


TSV = "text/tab-separated-values"
FULL = "No more glossaries are accepted: as many are kept as the operator allows"
NO_DICTIONARY = "Dictionary not found"
ERRORS = (400, *KEY_ERRORS, 404, 503)

SHOW = replace(KEYED, summary="What is known of a glossary", errors=ERRORS)

REMOVE = replace(SHOW, summary="Delete a glossary", status=204)
LIST = replace(SHOW, errors=(*KEY_ERRORS, 503))

CREATE = replace(
    SHOW, body_types=(JSON, FORM), status=201, errors=(400, *KEY_ERRORS, 413, 503), access="counted"
)

CHANGE = replace(SHOW, body_types=(JSON, FORM), errors=(*ERRORS, 413))

PAIRS = replace(
    SHOW,
    summary="The pairs of languages that a glossary may have",
    answers={JSON: PairsAnswer},
    errors=KEY_ERRORS,
)

TERMS = replace(SHOW, summary="The terms of a glossary", answers={TSV: None})

TERMS_OF_PAIR = replace(
    SHOW, summary="The terms of a pair of languages", query=PairQuery, answers={JSON: EntriesAnswer}
)

PATCH = replace(
    CHANGE,
    summary="Rename a glossary, or add terms",
    body=PatchBody,
    body_types=(JSON,),
    answers={JSON: MultilingualAnswer},
)

PUT = replace(
    CHANGE,
    summary="Keep the terms of a pair of languages in place of those before",
    body=DictionaryBody,
    answers={JSON: DictionaryAnswer},
)

REMOVE_PAIR = replace(REMOVE, summary="Delete the terms of a pair of languages", query=PairQuery)


@dataclass(frozen=True, kw_only=True, slots=True)
class Version:
    """What one version of the API says of glossaries.

    Attributes:
        name: in its addresses.
        shows: whether it knows a glossary.
        read: returns the name and the dictionaries of a new one, from its fields.
    """

    name: str
    shows: Callable[[KeptGlossary], bool]
    answer: Callable[[KeptGlossary], Json]
    read: Callable[[Fields, Context], tuple[str, Sequence[Dictionary]]]
    create: Endpoint
    list: Endpoint
    show: Endpoint


def time_of(glossary: KeptGlossary) -> str:
    """Return when a glossary was made, as DeepL writes it."""
    made = datetime.fromtimestamp(glossary.created_at, UTC)
    return made.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _size(pair: tuple[str, str], count: int) -> Json:
    return {"source_lang": pair[0].lower(), "target_lang": pair[1].lower(), "entry_count": count}


def _with_pair(glossary: KeptGlossary) -> Json:
    [pair_and_count] = glossary.sizes.items()
    return {
        "glossary_id": glossary.id,
        "name": glossary.name,
        "ready": True,
        "creation_time": time_of(glossary),
        **_size(*pair_and_count),
    }


def _with_pairs(glossary: KeptGlossary) -> Json:
    return {
        "glossary_id": glossary.id,
        "name": glossary.name,
        "dictionaries": [_size(pair, count) for pair, count in glossary.sizes.items()],
        "creation_time": time_of(glossary),
    }


def _read_one(fields: Fields, context: Context) -> tuple[str, Sequence[Dictionary]]:
    body = GlossaryBody.read(fields)
    return body.name, [body.dictionary(context.translator.languages, context.config)]


def _read_several(fields: Fields, context: Context) -> tuple[str, Sequence[Dictionary]]:
    body = MultilingualBody.read(fields)
    return body.name, body.every_dictionary(context.translator.languages, context.config)


VERSIONS = (
    Version(
        name="v2",
        shows=lambda glossary: len(glossary.sizes) == 1,
        answer=_with_pair,
        read=_read_one,
        create=replace(
            CREATE,
            summary="Keep a glossary of one pair of languages",
            body=GlossaryBody,
            answers={JSON: GlossaryAnswer},
        ),
        list=replace(
            LIST,
            summary="The glossaries of a key that have one pair of languages",
            answers={JSON: GlossariesAnswer},
        ),
        show=replace(SHOW, answers={JSON: GlossaryAnswer}),
    ),
    Version(
        name="v3",
        shows=lambda glossary: True,
        answer=_with_pairs,
        read=_read_several,
        create=replace(
            CREATE,
            summary="Keep a glossary",
            body=MultilingualBody,
            body_types=(JSON,),  # a form would have fields that no schema describes
            answers={JSON: MultilingualAnswer},
        ),
        list=replace(LIST, summary="The glossaries of a key", answers={JSON: MultilingualsAnswer}),
        show=replace(SHOW, answers={JSON: MultilingualAnswer}),
    ),
)


def add_glossaries(routes: Blueprint, context: Context, accounts: Accounts) -> None:
    """Add the addresses of both versions."""
    for version in VERSIONS:
        _add_version(routes, context, accounts, version)
    _add_terms(routes, context, accounts, *VERSIONS)
    _add_changes(routes, context, accounts, VERSIONS[1])


def _glossary_of(accounts: Accounts, version: Version, glossary_id: str) -> KeptGlossary:
    glossary = accounts.glossaries.find(accounts.keeper, checked_id(glossary_id))
    if glossary is None or not version.shows(glossary):
        raise NotFound(NOT_FOUND)
    return glossary


def _add_version(routes: Blueprint, context: Context, accounts: Accounts, version: Version) -> None:
    address = f"/{version.name}/glossaries"

    @routes.post(address, endpoint=f"create_{version.name}")
    @describe(version.create)
    def create() -> tuple[Response, int]:
        owner = accounts.keeper
        glossary = accounts.glossaries.add(owner, *version.read(glossary_fields(request), context))
        if glossary is None:
            raise Forbidden(FULL)
        return jsonify(version.answer(glossary)), 201

    @routes.get(address, endpoint=f"list_{version.name}")
    @describe(version.list)
    def every() -> Response:
        kept = accounts.glossaries.list(accounts.keeper)
        shown = [version.answer(glossary) for glossary in kept if version.shows(glossary)]
        return jsonify({"glossaries": shown})

    @routes.get(f"{address}/<glossary_id>", endpoint=f"show_{version.name}")
    @describe(version.show)
    def show(glossary_id: str) -> Response:
        return jsonify(version.answer(_glossary_of(accounts, version, glossary_id)))

    @routes.delete(f"{address}/<glossary_id>", endpoint=f"remove_{version.name}")
    @describe(REMOVE)
    def remove(glossary_id: str) -> Response:
        accounts.glossaries.remove(accounts.keeper, _glossary_of(accounts, version, glossary_id).id)
        return Response(status=204)


def _add_terms(
    routes: Blueprint, context: Context, accounts: Accounts, second: Version, third: Version
) -> None:
    translator = context.translator

    @routes.get("/v2/glossary-language-pairs")
    @describe(PAIRS)
    def pairs() -> Response:
        supported = [
            {"source_lang": source.lower(), "target_lang": target.lower()}
            for source, target in pairs_of(translator.languages)
        ]
        return jsonify({"supported_languages": supported})

    @routes.get("/v2/glossaries/<glossary_id>/entries")
    @describe(TERMS)
    def terms(glossary_id: str) -> Response:
        glossary = _glossary_of(accounts, second, glossary_id)
        [pair] = glossary.sizes
        kept = accounts.glossaries.entries(accounts.keeper, glossary.id, *pair) or {}
        return Response(to_tsv(kept), mimetype=TSV)

    @routes.get("/v3/glossaries/<glossary_id>/entries")
    @describe(TERMS_OF_PAIR)
    def terms_of_pair(glossary_id: str) -> Response:
        glossary = _glossary_of(accounts, third, glossary_id)
        source, target = PairQuery.read(glossary_fields(request)).pair(translator.languages)
        kept = accounts.glossaries.entries(accounts.keeper, glossary.id, source, target)
        if kept is None:
            raise NotFound(NO_DICTIONARY)
        dictionary = {
            "source_lang": source.lower(),
            "target_lang": target.lower(),
            "entries": to_tsv(kept),
            "entries_format": "tsv",
        }
        return jsonify({"dictionaries": [dictionary]})


def _add_changes(routes: Blueprint, context: Context, accounts: Accounts, third: Version) -> None:
    translator, config = context.translator, context.config

    @routes.patch("/v3/glossaries/<glossary_id>")
    @describe(PATCH)
    def patch(glossary_id: str) -> Response:
        glossary, owner = _glossary_of(accounts, third, glossary_id), accounts.keeper
        body = PatchBody.read(glossary_fields(request))
        added = body.every_dictionary(translator.languages, config)
        merged = [_merged(accounts, config, glossary, dictionary) for dictionary in added]
        if body.name is not None:
            accounts.glossaries.rename(owner, glossary.id, body.name)
        for dictionary in merged:
            accounts.glossaries.put(owner, glossary.id, dictionary)
        return jsonify(third.answer(_glossary_of(accounts, third, glossary_id)))

    @routes.put("/v3/glossaries/<glossary_id>/dictionaries")
    @describe(PUT)
    def put_dictionary(glossary_id: str) -> Response:
        glossary = _glossary_of(accounts, third, glossary_id)
        body = DictionaryBody.read(glossary_fields(request))
        dictionary = body.dictionary(translator.languages, config)
        accounts.glossaries.put(accounts.keeper, glossary.id, dictionary)
        pair = dictionary.source, dictionary.target
        return jsonify(_size(pair, len(dictionary.entries)))

    @routes.delete("/v3/glossaries/<glossary_id>/dictionaries")
    @describe(REMOVE_PAIR)
    def remove_dictionary(glossary_id: str) -> Response:
        glossary = _glossary_of(accounts, third, glossary_id)
        pair = PairQuery.read(glossary_fields(request)).pair(translator.languages)
        if not accounts.glossaries.remove_dictionary(accounts.keeper, glossary.id, *pair):
            raise NotFound(NO_DICTIONARY)
        return Response(status=204)


def _merged(
    accounts: Accounts, config: ServiceConfig, glossary: KeptGlossary, added: Dictionary
) -> Dictionary:
    """Return a dictionary with the terms that were kept before, and those that are added."""
    pair = added.source, added.target
    before = accounts.glossaries.entries(accounts.keeper, glossary.id, *pair) or {}
    entries = {**before, **added.entries}
    check_terms(entries, config)
    return replace(added, entries=entries)
