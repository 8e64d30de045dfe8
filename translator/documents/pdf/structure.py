"""Paragraphs as tagged files tell them: the structure tree of a page (ISO 32000-1, 14.7 and 14.8).

Word, Google Chrome, InDesign and LibreOffice write such trees, for those who hear pages.
"""

from __future__ import annotations

import ctypes
import io
import itertools
from collections.abc import Iterator, Sequence

import pikepdf
import pypdfium2
import pypdfium2.raw as pdfium

_INLINE = {
    *("Annot", "BibEntry", "Code", "Em", "Figure", "Form", "Formula", "Link", "Quote", "Reference"),
    *("Ruby", "Span", "Strong", "Sub", "Warichu"),
}
"""Elements that are parts of a line."""

_GROUPS = {
    *("Aside", "Art", "Div", "Document", "DocumentFragment", "Index", "L", "Part", "Private"),
    *("Sect", "TBody", "TFoot", "THead", "TOC", "TR", "Table"),
}
"""Elements of which each may hold many paragraphs."""

_MOST_ELEMENTS = 20_000  # of a page
_LONGEST_NAME = 64  # bytes of the name of an element


def is_tagged(data: bytes) -> bool:
    """Return whether a file has a tree; not if it has a loop, which PDFium does not survive."""
    try:
        with pikepdf.open(io.BytesIO(data)) as pdf:
            waiting, known = [pdf.Root.StructTreeRoot.ParentTree], set[tuple[int, int]]()
            while waiting:
                node = waiting.pop()
                if node.objgen in known:
                    return False
                known |= {node.objgen} - {(0, 0)}  # that of one inside another object
                waiting.extend(node.get("/Kids", ()))
            return True
    except (pikepdf.PdfError, pikepdf.PasswordError, AttributeError, TypeError, ValueError):
        return False


def paragraphs_of(page: pypdfium2.PdfPage) -> dict[int, int]:
    """Return the number of the paragraph that each piece of marked content of a page belongs to.

    Pieces have the numbers that the page gives them (MCID); one that is in no paragraph is left
    out. A page without tags has none.
    """
    tree = pdfium.FPDF_StructTree_GetForPage(page)
    if not tree:
        return {}
    paragraphs = dict[int, int]()
    try:
        for path, mark in _marks(tree):
            whole = [one for one in path if one[0] not in _INLINE]
            while whole and whole[-1][0] == "NonStruct":  # as Chrome has around each piece
                del whole[-1]
            if whole and whole[-1][0] not in _GROUPS:
                paragraphs[mark] = whole[-1][1]
    finally:
        pdfium.FPDF_StructTree_Close(tree)
    return paragraphs


_Path = Sequence[tuple[str, int]]
"""Names and numbers of an element and of those that it is in, from the outermost."""


def _marks(tree: object) -> Iterator[tuple[_Path, int]]:
    """Yield the numbers of marked content, each with the element that it is in."""
    numbers = itertools.count(1)
    waiting: list[tuple[object, _Path]] = [
        (pdfium.FPDF_StructTree_GetChildAtIndex(tree, place), ())
        for place in range(pdfium.FPDF_StructTree_CountChildren(tree))
    ]
    while waiting:
        element, around = waiting.pop()
        number = next(numbers)
        if not element or number > _MOST_ELEMENTS:
            continue
        name = _name(element)
        if name == "Lbl" and around and around[-1][0] in _INLINE:  # the mark of a footnote
            name = "Span"
        path = (*around, (name, number))
        for place in range(pdfium.FPDF_StructElement_CountChildren(element)):
            inside = pdfium.FPDF_StructElement_GetChildAtIndex(element, place)
            mark = pdfium.FPDF_StructElement_GetChildMarkedContentID(element, place)
            if inside:
                waiting.append((inside, path))
            elif mark >= 0:
                yield path, mark


def _name(element: object) -> str:
    """Return the standard name of an element, whatever its author calls it."""
    name = ctypes.create_string_buffer(_LONGEST_NAME)
    length = pdfium.FPDF_StructElement_GetType(element, name, _LONGEST_NAME)
    return name.raw[: max(length - 2, 0)].decode("utf-16-le") if length <= _LONGEST_NAME else ""
