"""A sentence as the model reads it in the second pass, and where its places are in the sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from translator.documents.markup.inline import TOKEN
from translator.text.characters import Alphabet, symbols
from translator.text.spans import Span, find_spans
from translator.tokens.port import Vocabulary


class Readable(NamedTuple):
    """A sentence as the model reads it: each span is one placeholder, or its visible text.

    Attributes:
        text: for the model.
        starts: pairs of offsets, into the sentence and into `text`, that belong together; rising.
    """

    text: str
    starts: tuple[Span, ...]

    def offset_of(self, place: int) -> int:
        """Return where a place of the sentence is in `text`."""
        return _moved(place, self.starts)

    def place_of(self, offset: int) -> int:
        """Return where an offset into `text` is in the sentence."""
        return _moved(offset, [(second, first) for first, second in self.starts])


def readable(sentence: str, shown: Sequence[tuple[Span, str]]) -> Readable:
    """Return a sentence with a few of its spans shown in another way.

    Args:
        sentence: any.
        shown: spans in order, and what the model reads instead of each.
    """
    pieces, starts, done, length = list[str](), [(0, 0)], 0, 0
    for (start, end), text in shown:
        pieces += [sentence[done:start], text]
        length += start - done
        starts.append((start, length))
        length += len(text)
        starts.append((end, length))
        done = end
    return Readable("".join([*pieces, sentence[done:]]), tuple(starts))


def _moved(place: int, starts: Sequence[Span]) -> int:
    first, second = max((pair for pair in starts if pair[0] <= place), default=(0, 0))
    following = min((other for one, other in starts if one > place), default=None)
    moved = second + place - first
    return moved if following is None else min(moved, following)


def names_of(spans: Sequence[str], tokenizer: Vocabulary) -> dict[str, str]:
    """Return a placeholder for each of some spans, as long as there are any."""
    return dict(zip(dict.fromkeys(spans), symbols(tokenizer.num_placeholders), strict=False))


def readable_pair(
    source: str, spans: Sequence[Span], target: str, tokenizer: Vocabulary
) -> tuple[Readable, Readable]:
    """Return a sentence and its translation with the same placeholders for the same spans."""
    names = names_of([source[slice(*span)] for span in spans], tokenizer)
    alphabet = tokenizer.alphabet
    return _with_names(source, names, alphabet), _with_names(target, names, alphabet)


def _with_names(text: str, names: Mapping[str, str], alphabet: Alphabet) -> Readable:
    if not names:
        return readable(text, [])
    known = [found.span() for found in TOKEN.finditer(text)]
    own = [(span, text[slice(*span)]) for span in find_spans(text, known, alphabet)]
    return readable(text, [(span, names[it]) for span, it in own if it in names])
