"""Glossaries of one pair of languages, as in version 2 of DeepL's API."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from flask import Blueprint, Response, jsonify, request
from werkzeug.exceptions import Forbidden, NotFound

from service.dialects.deepl.account import NOT_FOUND, Accounts, checked_id
from service.dialects.deepl.glossaries.entries import to_tsv
from service.dialects.deepl.glossaries.reading import (
    glossary_fields,
    pairs_of,
    read_dictionary,
    read_name,
)
from service.dialects.deepl.glossaries.schemas import (
    GlossariesAnswer,
    GlossaryAnswer,
    GlossaryBody,
    PairsAnswer,
)
from service.dialects.deepl.schemas import KEY_ERRORS, TAG, DeepLError
from service.routes.context import Context
from service.specification.endpoint import FORM, JSON, Endpoint, describe
from service.storage.glossaries import KeptGlossary

TSV = "text/tab-separated-values"
FULL = "No more glossaries are accepted: as many are kept as the operator allows"
ERRORS = (400, *KEY_ERRORS, 404, 503)

PAIRS = Endpoint(
    summary="The pairs of languages that a glossary may have",
    tag=TAG,
    answers={JSON: PairsAnswer},
    errors=KEY_ERRORS,
    error=DeepLError,
    access="keyed",
)
CREATE = Endpoint(
    summary="Keep a glossary of one pair of languages",
    tag=TAG,
    body=GlossaryBody,
    body_types=(JSON, FORM),
    status=201,
    answers={JSON: GlossaryAnswer},
    errors=(400, *KEY_ERRORS, 413, 503),
    error=DeepLError,
    access="counted",
)
LIST = Endpoint(
    summary="The glossaries of a key that have one pair of languages",
    tag=TAG,
    answers={JSON: GlossariesAnswer},
    errors=(*KEY_ERRORS, 503),
    error=DeepLError,
    access="keyed",
)
ONE = Endpoint(
    summary="What is known of a glossary",
    tag=TAG,
    answers={JSON: GlossaryAnswer},
    errors=ERRORS,
    error=DeepLError,
    access="keyed",
)
ENTRIES = Endpoint(
    summary="The terms of a glossary",
    tag=TAG,
    answers={TSV: None},
    errors=ERRORS,
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


def time_of(glossary: KeptGlossary) -> str:
    """Return when a glossary was made, as DeepL writes it."""
    made = datetime.fromtimestamp(glossary.created_at, UTC)
    return made.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def add_monolingual(routes: Blueprint, context: Context, accounts: Accounts) -> None:
    """Add the addresses."""
    translator = context.translator

    def found(glossary_id: str) -> tuple[KeptGlossary, tuple[str, str]]:
        """Return a glossary and its pair of languages."""
        glossary = accounts.glossaries.find(accounts.keeper, checked_id(glossary_id))
        if glossary is None or len(glossary.sizes) != 1:
            raise NotFound(NOT_FOUND)
        return glossary, next(iter(glossary.sizes))

    @routes.get("/v2/glossary-language-pairs")
    @describe(PAIRS)
    def pairs() -> Response:
        known = [
            {"source_lang": source.lower(), "target_lang": target.lower()}
            for source, target in pairs_of(translator.languages)
        ]
        return jsonify({"supported_languages": known})

    @routes.post("/v2/glossaries")
    @describe(CREATE)
    def create() -> tuple[Response, int]:
        owner, fields = accounts.keeper, glossary_fields(request)
        name = read_name(fields)
        dictionary = read_dictionary(fields, translator.languages, context.config)
        glossary = accounts.glossaries.add(owner, name, [dictionary])
        if glossary is None:
            raise Forbidden(FULL)
        return jsonify(_known(glossary)), 201

    @routes.get("/v2/glossaries")
    @describe(LIST)
    def every() -> Response:
        kept = accounts.glossaries.list(accounts.keeper)
        return jsonify({"glossaries": [_known(one) for one in kept if len(one.sizes) == 1]})

    @routes.get("/v2/glossaries/<glossary_id>")
    @describe(ONE)
    def one(glossary_id: str) -> Response:
        return jsonify(_known(found(glossary_id)[0]))

    @routes.get("/v2/glossaries/<glossary_id>/entries")
    @describe(ENTRIES)
    def entries(glossary_id: str) -> Response:
        glossary, pair = found(glossary_id)
        terms = accounts.glossaries.entries(accounts.keeper, glossary.id, *pair) or {}
        return Response(to_tsv(terms), mimetype=TSV)

    @routes.delete("/v2/glossaries/<glossary_id>")
    @describe(REMOVE)
    def remove(glossary_id: str) -> Response:
        accounts.glossaries.remove(accounts.keeper, found(glossary_id)[0].id)
        return Response(status=204)


def _known(glossary: KeptGlossary) -> dict[str, Any]:
    [((source, target), count)] = glossary.sizes.items()
    return {
        "glossary_id": glossary.id,
        "name": glossary.name,
        "ready": True,
        "source_lang": source.lower(),
        "target_lang": target.lower(),
        "creation_time": time_of(glossary),
        "entry_count": count,
    }
