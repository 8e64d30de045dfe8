"""Files of running text: plain text, Markdown and HTML."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator

from translator.documents.document import Document, FileDocument, Piece, Prose, TextDocument
from translator.documents.encoding import decode
from translator.documents.kinds import NO_OPTIONS, FileOptions
from translator.documents.markup import markdown
from translator.documents.markup.html import read_html
from translator.text.characters import primary_language
from translator.text.marked import MarkedText

_MOST_CHARS = 5_000  # in a unit, if a blank line stands after them
_FENCE = re.compile(r"[ \t>]*(?:```|~~~)")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_CHARSET = re.compile(rb"<meta[^<>]{0,200}?charset\s*=\s*[\"']?\s*([\w-]{1,40})", re.IGNORECASE)
_LANGUAGE_IN_TAG = re.compile(r"(\s(?:xml:)?lang\s*=\s*[\"']?)[A-Za-z][\w-]*", re.IGNORECASE)
_LANGUAGE = re.compile(
    r"<(?P<name>[A-Za-z]\w*)\b[^<>]*?\s(?:xml:)?lang\s*=\s*[\"']?(?P<code>[A-Za-z]{2,3})\b",
    re.IGNORECASE,
)
_HEAD = 1024  # bytes of a page in which browsers look for its encoding

ReadText = Callable[[str, str], TextDocument]


def read_text(name: str, data: bytes) -> Document[bytes]:
    """Read plain text.

    Raises:
        InputError: it is in an unknown encoding, or no text.
    """
    text, encoding = decode(data, name)
    return FileDocument(_blocks(text), name, encoding.encode)


def read_markdown(name: str, data: bytes, options: FileOptions = NO_OPTIONS) -> Document[bytes]:
    """Read Markdown; the options say whether its front matter is translated.

    Raises:
        InputError: as for `read_text`.
    """
    read = functools.partial(markdown.read_markdown, has_front_matter=options.front_matter)
    return _read_marked_up(name, data, read)


def read_page(name: str, data: bytes, target: str | None = None) -> Document[bytes]:
    """Read HTML, in the encoding that it declares.

    Raises:
        InputError: as for `read_text`.
    """

    def read(text: str, name: str) -> TextDocument:
        document = read_html(text, name)
        return TextDocument(_in_language(document.pieces, target), name) if target else document

    return _read_marked_up(name, data, read, _CHARSET.search(data[:_HEAD]))


def _in_language(pieces: Iterable[Piece], target: str) -> Iterator[Piece]:
    """Yield the pieces of a page whose tags of blocks say the language of the translation.

    That are `<html>` and those in the same language; a quotation in another keeps its own.
    """
    page = ""
    for piece in pieces:
        found = _LANGUAGE.match(piece) if isinstance(piece, str) else None
        if found is None or not isinstance(piece, str):
            yield piece
            continue
        page = page or (primary_language(found["code"]) if found["name"].lower() == "html" else "")
        is_own = page == primary_language(found["code"]) != primary_language(target)
        yield _LANGUAGE_IN_TAG.sub(rf"\g<1>{target}", piece) if is_own else piece


def _read_marked_up(
    name: str, data: bytes, read: ReadText, declared: re.Match[bytes] | None = None
) -> Document[bytes]:
    text, encoding = decode(data, name, declared[1].decode() if declared else None)
    return FileDocument(
        read(text, name).pieces, name, encoding.encode_markup if declared else encoding.encode
    )


def _blocks(text: str) -> Iterator[Piece]:
    """Yield text in units that end at blank lines, outside of fenced code."""
    block, is_code = list[str](), False
    size = 0
    for line in _LINE.findall(text):
        is_code ^= _FENCE.match(line) is not None
        if size >= _MOST_CHARS and not is_code and not line.strip():
            yield Prose(MarkedText("".join(block)))
            block, size = [], 0
        block.append(line)
        size += len(line)
    if block:
        yield Prose(MarkedText("".join(block)))
