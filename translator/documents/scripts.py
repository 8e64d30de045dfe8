r"""Subtitles with styles (`.ass`, `.ssa`): the text of dialogues; times, styles and tags stay.

A break of a line (`\N`) is a space to the translation, which is broken near the same place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from translator.documents.encoding import decode
from translator.documents.nesting import Item, Kind, inline_of, paired, without_edges
from translator.errors import InputError
from translator.text.characters import has_letters
from translator.text.formats.document import Document
from translator.text.formats.pieces import FileDocument, Piece, TextUnit
from translator.text.wrapping import rewrap

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_FORMAT = re.compile(r"Format\s*:\s*(?P<names>.*)", re.IGNORECASE)
_DIALOGUE = re.compile(r"Dialogue\s*:", re.IGNORECASE)
_SECTION = re.compile(r"\s*\[(?P<name>[^\]]*)\]")
_MARK = re.compile(r"\{[^{}]*\}|\\h")
_BREAK = re.compile(r"[ \t]*\\[Nn][ \t]*")
_SWITCH = re.compile(r"\{\\(?P<name>[bius])(?P<on>[01])\}")
_DRAWING = re.compile(r"\{[^{}]*\\p[1-9]")
_SPEAKER = re.compile(r"(?:\{[^{}]*\})*\s*[-–—‐]")


def read_ass(name: str, data: bytes) -> Document[bytes]:
    """Read subtitles with styles. Comments and drawings stay.

    Raises:
        InputError: there are no events, or the encoding is unknown.
    """
    text, encoding = decode(data, name)
    return FileDocument(_pieces(text, name), name, encoding.encode)


def _pieces(text: str, name: str) -> Iterator[Piece]:
    section, num_fields = "", 0
    for line in _LINE.findall(text):
        if found := _SECTION.match(line):
            section = found["name"].strip().lower()
        elif section == "events" and (head := _FORMAT.match(line)):
            num_fields = len(head["names"].split(","))
        elif section == "events" and num_fields and _DIALOGUE.match(line):
            fields = line.rstrip("\r\n").split(",", num_fields - 1)
            if len(fields) == num_fields and _is_language(fields[-1]):
                ending = line[len(line.rstrip("\r\n")) :]
                yield ",".join(fields[:-1]) + ","
                yield _unit(fields[-1])
                yield ending
                continue
        yield line
    if not num_fields:
        raise InputError(
            f"{name}: has no [Events] with a line Format:, so it is no file of subtitles"
        )


def _is_language(text: str) -> bool:
    return not _DRAWING.search(text) and has_letters(_BREAK.sub(" ", _MARK.sub("", text)))


def _unit(original: str) -> TextUnit:
    lines = _BREAK.split(original)
    has_speakers = sum(bool(_SPEAKER.match(line)) for line in lines) > 1
    joined = ("\n" if has_speakers else " ").join(lines)
    before, middle, behind = without_edges(_items(joined))
    inline = inline_of(middle)
    mark = r"\N" if r"\N" in original else r"\n"

    def write(translation: str) -> str:
        broken = translation if has_speakers else rewrap(translation, "\n".join(lines))
        written = "".join(
            piece if isinstance(piece, str) else piece[0] for piece in inline.pieces(broken)
        )
        around = ["".join(item.mark or item.text for item in items) for items in (before, behind)]
        return (around[0] + written + around[1]).replace("\n", mark)

    return TextUnit(inline.marked(), original, write)


def _items(text: str) -> list[Item[str]]:
    r"""Return texts and marks; `{\i1}` and `{\i0}` are a pair."""
    items, done = list[Item[str]](), 0
    for mark in _MARK.finditer(text):
        if done < mark.start():
            items.append(Item("text", text[done : mark.start()]))
        switch = _SWITCH.fullmatch(mark[0])
        kind: Kind = "stands"
        if switch:
            kind = "opens" if switch["on"] == "1" else "closes"
        items.append(Item(kind, mark=mark[0], pair=switch["name"] if switch else None))
        done = mark.end()
    if done < len(text):
        items.append(Item("text", text[done:]))
    return paired(items)
