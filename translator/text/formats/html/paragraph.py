"""What stands between two block elements: text and tags, gathered and made into units."""

from __future__ import annotations

import html
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence

from translator.text.characters import has_letters
from translator.text.formats.document import Piece, Unit
from translator.text.formats.html.rules import ITALIC, RAISED
from translator.text.formats.inline import Item, inline_of, is_sign, paired, without_edges
from translator.text.icu.message import message_pieces
from translator.text.icu.syntax import may_be_message, read_message
from translator.text.marked import MarkedText
from translator.text.numbers.signs import may_stand_alone

Markup = tuple[Piece, ...]
"""A part of a page as it comes back; attributes that are translated are units in it."""

HtmlItem = Item[Markup]
"""A text has its entities; `pair` is the name of the element; only a `<br>` and a choice are breaks
with one."""

NO_BREAK = "\u00a0"
_SPACES = re.compile(r"[ \t\n\r\f]+")
_BLANK_LINE = re.compile(r"(\n[ \t\r\f]*\n)")
_BEFORE = re.compile(rf"(?:[ \t\n\r\f{NO_BREAK}]|&nbsp;|&#160;)*")
_AFTER_BACKWARDS = re.compile(rf"(?:[ \t\n\r\f{NO_BREAK}]|;psbn&|;061#&)*")
_WRAPPED_LINE = 40
"""Characters before a `<br>` that only wraps a sentence, at least."""


class ParagraphUnit:
    """One text to translate, with the marks inside it."""

    __slots__ = ("_breaks", "_entities", "_inline", "_whole", "inner", "marked")

    def __init__(self, items: Sequence[HtmlItem], keeps_spaces: bool) -> None:
        """Make one of items without unneeded edges, whose pairs are all complete.

        Args:
            items: of the paragraph.
            keeps_spaces: whether white space means something, as in a text without tags.
        """
        self._whole = joined(items)
        self._entities = entities_of("".join(item.text for item in items))
        self._breaks: list[tuple[float, Markup]] = []  # with the share of the text before each
        shown, before = list[HtmlItem](), ""
        for item in items:
            if item.kind == "text":
                text = decode(item.text)
                text = text if keeps_spaces else _SPACES.sub(" ", text)
                text = text.removeprefix(" ") if self._breaks and before.endswith(" ") else text
            elif item.kind == "break":
                self._breaks.append((len(before), item.mark or ()))
                text = "" if before.endswith(" ") else " "
            else:
                shown.append(item)
                continue
            shown.append(Item("text", text))
            before += text
        self._inline = inline_of(shown)
        self._breaks = [(place / len(before), markup) for place, markup in self._breaks]
        self.marked: MarkedText = self._inline.marked()
        self.inner: Sequence[Unit] = [piece for piece in self._whole if not isinstance(piece, str)]

    def choices(self, target: str | None) -> Sequence[Piece]:
        """Return the pieces of a message of ICU; nothing if the unit is none.

        A message in which tags stand comes back as it is.

        Args:
            target: code of the language wanted; plurals get its categories.
        """
        if not may_be_message(self.marked.text):
            return ()  # as nearly always
        if self.marked.spans:
            return self._whole if read_message(self.marked.text) else ()
        found = message_pieces(self.marked.text, target, lambda text: encode(text, self._entities))
        return found or ()

    def render(self, translation: str) -> Markup:
        """Return what takes the place of this unit."""
        if translation == self.marked.text:
            return self._whole
        kept = keep_no_breaks(self.marked.text, translation)
        rendered: list[Piece] = []
        for piece in self._with_breaks(list(self._inline.pieces(kept))):
            if isinstance(piece, str):
                rendered.append(encode(piece, self._entities))
            else:
                rendered += piece[0]
        return tuple(rendered)

    def _with_breaks(self, pieces: Sequence[str | tuple[Markup]]) -> Iterator[str | tuple[Markup]]:
        """Yield texts and marks with the breaks of lines, at spaces near the same places."""
        waiting, done = list(self._breaks), 0
        size = sum(len(piece) for piece in pieces if isinstance(piece, str))
        for piece in pieces:
            if not isinstance(piece, str):
                yield piece
                continue
            start = 0
            for space in _SPACES.finditer(piece):
                behind = _SPACES.search(piece, space.end())
                following = behind.start() if behind else len(piece)
                while waiting and done + (space.start() + following) / 2 >= waiting[0][0] * size:
                    yield piece[start : space.start()]
                    yield (waiting.pop(0)[1],)
                    start = space.end()
            yield piece[start:]
            done += len(piece)
        yield from ((markup,) for _, markup in waiting)


