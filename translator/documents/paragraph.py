"""A paragraph of a document as one unit: its text, and marks that follow their words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from translator.documents.code import Code, is_for_code
from translator.documents.document import Piece, TextUnit
from translator.documents.markup.inline import Item, Kind, inline_of, is_sign, paired, without_edges
from translator.documents.markup.program import marked_message
from translator.documents.xml_source import Element, XmlSource, escaped_value
from translator.text.characters import has_letters
from translator.text.lone_numbers import may_stand_alone
from translator.text.marked import MarkedText


@dataclass(frozen=True, slots=True)
class Mark:
    """What stands in a paragraph besides text.

    Attributes:
        markup: as it stands in the file.
        style: of the text between a mark and the one that closes it; None if it does not say.
        kind: that of the item.
    """

    markup: tuple[Piece, ...] = ()
    style: str | None = None
    kind: Kind = "stands"


_RAISED = re.compile(
    r"<(?:\w+:)?vertAlign\b(?![^<>]*baseline)|\bbaseline=\"-?[1-9]"
    r"|<(?:\w+:)?position\b[^<>]*val=\"-?[1-9]|(?i:superscript|subscript)"
    r"|(?:Foot|End)note(?:Reference|_20_anchor)"
)
"""A format of text that is raised or lowered."""

_LETTER = "[A-Za-zÀ-ɏͰ-ӿ]"
_CODE = rf"(?:{_LETTER}|[A-Z]+\d+[A-Za-z]?|[a-z]\d+|\d+(?:(?!s){_LETTER})?)"
_LABEL = re.compile(rf"[(\[]?{_CODE}[)\].:]?|{_CODE}(?:\s+{_CODE})+")
"""Letters that stand alone or at digits, but for `90s` and `2nd`; some scripts have short words."""

_ATTRIBUTE = re.compile(r"\s([\w.-]+:)?([\w.-]+)\s*=\s*(\"[^\"]*\"|'[^']*')")

CUTS = "\v\f\x1c\x1d\x1e\x1f"
"""They end a text as a tab does, and no XML has them: each stands for an element of a paragraph."""

WriteText = Callable[[str, str, str], str]
"""Takes a text, its style and the character before it; returns how it stands in the file."""


@dataclass(frozen=True, slots=True)
class Styled:
    """A text that is not empty, and its style."""

    text: str
    style: str


class ParagraphUnit:
    """The content of a paragraph."""

    __slots__ = ("_after", "_before", "_inline", "_original", "_style", "_write", "inner", "marked")

    def __init__(
        self,
        items: Iterable[Item[Mark]],
        original: Sequence[Piece],
        write: WriteText,
        style: str = "",
    ) -> None:
        """Make a unit of items.

        Args:
            items: all of the content, pairs complete or not.
            original: the content as it stands in the file.
            write: writes a text of the paragraph.
            style: of what stands in no mark with a style.
        """
        self._original, self._write, self._style = original, write, style
        whole = [
            item if item.mark is None else replace(item, mark=replace(item.mark, kind=item.kind))
            for item in spaces_outside(paired(items))
        ]
        self._before, middle, self._after = without_edges(whole)
        self._inline = inline_of(middle)
        self.marked = self._inline.marked()
        self.inner = tuple(piece for piece in original if not isinstance(piece, str))

    def render(self, translation: str) -> Iterator[Piece]:
        """Return the content with a translation, and with its marks around the same words."""
        if translation == self.marked.text:
            yield from self._original
            return
        last = ""
        for piece in with_plain_spaces(self._styled(translation)):
            if isinstance(piece, Mark):
                yield from piece.markup
                last = "\0" if piece.kind == "stands" else last  # something that is no white space
                continue
            yield self._write(piece.text, piece.style, last)
            last = piece.text[-1]

    def _styled(self, translation: str) -> Iterator[Mark | Styled]:
        styles = [self._style]
        for piece in self._all(translation):
            if isinstance(piece, str):
                if piece:
                    yield Styled(piece, styles[-1])
                continue
            if piece.kind == "opens":
                styles.append(styles[-1] if piece.style is None else piece.style)
            elif piece.kind == "closes":
                styles.pop()
            if piece.markup or piece.kind == "stands":
                yield piece

    def _all(self, translation: str) -> Iterator[str | Mark]:
        for item in self._before:
            yield item.mark or item.text
        for piece in self._inline.pieces(translation):
            yield piece if isinstance(piece, str) else piece[0]
        for item in self._after:
            yield item.mark or item.text


def char_for(element: str, cuts: dict[str, str]) -> str | None:
    """Return the character that stands for an element between texts, which it cuts.

    `cuts` has elements by their characters, and gets a new one; None if all characters are taken.
    """
    return next((char for char in CUTS if cuts.setdefault(char, element) == element), None)


def with_cuts(items: Sequence[Item[Mark]]) -> list[Item[Mark]]:
    """Return items with each break as the character that stands for it; at an edge it stays."""
    read = [number for number, item in enumerate(items) if item.text.strip() or item.read]
    result = list[Item[Mark]]()
    for number, item in enumerate(items):
        if item.kind == "break" and item.mark:
            if read and read[0] < number < read[-1]:
                result.append(Item("text", item.text, Mark(style=item.mark.style)))
            else:
                result.append(Item("stands", mark=item.mark))
        else:
            result.append(item)
    return result


def is_read(text: str) -> bool:
    """Return whether a paragraph is a unit: it has words, or is a number such as `1,250.00 €`.

    Labels such as `6a`, `I` and `U2 U2` are no words, and come back as they are.
    """
    bare = text.strip()
    return (has_letters(text) and not _LABEL.fullmatch(bare)) or may_stand_alone(bare)


def message_items(text: str) -> Iterator[Item[Mark]]:
    """Yield the items of a text: what belongs to a program in it comes back as it is."""
    done = 0
    for start, end in marked_message(text).spans:
        yield Item("text", text[done:start])
        yield Item("verbatim", text[start:end])
        done = end
    yield Item("text", text[done:])


def mark_of(source: XmlSource, start: int, end: int) -> Mark:
    """Return what a source has between two offsets as a mark."""
    return Mark((source.cut(start, end),))


def enclosed(
    source: XmlSource, element: Element, inside: Iterable[Item[Mark]]
) -> Iterator[Item[Mark]]:
    """Yield the items of an element's content between its tags, which are a pair."""
    pair = ("around", element.start)
    yield Item("opens", mark=mark_of(source, element.start, element.inside), pair=pair)
    yield from inside
    yield Item("closes", mark=mark_of(source, element.outside, element.end), pair=pair)


