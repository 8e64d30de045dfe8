"""Texts beside the pages: bookmarks, and choices of fields, which go on sending the same."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from translator.documents.document import Filler, TextUnit
from translator.documents.paragraph import is_read
from translator.text.marked import MarkedText

_MOST_BOOKMARKS = 10_000  # of a file; more stay as they are

Label = tuple[str, Callable[[str], None]]
"""A text, and what shows another one in its place."""


def labels_of(data: bytes) -> list[TextUnit | None]:
    """Return a unit for each text, or None if it stays; none of a file that cannot be read."""
    try:
        with pikepdf.open(io.BytesIO(data)) as pdf:
            texts = [text for text, _ in _labels(pdf)]
    except (pikepdf.PdfError, pikepdf.PasswordError, ValueError):  # the reader of text says so
        return []
    return [TextUnit(MarkedText(text), text, str) if is_read(text) else None for text in texts]


def change_labels(pdf: pikepdf.Pdf, units: Sequence[TextUnit | None], filler: Filler) -> bool:
    """Show the translations of units (see `labels_of`); return whether any is another text."""
    is_changed = False
    for unit, (text, show) in zip(units, [*_labels(pdf)], strict=True) if any(units) else ():
        translation = filler.text([unit]) if unit else text
        if translation != text:
            show(translation)
            is_changed = True
    return is_changed


def _labels(pdf: pikepdf.Pdf) -> Iterator[Label]:
    """Yield choices, then bookmarks, in the same order every time."""
    for field in _fields(pdf):
        for number, option in enumerate(field.Opt):
            yield _shown(option), partial(_show, pdf, field.Opt, number)
    for bookmark in _bookmarks(pdf):
        title = bookmark.get("/Title")
        text = " ".join(str(title).split()) if isinstance(title, String) else ""
        yield text, partial(_rename, bookmark)


def _fields(pdf: pikepdf.Pdf) -> Iterator[Dictionary]:
    form = pdf.Root.get("/AcroForm")
    if not isinstance(form, Dictionary) or "/XFA" in form:  # which says all of it once more
        return
    waiting: list[tuple[object, object]] = [(form.get("/Fields"), None)]
    met = set[tuple[int, int]]()
    while waiting:
        fields, kind = waiting.pop()
        for field in fields if isinstance(fields, Array) else ():
            if not isinstance(field, Dictionary) or (field.is_indirect and field.objgen in met):
                continue
            met.add(field.objgen)
            its_kind = field.get("/FT", kind)
            if its_kind == Name.Ch and isinstance(field.get("/Opt"), Array):
                yield field
            waiting.append((field.get("/Kids"), its_kind))


def _shown(option: pikepdf.Object) -> str:
    """Return what a choice shows; it may be a pair of what it sends and what it shows."""
    text = option[1] if isinstance(option, Array) and len(option) == 2 else option
    return str(text) if isinstance(text, String) else ""


def _show(pdf: pikepdf.Pdf, options: pikepdf.Object, number: int, text: str) -> None:
    option = options[number]
    sent = option[0] if isinstance(option, Array) else option
    options[number] = Array([sent, String(text)])
    pdf.Root.AcroForm.NeedAppearances = True


def _bookmarks(pdf: pikepdf.Pdf) -> Iterator[Dictionary]:
    waiting = [pdf.Root.get("/Outlines")]
    met = set[tuple[int, int]]()
    while waiting and len(met) < _MOST_BOOKMARKS:
        item = waiting.pop()
        if not isinstance(item, Dictionary) or item.objgen in met:
            continue
        if item.is_indirect:
            met.add(item.objgen)
        if "/Title" in item:
            yield item
        waiting += [item.get("/Next"), item.get("/First")]


def _rename(bookmark: Dictionary, title: str) -> None:
    bookmark.Title = String(title)
