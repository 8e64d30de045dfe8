"""Whether real files keep their structure when they are translated.

    python -m tests.benchmarks.files [MODEL] [--count 50] [--kind docx …] [--keep FOLDER]

The texts are messages of the programs and descriptions of the Python packages that are installed
here. Catalogues have the messages as they are; documents are made of the descriptions by
python-docx, docutils, python-pptx, openpyxl, odfpy, EbookLib and reportlab. What was counted before
is counted again after, and each file must be readable by a reader that is not this project's.
"""

from __future__ import annotations

import argparse
import io
import json
import re
import sys
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import docx
import openpyxl
import pikepdf
import pptx
import pypdfium2
from babel.messages.pofile import read_po
from ebooklib import epub
from odf.opendocument import load as load_odf

from tests.benchmarks import file_samples
from tests.benchmarks.arguments import print_header, print_row, results_parser
from tests.benchmarks.results import results
from translator.documents.kinds import read_file
from translator.pipeline.documents import translate_document
from translator.pipeline.options import TextOptions
from translator.pipeline.translation import Translation
from translator.pipeline.translator import DEFAULT_MODEL, Translator

ENGLISH_TO_GERMAN = TextOptions(source="en", target="de")
_PLACEHOLDERS = r"%(?:\d\$)?[-0-9.*]*(?:l?l|z)?[sdiuxXcf](?![a-z])|%\(\w+\)\w|\{\w*\}"
_XML = {
    "docx": r"<w:(?:p|tbl|tc|hyperlink|drawing|b|i|rStyle|pStyle)(?=[ />])",
    "odt": r"<text:(?:p|h|a|list-item|note|bookmark|tab|line-break)(?=[ />])",
    "xliff": r"<(?:trans-unit|note)\b[^>]*>",
}
COUNTED = {
    "txt": {"lines": r"\n", "addresses": r"https?://[^\s<>)\]\"'`]*[\w/]"},
    "po": {"lines of other kinds": r"(?m)^(?:#|msgid|msgctxt).*$"},
    "json": {"keys and numbers": r'"[^"\\]*"(?=\s*:)|(?<=: )\d+'},
    "srt": {"numbers and times": r"(?m)^(?:\d+(?=\r?\n.*-->)|.*-->.*)$", "tags": r"</?[a-z]+>"},
    "docx": {"elements": _XML["docx"], "targets": r'r:id="[^"]*"'},
    "odt": {"elements": _XML["odt"], "targets": r'xlink:href="[^"]*"'},
    "xliff": {"elements": _XML["xliff"]},
    "pptx": {
        "shapes, paragraphs, charts": r"<(?:p:sp|p:graphicFrame|a:p|c:chart)(?=[ />])",
        "links": r"<a:hlinkClick [^>]*>",
    },
    "odp": {"pages, boxes, paragraphs": r"<(?:draw:page|draw:frame|text:p)(?=[ />])"},
    "xlsx": {
        "cells": r'<c [^>]*r="[^"]*"',
        "formulas": r"<f>[^<]*</f>",
        "numbers and codes": r"<v>[\d.]+</v>|<t>AB-\d+</t>",
    },
    "ods": {"cells": r"<table:table-cell", "codes": r">AB-\d+<"},
    "epub": {
        "elements": r"<(?:p|h1|a|img|li|navPoint|itemref)(?=[ />])",
        "links": r'(?:href|src)="[^"]*"',
    },
    "csv": {"numbers and codes": r"(?m)^\d+,AB-\d+,"},
    "pdf": {"pages": "page", "links": r"https?://\S+"},
}
"""What is counted in the text of a file, by kind."""

ARCHIVES = ("docx", "odt", "pptx", "odp", "xlsx", "ods", "epub")


def main() -> None:
    """Print what was kept, by kind; the files that lost something on standard error."""
    parser = results_parser(__doc__)
    parser.add_argument("model", nargs="?", type=Path, default=DEFAULT_MODEL)
    parser.add_argument("--count", type=int, default=50, help="files of each kind")
    parser.add_argument("--kind", action="append", choices=[*COUNTED], help="default: all")
    parser.add_argument("--keep", type=Path, help="folder for the files and their translations")
    options = parser.parse_args()
    with results(options.write, "files"):
        measure(options)


