"""Glossaries of several pairs of languages, as in version 3 of DeepL's API."""

from __future__ import annotations

import dataclasses
from typing import Any

from flask import Blueprint, Response, jsonify, request
from werkzeug.exceptions import Forbidden, NotFound

from service.config import ServiceConfig
from service.dialects.deepl.account import NOT_FOUND, Accounts, checked_id
from service.dialects.deepl.glossaries.entries import check_terms, to_tsv
from service.dialects.deepl.glossaries.monolingual import ERRORS, FULL, time_of
from service.dialects.deepl.glossaries.reading import (
    glossary_fields,
    read_dictionaries,
    read_dictionary,
    read_name,
    read_pair,
)
from service.dialects.deepl.glossaries.schemas import (
    DictionaryAnswer,
    DictionaryBody,
    EntriesAnswer,
    MultilingualAnswer,
    MultilingualBody,
    MultilingualsAnswer,
    PairQuery,
    PatchBody,
)
from service.dialects.deepl.parameters import required
from service.dialects.deepl.schemas import KEY_ERRORS, TAG, DeepLError
from service.routes.context import Context
from service.specification.endpoint import FORM, JSON, Endpoint, describe
from service.storage.glossaries import Dictionary, KeptGlossary
from translator.errors import InputError

NO_DICTIONARY = "Dictionary not found"

CREATE = Endpoint(
    summary="Keep a glossary",
    tag=TAG,
    body=MultilingualBody,
    body_types=(JSON, FORM),
    status=201,
    answers={JSON: MultilingualAnswer},
    errors=(400, *KEY_ERRORS, 413, 503),
    error=DeepLError,
    access="counted",
)
LIST = Endpoint(
    summary="The glossaries of a key",
    tag=TAG,
    answers={JSON: MultilingualsAnswer},
    errors=(*KEY_ERRORS, 503),
    error=DeepLError,
    access="keyed",
)
ONE = Endpoint(
    summary="What is known of a glossary",
    tag=TAG,
    answers={JSON: MultilingualAnswer},
    errors=ERRORS,
    error=DeepLError,
    access="keyed",
)
PATCH = Endpoint(
    summary="Rename a glossary, or add terms",
    tag=TAG,
    body=PatchBody,
    body_types=(JSON, FORM),
    answers={JSON: MultilingualAnswer},
    errors=(*ERRORS, 413),
    error=DeepLError,
    access="keyed",
)
ENTRIES = Endpoint(
    summary="The terms of a pair of languages",
    tag=TAG,
    query=PairQuery,
    answers={JSON: EntriesAnswer},
    errors=ERRORS,
    error=DeepLError,
    access="keyed",
)
PUT = Endpoint(
    summary="Keep the terms of a pair of languages in place of those before",
    tag=TAG,
    body=DictionaryBody,
    body_types=(JSON, FORM),
    answers={JSON: DictionaryAnswer},
    errors=(*ERRORS, 413),
    error=DeepLError,
    access="keyed",
)
REMOVE = Endpoint(
    summary="Delete a glossary",
    tag=TAG,
    status=204,
    answers={},
    errors=ERRORS,
    error=DeepLError,
    access="keyed",
)
REMOVE_PAIR = dataclasses.replace(
    REMOVE, summary="Delete the terms of a pair of languages", query=PairQuery
)


