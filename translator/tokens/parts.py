"""A sentence as the model gets it, and the way back from what the model says.

What is not language becomes placeholders, emoji are taken out, capitals become small letters, and
what is longer than the model has seen is cut.
"""

from __future__ import annotations

import bisect
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from translator.text import segmentation
from translator.text.characters import WINDOWS, plain, take_out_emoji
from translator.text.placeholders import Protected, find_spans, protect, span_places
from translator.text.wrapping import unwrap
from translator.tokens.tokenizer import Tokenizer

_SPACE = re.compile(r"\s+")
_LINK_MARK = re.compile(r"!?\[$|`$|(?P<end>\][(\[]|\s<)")


@dataclass(frozen=True, slots=True)
class Part:
    """A sentence, or one part of an overlong one.

    Attributes:
        source_ids: tag, pieces, EOS; empty if there is nothing to translate.
        protected: the text, and what its placeholders stand for.
        trailing: comes back behind it, as it is.
        in_capitals: whether the sentence was, and its translation is to be.
    """

    source_ids: tuple[int, ...]
    protected: Protected
    trailing: str
    in_capitals: bool

    def restore(self, translation: str | None) -> str:
        """Return what takes the place of this part; None stands for the text itself."""
        text = self.protected.text if translation is None else translation.translate(WINDOWS)
        if self.in_capitals:
            text = text.upper()
        return self.protected.restore(text) + self.trailing


def parts_of(sentence: str, tokenizer: Tokenizer, target: str, max_ids: int) -> Iterator[Part]:
    """Yield what is to be translated of a sentence; one of several lines is read as one.

    If it has more spans that are not language than there are placeholders, it is cut.

    Args:
        sentence: with a letter.
        tokenizer: of the model.
        target: language code.
        max_ids: the most source ids a part may have, tag and EOS included.

    Raises:
        InputError: the text is not valid Unicode.
    """
    line, most = unwrap(sentence), tokenizer.num_placeholders
    spans = find_spans(line) if most else []
    if len(spans) <= most:
        yield from _parts_of(protect(line, most, spans), tokenizer, target, max_ids)
        return
    starts, ends = zip(*(span.span() for span in spans), strict=True)
    prose = zip((0, *ends), (*starts, len(line)), strict=True)
    in_capitals = segmentation.is_in_capitals(" ".join(line[start:end] for start, end in prose))
    for piece in cut_spans(line, most):
        inner = piece.rstrip()
        *parts, last = _parts_of(protect(inner, most), tokenizer, target, max_ids, in_capitals)
        yield from (*parts, replace(last, trailing=last.trailing + piece[len(inner) :]))


def _parts_of(
    protected: Protected,
    tokenizer: Tokenizer,
    target: str,
    max_ids: int,
    in_capitals: bool | None = None,
) -> Iterator[Part]:
    """Yield what is to be translated of a sentence in one line, or of a piece of it.

    Whether the whole sentence is in capitals has to be said of a piece.
    """
    text, emoji = take_out_emoji(protected.text)
    behind, text = f" {emoji}" if emoji else "", plain(text)
    if in_capitals is None:
        in_capitals = segmentation.is_in_capitals(text)
    text = text.capitalize() if in_capitals else text

    def encode(part: str) -> list[int]:
        return tokenizer.encode_source(protected.apart(part), target)

    whole, pieces = encode(text), [text]
    if len(whole) > max_ids:
        # two ids of the limit are the tag and EOS, one may be a piece that the cut splits
        limit = max(max_ids - 3, 1)
        pieces = segmentation.split_long(text, lambda part: len(encode(part)) - 2, limit)
    for number, piece in enumerate(pieces, start=1):
        inner = piece.rstrip()
        trailing = piece[len(inner) :] + (behind if number == len(pieces) else "")
        ids: list[int] = []
        if segmentation.has_letters(inner):
            ids = whole if inner == text else encode(inner)
        yield Part(tuple(ids), protected.within(inner), trailing, in_capitals)


def cut_spans(sentence: str, most: int) -> list[str]:
    """Cut a sentence in one line into pieces of at most so many spans that are not language.

    A cut is made behind clause punctuation if there is some in the last two thirds of what fits,
    otherwise at white space, otherwise before a span; not in a span, nor in the text of a link,
    unless that has too many itself. All pieces have about as many.

    Args:
        sentence: one line.
        most: spans of a piece; if 0, nothing is cut.

    Returns:
        pieces that concatenate to `sentence`; white space stays at the end of the one before it.
    """
    spans = span_places(sentence) if most else []
    if len(spans) <= most:
        return [sentence]
    each = math.ceil(len(spans) / math.ceil(len(spans) / most))
    gaps, starts = _gaps(sentence, spans)
    clause_ends = {found.end() for found in segmentation.CLAUSE_END.finditer(sentence)}
    pieces, start, num_done = list[str](), 0, 0
    while len(spans) - num_done > most:
        least, limit = spans[num_done][1], spans[num_done + each][0]
        third = max(least, start + (limit - start) / 3)
        clauses = [gap for gap in _within(gaps, third, limit) if gap in clause_ends]
        choices = clauses or _within(gaps, least, limit) or _within(starts, least, limit)
        cut = choices[-1] if choices else limit
        pieces.append(sentence[start:cut])
        start, num_done = cut, bisect.bisect_left(spans, (cut, 0))
    return [*pieces, sentence[start:]]


def _within(places: list[int], least: float, most: int) -> list[int]:
    return places[bisect.bisect_left(places, least) : bisect.bisect_right(places, most)]


def _gaps(sentence: str, spans: Sequence[tuple[int, int]]) -> tuple[list[int], list[int]]:
    """Return the ends of white space that is in no span and in no link's text.

    And of spans that are in no such text, the starts.
    """
    marks = [_LINK_MARK.match(sentence[start:end]) for start, end in spans]
    closes, next_closes = list[bool](), False  # whether the next mark behind a span ends a link
    for mark in reversed(marks):
        closes.append(next_closes)
        next_closes = mark["end"] is not None if mark else next_closes
    gaps, starts, behind, is_in_link = list[int](), list[int](), 0, False
    for (start, end), mark, is_followed in zip(spans, marks, reversed(closes), strict=True):
        if not is_in_link:
            gaps += [gap.end() for gap in _SPACE.finditer(sentence, behind, start)]
            starts.append(start)
        behind, is_in_link = end, mark["end"] is None and is_followed if mark else is_in_link
    return gaps + [gap.end() for gap in _SPACE.finditer(sentence, behind)], starts


def source_ids(
    sentences: Iterable[str], tokenizer: Tokenizer, target: str, max_ids: int
) -> list[list[int]]:
    """Return what the encoder is to read of all parts of some sentences; see `parts_of`."""
    parts = (part for text in sentences for part in parts_of(text, tokenizer, target, max_ids))
    return [list(part.source_ids) for part in parts if part.source_ids]
