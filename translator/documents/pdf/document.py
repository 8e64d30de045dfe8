"""Documents in PDF: each paragraph, heading or cell is a unit, and is set again in its place."""

from __future__ import annotations

import io
import itertools
import re
import threading
from collections.abc import Iterable, Sequence
from dataclasses import replace
from operator import itemgetter
from subprocess import SubprocessError
from textwrap import shorten

import pikepdf

from translator.documents.code import unless_all_is_code
from translator.documents.document import Document, Filler, PieceDocument, TextUnit
from translator.documents.pdf.forms import without_forms
from translator.documents.pdf.labels import change_labels, labels_of
from translator.documents.pdf.links import move_links
from translator.documents.pdf.pages import Page, pages_of, with_flows
from translator.documents.pdf.plans import Told, plans_of, told_of
from translator.documents.pdf.typefaces import EmbeddedFonts
from translator.documents.pdf.units import words_of
from translator.documents.pdf.unpacking import check_unpacked
from translator.documents.pdf.words import Style
from translator.documents.pdf.writing import change_page, num_shown
from translator.errors import InputError

_LEAST_READ = 0.4  # of all characters; some are spaces that the reader adds
_NOT_SET = re.compile(
    "(?:am|ar|bn|fa|gu|he|hi|hy|ja|ka|km|kn|ko|lo|ml|mr|my|ne|pa|si|ta|te|th|ur|yi|zh)(?![a-z])",
    re.I,
)
_PDFIUM = threading.Lock()
"""PDFium may be called by one thread at a time."""

_UNREADABLE = (
    *(pikepdf.PdfError, pikepdf.DependencyError, SubprocessError, TypeError, ValueError),
)
"""What a reader of pages raises for one that is damaged, or packed as no text is."""

_WRONG = "its numbers are not all in the translation"
_MOST_NAMED = 5  # texts of a page that stay for one reason, each in a line


def read_pdf(name: str, data: bytes, target: str | None = None) -> Document[bytes]:
    """Read a document in PDF.

    Text inside patterns, pictures and some forms, and what nobody sees, stays as it is, and so does
    what is in a typewriter's font.

    Raises:
        InputError: it is damaged, encrypted or scanned, has too many pages, or is wanted in other
            letters.
    """
    if target is not None and _NOT_SET.match(target):
        raise InputError(
            f"{name}: cannot be set in {target!r}; the letters that there are for PDF are Latin, "
            "Greek and Cyrillic, so translate the document that it was made from"
        )
    check_unpacked(name, data)
    original, styles = data, dict[Style, int]()
    with _PDFIUM:
        data = without_forms(data)
        pages, rests = unless_all_is_code(
            lambda code: with_flows([*pages_of(name, data, styles, code)], styles, code)
        )
    _check_letters(name, pages)
    pages = _changeable(name, data, pages)
    labels = labels_of(data)

    def write(filler: Filler) -> bytes:
        numbered = [*styles]
        told = told_of(pages, rests, lambda unit: words_of(filler, unit, numbered), target)
        content, document.left_alone = _written(data, pages, told, labels, filler, target)
        return original if content is data else content

    units = [unit for page in pages for _, unit in page.units]
    document = PieceDocument([*filter(None, units), *filter(None, labels)], name, write)
    return document


def _check_letters(name: str, pages: Sequence[Page]) -> None:
    """Refuse a file that would come back with nearly all of its text as it was.

    Raises:
        InputError: most of the text is inside forms or hidden, or has unknown letters.
    """
    much = "no text that can be changed"
    if any(run.text.strip() for page in pages for run in page.runs):
        num_chars = sum(page.num_chars for page in pages)
        if sum(page.num_read for page in pages) >= _LEAST_READ * num_chars:
            return
        much = "little text that can be changed"
    raise InputError(
        f"{name}: has {much}: its pages are scanned, their text is inside forms, or its fonts do "
        "not tell which letters they show; recognise the text first, or print the document to a "
        "new PDF"
    )


def _changeable(name: str, data: bytes, pages: Sequence[Page]) -> list[Page]:
    """Return pages; one that cannot be changed as it was read is left alone.

    Raises:
        InputError: the file is damaged, or no page with text can be changed.
    """
    known, refused = list[Page](), list[int]()
    try:
        with pikepdf.open(io.BytesIO(data)) as pdf:
            for number, (page, own) in enumerate(zip(pages, pdf.pages, strict=True)):
                if page.units and not _is_changeable(page, own, pdf):
                    refused.append(number)
                    others = [*page.others, *(block.text for block, _ in page.units)]
                    page = replace(page, units=(), others=others)
                known.append(page)
            if refused and not any(page.units for page in known):
                num_shown(pdf.pages[refused[0]])  # says what is damaged
                raise InputError(
                    f"{name}, page {refused[0] + 1}: has text that cannot be set again; print the "
                    "document to a new PDF first"
                )
    except _UNREADABLE as error:
        if isinstance(error, InputError):
            raise
        reason = str(error).rpartition(": ")[2]  # after the name of an object in memory
        raise InputError(f"{name}: is damaged ({reason}); save it again") from error
    return known


def _is_changeable(page: Page, own: pikepdf.Page, pdf: pikepdf.Pdf) -> bool:
    """Return whether each string that a page shows is a run that was read.

    What comes after operators that cannot be read might be lost.
    """
    pdf.get_warnings()  # of what was read before
    try:
        is_same = num_shown(own) == len(page.runs)
    except _UNREADABLE:
        return False
    return is_same and not any("(content" in str(warning) for warning in pdf.get_warnings())


def _written(
    data: bytes,
    pages: Sequence[Page],
    told: Told,
    labels: Sequence[TextUnit | None],
    filler: Filler,
    target: str | None,
) -> tuple[bytes, list[str]]:
    """Return the file with translations, and the texts that it keeps.

    A translation that is the text itself changes nothing.
    """
    left_alone = list[str]()
    with pikepdf.open(io.BytesIO(data)) as pdf:
        fonts, is_changed = EmbeddedFonts(pdf), False
        for number, (page, plan) in enumerate(zip(pages, plans_of(pdf, pages, told), strict=True)):
            kept = [block for block in page.blocks if id(block) in page.kept]
            left_alone += _said(number, [(text, "") for text in page.others])
            left_alone += _said(number, [(block.text, page.kept[id(block)]) for block in kept])
            named = [block for block in plan.stay if id(block) not in page.kept]
            why = ((block.text, _WRONG * (id(block) in plan.wrong)) for block in named)
            left_alone += _said(number, why)
            if plan.going:
                is_changed = True
                change_page(pdf, number, page.runs, plan.gone, plan.placed, fonts, plan.moving)
                move_links(pdf.pages[number], page.links, plan.placed)
        is_changed |= change_labels(pdf, labels, filler)
        if not is_changed:
            return data, left_alone
        fonts.embed()
        if target is not None:
            pdf.Root.Lang = pikepdf.String(target)
        written = io.BytesIO()
        pdf.save(written)
        return written.getvalue(), left_alone


def _said(number: int, texts: Iterable[tuple[str, str]]) -> list[str]:
    """Return what a person reads of texts that stay on a page, each with its reason or none."""
    found = list[str]()
    for reason, group in itertools.groupby(sorted(texts, key=itemgetter(1)), itemgetter(1)):
        own, place = [text for text, _ in group], f"page {number + 1}{': ' * bool(reason)}{reason}"
        if len(own) > _MOST_NAMED:
            found.append(f"{len(own)} texts, such as “{shorten(own[0], 80)}” ({place})")
        else:
            found += [f"{text} ({place})" if reason else text for text in own]
    return found