def add_multilingual(routes: Blueprint, context: Context, accounts: Accounts) -> None:
    """Add the addresses of whole glossaries."""
    translator, config = context.translator, context.config

    def found(glossary_id: str) -> KeptGlossary:
        glossary = accounts.glossaries.find(accounts.keeper, checked_id(glossary_id))
        if glossary is None:
            raise NotFound(NOT_FOUND)
        return glossary

    @routes.post("/v3/glossaries")
    @describe(CREATE)
    def create_multilingual() -> tuple[Response, int]:
        owner, fields = accounts.keeper, glossary_fields(request)
        name = read_name(fields)
        value = required(fields, "dictionaries")
        dictionaries = read_dictionaries(value, translator.languages, config)
        if not dictionaries:
            raise InputError("Glossary dictionaries must be provided")
        glossary = accounts.glossaries.add(owner, name, dictionaries)
        if glossary is None:
            raise Forbidden(FULL)
        return jsonify(_known(glossary)), 201

    @routes.get("/v3/glossaries")
    @describe(LIST)
    def every_multilingual() -> Response:
        kept = accounts.glossaries.list(accounts.keeper)
        return jsonify({"glossaries": [_known(one) for one in kept]})

    @routes.get("/v3/glossaries/<glossary_id>")
    @describe(ONE)
    def one_multilingual(glossary_id: str) -> Response:
        return jsonify(_known(found(glossary_id)))

    @routes.patch("/v3/glossaries/<glossary_id>")
    @describe(PATCH)
    def patch(glossary_id: str) -> Response:
        glossary, owner = found(glossary_id), accounts.keeper
        fields = glossary_fields(request)
        added = read_dictionaries(fields.get("dictionaries") or [], translator.languages, config)
        name = read_name(fields) if fields.get("name") else None
        merged = [_merged(accounts, config, glossary, one) for one in added]
        if name is not None:
            accounts.glossaries.rename(owner, glossary.id, name)
        for one in merged:
            accounts.glossaries.put(owner, glossary.id, one)
        return jsonify(_known(found(glossary_id)))

    @routes.delete("/v3/glossaries/<glossary_id>")
    @describe(REMOVE)
    def remove_multilingual(glossary_id: str) -> Response:
        accounts.glossaries.remove(accounts.keeper, found(glossary_id).id)
        return Response(status=204)


def add_dictionaries(routes: Blueprint, context: Context, accounts: Accounts) -> None:
    """Add the addresses of the parts of a glossary."""
    translator = context.translator

    def kept(glossary_id: str) -> str:
        glossary = accounts.glossaries.find(accounts.keeper, checked_id(glossary_id))
        if glossary is None:
            raise NotFound(NOT_FOUND)
        return glossary.id

    @routes.get("/v3/glossaries/<glossary_id>/entries")
    @describe(ENTRIES)
    def entries_of_pair(glossary_id: str) -> Response:
        known = kept(glossary_id)
        source, target = read_pair(glossary_fields(request), translator.languages)
        terms = accounts.glossaries.entries(accounts.keeper, known, source, target)
        if terms is None:
            raise NotFound(NO_DICTIONARY)
        one = {
            "source_lang": source.lower(),
            "target_lang": target.lower(),
            "entries": to_tsv(terms),
            "entries_format": "tsv",
        }
        return jsonify({"dictionaries": [one]})

    @routes.put("/v3/glossaries/<glossary_id>/dictionaries")
    @describe(PUT)
    def put_dictionary(glossary_id: str) -> Response:
        known, fields = kept(glossary_id), glossary_fields(request)
        dictionary = read_dictionary(fields, translator.languages, context.config)
        accounts.glossaries.put(accounts.keeper, known, dictionary)
        pair = dictionary.source, dictionary.target
        return jsonify(_size(pair, len(dictionary.entries)))

    @routes.delete("/v3/glossaries/<glossary_id>/dictionaries")
    @describe(REMOVE_PAIR)
    def remove_dictionary(glossary_id: str) -> Response:
        known = kept(glossary_id)
        pair = read_pair(glossary_fields(request), translator.languages)
        if not accounts.glossaries.remove_dictionary(accounts.keeper, known, *pair):
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
    return dataclasses.replace(added, entries=entries)


def _size(pair: tuple[str, str], count: int) -> dict[str, Any]:
    source, target = pair
    return {
        "source_lang": source.lower(),
        "target_lang": target.lower(),
        "entry_count": count,
    }


def _known(glossary: KeptGlossary) -> dict[str, Any]:
    return {
        "glossary_id": glossary.id,
        "name": glossary.name,
        "dictionaries": [_size(pair, count) for pair, count in glossary.sizes.items()],
        "creation_time": time_of(glossary),
    }
