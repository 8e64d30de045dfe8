"""Formats of runs: the most common one of a paragraph is its plain text, others are marks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from translator.documents.markup.code import Code, is_for_code
from translator.documents.markup.paragraph import Mark, ParagraphUnit, WriteText
from translator.documents.nesting import Item, Kind, paired
from translator.text.formats.pieces import Piece


def unit_of(
    items: Sequence[Item[Mark]],
    original: Sequence[Piece],
    write: WriteText,
    code: Code | None = None,
) -> ParagraphUnit:
    """Return the unit of a paragraph's content.

    Args:
        items: all of the content; a text has a mark with its format.
        original: the content as it stands in the file.
        write: writes a text of the paragraph.
        code: tells which text stays; all in a format for code if None.
    """
    formatted, style = with_formats(items, code)
    return ParagraphUnit(formatted, original, write, style)


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
