"""One sentence of a message: numbers in the places of its counted arguments, and the way back.

A model that reads `25 votes` chooses the right words more surely than one that reads a placeholder.
If the number does not come back as it was, the sentence is taken that had a placeholder.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from translator.text.formats.document import Piece, Unit
from translator.text.icu.program import marked_message
from translator.text.icu.syntax import Text, Verbatim
from translator.text.marked import MarkedText
from translator.text.spans import Span

Write = Callable[[str], str]


@dataclass(frozen=True, slots=True, eq=False)
class _Sentence:
    """A sentence with its arguments as they stand.

    Attributes:
        marked: what to translate.
        raws: of the arguments, which are not quoted.
        quote: writes text as ICU does.
        escape: writes all of it as the file does.
    """

    marked: MarkedText
    raws: tuple[str, ...]
    quote: Write
    escape: Write

    @property
    def inner(self) -> Sequence[Unit]:
        """Nothing."""
        return ()

    def render(self, translation: str) -> Iterator[Piece]:
        """Yield the translation, with its text quoted."""
        done = 0
        for raw in _finder(self.raws).finditer(translation):
            yield self.escape(self.quote(translation[done : raw.start()]) + raw[0])
            done = raw.end()
        yield self.escape(self.quote(translation[done:]))


@dataclass(frozen=True, slots=True, eq=False)
class _Counted:
    """The same sentence with a number for each counted argument.

    Attributes:
        marked: what to translate.
        numbers: each with what it stands for, in the order of the sentence.
        plain: the sentence with its arguments.
    """

    marked: MarkedText
    numbers: tuple[tuple[str, str], ...]
    plain: _Sentence

    @property
    def inner(self) -> Sequence[Unit]:
        """Return the sentence with its arguments."""
        return (self.plain,)

    def render(self, translation: str) -> Iterator[Piece]:
        """Yield the translation with arguments for numbers; the plain one if one is missing."""
        waiting: dict[str, list[str]] = {}
        for number, raw in self.numbers:
            waiting.setdefault(number, []).append(raw)
        finder = re.compile(rf"(?<![\d.,])(?:{'|'.join(waiting)})(?!\d|[.,]\d)")
        found = [match[0] for match in finder.finditer(translation)]
        if sorted(found) != sorted(number for number, _ in self.numbers):
            yield self.plain
            return
        yield from self.plain.render(
            finder.sub(lambda match: waiting[match[0]].pop(0), translation)
        )


def leaf_pieces(
    parts: Sequence[Text | Verbatim],
    numbers: Mapping[str, Sequence[int]],
    quote: Write,
    escape: Write,
) -> Iterator[Piece]:
    """Yield one sentence, and the white space around it.

    Args:
        parts: of the sentence; some have letters.
        numbers: that may stand for arguments.
        quote: writes text as ICU does.
        escape: writes all of it as the file does.
    """
    raws = tuple(part.raw for part in parts if isinstance(part, Verbatim))
    plain = _Sentence(_marked(parts, {}), raws, quote, escape)
    written = "".join(part.text for part in parts if isinstance(part, Text))
    free = {
        argument: str(number)
        for argument, possible in numbers.items()
        if (number := next((n for n in possible if str(n) not in written), None)) is not None
    }
    counted = tuple(
        (free[part.argument], part.raw)
        for part in parts
        if isinstance(part, Verbatim) and part.argument in free
    )
    if counted and len({*free.values()}) == len(free):
        yield _Counted(_marked(parts, free), counted, plain)
    else:
        yield plain


def _marked(parts: Sequence[Text | Verbatim], numbers: Mapping[str, str]) -> MarkedText:
    """Return the sentence with its arguments as spans, or with numbers for some of them."""
    text, spans = "", list[Span]()
    for part in parts:
        start = len(text)
        if isinstance(part, Text):
            spans += [(start + a, start + b) for a, b in marked_message(part.text).spans]
            text += part.text
        elif part.argument in numbers:
            text += numbers[part.argument]
        else:
            text += part.raw
            spans.append((start, len(text)))
    return MarkedText(text, tuple(spans))


def _finder(raws: Sequence[str]) -> re.Pattern[str]:
    if not raws:
        return re.compile(r"(?!)")
    longest_first = sorted({*raws}, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, longest_first)))
