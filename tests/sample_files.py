"""One small file of every kind, with something to translate."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from tests import books, odf_files, presentations, workbooks
from tests.office import docx, odt, run
from tests.pdf_files import report

TEXT = "Our dog is old.\n\nIt sleeps all day.\n"
ANDROID = '<resources><string name="a">Our dog &amp; more</string></resources>'
XLIFF = (
    '<xliff version="1.2"><file source-language="en"><body><trans-unit id="1">'
    "<source>Our dog</source></trans-unit></body></file></xliff>"
)
QT = (
    '<TS version="2.1"><context><message><source>Our dog</source>'
    '<translation type="unfinished"/></message></context></TS>'
)
TMX = '<tmx version="1.4"><body><tu><tuv xml:lang="en"><seg>Our dog</seg></tuv></tu></body></tmx>'
XCSTRINGS = '{"sourceLanguage": "en", "strings": {"Our dog": {}}, "version": "1.0"}'
ASS = "[Events]\nFormat: Start, End, Text\nDialogue: 0:00:01.00,0:00:02.00,Our dog\n"
MAKERS: Mapping[str, Callable[[], bytes]] = {
    "txt": TEXT.encode,
    "md": f"# Dogs\n\n{TEXT}".encode,
    "html": b"<p>Our <b>dog</b> is old.</p>".strip,
    "mhtml": b"Content-Type: text/html\n\n<p>Our <b>dog</b> is old.</p>".strip,
    "pdf": report,
    "ipynb": b'{"cells": [{"cell_type": "markdown", "source": ["Our dog\\n", "is old"]}]}\n'.strip,
    "csv": b"name,note\ndog,it is old\n".strip,
    "tsv": b"name\tnote\ndog\tit is old\n".strip,
    "docx": lambda: docx(f"<w:p>{run('Our dog')}</w:p>"),
    "pptx": presentations.slides,
    "xlsx": workbooks.workbook,
    "odt": lambda: odt("<text:p>Our dog</text:p>"),
    "odp": odf_files.slides,
    "ods": odf_files.sheet,
    "epub": books.book,
    "srt": b"1\n00:00:01,000 --> 00:00:02,000\nOur dog\n".strip,
    "vtt": b"WEBVTT\n\n00:01.000 --> 00:02.000\nOur dog\n".strip,
    "ass": ASS.encode,
    "po": b'msgid ""\nmsgstr "Language: de\\n"\n\nmsgid "Our dog"\nmsgstr ""\n'.strip,
    "xliff": XLIFF.encode,
    "json": b'{"a": "Our dog", "b": ["It sleeps"]}'.strip,
    "properties": b"a = Our dog\nb: It sleeps\n".strip,
    "strings": b'"a" = "Our dog";\n'.strip,
    "xml": ANDROID.encode,
    "resx": b'<root><data name="a"><value>Our dog</value></data></root>'.strip,
    "ts": QT.encode,
    "xcstrings": XCSTRINGS.encode,
    "tmx": TMX.encode,
    "arb": b'{"@@locale": "en", "a": "Our dog"}'.strip,
    "yml": b"en:\n  a: Our dog\n".strip,
}
ARCHIVES = ("docx", "pptx", "xlsx", "odt", "odp", "ods", "epub")


@cache
def sample(kind: str) -> bytes:
    """Return a file of a kind, which is named by its first ending."""
    return MAKERS[kind]()
