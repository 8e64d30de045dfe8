"""Translations of documents without a model: all words in capitals, or nothing changed."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping

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
