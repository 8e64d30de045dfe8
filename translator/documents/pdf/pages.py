"""Pages of PDF: what is on them, which of their paragraphs are units, and which stay."""

from __future__ import annotations

import contextlib
import itertools
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import pypdfium2
import pypdfium2.raw as pdfium

from translator.documents.code import Code
from translator.documents.paragraph import ParagraphUnit, is_read
from translator.documents.pdf import thresholds as by
from translator.documents.pdf.blocks import Block, blocks_of
from translator.documents.pdf.flows import flows
from translator.documents.pdf.links import LinkedWords, links_of
from translator.documents.pdf.marking import mark_lined
from translator.documents.pdf.reading import contents_of
from translator.documents.pdf.runs import Box, Run, overlap
from translator.documents.pdf.structure import is_tagged
from translator.documents.pdf.units import unit_in
from translator.documents.pdf.words import Style
from translator.errors import InputError

MAX_PAGES, MAX_BLOCKS = 2_000, 2_000
"""Of a document, and of a page."""

_UNKNOWN = re.compile("[^\\W\\d_]\ufffd|\ufffd[^\\W\\d_]|[\ufffd\U00100000-\U0010ffff]{2}")
_UNTOLD = "its font does not tell all of its letters"
_TRACED = "its letters are drawn once more, as outlines"


@dataclass(frozen=True, slots=True, eq=False)
class Page:
    """What is on a page, its paragraphs with their units, and the links that have words.

    Attributes:
        units: paragraphs with their units; that of one which began before has none.
        lines: drawn below and through the words of each paragraph, by its identity.
        kept: why paragraphs stay, by their identity.
        others: texts that stay: inside forms, or on a page that cannot be changed.
        anchors: around its links.
    """

    runs: Sequence[Run]
    blocks: Sequence[Block]
    drawn: Sequence[Box]
    lines: Mapping[int, Sequence[Box]]
    paper: Box
    units: Sequence[tuple[Block, ParagraphUnit | None]]
    links: Sequence[Sequence[int]]
    num_chars: int
    kept: Mapping[int, str]
    others: Sequence[str]
    anchors: Sequence[Box]

    @property
    def num_read(self) -> int:
        """How many of its characters can be changed."""
        chars = itertools.chain.from_iterable(run.text for run in self.runs)
        return sum(char.isprintable() and char != "\ufffd" for char in chars)


def pages_of(name: str, data: bytes, styles: dict[Style, int], code: Code) -> Iterator[Page]:
    """Yield what is on each page, and number the styles of its letters.

    Raises:
        InputError: the file is damaged or encrypted, or has too many pages or texts.
    """
    links, has_tags = links_of(data), is_tagged(data)
    with contextlib.closing(_opened(name, data)) as document:
        for number in range(len(document)):
            try:
                page = document[number]
            except pypdfium2.PdfiumError as error:
                raise InputError(f"{name}, page {number + 1}: is damaged; save it again") from error
            runs, drawn, inside, num_chars = contents_of(page, has_tags)
            paper = Box(*page.get_cropbox())
            page.close()
            blocks = blocks_of(runs, drawn)
            if len(blocks) > MAX_BLOCKS:
                raise InputError(
                    f"{name}, page {number + 1}: has more than {MAX_BLOCKS:,} texts, as a map has",
                    "file_too_large",
                )
            own_links = links[number] if number < len(links) else ()
            linked = LinkedWords(own_links)
            lines = {id(block): mark_lined(block, drawn) for block in blocks}
            shapes = sorted(drawn)
            kept = {id(block): reason for block in blocks if (reason := _reason(block, shapes))}
            units = [
                (block, unit)
                for block in blocks
                if id(block) not in kept and (unit := unit_in(block, styles, linked, code))
            ]
            others = [text for text in inside if is_read(text)]
            found = units, linked.found, num_chars, kept, others
            yield Page(runs, blocks, drawn, lines, paper, *found, [link.box for link in own_links])


def _opened(name: str, data: bytes) -> pypdfium2.PdfDocument:
    encrypted = InputError(f"{name}: is encrypted; save it without a password", "encrypted_file")
    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower():
            raise encrypted from error
        raise InputError(f"{name}: is damaged, or no PDF; save it again") from error
    if pdfium.FPDF_GetSecurityHandlerRevision(document) >= 0:
        document.close()
        raise encrypted
    if (num_pages := len(document)) > MAX_PAGES:
        document.close()
        raise InputError(
            f"{name}: has {num_pages:,} pages, and {MAX_PAGES:,} is the most; split it",
            "file_too_large",
        )
    return document


def with_flows(
    pages: Sequence[Page], styles: dict[Style, int], code: Code
) -> tuple[list[Page], dict[int, Block]]:
    """Return pages whose texts that go on elsewhere are one unit, and where, by identity.

    Those with links stay two: a link is on one page.
    """
    units = {id(block): unit for page in pages for block, unit in page.units}
    anchors = {id(block): page.anchors for page in pages for block in page.blocks}
    rests = dict[int, Block]()
    for block, rest in flows([page.blocks for page in pages]):
        both, whole = (block, rest), Block([*block.lines, *rest.lines], block.has_dot)
        has_link = any(overlap(box, one.box) for one in both for box in anchors[id(one)])
        are_whole = all(units.get(id(one)) is not None for one in both)
        if are_whole and not has_link and (unit := unit_in(whole, styles, LinkedWords(()), code)):
            units |= {id(block): unit, id(rest): None}
            rests[id(block)] = rest
    return [
        replace(page, units=[(block, units[id(block)]) for block, _ in page.units])
        for page in pages
    ], rests


def _reason(block: Block, drawn: Sequence[Box]) -> str:
    """Return why a paragraph stays, if it must: paths, sorted, may be letters of a bold face."""
    if _UNKNOWN.search(block.text):
        return _UNTOLD
    num_traced = 0
    for run in itertools.chain.from_iterable(line.runs for line in block.lines):
        near = by.TRACED * run.size
        if len(run.text.strip()) == 1 and run.text.strip().isalpha() and not run.angle:
            first, last = (bisect_left(drawn, (run.left + far,)) for far in (-near, near))
            num_traced += any(
                abs(box.right - run.right) < near
                and -2 * near < box.bottom - run.base < near < box.top - run.base < run.size
                for box in drawn[first:last]
            )
    return _TRACED if num_traced >= by.FEWEST_TRACED else ""
