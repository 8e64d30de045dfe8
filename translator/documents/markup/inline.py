"""A paragraph with marks inside it, such as tags, as one text that can be translated.

Each mark becomes a short token in the text, and the token a span that comes back verbatim. The
tokens look like tags, so the steps that put spans back know which open and which close something.
Tokens that touch are one span. After translation the tokens become marks again, wherever they have
moved to.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Literal, NamedTuple, TypeVar

from translator.text.marked import MarkedText
from translator.text.spans import Span

Mark = TypeVar("Mark")
Kind = Literal["text", "verbatim", "opens", "closes", "stands", "break"]

_FIRST, _LAST = 0xF0000, 0xFFFFD  # private use: a text hardly ever has such characters
_BASE = _LAST - _FIRST + 1
_DIGITS = f"[{chr(_FIRST)}-{chr(_LAST)}]"
_NOT_SHOWN = re.compile(rf"[\s<>]|{_DIGITS}")
_LONGEST_SHOWN = 40
FIRST_LETTER = re.compile(r"[^\w\s]*\w")
"""Of a word, with the signs before it: what an initial encloses."""

_FOREIGN = re.compile(f"{_DIGITS}+")
TOKEN = re.compile(f"<(?P<end>/?)(?P<number>{_DIGITS}+)(?P<alone>(?:=(?P<text>[^<>]*))?/)?>")
"""Of a pair the second has an `end`. One that stands `alone` may have a `text` that is read."""

_MARKS = r"(?:[\d*†‡+−-]{1,4}|[A-Za-zα-ω]|[ivx]{2,5})"
_SIGN = re.compile(rf"[\[(]?{_MARKS}(?:[,–]\s?{_MARKS}){{0,5}}[])]?")


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
        """Add a mark that stands alone; a reader sees its text, as the code in `<code>`."""
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


@dataclass(frozen=True, slots=True)
class Item(Generic[Mark]):
    """A piece of a paragraph.

    Attributes:
        kind: `text`; text that comes back `verbatim`; a mark that `opens` or `closes` something,
            `stands` alone, or is a `break` of a line.
        text: of the first two kinds.
        mark: of the others.
        read: what one that stands alone adds to the sentence, such as a number of a page.
        pair: what a mark that opens has in common with the one that closes it.
    """

    kind: Kind
    text: str = ""
    mark: Mark | None = None
    pair: Hashable = None
    read: str = ""

    @property
    def is_unread(self) -> bool:
        """Whether it is white space, or stands alone and is no part of a sentence."""
        if self.kind == "stands":
            return not self.read
        return self.kind == "text" and not self.text.strip()


def paired(items: Iterable[Item[Mark]]) -> list[Item[Mark]]:
    """Return the items so that all that open are closed, properly nested.

    A mark without its partner stands alone, and so do both of a pair that crosses another.
    """
    result = list(items)
    opened: list[int] = []
    places = defaultdict[Hashable, list[int]](list)  # of those that are open, by what they share
    for number, item in enumerate(result):
        if item.kind == "opens":
            opened.append(number)
            places[item.pair].append(number)
        elif item.kind == "closes":
            if not places[item.pair]:
                result[number] = replace(item, kind="stands")
                continue
            place = places[item.pair].pop()
            while (crossing := opened.pop()) != place:
                places[result[crossing].pair].pop()
                result[crossing] = replace(result[crossing], kind="stands")
    for number in opened:
        result[number] = replace(result[number], kind="stands")
    return result


def without_edges(
    items: Sequence[Item[Mark]],
    is_unread: Callable[[Item[Mark]], bool] = lambda item: item.is_unread,
) -> tuple[Sequence[Item[Mark]], Sequence[Item[Mark]], Sequence[Item[Mark]]]:
    """Return what comes before the words of a paragraph, the paragraph, and what comes after.

    Marks that stand at an edge need not pass by a model, nor do pairs around the whole.

    Args:
        items: all pairs are complete.
        is_unread: tells what may stand at an edge.
    """
    first, last = 0, len(items)
    partner = _partners(items)
    while first < last:
        item, end = items[first], items[last - 1]
        if is_unread(item):
            first += 1
        elif is_unread(end):
            last -= 1
        elif item.kind == "opens" and partner[first] == last - 1:
            first, last = first + 1, last - 1
        elif item.kind == "opens" and partner[first] == first + 1:
            first += 2
        elif end.kind == "closes" and partner[last - 1] == last - 2:
            last -= 2
        else:
            break
    return items[:first], items[first:last], items[last:]


def is_sign(text: str) -> bool:
    """Return whether a raised or lowered text is no word: a note's number or letter, an exponent.

    Counts of atoms and indices are such, too.
    """
    return _SIGN.fullmatch(text.strip()) is not None


def inline_of(items: Iterable[Item[Mark]]) -> Inline[Mark]:
    """Return items, whose pairs are complete, as a paragraph to translate."""
    inline: Inline[Mark] = Inline()
    for item in items:
        if item.kind in ("text", "verbatim"):
            (inline.add_text if item.kind == "text" else inline.add_verbatim)(item.text)
            continue
        assert item.mark is not None  # only texts have none
        if item.kind == "opens":
            inline.opens(item.mark)
        elif item.kind == "closes":
            inline.closes(item.mark)
        else:
            inline.stands(item.mark, item.read)
    return inline


def _partners(items: Sequence[Item[Mark]]) -> dict[int, int]:
    partner, opened = dict[int, int](), list[int]()
    for number, item in enumerate(items):
        if item.kind == "opens":
            opened.append(number)
        elif item.kind == "closes":
            partner[number] = opened.pop()
            partner[partner[number]] = number
    return partner


def _digits(number: int) -> str:
    digits = chr(_FIRST + number % _BASE)
    return digits if number < _BASE else _digits(number // _BASE) + digits


def _number(digits: str) -> int:
    number = 0
    for digit in digits[:4]:  # a text's own may be longer
        number = number * _BASE + ord(digit) - _FIRST
    return number
