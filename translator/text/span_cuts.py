"""Where a sentence is cut that has too many spans for the vocabulary."""

from __future__ import annotations

import bisect
import math
import re
from collections.abc import Sequence

from translator.text.spans import Span

CLAUSE_END = re.compile(r"[,;:]\s+|\s[–—-]\s+|[、，；：]\s*")
_SPACE = re.compile(r"\s+")
_LINK_MARK = re.compile(r"!?\[\"?$|`$|(?P<end>\"?\][(\[]|\s<)")


def cuts_by_spans(sentence: str, spans: Sequence[Span], most: int) -> list[int]:
    """Return where to cut a sentence so that no piece has more than `most` spans.

    A cut is made behind clause punctuation if there is some in the last two thirds of what fits.
    Otherwise it is made at white space, or else before a span. No cut falls into a span. None falls
    into the text of a link, unless that has too many spans itself. All pieces have about as many.

    Args:
        sentence: one line.
        spans: all of its spans that are not language, in order.
        most: spans of a piece, at least 1.

    Returns:
        offsets at which a new piece starts, rising; white space stays with the piece before it.
    """
    each = math.ceil(len(spans) / max(math.ceil(len(spans) / most), 1))
    gaps, starts = _gaps(sentence, spans)
    clause_ends = {found.end() for found in CLAUSE_END.finditer(sentence)}
    cuts, start, num_done = list[int](), 0, 0
    while len(spans) - num_done > most:
        least, limit = spans[num_done][1], spans[num_done + each][0]
        third = max(least, start + (limit - start) / 3)
        clauses = [gap for gap in _within(gaps, third, limit) if gap in clause_ends]
        choices = clauses or _within(gaps, least, limit) or _within(starts, least, limit)
        start = choices[-1] if choices else limit
        cuts.append(start)
        num_done = bisect.bisect_left(spans, (start,))
    return cuts


def _within(places: list[int], least: float, most: int) -> list[int]:
    return places[bisect.bisect_left(places, least) : bisect.bisect_right(places, most)]


def _gaps(sentence: str, spans: Sequence[Span]) -> tuple[list[int], list[int]]:
    """Return two lists of places outside spans and outside the texts of links.

    The first has the ends of white space, the second the starts of spans.
    """
    marks = [_LINK_MARK.match(sentence[start:end]) for start, end in spans]
    closes, next_closes = list[bool](), False  # whether the next mark behind a span ends a link
    for mark in reversed(marks):
        closes.append(next_closes)
        next_closes = mark["end"] is not None if mark else next_closes
    gaps, starts, after, is_in_link = list[int](), list[int](), 0, False
    for (start, end), mark, is_followed in zip(spans, marks, reversed(closes), strict=True):
        if not is_in_link:
            gaps += [gap.end() for gap in _SPACE.finditer(sentence, after, start)]
            starts.append(start)
        after, is_in_link = end, mark["end"] is None and is_followed if mark else is_in_link
    return gaps + [gap.end() for gap in _SPACE.finditer(sentence, after)], starts