def measure(options: argparse.Namespace) -> None:
    """Translate, and print a row for each kind of file and of thing."""
    print_header("files", "what", "in the original", "kept", "files whose structure is the same")
    with Translator.load(options.model) as translator:
        for kind in options.kind or COUNTED:
            measure_kind(kind, translator, options)


def measure_kind(kind: str, translator: Translator, options: argparse.Namespace) -> None:
    """Translate the files of one kind."""
    totals, kept, num_same = Counter[str](), Counter[str](), 0
    samples = file_samples.samples(kind, options.count)
    for number, data in enumerate(samples):
        document = read_file(f"a.{kind}", data, "de")
        answers = list[Translation]()
        written = translate_document(
            translator, document, ENGLISH_TO_GERMAN, on_unit=answers.append
        )
        texts = [answer.text for answer in answers]
        read_by_others(kind, written)
        before, after = structure(kind, data), structure(kind, written)
        sources = [unit.text for unit in document.units]
        before["placeholders in texts"] = placeholders(sources)
        after["placeholders in texts"] = placeholders(texts)
        for what, found in before.items():
            totals[what] += found.total()
            kept[what] += (found & after[what]).total()
        num_same += before == after
        for what, found in before.items():
            lost, more = found - after[what], after[what] - found
            if lost or more:
                print(f"{kind} {number}, {what}: lost {lost}, more {more}", file=sys.stderr)
        if options.keep:
            options.keep.mkdir(parents=True, exist_ok=True)
            (options.keep / f"{number:02}.{kind}").write_bytes(data)
            (options.keep / f"{number:02}.de.{kind}").write_bytes(written)
    for what in totals:
        same = f"{num_same} of {len(samples)}"
        print_row(kind, what, totals[what], kept[what], same)


def structure(kind: str, data: bytes) -> dict[str, Counter[str]]:
    """Count what is in a file besides language."""
    text = text_of(kind, data)
    return {what: Counter(re.findall(pattern, text)) for what, pattern in COUNTED[kind].items()}


def placeholders(texts: list[str]) -> Counter[str]:
    """Count what programs replace, and marks, in the units of a file."""
    found = re.compile(rf"{_PLACEHOLDERS}|</?[\U000f0000-\U000ffffd]+/?>")
    return Counter(match for text in texts for match in found.findall(text))


def text_of(kind: str, data: bytes) -> str:
    """Return the text of a file, and of a document the XML of its members."""
    if kind == "pdf":
        with pikepdf.open(io.BytesIO(data)) as pdf:
            links = (link for page in pdf.pages for link in page.obj.get("/Annots", []))
            addresses = [str(link.A.URI) for link in links if "/A" in link]
            return "\n".join(["page"] * len(pdf.pages) + addresses)
    if kind not in ARCHIVES:
        return data.decode()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = [name for name in archive.namelist() if name.endswith((".xml", "html", "ncx"))]
        return "\n".join(archive.read(name).decode() for name in names)


def read_by_others(kind: str, data: bytes) -> None:
    """Read a file by another program's reader, which raises an error if it is broken."""
    readers: dict[str, Callable[[io.BytesIO], object]] = {
        "docx": docx.Document,
        "pptx": pptx.Presentation,
        "xlsx": openpyxl.load_workbook,
        "odp": load_odf,
        "ods": load_odf,
        "epub": epub.read_epub,
        "pdf": pypdfium2.PdfDocument,
    }
    if kind in readers:
        readers[kind](io.BytesIO(data))
    elif kind == "po":
        read_po(io.BytesIO(data), abort_invalid=True)
    elif kind == "json":
        json.loads(data)
    elif kind in ("xliff", "odt"):
        for part in [data] if kind == "xliff" else members(data):
            ElementTree.fromstring(part)


def members(data: bytes) -> list[bytes]:
    """Return the members of XML in an archive."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return [archive.read(name) for name in archive.namelist() if name.endswith(".xml")]


if __name__ == "__main__":
    main()
