"""Notebooks of Jupyter (`.ipynb`): cells of Markdown; code, outputs and all else stay."""

from __future__ import annotations

from collections.abc import Iterator

from translator.documents.document import Document, FileDocument, Piece, embedded
from translator.documents.encoding import decode_json
from translator.documents.json_source import Escape, Member, escaping, has_halves, members
from translator.documents.markup.markdown import read_markdown
from translator.errors import InputError


def read_notebook(name: str, data: bytes) -> Document[bytes]:
    """Read a notebook of Jupyter.

    Raises:
        InputError: it is no JSON, or no notebook since version 4.
    """
    text, parsed, encoding = decode_json(data, name)
    if not (isinstance(parsed, dict) and isinstance(parsed.get("cells"), list)):
        raise InputError(
            f'{name}: is no notebook of Jupyter, which has a list "cells"; save an old one again'
        )
    return FileDocument(_pieces(text), name, encoding.encode)


def _pieces(text: str) -> Iterator[Piece]:
    escape, done = escaping(text), 0
    cells = (one for top in members(text) if top.key == "cells" for one in members(text, top.start))
    for cell in cells:
        inside = {one.key: one for one in members(text, cell.start)}
        source, kind = inside.get("source"), inside.get("cell_type")
        if source and kind and kind.value == "markdown":
            yield text[done : source.start]
            yield from _cell(text, source, escape)
            done = source.end
    yield text[done:]


def _cell(text: str, source: Member, escape: Escape) -> Iterator[Piece]:
    """Yield what a cell says: a string, or a list with one for each line."""
    lines = [*members(text, source.start)] or [source]
    is_odd = any(not isinstance(one.value, str) or has_halves(one.value) for one in lines)
    if is_odd or text.startswith("{", source.start):
        yield text[source.start : source.end]
        return
    first, last, newline = lines[0], lines[-1], "\\n"
    if first is not source:
        two = text[first.end : lines[1].start] if lines[1:] else ""
        newline = f'\\n"{two or "," + text[source.start + 1 : first.start]}"'
    whole = "".join(one.value for one in lines)
    inside = whole.rstrip("\n")
    yield text[source.start : first.start] + '"'
    pieces = read_markdown(inside).pieces
    yield from embedded(pieces, lambda part: newline.join(map(escape, part.split("\n"))))
    yield (newline * (len(whole) - len(inside))).removesuffix(newline[2:])
    yield '"' + text[last.end : source.end]
