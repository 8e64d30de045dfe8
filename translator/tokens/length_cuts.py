"""The step `cut`: a sentence that is too long for the model is cut where it reads on."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

from translator.text.span_cuts import CLAUSE_END

_SPACE = re.compile(r"\s+")


def cut_long(sentence: str, num_tokens: Callable[[str], int], max_tokens: int) -> list[str]:
    """Cut a sentence that is too long for the model into pieces that are not.

    A cut is made after clause punctuation if there is some beyond the first third of what fits,
    otherwise at white space, otherwise anywhere between two characters. White space stays at the
    end of the piece before it.

    Args:
        sentence: any text.
        num_tokens: counts the tokens of a text; called on all of `sentence` once, then on parts.
        max_tokens: the most tokens a piece may have.

    Returns:
        pieces that concatenate to `sentence`. Each has at most `max_tokens` tokens, unless a single
        character has more.

    Raises:
        ValueError: if `max_tokens` is less than 1.
    """
    if max_tokens < 1:
        raise ValueError(f"max_tokens: must be at least 1, got {max_tokens}")
    if num_tokens(sentence) <= max_tokens:
        return [sentence]
    pieces = []
    start = 0
    while start < len(sentence):
        end = _longest_fit(sentence, start, num_tokens, max_tokens)
        if end < len(sentence):
            end = _best_cut(sentence, start, end, num_tokens, max_tokens)
        pieces.append(sentence[start:end])
        start = end
    return pieces


def _longest_fit(text: str, start: int, num_tokens: Callable[[str], int], max_tokens: int) -> int:
    """Return the largest end for which `text[start:end]` fits, at least `start + 1`; bisection."""
    low, high = start + 1, min(len(text), start + 4 * max_tokens)
    while num_tokens(text[start:high]) <= max_tokens:
        if high == len(text):
            return high
        low, high = high, min(len(text), start + 2 * (high - start))
    while high - low > 1:
        middle = (low + high) // 2
        if num_tokens(text[start:middle]) <= max_tokens:
            low = middle
        else:
            high = middle
    return low


def _best_cut(
    text: str, start: int, end: int, num_tokens: Callable[[str], int], max_tokens: int
) -> int:
    """Return where to cut `text[start:]`, at most at `end`, which is known to fit."""
    gap = _SPACE.match(text, end, 2 * end - start)  # bounded, so that the total stays linear
    limit = gap.end() if gap else end
    clauses = [m.end() for m in CLAUSE_END.finditer(text, start + (end - start) // 3, limit)]
    spaces = [m.end() for m in _SPACE.finditer(text, start, limit)]
    unbroken = end
    while unbroken > start and _joins(text[unbroken - 1], text[unbroken]):
        unbroken -= 1
    for cut in (*clauses[:-3:-1], *spaces[:-3:-1], unbroken):
        if start < cut < len(text) and num_tokens(text[start:cut]) <= max_tokens:
            return cut
    return end


def _joins(left: str, right: str) -> bool:
    """Return whether two neighbouring characters are seen as one (accents, joined emoji)."""
    return (
        unicodedata.category(right).startswith("M")
        or "\u200d" in (left, right)
        or "\U0001f3fb" <= right <= "\U0001f3ff"  # skin tones
    )
