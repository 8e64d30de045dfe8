"""Slides of PowerPoint (`.pptx`): shapes, tables, notes, diagrams, charts, alternative texts.

Masters and layouts stay as they are: what they show is what an author is asked to replace.
"""

from __future__ import annotations

from translator.documents.office.drawing import DRAWN, PREFIXES, read_drawing
from translator.documents.office.package import Package, types_of
from translator.text.formats.document import Document

_MAIN = types_of("presentationml", "powerpoint", "presentation|slideshow|template")
_SLIDES = types_of("presentationml", "powerpoint", "slide|notesSlide")


def read_pptx(name: str, data: bytes) -> Document[bytes]:
    """Read slides of PowerPoint.

    Raises:
        InputError: they are damaged, encrypted or too large, or no such document.
    """
    package = Package(name, data, "PowerPoint")
    return package.document(_MAIN, {_SLIDES: read_drawing, DRAWN: read_drawing}, PREFIXES)
