"""A paragraph with marks inside it, such as tags, as one text that can be translated.

Each mark becomes a short token in the text, and the token a span that comes back verbatim. The
tokens look like tags, so the steps that put spans back know which open and which close something.
Tokens that touch are one span. After translation the tokens become marks again, wherever they have
moved to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Generic, NamedTuple, TypeVar

from translator.text.marked import MarkedText
from translator.text.spans import Span

Mark = TypeVar("Mark")

_FIRST, _LAST = 0xF0000, 0xFFFFD  # private use: a text hardly ever has such characters
_BASE = _LAST - _FIRST + 1
_DIGITS = f"[{chr(_FIRST)}-{chr(_LAST)}]"
_NOT_SHOWN = re.compile(rf"[\s<>]|{_DIGITS}")
_LONGEST_SHOWN = 40
_FOREIGN = re.compile(f"{_DIGITS}+")
TOKEN = re.compile(f"<(?P<end>/?)(?P<number>{_DIGITS}+)(?P<alone>(?:=(?P<text>[^<>]*))?/)?>")
"""Of a pair the second has an `end`. One that stands `alone` may have a `text` that is read."""


class _Event(NamedTuple):
    """A token in a translation: it opens (``), closes (`/`), `stands` alone, or comes `again`."""

    start: int
    end: int
    kind: str
    number: int


class Inline(Generic[Mark]):
    """Gathers the pieces of one paragraph in order, and finds them in its translation.

    A mark may be anything: HTML's markup as it stands, or elements of a file. `opens` and `closes`
    are called in pairs, properly nested.
    """

    __slots__ = ("_length", "_marks", "_open", "_spans", "_text")

    def __init__(self) -> None:
        """Begin with nothing."""
        self._text: list[str] = []
        self._length = 0
        self._spans: list[Span] = []
        self._marks: list[tuple[Mark, Mark | None] | str] = []  # None: it stands alone
        self._open: list[tuple[int, Mark]] = []

    def add_text(self, text: str) -> None:
        """Add text, unescaped."""
        done = 0
        for foreign in _FOREIGN.finditer(text):  # the text's own, which could be taken for tokens
            self._add(text[done : foreign.start()])
            self._add_span(f"<{_digits(len(self._marks))}=?/>")
            self._marks.append(foreign[0])
            done = foreign.end()
        self._add(text[done:])

    def add_verbatim(self, text: str) -> None:
        """Add text that comes back as it is, such as the content of `<code>`."""
        self._add_span(text)

    def opens(self, mark: Mark) -> None:
        """Add a mark that a later `closes` belongs to."""
        number = len(self._marks)
        self._marks.append((mark, None))
        self._open.append((number, mark))
        self._add_span(f"<{_digits(number)}>")

    def closes(self, mark: Mark) -> None:
        """Add the mark that closes the last one that is open.

        Raises:
            ValueError: none is open.
        """
        if not self._open:
            raise ValueError("closes: no mark is open")
        number, opening = self._open.pop()
        self._marks[number] = (opening, mark)
        self._add_span(f"</{_digits(number)}>")

    def stands(self, mark: Mark, text: str = "") -> None:
        """Add a mark that stands alone, such as an image.

        Args:
            mark: any.
            text: what a reader sees of it as a part of the sentence, such as the code in `<code>`.
        """
        number = len(self._marks)
        self._marks.append((mark, None))
        shown = _NOT_SHOWN.sub(" ", text).strip()[:_LONGEST_SHOWN]
        self._add_span(f"<{_digits(number)}={shown}/>" if shown else f"<{_digits(number)}/>")

    def marked(self) -> MarkedText:
        """Return the paragraph as it is to be translated."""
        return MarkedText("".join(self._text), tuple(self._spans))

    def pieces(self, translation: str) -> Iterator[str | tuple[Mark]]:
        """Yield a translation's texts and marks in order; a mark comes in a tuple of one.

        Marks are properly nested again, and each comes exactly once: where a translation has an end
        before its beginning, the two change places; where pairs cross, the inner one ends early; a
        mark that is missing follows at the end.
        """
        done, opened = 0, list[int]()
        is_open = [False] * len(self._marks)
        for event in self._events(translation):
            if done < event.start:
                yield translation[done : event.start]
            done = event.end
            if event.kind == "again":
                continue
            if event.kind == "/":
                while is_open[event.number]:  # what is open inside it ends here, too
                    is_open[opened[-1]] = False
                    yield from self._closing(opened.pop())
                continue
            mark = self._marks[event.number]
            yield mark if isinstance(mark, str) else (mark[0],)
            if event.kind == "":
                opened.append(event.number)
                is_open[event.number] = True
        if done < len(translation):
            yield translation[done:]
        while opened:
            yield from self._closing(opened.pop())

    def _events(self, translation: str) -> list[_Event]:
        """Return where each mark's own tokens stand, once each, beginnings before their ends."""
        first: dict[tuple[str, int], _Event] = {}
        repeated: list[_Event] = []
        for found in TOKEN.finditer(translation):
            number = _number(found["number"])
            kind = "stands" if found["alone"] else found["end"]
            if number < len(self._marks) and (kind == "stands") == self._stands(number):
                event = _Event(found.start(), found.end(), kind, number)
                if first.setdefault((kind, number), event) is not event:
                    repeated.append(event._replace(kind="again"))
        end = len(translation)
        for number in range(len(self._marks)):
            for kind in ("stands",) if self._stands(number) else ("", "/"):
                first.setdefault((kind, number), _Event(end, end, kind, number))
        for number in range(len(self._marks)):
            begins, ends = first.get(("", number)), first.get(("/", number))
            if begins and ends and ends.start < begins.start:
                first["", number] = ends._replace(kind="")
                first["/", number] = begins._replace(kind="/")
        return sorted((*first.values(), *repeated), key=lambda event: event.start)

    def _stands(self, number: int) -> bool:
        mark = self._marks[number]
        return isinstance(mark, str) or mark[1] is None

    def _closing(self, number: int) -> Iterator[tuple[Mark]]:
        mark = self._marks[number]
        if not isinstance(mark, str) and mark[1] is not None:
            yield (mark[1],)

    def _add(self, text: str) -> None:
        self._text.append(text)
        self._length += len(text)

    def _add_span(self, text: str) -> None:
        if not text:
            return
        start = self._length
        self._add(text)
        if self._spans and self._spans[-1][1] == start:
            start = self._spans.pop()[0]
        self._spans.append((start, self._length))


def _digits(number: int) -> str:
    """Return a number in private characters."""
    digits = chr(_FIRST + number % _BASE)
    return digits if number < _BASE else _digits(number // _BASE) + digits


def _number(digits: str) -> int:
    """Return the number that `_digits` has written."""
    number = 0
    for digit in digits[:4]:  # a text's own may be longer
        number = number * _BASE + ord(digit) - _FIRST
    return number
