"""Entities of HTML and XML."""

from __future__ import annotations

import html
import itertools
import re
from collections.abc import Mapping

NO_BREAK = "\u00a0"
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});?")
_BETWEEN_WORDS = re.compile(r"([^\s<>]+)\u00a0(?=([^\s<>]+))")
_ALWAYS = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_MOST_NO_BREAKS = 100  # of a paragraph; no more are looked for


def decode(raw: str) -> str:
    """Return text of a page with characters for its entities."""
    return _ENTITY.sub(lambda found: html.unescape(found[0]), raw) if "&" in raw else raw


def entities_of(raw: str) -> dict[str, str]:
    """Return how a text of a page writes characters, by character; `&`, `<` and `>` are among them.

    A translation is to write them in the same way, so that `&auml;` stays `&auml;`.
    """
    if "&" not in raw:
        return _ALWAYS
    written = {html.unescape(entity): entity for entity in _ENTITY.findall(raw)}
    ours = {char: name for char, name in written.items() if len(char) == 1 and name[-1] == ";"}
    return {**_ALWAYS, **ours}


def encode(text: str, entities: Mapping[str, str], quote: str = "") -> str:
    """Return plain text as a page writes it; for entities, see `entities_of`.

    `quote` is what stands around it, if it is the value of an attribute.
    """
    table = {ord(char): entity for char, entity in entities.items()}
    if quote and ord(quote) not in table:
        table[ord(quote)] = "&quot;" if quote == '"' else "&#39;"
    return text.translate(table)


def keep_no_breaks(source: str, translation: str) -> str:
    """Return a translation with a no-break space between words that had one in the source.

    A model writes plain spaces. One is replaced if the same two words stand around it, or the same
    number before it (`10 km`).
    """
    if NO_BREAK not in source:
        return translation
    for found in itertools.islice(_BETWEEN_WORDS.finditer(source), _MOST_NO_BREAKS):
        before, after = found.groups()
        both = f"{before} {after}"
        if both in translation:
            translation = translation.replace(both, f"{before}{NO_BREAK}{after}", 1)
        elif before[-1].isdigit():
            translation = re.sub(
                rf"(?<!\S){re.escape(before)} (?=\S)", f"{before}{NO_BREAK}", translation, count=1
            )
    return translation
