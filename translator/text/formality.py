"""How a German sentence addresses its reader: formally (Sie) or informally (du, ihr).

Training learns from it which form a pair has, and the translator checks by it which form came out.
"""

from __future__ import annotations

import re
from typing import Literal

Formality = Literal["formal", "informal"]

MARKS: tuple[Formality, ...] = ("formal", "informal")
"""Both forms."""

LANGUAGES = frozenset({"de"})
"""Codes of the languages whose forms of address are known here."""

_INFORMAL = re.compile(
    r"(?<![\w-])(?:[Dd]u|[Dd]ich|[Dd]ir|[Dd]ein(?:e[mnrs]?)?|[Ee]uch|[Ee]uer|[Ee]ure[mnrs]?)(?![\w-])"
)
_FRENCH = re.compile(r"\b(?:[A-ZÀ-Ý][\w’'-]*|rue|pont|tour|prix|place|parc) du [A-ZÀ-Ý]")
_FORMAL = re.compile(r"(?<![\w-])(?:Sie|Ihnen|Ihr(?:e[mnrs]?)?)(?![\w-])")
_BEGINS = re.compile(r"(?:^|[.!?:…\n]|[\"“”„‚‘’»«›‹(\[–—•*|/-])\s*$")
_READER = re.compile(r"\b(?:you|your|yours|yourself|yourselves)\b", re.IGNORECASE)
_OTHERS = re.compile(r"\b(?:she|her|hers|they|them|their|theirs)\b", re.IGNORECASE)


def formality_of(german: str, english: str = "") -> Formality | None:
    """Return how a German text addresses its reader.

    `Sie` and `Ihr` at the beginning of a sentence are also she, they and their. Such a word counts
    only if the text in English speaks to a reader, and of nobody else.

    Args:
        german: a sentence, or a few.
        english: the same text in English, if it is known.

    Returns:
        `formal` or `informal`; None if the text addresses nobody, or in both ways.
    """
    letters = german.replace("SIE", "Sie").replace("DU", "Du") if german.isupper() else german
    is_informal = bool(_INFORMAL.search(letters)) and not (
        _FRENCH.search(letters) and len(_INFORMAL.findall(letters)) == 1
    )
    is_to_reader = bool(_READER.search(english)) and not _OTHERS.search(english)
    is_formal = any(
        is_to_reader or not _BEGINS.search(letters[: word.start()])
        for word in _FORMAL.finditer(letters)
    )
    if is_formal == is_informal:
        return None
    return "formal" if is_formal else "informal"
