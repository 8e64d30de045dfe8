"""Marks are taken out of a text before it is translated, and put back where their words went.

So the model reads plain sentences, and a model without placeholders can keep marks, too. A pair
goes around the words that attend most to those it was around; see `places`. A span that must
come back verbatim, and that the model had to read, takes the place of the words it has become.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from translator.documents.markup.inline import TOKEN
from translator.text.marked import MarkedText
from translator.text.spans import Span


class Mark(NamedTuple):
    """What has been taken out of a text; `start` and `end` are places in the text that is left.

    Attributes:
        kind: of a pair one `opens` and one `closes`; an image stands `alone`; a `span` was replaced
            by what the model is to read, which is the only one that is not empty.
        token: what comes back.
        number: the same for both of a pair.
    """

    kind: Literal["opens", "closes", "alone", "span"]
    token: str
    number: str
    start: int
    end: int


class Taken(NamedTuple):
    """A text without its marks, to be translated, and those in order."""

    text: MarkedText
    marks: tuple[Mark, ...]


def take_out(marked: MarkedText, has_placeholders: bool) -> Taken:
    """Return a text without the marks that are no part of a sentence: pairs, images, comments.

    Args:
        marked: any text.
        has_placeholders: whether the model can carry other spans; if not, they become what the
            model reads, and are marks as well.
    """
    if not marked.spans:
        return Taken(marked, ())
    taking = _Taking(has_placeholders)
    done = 0
    for start, end in marked.spans:
        taking.add_text(marked.text[done:start])
        is_word = has_placeholders and _stands_for_a_word(marked.text, start, end)
        for token in () if is_word else TOKEN.finditer(marked.text, start, end):
            taking.add_span(marked.text[start : token.start()])
            taking.add_token(token)
            start = token.end()
        taking.add_span(marked.text[start:end])
        done = end
    taking.add_text(marked.text[done:])
    return Taken(
        replace(marked, text="".join(taking.pieces), spans=tuple(taking.spans)), tuple(taking.marks)
    )


def _stands_for_a_word(text: str, start: int, end: int) -> bool:
    """Return whether a sentence lacks a word without a mark: `press <img>, then wait`."""
    token = TOKEN.fullmatch(text, start, end)
    around = text[max(start - 1, 0) : start] + text[end : end + 1]
    return bool(token and token["alone"] and re.fullmatch(r"[\s(\[][,.;:!?)\]]", around))


class _Taking:
    def __init__(self, has_placeholders: bool) -> None:
        self.pieces: list[str] = []
        self.spans: list[Span] = []
        self.marks: list[Mark] = []
        self._has_placeholders, self._length = has_placeholders, 0

    def add_text(self, text: str) -> None:
        was_between = bool(self.marks and self.pieces) and self.marks[-1].end == self._length
        if was_between and text.startswith(" ") and self.pieces[-1].endswith(" "):
            text, mark = text[1:], self.marks[-1]
            if mark.kind in ("alone", "opens"):  # the space that is taken out comes back with it
                self.marks[-1] = mark._replace(token=mark.token + " ")
        if text:
            self.pieces.append(text)
            self._length += len(text)

    def add_span(self, text: str, shown: str | None = None) -> None:
        if not text:
            return
        start = self._length
        self.add_text(text if self._has_placeholders or shown is None else shown)
        if self._has_placeholders:
            self.spans.append((start, self._length))
        else:
            self.marks.append(Mark("span", text, "", start, self._length))

    def add_token(self, token: re.Match[str]) -> None:
        if token["text"]:
            self.add_span(token[0], token["text"])
            return
        kind: Literal["opens", "closes", "alone"] = "closes" if token["end"] else "opens"
        kind = "alone" if token["alone"] else kind
        self.marks.append(Mark(kind, token[0], token["number"], self._length, self._length))


@dataclass(slots=True)
class Region:
    """What belongs together in a sentence, and where it is in the translation.

    Attributes:
        source: start and end in the source; empty for a mark that stands alone.
        before: token to put before it; empty if it belongs to an earlier sentence.
        after: token to put behind it.
        is_replaced: whether `before` takes its place.
        inner: regions inside.
        target: start and end in the translation.
    """

    source: Span
    before: str = ""
    after: str = ""
    is_replaced: bool = False
    inner: list[Region] = field(default_factory=list)
    target: Span = (0, 0)


def regions_of(marks: Sequence[Mark], start: int, end: int) -> list[Region]:
    """Return the marks of a sentence as regions, properly nested.

    Args:
        marks: of the sentence.
        start: where it begins in the text; places in the regions are counted from there.
        end: where it ends.
    """
    outer = Region((0, end - start))
    opened: list[tuple[str, Region]] = [("", outer)]
    for mark in marks:
        place = (mark.start - start, mark.end - start)
        region = Region(place, mark.token, is_replaced=mark.kind == "span")
        if mark.kind == "opens":
            region.source = (place[0], end - start)
            opened[-1][1].inner.append(region)
            opened.append((mark.number, region))
        elif mark.kind != "closes":
            opened[-1][1].inner.append(region)
        elif opened[-1][0] == mark.number:
            closed = opened.pop()[1]
            closed.source, closed.after = (closed.source[0], place[0]), mark.token
        else:  # it began in an earlier sentence, so it has all that comes before
            begun = Region((0, place[0]), after=mark.token, inner=opened[-1][1].inner)
            opened[-1][1].inner = [begun]
    return outer.inner


def with_tokens(target: str, regions: Sequence[Region]) -> str:
    """Return a translation with the tokens of its regions, whose targets have been found."""
    pieces, done = list[str](), 0
    for start, end, token in _insertions(regions):
        pieces += [target[done : max(start, done)], token]
        done = max(done, end)
    return "".join([*pieces, target[done:]])


def _insertions(regions: Sequence[Region]) -> Iterator[tuple[int, int, str]]:
    """Yield in order what is replaced in a translation, and by what."""
    for region in sorted(regions, key=lambda one: one.target):
        start, end = region.target
        if region.is_replaced:
            yield start, end, region.before
            continue
        yield start, start, region.before
        yield from _insertions(region.inner)
        yield end, end, region.after