def joined(items: Sequence[HtmlItem]) -> Markup:
    """Return the markup of some items."""
    return tuple(piece for item in items for piece in item.mark or (item.text,))


def text_items(raw: str) -> Iterator[HtmlItem]:
    """Yield a text of a page as items; a blank line is a break, for some mean a new paragraph."""
    for number, part in enumerate(_BLANK_LINE.split(raw)):
        if part:
            yield Item("break", mark=(part,)) if number % 2 else Item("text", part)


def units_of(
    items: Sequence[HtmlItem], keeps_spaces: bool = False
) -> Iterator[ParagraphUnit | Markup]:
    """Yield the units of a paragraph, and the markup around them, in order."""
    start = 0
    for place in (*_separating_breaks(items), len(items)):
        yield from _unit_of(items[start:place], keeps_spaces)
        if place < len(items):
            yield items[place].mark or ()
        start = place + 1


def _separating_breaks(items: Sequence[HtmlItem]) -> list[int]:
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
            if waiting is not None or item.pair != "br" or not before:
                found += [place] if waiting is None else [waiting, place]
                before, waiting = "", None
            else:
                waiting = place
    return [*found, waiting] if waiting is not None else found


def _goes_on(before: str, behind: str) -> bool:
    line = before.strip()
    ends_open = line[-1:].isalnum() or line.endswith(",")
    return ends_open and len(line) >= _WRAPPED_LINE and behind[0].islower()


def _number_of(items: Sequence[HtmlItem], keeps_spaces: bool) -> Iterator[ParagraphUnit | Markup]:
    """Yield the unit of items without letters, if all their text is one number, and its edges."""
    places = [n for n, item in enumerate(items) if item.kind == "text" and item.text.strip()]
    if len(places) != 1 or not may_stand_alone(decode(items[places[0]].text).strip()):
        yield joined(items)
        return
    [place] = places
    behind_start, before = _split_start(items[place])
    number, behind = _split_end(behind_start)
    yield joined([*items[:place], before])
    yield ParagraphUnit([number], keeps_spaces)
    yield joined([behind, *items[place + 1 :]])


def _unit_of(items: Sequence[HtmlItem], keeps_spaces: bool) -> Iterator[ParagraphUnit | Markup]:
    """Yield the unit that some items make, if there is something to translate, and its edges."""
    if not any(item.kind == "text" and has_letters(decode(item.text)) for item in items):
        yield from _number_of(items, keeps_spaces)
        return
    whole = _without_empty_pairs(_with_variables(paired(_joined_stands(items))))
    if not any(item.kind == "text" and has_letters(decode(item.text)) for item in whole):
        yield joined(whole)
        return
    before, inner, behind = map(list, without_edges(whole, _is_edge))
    if inner[0].kind == "text":
        inner[0], space = _split_start(inner[0])
        before.append(space)
    if inner[-1].kind == "text":
        inner[-1], space = _split_end(inner[-1])
        behind.insert(0, space)
    yield joined(before)
    yield ParagraphUnit(inner, keeps_spaces)
    yield joined(behind)


_VARIABLE = re.compile(r"[A-Za-zα-ωΑ-Ω]")
_MAY_BE_WORD = frozenset("aAIO")
"""Letters that are words of some language: variables only if there are others in the paragraph."""


def _with_variables(items: list[HtmlItem]) -> list[HtmlItem]:
    """Return items with one in place of each slanted letter that stands for a number."""
    places = [
        place
        for place, item in enumerate(items)
        if item.kind == "opens"
        and item.pair in ITALIC
        and [one.kind for one in items[place + 1 : place + 3]] == ["text", "closes"]
        and _VARIABLE.fullmatch(items[place + 1].text)
        and not any(map(str.isalpha, _around(items, place)))
    ]
    if all(items[place + 1].text in _MAY_BE_WORD for place in places):
        return items  # as nearly always
    result, done = list[HtmlItem](), 0
    for place in places:
        pair = items[place : place + 3]
        result += [*items[done:place], Item("stands", mark=joined(pair), read=pair[1].text)]
        done = place + 3
    return [*result, *items[done:]]