def parts_of(items: Iterable[Item[Mark]]) -> list[tuple[Kind, str]]:
    """Return what each item of a content does, and its text or its markup."""
    return [
        (
            item.kind,
            "".join(piece for piece in item.mark.markup if isinstance(piece, str))
            if item.mark
            else item.text,
        )
        for item in items
    ]


def with_plain_spaces(pieces: Iterable[Mark | Styled]) -> Iterator[Mark | Styled]:
    """Yield pieces; white space between two texts takes the plainest style of the three.

    Otherwise, a blank between plain words of an underlined paragraph would be underlined alone.
    """
    every = list(pieces)
    for number, piece in enumerate(every):
        near = every[max(number - 1, 0) : number + 2]
        if isinstance(piece, Styled) and not piece.text.strip():
            styles = [one.style for one in near if isinstance(one, Styled)]
            piece = replace(piece, style=min(styles, key=len))
        yield piece


def spaces_outside(items: Sequence[Item[Mark]]) -> list[Item[Mark]]:
    """Return items with white space before what opens, and after what closes, not inside."""
    closed = _without_inner_spaces(items, "closes", str.rstrip)
    return _joined(reversed(_without_inner_spaces(reversed(closed), "opens", str.lstrip)))


def _without_inner_spaces(
    items: Iterable[Item[Mark]], edge: Kind, strip: Callable[[str, str], str]
) -> list[Item[Mark]]:
    """Return items with the white space of the text next to an edge beyond that edge."""
    result: list[Item[Mark]] = []
    for item in items:
        inner = result[-1] if result else None
        if item.kind == edge and inner and inner.kind == "text":
            bare = strip(inner.text, " ")
            result[-1:] = [replace(inner, text=bare)] if bare else []
            result.append(item)
            if space := " " * (len(inner.text) - len(bare)):
                result.append(Item("text", space))
        else:
            result.append(item)
    return result


def _joined(items: Iterable[Item[Mark]]) -> list[Item[Mark]]:
    result: list[Item[Mark]] = []
    for item in items:
        if item.kind == "text" and result and result[-1].kind == "text":
            result[-1] = replace(result[-1], text=result[-1].text + item.text)
        else:
            result.append(item)
    return result


def tag_with_units(
    source: XmlSource,
    element: Element,
    attributes: Iterable[str],
    unit: Callable[[str, str, str], TextUnit] | None = None,
) -> list[Piece]:
    """Return a start tag; the values of some attributes, such as alternative texts, are units.

    Prefixes of names may be others in the file. `unit` takes a name, a value without entities, and
    that as it stands in the file.
    """
    tag = source.cut(element.start, element.inside)
    wanted = {(":" in name, name.rpartition(":")[2]): name for name in attributes}
    pieces, done = list[Piece](), 0
    for found in _ATTRIBUTE.finditer(tag):
        name = wanted.get((bool(found[1]), found[2]), "")
        value = element.attributes.get(name, "")
        if has_letters(value):
            own = unit(name, value, found[3]) if unit else attribute_unit(value, found[3])
            pieces += [tag[done : found.start(3)], own]
            done = found.end(3)
    return [*pieces, tag[done:]]


def attribute_unit(value: str, original: str) -> TextUnit:
    """Return the value of an attribute as a unit; `original` has its quotes and entities."""
    return TextUnit(MarkedText(value), original, lambda text: f'"{escaped_value(text)}"')


def joined_pieces(pieces: Iterable[Piece]) -> list[Piece]:
    """Return pieces with texts that touch as one."""
    joined: list[Piece] = []
    texts: list[str] = []
    for piece in pieces:
        if isinstance(piece, str):
            texts.append(piece)
            continue
        joined += ["".join(texts), piece]
        texts = []
    return [*joined, "".join(texts)]


