"""The part of a text that its language is detected from."""

from __future__ import annotations

import unicodedata

from translator.text.spans import find_spans

SAMPLE_CHARACTERS = 2_000
"""Enough to be sure of any language."""
MAX_READ = 32_000
"""Characters that are looked at, however few of them are language."""
_WINDOW = 4_000


def sample(text: str) -> str:
    """Return what a language is detected from: lower-cased, without code, addresses and tags.

    It has at most `SAMPLE_CHARACTERS` characters, all from the first `MAX_READ` of the text. So the
    time for a text of any length is bounded.
    """
    # Capitals are fewer in what detectors learn from. "é" as one character or as two is the same.
    composed = unicodedata.normalize("NFC", _taken(text).lower())
    return composed[:SAMPLE_CHARACTERS].strip()


def sample_without_names(text: str) -> str:
    """Return a sample without words that have a capital letter, but for the first of the text.

    Many are names, which tell nothing of the language around them.
    """
    first, *others = _taken(text).split() or [""]
    words = (word for word in others if word == word.lower())
    return unicodedata.normalize("NFC", " ".join((first.lower(), *words)))


def _taken(text: str) -> str:
    text = text.lstrip()
    taken, start, stop = "", 0, min(len(text), MAX_READ)
    while start < stop and len(taken) < SAMPLE_CHARACTERS:
        end = min(start + _WINDOW, stop)
        if end < stop:  # not within an address, whose rest would be taken for language
            space = text.rfind(" ", start + 1, end)
            end = space if space > 0 else end
        taken += " ".join((*_without_spans(text[start:end]).split(), ""))
        start = end
    return taken[:SAMPLE_CHARACTERS]


def _without_spans(text: str) -> str:
    """Return a text with a space in place of each span that is not language."""
    pieces, done = list[str](), 0
    for start, end in find_spans(text):
        pieces.append(text[done:start])
        done = end
    return " ".join((*pieces, text[done:]))
