"""Translations of documents without a model: all words in capitals, or nothing changed."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from translator.documents.document import Document
from translator.text.marked import MarkedText


def shout(unit: MarkedText) -> str:
    """Return a unit in capitals, with its spans as they are."""
    said, done = "", 0
    for start, end in unit.spans:
        said += unit.text[done:start].upper() + unit.text[start:end]
        done = end
    return said + unit.text[done:].upper()


def shouted(document: Document[bytes]) -> bytes:
    return document.rebuild([shout(unit) for unit in document.units])


def unchanged(document: Document[bytes]) -> bytes:
    return document.rebuild([unit.text for unit in document.units])


def texts(document: Document[bytes]) -> list[str]:
    return [unit.text for unit in document.units]


def saved(save: Callable[[io.BytesIO], object]) -> bytes:
    """Return what a document of another library writes into a file."""
    written = io.BytesIO()
    save(written)
    return written.getvalue()


def archive(members: Mapping[str, bytes | str], packed: bool = True) -> bytes:
    """Return a zip archive."""
    written = io.BytesIO()
    method = zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED
    with zipfile.ZipFile(written, "w", method) as target:
        for name, content in members.items():
            target.writestr(name, content)
    return written.getvalue()


def members(data: bytes) -> dict[str, bytes]:
    """Return the members of a zip archive, in order."""
    with zipfile.ZipFile(io.BytesIO(data)) as source:
        return {name: source.read(name) for name in source.namelist()}


A, B, C, D = (chr(0xF0000 + number) for number in range(4))
"""What marks are numbered with in texts."""


def cases(path: Path) -> list[Any]:
    """Return the cases of a file, four lines each, as parameters of a test.

    They are a name; what is read; its units, with ` ¦ ` between them, or `-` for none; and how it
    is written in capitals, `=` if it stays, `-` if that is not asked. Marks are `‹A›`, `‹B›`.
    """
    lines = [_case_line(line) for line in path.read_text("utf-8").splitlines()]
    return [
        pytest.param(
            before,
            [] if units == "-" else units.split(" ¦ "),
            {"=": before, "-": None}.get(after, after),
            id=name.removeprefix("# "),
        )
        for name, before, units, after in zip(*[iter(lines)] * 4, strict=True)
    ]


def _case_line(line: str) -> str:
    line = re.sub("‹([A-I])›", lambda mark: chr(0xF0000 + ord(mark[1]) - ord("A")), line)
    escapes = {"n": "\n", "t": "\t", "f": "\f", "v": "\v", "u2011": "\u2011"}
    return re.sub(r"\\(u2011|.)", lambda escape: escapes.get(escape[1], escape[1]), line)
