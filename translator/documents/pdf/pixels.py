"""What people see of a page, asked of its pixels as PDFium paints them."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pypdfium2
import pypdfium2.raw as pdfium

_LONGEST, _BLOCK = 150, 4  # of a page: blocks on its longer side, and pixels on a side of each
_MOVED = 16  # of 255: letters that move by a part of a pixel change blocks less
_SEEN = 2  # of 255: what a letter changes

_Sides = tuple[float, float, float, float]  # left, bottom, right, top


def differing(data: bytes, other: bytes, numbers: Iterable[int]) -> list[int]:
    """Return those of some pages that look otherwise in another file."""
    with pypdfium2.PdfDocument(data) as first, pypdfium2.PdfDocument(other) as second:
        return [
            number
            for number in numbers
            if _are_changed(_painted(first[number]), _painted(second[number]), _MOVED).any()
        ]


def _painted(page: pypdfium2.PdfPage) -> pypdfium2.PdfBitmap:
    scale = _LONGEST * _BLOCK / max(page.get_size())
    return page.render(scale=scale, draw_annots=False, may_draw_forms=False)


def _are_changed(one: pypdfium2.PdfBitmap, other: pypdfium2.PdfBitmap, most: int) -> Any:
    """Return whether the mean colours of blocks differ by more, as (rows, columns)."""
    change = one.to_numpy().astype(np.int16) - other.to_numpy()
    for axis, size in enumerate(change.shape[:2]):
        change = np.add.reduceat(change, range(0, size, _BLOCK), axis)
    return np.abs(change).max(2) > most * _BLOCK**2


def unseen(
    page: pypdfium2.PdfPage,
    texts: Mapping[int, tuple[object, _Sides]],
    covers: Sequence[tuple[int, _Sides]],
    pale: Iterable[int] = (),
) -> Iterable[int]:
    """Yield the numbers of texts whose middle letter nobody sees: it is cut off, covered or pale.

    Texts are objects of PDFium with the sides of that letter. Each drawing that may cover some has
    the number of the text that is shown after it, and its sides. The page loses those and the pale.
    """
    yield from (number for number, one in texts.items() if _is_cut(*one))
    below = {
        number: one
        for number, one in texts.items()
        if any(after > number and _is_around(cover, one[1]) for after, cover in covers)
    }
    on_top = {number: texts[number] for number in pale if number in texts and number not in below}
    for own in filter(None, (below, on_top)):  # one by one, since pale ones may be on covered ones
        with_all = _painted(page)
        for shown, _ in own.values():
            pdfium.FPDFPageObj_SetIsActive(shown, False)
        changed = _are_changed(with_all, _painted(page), _SEEN)
        to_bitmap = with_all.get_posconv(page).to_bitmap
        for number, (_, (left, bottom, right, top)) in own.items():
            corners = zip(to_bitmap(left, bottom), to_bitmap(right, top), strict=True)
            places = ((max(min(one) - 1, 0), max(one) + 1) for one in corners)
            across, up = (slice(low // _BLOCK, high // _BLOCK + 1) for low, high in places)
            if not changed[up, across].any():
                yield number


def _is_around(cover: _Sides, letter: _Sides) -> bool:
    """Return whether a drawing may cover a letter; what is as wide is its outline."""
    left, bottom, right, top = letter
    is_wider = cover[0] < 2 * left - right and 2 * right - left < cover[2]
    return is_wider and cover[1] < (bottom + top) / 2 < cover[3]


def _is_cut(shown: object, letter: _Sides) -> bool:
    """Return whether a clip leaves out a letter."""
    clip, x, y = pdfium.FPDFPageObj_GetClipPath(shown), ctypes.c_float(), ctypes.c_float()
    for path in range(pdfium.FPDFClipPath_CountPaths(clip)):
        across, up = list[float](), list[float]()
        for number in range(pdfium.FPDFClipPath_CountPathSegments(clip, path)):
            segment = pdfium.FPDFClipPath_GetPathSegment(clip, path, number)
            pdfium.FPDFPathSegment_GetPoint(segment, x, y)
            across.append(x.value)
            up.append(y.value)
        places = ((across, letter[::2]), (up, letter[1::2]))
        if any(max(own) < min(sides) or min(own) > max(sides) for sides, own in places if sides):
            return True
    return False
