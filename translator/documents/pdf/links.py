"""Links of a page: which words each is on, and its rectangle moved to where those words are now."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import pikepdf
from pikepdf import Array, Dictionary, Name

from translator.documents.pdf import thresholds as by
from translator.documents.pdf.marking import parted
from translator.documents.pdf.runs import Box, Run
from translator.documents.pdf.words import NO_LINK, Placed, box_of


class Link(NamedTuple):
    """A link.

    Attributes:
        number: among the annotations of its page.
        box: on the page.
        to: where it leads, as the file has it.
    """

    number: int
    box: Box
    to: str


class LinkedWords:
    """The links of one page that have words; a link over two lines is two in the file.

    Attributes:
        found: of each, the numbers of its annotations.
    """

    def __init__(self, links: Sequence[Link]) -> None:
        """Begin with none."""
        self.found: list[list[int]] = []
        self._links, self._to = links[: by.MOST_LINKS], ""

    def begin_paragraph(self) -> None:
        """Let no link go on from the paragraph before."""
        self._to = ""

    def parts(self, text: str, run: Run) -> Iterator[tuple[str, int]]:
        """Yield the parts of a run's text, each with its link's place in `found`, or NO_LINK."""
        middle = run.base + by.MIDDLE * run.size
        own = {
            link.box: link
            for link in self._links
            if not run.angle
            and link.box.bottom <= middle <= link.box.top
            and link.box.left < run.right
            and link.box.right > run.left
        }
        for part, box in parted(text, run, [*own]):
            if box is not None:
                link = own[box]
                if self._to != link.to:
                    self.found.append([])
                    self._to = link.to
                if link.number not in self.found[-1]:
                    self.found[-1].append(link.number)
                yield part.text, len(self.found) - 1
            else:
                if part.text.strip():
                    self._to = ""
                yield part.text, NO_LINK


def links_of(data: bytes) -> list[list[Link]]:
    """Return the links of each page; none of a file that cannot be read."""
    try:
        with pikepdf.open(io.BytesIO(data)) as pdf:
            return [[*_links(page)] for page in pdf.pages]
    except (pikepdf.PdfError, pikepdf.PasswordError, ValueError):  # the reader of text says so
        return []


def _links(page: pikepdf.Page) -> Iterator[Link]:
    for number, annotation in enumerate(_annotations(page)):
        if not isinstance(annotation, Dictionary) or annotation.get("/Subtype") != Name.Link:
            continue
        try:
            sides = pikepdf.Rectangle(Array(annotation.Rect))
        except (AttributeError, TypeError):  # no four numbers
            continue
        box = Box(sides.llx, sides.lly, sides.urx, sides.ury)
        target = annotation.get("/A", annotation.get("/Dest"))
        to = target.unparse().decode("latin-1") if isinstance(target, pikepdf.Object) else ""
        yield Link(number, box, to or str(number))


def _annotations(page: pikepdf.Page) -> Iterable[object]:
    annotations = page.obj.get("/Annots")
    return annotations if isinstance(annotations, Array) else ()


def move_links(
    page: pikepdf.Page, found: Sequence[Sequence[int]], placed: Iterable[Placed]
) -> None:
    """Put links (see `LinkedWords.found`) where their words are; without words, they stay."""
    lines: dict[int, dict[float, Box]] = {}
    for one in placed:
        if one.style.link != NO_LINK and one.text.strip() and not one.angle:
            own = lines.setdefault(one.style.link, {})
            own[one.base] = around([*filter(None, [own.get(one.base)]), box_of(one)])
    annotations = [*_annotations(page)]
    for link, by_line in lines.items():
        boxes = [by_line[base] for base in sorted(by_line, reverse=True)]
        for place, number in enumerate(found[link]):
            is_last = place == len(found[link]) - 1
            own_boxes = boxes[place:] if is_last else boxes[place : place + 1]
            _put(annotations[number], own_boxes or boxes[-1:])


def around(boxes: Sequence[Box]) -> Box:
    """Return the box around all."""
    left, bottom, right, top = zip(*boxes, strict=True)
    return Box(min(left), min(bottom), max(right), max(top))


def _put(annotation: object, boxes: Sequence[Box]) -> None:
    """Put a link on some lines: the rectangle is around all, and says where each of them is."""
    assert isinstance(annotation, Dictionary)
    annotation.Rect = Array([round(side, 2) for side in around(boxes)])
    if len(boxes) > 1:
        quads = (
            (box.left, box.top, box.right, box.top, box.left, box.bottom, box.right, box.bottom)
            for box in boxes
        )
        annotation.QuadPoints = Array([round(place, 2) for quad in quads for place in quad])
    elif "/QuadPoints" in annotation:
        del annotation.QuadPoints