def _around(items: Sequence[HtmlItem], place: int) -> str:
    """Return the characters before and behind a pair with a text."""
    before = items[place - 1].text if place else ""
    behind = items[place + 3].text if place + 3 < len(items) else ""
    return before[-1:] + behind[:1]


def _joined_stands(items: Sequence[HtmlItem]) -> Iterator[HtmlItem]:
    """Yield items, those that stand alone as one where they follow each other."""
    for stands, group in itertools.groupby(items, key=lambda item: item.kind == "stands"):
        if stands:
            run = list(group)
            yield Item("stands", mark=joined(run), read="".join(item.read for item in run))
        else:
            yield from group


def _without_empty_pairs(items: Sequence[HtmlItem]) -> list[HtmlItem]:
    """Return items with one in place of each pair that has nothing to translate inside.

    A raised letter is the mark of a note.
    """
    result: list[HtmlItem] = []
    opened: list[tuple[int, bool]] = []  # place in the result; whether there were letters before
    letters = False
    for item in items:
        result.append(item)
        if item.kind == "opens":
            opened.append((len(result) - 1, letters))
            letters = False
        elif item.kind == "closes":
            start, letters_before = opened.pop()
            read = "".join(one.read or decode(one.text) for one in result[start:])
            letters = letters and not (item.pair in RAISED and is_sign(read))
            if not letters:
                result[start:] = [Item("stands", mark=joined(result[start:]), read=read.strip())]
            letters = letters or letters_before
        elif item.kind == "text":
            letters = letters or has_letters(decode(item.text))
    return result


def _is_edge(item: HtmlItem) -> bool:
    if item.kind == "text":
        return not _split_start(item)[0].text
    return item.kind in ("stands", "break") and not item.read


def _split_start(item: HtmlItem) -> tuple[HtmlItem, HtmlItem]:
    """Return a text without the white space at its start, and that."""
    found = _BEFORE.match(item.text)
    end = found.end() if found else 0
    return Item("text", item.text[end:]), Item("text", item.text[:end])


def _split_end(item: HtmlItem) -> tuple[HtmlItem, HtmlItem]:
    """Return a text without the white space at its end, and that."""
    found = _AFTER_BACKWARDS.match(item.text[::-1])
    end = len(item.text) - (found.end() if found else 0)
    return Item("text", item.text[:end]), Item("text", item.text[end:])


_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});?")
_BETWEEN_WORDS = re.compile(r"([^\s<>]+)\u00a0(?=([^\s<>]+))")
_ALWAYS = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_MOST_NO_BREAKS = 100  # of a paragraph; no more are looked for


def decode(raw: str) -> str:
    """Return text of a page with characters for its entities."""
    return _ENTITY.sub(lambda found: html.unescape(found[0]), raw) if "&" in raw else raw


def entities_of(raw: str) -> dict[str, str]:
    """Return how a text of a page writes characters, by character; `&`, `<` and `>` are among them.

    A translation is to write them in the same way, so that `&auml;` stays `&auml;`.
    """
    if "&" not in raw:
        return _ALWAYS
    written = {html.unescape(entity): entity for entity in _ENTITY.findall(raw)}
    ours = {char: name for char, name in written.items() if len(char) == 1 and name[-1] == ";"}
    return {**_ALWAYS, **ours}


def encode(text: str, entities: Mapping[str, str], quote: str = "") -> str:
    """Return text as a page writes it.

    Args:
        text: plain characters.
        entities: see `entities_of`.
        quote: what stands around it, if it is the value of an attribute.
    """
    table = {ord(char): entity for char, entity in entities.items()}
    if quote and ord(quote) not in table:
        table[ord(quote)] = "&quot;" if quote == '"' else "&#39;"
    return text.translate(table)


def keep_no_breaks(source: str, translation: str) -> str:
    """Return a translation with a no-break space between words that had one in the source.

    A model writes plain spaces. One is replaced if the same two words stand around it, or the same
    number before it (`10 km`).
    """
    if NO_BREAK not in source:
        return translation
    for found in itertools.islice(_BETWEEN_WORDS.finditer(source), _MOST_NO_BREAKS):
        before, behind = found.groups()
        both = f"{before} {behind}"
        if both in translation:
            translation = translation.replace(both, f"{before}{NO_BREAK}{behind}", 1)
        elif before[-1].isdigit():
            translation = re.sub(
                rf"(?<!\S){re.escape(before)} (?=\S)", f"{before}{NO_BREAK}", translation, count=1
            )
    return translation
