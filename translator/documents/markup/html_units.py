"""Paragraphs of a page as units of text, with the markup inside them."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from translator.documents.document import Piece, Unit
from translator.documents.markup.entities import (
    NO_BREAK,
    decode,
    encode,
    entities_of,
    keep_no_breaks,
)
from translator.documents.markup.html_parts import GAP, HtmlItem, Markup, cuts_of, separating_breaks
from translator.documents.markup.html_tokens import HTML, ITALIC, RAISED, Rules
from translator.documents.markup.icu import may_be_message, message_pieces, read_message
from translator.documents.markup.inline import (
    FIRST_LETTER,
    Item,
    inline_of,
    is_sign,
    paired,
    without_edges,
)
from translator.text.characters import has_letters
from translator.text.lone_numbers import may_stand_alone
from translator.text.marked import MarkedText
from translator.text.span_kinds import KINDS

_MOST_LEVELS = 8  # of elements inside each other that part a paragraph
_TEMPLATE = re.compile(KINDS["templates"].pattern)
_SPACES = re.compile(r"[ \t\n\r\f]+")
_BLANK_LINE = re.compile(r"(\n[ \t\r\f]*\n)")
_BEFORE = re.compile(rf"(?:[ \t\n\r\f{NO_BREAK}]|&nbsp;|&#160;)*")
_AFTER_BACKWARDS = re.compile(rf"(?:[ \t\n\r\f{NO_BREAK}]|;psbn&|;061#&)*")


class ParagraphUnit:
    """One text to translate, with the marks inside it."""

    __slots__ = ("_breaks", "_entities", "_initial", "_inline", "_whole", "inner", "marked")

    def __init__(self, items: Sequence[HtmlItem], keeps_spaces: bool) -> None:
        """Make one of items without unneeded edges, whose pairs are all complete.

        `keeps_spaces` says that white space means something, as in a text without tags.
        """
        self._whole = joined(items)
        self._entities = entities_of("".join(item.text for item in items))
        self._breaks: list[tuple[float, Markup]] = []  # with the share of the text before each
        self._initial, items = _without_initial(items)
        shown, before = list[HtmlItem](), ""
        for place, item in enumerate(items):
            if item.kind == "text":
                text = decode(item.text)
                text = text if keeps_spaces else _SPACES.sub(" ", text)
                text = text.removeprefix(" ") if self._breaks and before.endswith(" ") else text
            elif item.kind == "break":
                self._breaks.append((len(before), item.mark or ()))
                text = "" if before.endswith(" ") else " "
            elif item.pair == GAP and item.mark and _parts_words(before, items[place + 1 :]):
                shown.append(replace(item, mark=("\0", *item.mark)))
                text = " "
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
        """Return the pieces of a message of ICU, with the target's plurals; none if it is none.

        A message in which tags stand comes back as it is.
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
        pieces = self._with_initial([*self._with_breaks([*self._inline.pieces(kept)])])
        rendered, is_gap = list[Piece](), False
        for piece in pieces:
            if isinstance(piece, str):
                piece, is_gap = piece.removeprefix(" ") if is_gap else piece, False
                rendered.append(encode(piece, self._entities))
            elif is_gap := piece[0][:1] == ("\0",):  # what parts words
                if rendered and isinstance(last := rendered[-1], str):
                    rendered[-1] = last.removesuffix(" ")
                rendered += piece[0][1:]
            else:
                rendered += piece[0]
        return tuple(rendered)

    def _with_initial(self, pieces: list[str | tuple[Markup]]) -> list[str | tuple[Markup]]:
        """Return texts and marks, with the first letter in the initial that the source has."""
        for place, piece in enumerate(pieces) if self._initial else ():
            if isinstance(piece, str) and (letter := FIRST_LETTER.match(piece)):
                opens, closes = self._initial
                pieces[place] = piece[letter.end() :]
                return [(opens,), letter[0], (closes,), *pieces]
        return [*((markup,) for markup in self._initial), *pieces]

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
                after = _SPACES.search(piece, space.end())
                following = after.start() if after else len(piece)
                while waiting and done + (space.start() + following) / 2 >= waiting[0][0] * size:
                    yield piece[start : space.start()]
                    yield (waiting.pop(0)[1],)
                    start = space.end()
            yield piece[start:]
            done += len(piece)
        yield from ((markup,) for _, markup in waiting)


ENDS_WORD = re.compile(r"[\w.,:;!?)]")
_INITIAL = re.compile(r"[\"'„“«‹¿¡]?[^\W\d_]")
_INITIAL_FIRST = re.compile("(o+)t(c+)o*t")  # by the first letters of the kinds of items


