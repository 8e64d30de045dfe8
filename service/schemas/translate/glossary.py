"""The fields `glossary` and `do_not_translate` of a request."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from service.config import ServiceConfig
from service.schemas.fields import json_of, json_type, string_of
from translator.errors import InputError


def read_pairs(value: Any, config: ServiceConfig) -> dict[str, str]:
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


def read_kept(value: Any, pairs: Mapping[str, str], config: ServiceConfig) -> tuple[str, ...]:
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
