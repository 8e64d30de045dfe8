"""What requests for glossaries say: pairs of languages, dictionaries, names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from flask import Request

from service.config import ServiceConfig
from service.dialects.deepl.glossaries.entries import read_entries
from service.dialects.deepl.languages import base_of, find_deepl_language
from service.dialects.deepl.parameters import required
from service.schemas.fields import json_type, read_fields, string_of
from service.storage.glossaries import Dictionary
from translator.errors import InputError

if TYPE_CHECKING:
    from translator.translate.translation import Language

MAX_NAME = 1024
UNSUPPORTED_PAIR = "Unsupported glossary source and target language pair"

_NESTED = re.compile(r"dictionaries\[(\d{1,4})\](?:\.(\w+)|\[(\w+)\])")


def glossary_fields(request: Request) -> dict[str, Any]:
    """Return the fields of a request; those of a form named `dictionaries[0].entries` are nested.

    Raises:
        InputError: see `read_fields`.
    """
    fields = dict(read_fields(request, text="name"))
    nested: dict[int, dict[str, Any]] = {}
    for name in list(fields):
        if found := _NESTED.fullmatch(name):
            nested.setdefault(int(found[1]), {})[found[2] or found[3]] = fields.pop(name)
    if nested:
        fields["dictionaries"] = [nested[number] for number in sorted(nested)]
    return fields


def read_name(fields: Mapping[str, Any]) -> str:
    """Return what a glossary is to be called.

    Raises:
        InputError: it is missing, empty or too long.
    """
    name = string_of("name", required(fields, "name")).strip()
    if not name or len(name) > MAX_NAME:
        raise InputError(f"Parameter 'name' must have 1 to {MAX_NAME} characters.")
    return name


def read_pair(fields: Mapping[str, Any], languages: Sequence[Language]) -> tuple[str, str]:
    """Return a pair of languages that a glossary may have, without regions, in capitals.

    Raises:
        InputError: a language is missing or unknown, or one is not translated into the other.
    """
    found = []
    for name in ("source_lang", "target_lang"):
        code = string_of(name, required(fields, name))
        language = find_deepl_language(code, languages)
        if language is None:
            raise InputError(UNSUPPORTED_PAIR, "unsupported_language")
        found.append(language)
    source, target = found
    if source.code == target.code or target.code not in source.targets:
        raise InputError(UNSUPPORTED_PAIR, "unsupported_pair")
    return base_of(source.code), base_of(target.code)


def read_dictionary(
    fields: Mapping[str, Any], languages: Sequence[Language], config: ServiceConfig
) -> Dictionary:
    """Return the terms of a pair of languages.

    Raises:
        InputError: see `read_pair` and `read_entries`.
    """
    source, target = read_pair(fields, languages)
    entries = read_entries(fields, source, target, config)
    return Dictionary(source=source, target=target, entries=entries)


def read_dictionaries(
    value: Any, languages: Sequence[Language], config: ServiceConfig
) -> list[Dictionary]:
    """Return the dictionaries of a glossary, one for each pair of languages.

    Raises:
        InputError: naming what is wrong.
    """
    if not isinstance(value, list):
        raise InputError(f"Parameter 'dictionaries' must be an array, got {json_type(value)}.")
    found: dict[tuple[str, str], Dictionary] = {}
    for number, one in enumerate(value):
        if not isinstance(one, dict):
            raise InputError(
                f"Parameter 'dictionaries[{number}]' must be an object, got {json_type(one)}."
            )
        dictionary = read_dictionary(one, languages, config)
        pair = dictionary.source, dictionary.target
        if pair in found:
            raise InputError(f"Parameter 'dictionaries[{number}]' has the same pair as another.")
        found[pair] = dictionary
    return list(found.values())


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