def is_raised(style: str) -> bool:
    """Return whether a format of Office, or a style by its name, raises or lowers text."""
    return _RAISED.search(style) is not None


def unit_of(
    items: Sequence[Item[Mark]],
    original: Sequence[Piece],
    write: WriteText,
    code: Code | None = None,
    is_raised: Callable[[str], bool] = is_raised,
) -> ParagraphUnit:
    """Return the unit of a paragraph's content; each text has a mark with its format.

    `code` tells which text stays; all in a format for code if None. `is_raised` tells whether a
    format raises or lowers text. For the others, see `ParagraphUnit`.
    """
    formatted, style = with_formats(_with_signs(items, write, is_raised), code)
    return ParagraphUnit(formatted, original, write, style)


def _with_signs(
    items: Sequence[Item[Mark]], write: WriteText, is_raised: Callable[[str], bool]
) -> list[Item[Mark]]:
    """Return items; a sign in a format of its own that touches its word, as in `m²`, stands alone.

    A raised letter may be one anywhere. HTML's reader has the same rule. As a pair around the sign,
    it would take in the word. A link that has nothing but a sign is a part of it.
    """
    result: list[Item[Mark]] = []
    before, around = "", ""
    for item in items:
        sign, style = item.text.strip(), style_of(item)
        if item.kind != "text" or not style or not is_sign(sign):
            result.append(item)
        elif is_raised(style) or (
            before[-1:].strip()
            and item.text[:1].strip()
            and style != around
            and not has_letters(sign)
        ):
            lead, _, after = item.text.partition(sign)
            last = lead[-1:] or before[-1:]
            result += [replace(item, text=lead)] if lead else []
            result.append(Item("stands", mark=Mark((write(sign, style, last),)), read=sign))
            result += [replace(item, text=after)] if after else []
        else:
            result.append(item)
        if item.kind == "closes":
            result[-3:] = _without_pair(result[-3:])
        if item.kind == "text":
            before, around = item.text, style
        elif item.kind not in ("opens", "closes"):
            before, around = "", ""
    return result


def _without_pair(items: list[Item[Mark]]) -> list[Item[Mark]]:
    if len(items) < 3 or not is_sign(items[1].read):
        return items
    opening, sign, closing = items
    if opening.kind != "opens" or opening.pair != closing.pair or sign.kind != "stands":
        return items
    markup = tuple(piece for item in items if item.mark for piece in item.mark.markup)
    return [Item("stands", mark=Mark(markup), read=sign.read)]


def with_formats(
    items: Sequence[Item[Mark]], code: Code | None = None
) -> tuple[list[Item[Mark]], str]:
    """Return items with marks for formats, and the most common format, which needs none.

    In a link or the like, that is the most common one of its own. Text in a format for code is
    verbatim.
    """
    items, code = _smoothed(paired(items)), code or Code()
    letters: dict[int, Counter[str]] = {-1: Counter()}
    around, opened = dict[int, int](), [-1]
    for number, item in enumerate(items):
        around[number] = opened[-1]
        if item.kind == "opens":
            opened.append(number)
            letters[number] = Counter()
        elif item.kind == "closes":
            opened.pop()
        elif item.kind == "text":
            letters[opened[-1]][style_of(item)] += len(item.text)
    outer = letters[-1].most_common(1)
    styles = {-1: outer[0][0] if outer else ""}
    result: list[Item[Mark]] = []
    for number, item in enumerate(items):
        if item.kind == "verbatim":
            code.has(item.text, is_in_format=True)
        if item.kind == "opens" and item.mark:
            common = letters[number].most_common(1)
            styles[number] = common[0][0] if common else styles[around[number]]
            result.append(replace(item, mark=replace(item.mark, style=styles[number])))
        elif item.kind == "text":
            is_code = code.has(item.text, is_in_format=is_for_code(style_of(item)))
            kind: Kind = "verbatim" if is_code else "text"
            text: Item[Mark] = Item(kind, item.text)
            if style_of(item) == styles[around[number]]:
                result.append(text)
                continue
            pair = ("format", number)
            opens = Item("opens", mark=Mark(style=style_of(item)), pair=pair)
            result += [opens, text, Item("closes", mark=Mark(), pair=pair)]
        else:
            result.append(item)
    return result, styles[-1]


def style_of(item: Item[Mark]) -> str:
    """Return the format of a text; empty if it has none."""
    return (item.mark.style if item.mark else None) or ""


def _smoothed(items: Iterable[Item[Mark]]) -> list[Item[Mark]]:
    """Return items with texts of one format as one; white space takes the format before it."""
    result: list[Item[Mark]] = []
    for item in items:
        before = result[-1] if result else None
        if before and before.kind == item.kind == "text":
            if style_of(before) == style_of(item) or not item.text.strip():
                result[-1] = replace(before, text=before.text + item.text)
                continue
            if not before.text.strip():
                result[-1] = replace(item, text=before.text + item.text)
                continue
        result.append(item)
    return result