def _parts_words(before: str, items: Sequence[HtmlItem]) -> bool:
    """Return whether something touches a word, and another at once or behind a tag."""
    after = "".join(item.text for item in items[:4])
    return bool(ENDS_WORD.match(before[-1:])) and after[:1].isalnum()


_RUN = re.compile(r"<(span|font)(\s+(style|lang|color|face|size)=(\"[^\"]*\"|'[^']*'|[\w-]+))+>")
"""What an editor writes around each part of a text that has a font."""

_IS_SEEN = re.compile(r"padding|margin|border|display|background(?!-color: ?t)|decoration(?!: ?n)")
_PROPERTY = re.compile(r"([\w-]+)\s*[:=]")


def _with_base(items: list[HtmlItem]) -> list[HtmlItem]:
    """Return items with one pair around all that editors have put around several parts.

    So `<i A>One</i><i B>two</i><i A>three</i>` is read as `<i A>One<i B>two</i>three</i>`, if the
    other parts say all that it says.
    """
    parts, start, depth = list[tuple[int, int]](), 0, 0
    for place, item in enumerate(items):
        start = place if depth == 0 else start
        depth += (item.kind == "opens") - (item.kind == "closes")
        if depth == 0 and not item.is_unread:
            parts.append((start, place))
    tags = [["".join(map(str, one.mark or ())) for one in items[a : b + 1]] for a, b in parts]
    said = [{*_PROPERTY.findall("".join(own))} for own in tags]
    runs = [own[0] for own in tags if _RUN.fullmatch(own[0]) and not _IS_SEEN.search(own[0])]
    bases = Counter(tag for tag in runs if all(map({*_PROPERTY.findall(tag)}.issubset, said)))
    base, count = max(bases.items(), key=lambda one: one[1], default=("", 0))
    if count < 2:
        return items
    places = [one for part, own in zip(parts, tags, strict=True) if own[0] == base for one in part]
    inner = [item for place, item in enumerate(items) if place not in places]
    return [items[places[0]], *inner, items[places[-1]]]


def _side_by_side(items: Sequence[HtmlItem], rules: Rules) -> list[HtmlItem]:
    """Return items with one for elements that touch where the next begins with a capital.

    So in `<b>File</b><b>Open</b>` each is a text of its own. In HTML, elements that are not alike
    may be parts of a name: `Java<b>Script</b>`.
    """
    result, opened, starts = list[HtmlItem](), list[int](), dict[int, int]()
    for item in items:
        result.append(item)
        if item.kind == "opens":
            opened.append(len(result) - 1)
        elif item.kind == "closes":
            start = opened.pop()
            first = starts.get(start - 1, start)
            left, right = result[first:start] or result[:start][-1:], result[start:]
            before, after = ("".join(one.read or one.text for one in own) for own in (left, right))
            is_word = before[-2:].isalpha() and before[-2:].islower() and after[:1].isupper()
            is_same = is_word and (left[0].mark or ())[:1] == (right[0].mark or ())[:1]
            if is_word and (rules.has_gaps or is_same or left[0].pair == item.pair == "a"):
                mark = (*_apart(result[first:start], rules), *_apart(right, rules))
                read = f"{before} {after}" if first < start else after
                start, result[first:] = first, [Item("stands", "", mark, item.pair, read)]
            starts[len(result) - 1] = start
    return result


def _apart(items: Sequence[HtmlItem], rules: Rules) -> Markup:
    first, *last = (item.mark or () for item in (*items[:1], *items[1:][-1:])) if items else ((),)
    parts = (first, *_unit_of(items[1:-1], False, rules), *last)
    return tuple(one for it in parts for one in (it if isinstance(it, tuple) else (it,)))


def _without_initial(items: Sequence[HtmlItem]) -> tuple[tuple[Markup, ...], Sequence[HtmlItem]]:
    """Return what opens and closes around the first letter of a word, and the items without it.

    The letter begins the text that it touches: `<i>O</i><b>nce</b>` is read as `<b>Once</b>`.
    """
    found = _INITIAL_FIRST.match("".join(item.kind[0] for item in items))
    if found is None or len(found[1]) != len(found[2]):
        return (), items
    depth, end, place = found.end(1), found.end(2), found.end() - 1
    letter, text = decode(items[depth].text), items[place].text
    if letter.islower() or not (_INITIAL.fullmatch(letter) and text[:1].isalpha()):
        return (), items
    rest = list(items[end:])
    rest[place - end] = replace(items[place], text=items[depth].text + text)
    return (joined(items[:depth]), joined(items[depth + 1 : end])), rest


