"""Where a paragraph of a page is parted into several texts."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from translator.documents.document import Piece
from translator.documents.markup.entities import decode
from translator.documents.markup.html_tokens import Rules
from translator.documents.markup.inline import Item, is_sign
from translator.text.characters import has_letters

Markup = tuple[Piece, ...]
"""A part of a page as it comes back; attributes that are translated are units in it."""

HtmlItem = Item[Markup]
"""A text has its entities; `pair` is the name of an element that opens or closes, or says what
stands: a `LINE_BREAK`, for example."""

LINE_BREAK, GAP = "br", "gap"
"""A `<br>`; an empty element of XML, or one with a space, which parts the words that it touches."""

_WRAPPED_LINE = 40
"""Characters before a `<br>` that only wraps a sentence, at least."""


def separating_breaks(items: Sequence[HtmlItem]) -> list[int]:
    """Return the places of breaks, but not of those `<br>` inside a sentence that is wrapped."""
    found: list[int] = []
    before = ""
    waiting: int | None = None  # a `<br>` of which we do not know yet what follows
    for place, item in enumerate(items):
        if item.kind == "text" and item.text.strip():
            if waiting is not None and not _goes_on(before, item.text.lstrip()):
                found.append(waiting)
            is_new_line = waiting is not None or (found and not before)
            before = item.text if is_new_line else before + item.text
            before, waiting = before[-200:], None
        elif item.kind == "break":
            if waiting is not None or item.pair != LINE_BREAK or not before:
                found += [place] if waiting is None else [waiting, place]
                before, waiting = "", None
            else:
                waiting = place
    return [*found, waiting] if waiting is not None else found


def _goes_on(before: str, after: str) -> bool:
    line = before.strip()
    ends_open = line[-1:].isalnum() or line.endswith(",")
    return ends_open and len(line) >= _WRAPPED_LINE and after[0].islower()


_BAR = re.compile(r"\s*[|·•‣∙⋅/\\»›→>–—-]*\s*")
_ENDS_LABEL = re.compile(r"[^\W_][.!?:…)”“]*\Z")
_ENDS_SENTENCE = re.compile(r"[.!?…]\W*\Z")


class _Part(NamedTuple):
    """An element of a paragraph with all inside, or what stands beside elements."""

    start: int
    end: int
    text: str
    is_element: bool
    is_link: bool


def _parts(items: Sequence[HtmlItem], joining: frozenset[str]) -> Iterator[_Part]:
    """Yield the parts of a paragraph that are read, but not what is only between others.

    `joining` are names of elements that part nothing.
    """
    start = depth = 0
    for place, item in enumerate(items):
        depth += (item.kind == "opens") - (item.kind == "closes")
        if depth == 0:
            own = items[start : place + 1]
            text = decode("".join(one.read or one.text for one in own))
            if len(own) > 1 or not _BAR.fullmatch(text):
                is_link = any(one.kind == "opens" and one.pair == "a" for one in own)
                is_element = len(own) > 1 and own[0].pair not in joining
                yield _Part(start, place + 1, text, is_element, is_link)
            start = place + 1


def cuts_of(items: Sequence[HtmlItem], rules: Rules) -> Sequence[int]:
    """Return where to cut a paragraph into the texts that stand side by side in it.

    Those are elements with nothing but a space, nothing, or a bar between them, and labels at the
    beginning that touch the capital behind them. A sentence is not cut, nor a word: see `_parted`.
    """
    parts = list(_parts(items, rules.joining)) if rules.finds_outline else []
    is_row = all(part.is_element for part in parts)
    is_sentence = not (is_row and parts) or _ENDS_SENTENCE.search(parts[-1].text) is not None
    cuts = list[int]()
    for left, right in itertools.pairwise(parts):
        touch = not any(item.text or item.kind == "break" for item in items[left.end : right.start])
        pair = items[right.start].pair if touch and right == parts[-1] else None
        if (left.is_element and _parted(left, right, touch, is_row, is_sentence)) or (
            pair in _BADGES and _is_badge(left, right, pair == "small")
        ):
            cuts += [left.end] if touch else [left.end, right.start]
        elif not is_row:
            break
    return cuts


_BADGES = frozenset({"label", "small", "span", "sup"})


def _is_badge(left: _Part, right: _Part, is_small: bool) -> bool:
    """Return whether an element at the end is no part of the sentence: `Messages<…>New</…>`.

    It touches the word before it with a capital, or with several words, or is a small remark.
    """
    is_remark = is_small and not _ENDS_SENTENCE.search(right.text)
    if left.text[-1:].isspace() or not right.text[:1].isalpha():
        return is_remark
    is_name = len(left.text) < 5 or right.text[1:2].isupper()  # as in `Mac<span>OS</span>`
    is_own = is_remark or " " in right.text.strip() or (right.text[:1].isupper() and not is_name)
    return left.text[-2:].isalpha() and left.text[-1].islower() and is_own


def _parted(left: _Part, right: _Part, touch: bool, is_row: bool, is_sentence: bool) -> bool:
    """Return whether an element and what follows are texts of their own."""
    begins = right.text[:1].isupper() or right.text[:1].isdigit()
    if is_row and left.is_link and right.is_link:
        return True
    if not touch:
        return is_row and (begins or not has_letters(right.text))
    is_initial = sum(map(str.isalpha, left.text)) < 2 and not (begins and left.text.islower())
    is_label = _ENDS_LABEL.search(left.text) and (is_row or " " in right.text)
    if is_initial or not is_label or is_sign(right.text):  # `<b>You</b>Tube` is no label
        return False
    return begins or not (is_sentence or right.text[:1].isspace())
