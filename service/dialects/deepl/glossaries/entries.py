"""Terms of a glossary as DeepL's clients send them: a line each, with tabs or commas between."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from typing import Any

from service.config import ServiceConfig
from service.dialects.deepl.parameters import not_supported, required
from service.schemas.fields import string_of
from translator.errors import InputError
from translator.text.glossary import Glossary

INVALID = "Invalid glossary entries provided"


def read_entries(
    fields: Mapping[str, Any], source: str, target: str, config: ServiceConfig
) -> dict[str, str]:
    """Return the terms in a request, each with what stands for it.

    Args:
        fields: `entries` and `entries_format`.
        source: code of the language of the terms; CSV may have lines of other pairs.
        target: code of the language of what stands for them.
        config: says how many there may be.

    Raises:
        InputError: naming the line that is wrong.
    """
    text = string_of("entries", required(fields, "entries"))
    kind = string_of("entries_format", required(fields, "entries_format")).lower()
    if kind not in ("tsv", "csv"):
        raise not_supported("entries_format")
    found: dict[str, str] = {}
    lines = _tsv(text) if kind == "tsv" else _csv(text, source, target)
    for number, term, translation in lines:
        term, translation = _plain(term), _plain(translation)
        if not term or not translation:
            raise InputError(f"{INVALID}: line {number} has an empty term")
        if term in found:
            raise InputError(f"{INVALID}: line {number} has a term again, {term!r}")
        found[term] = translation
    if not found:
        raise InputError(f"{INVALID}: there are none")
    check_terms(found, config)
    return found


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