def joined(items: Sequence[HtmlItem]) -> Markup:
    """Return the markup of some items."""
    return tuple(piece for item in items for piece in item.mark or (item.text,))


def text_items(raw: str) -> Iterator[HtmlItem]:
    """Yield a text of a page as items; a blank line is a break, for some mean a new paragraph."""
    for number, part in enumerate(_BLANK_LINE.split(raw)):
        if part:
            yield Item("break", mark=(part,)) if number % 2 else Item("text", part)


def units_of(
    items: Sequence[HtmlItem], keeps_spaces: bool = False, rules: Rules = HTML
) -> Iterator[ParagraphUnit | Markup]:
    """Yield the units of a paragraph, and the markup around them, in order."""
    start = 0
    for place in (*separating_breaks(items), len(items)):
        yield from _unit_of(items[start:place], keeps_spaces, rules)
        if place < len(items):
            yield items[place].mark or ()
        start = place + 1


def _is_read(item: HtmlItem, text: str | None = None) -> bool:
    """Return whether a text has letters, or is a number that a language writes in its way.

    `text` is the part of it that counts; all by default.
    """
    text = decode(item.text if text is None else text)
    return item.kind == "text" and (has_letters(text) or may_stand_alone(text.strip()))


def _unit_of(
    items: Sequence[HtmlItem], keeps_spaces: bool, rules: Rules, levels: int = _MOST_LEVELS
) -> Iterator[ParagraphUnit | Markup]:
    """Yield the units that some items make, if there is something to translate, and their edges."""
    if not any(_is_read(item, _TEMPLATE.sub("", item.text)) for item in items):
        yield joined(items)
        return
    whole = _without_empty_pairs(_with_variables(paired(_joined_stands(items))))
    is_page = not keeps_spaces and _PAGE.fullmatch("".join(item.text for item in whole).strip())
    if is_page or not any(map(_is_read, whole)):
        yield joined(whole)
        return
    before, inner, after = map(list, without_edges(whole, _is_edge))
    if cuts := cuts_of(inner, rules) if levels else ():
        yield joined(before)
        for start, end in itertools.pairwise((0, *cuts, len(inner))):
            yield from _unit_of(inner[start:end], keeps_spaces, rules, levels - 1)
        yield joined(after)
        return
    inner = _with_base(_side_by_side(inner, rules))
    opening, inner, closing = map(list, without_edges(inner, _is_edge))
    before, after = [*before, *opening], [*closing, *after]
    if inner[0].kind == "text":
        inner[0], space = _split_start(inner[0])
        before.append(space)
    if inner[-1].kind == "text":
        inner[-1], space = _split_end(inner[-1])
        after.insert(0, space)
    yield joined(before)
    yield ParagraphUnit(inner, keeps_spaces)
    yield joined(after)


_PAGE = re.compile("(?:xl|l?x{0,4})(?:ix|iv|v?i{0,4})")
"""A Roman number of a page, alone in its paragraph."""

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
    """Return the characters that stand before and behind a pair around a text, or its tags."""
    tags = ("opens", "closes")
    before = next((one.text for one in items[:place][::-1] if one.kind not in tags), "")
    after = next((one.text for one in items[place + 3 :] if one.kind not in tags), "")
    return before[-1:] + after[:1]


def _joined_stands(items: Sequence[HtmlItem]) -> Iterator[HtmlItem]:
    for stands, group in itertools.groupby(items, key=lambda item: item.kind == "stands"):
        if stands:
            run = list(group)
            read = "".join(item.read for item in run)
            yield Item("stands", mark=joined(run), pair=run[0].pair, read=read)
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
                pair = GAP if read.isspace() else None
                result[start:] = [Item("stands", "", joined(result[start:]), pair, read.strip())]
            letters = letters or letters_before
        else:
            letters = letters or _is_read(item)
    return result


def _is_edge(item: HtmlItem) -> bool:
    if item.kind == "text":
        return not _split_start(item)[0].text
    return item.kind in ("stands", "break") and not item.read


def _split_start(item: HtmlItem) -> tuple[HtmlItem, HtmlItem]:
    found = _BEFORE.match(item.text)
    end = found.end() if found else 0
    return Item("text", item.text[end:]), Item("text", item.text[:end])


def _split_end(item: HtmlItem) -> tuple[HtmlItem, HtmlItem]:
    found = _AFTER_BACKWARDS.match(item.text[::-1])
    end = len(item.text) - (found.end() if found else 0)
    return Item("text", item.text[:end]), Item("text", item.text[end:])
