"""Bookmarks of a file, which readers show beside its pages."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import pikepdf
from pikepdf import Dictionary, String

from translator.documents.paragraph import is_read
from translator.text.formats.document import Filler, TextUnit
from translator.text.marked import MarkedText

_MOST = 10_000  # of a file; more stay as they are


class Bookmark(NamedTuple):
    """A bookmark.

    Attributes:
        number: among all of the file.
        unit: its title.
    """

    number: int
    unit: TextUnit


def bookmarks_of(data: bytes) -> list[Bookmark]:
    """Return the bookmarks that have a title; none of a file that cannot be read."""
    try:
        with pikepdf.open(io.BytesIO(data)) as pdf:
            titles = enumerate(_title(item) for item in _items(pdf))
            return [
                Bookmark(number, TextUnit(MarkedText(title), title, str))
                for number, title in titles
                if is_read(title)
            ]
    except (pikepdf.PdfError, pikepdf.PasswordError, ValueError):  # the reader of text says so
        return []


def change_bookmarks(pdf: pikepdf.Pdf, bookmarks: Sequence[Bookmark], filler: Filler) -> bool:
    """Give bookmarks their translations; return whether any differs from its title."""
    items, is_changed = [*_items(pdf)] if bookmarks else [], False
    for bookmark in bookmarks:
        said = filler.text([bookmark.unit])
        if said != bookmark.unit.original:
            items[bookmark.number].Title = String(said)
            is_changed = True
    return is_changed


def _items(pdf: pikepdf.Pdf) -> Iterator[Dictionary]:
    """Yield bookmarks, in the same order every time."""
    waiting = [pdf.Root.get("/Outlines")]
    met = set[tuple[int, int]]()
    while waiting and len(met) < _MOST:
        item = waiting.pop()
        if not isinstance(item, Dictionary) or item.objgen in met:
            continue
        if item.is_indirect:
            met.add(item.objgen)
        if "/Title" in item:
            yield item
        waiting += [item.get("/Next"), item.get("/First")]


def _title(item: Dictionary) -> str:
    title = item.get("/Title")
    return " ".join(str(title).split()) if isinstance(title, String) else ""
