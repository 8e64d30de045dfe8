"""Files of running text: plain text, Markdown and HTML."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from translator.documents.document import Document, FileDocument, Piece, Prose
from translator.documents.encoding import UTF_8, decode, encoding_of_page
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
    text, encoding = decode(data, name)
    document = markdown.read_markdown(text, name, options.front_matter)
    return FileDocument(document.pieces, name, encoding.encode)


def read_page(name: str, data: bytes, target: str | None = None) -> Document[bytes]:
    """Read HTML, in the encoding that it declares.

    Raises:
        InputError: as for `read_text`.
    """
    pieces, encode = page_pieces(name, data, target)
    return FileDocument(pieces, name, encode)


def page_pieces(
    name: str, data: bytes, target: str | None, charset: str | None = None
) -> tuple[Sequence[Piece], Callable[[str], bytes]]:
    """Return the pieces of a page, and what makes bytes of its text; see `read_file`.

    `charset` is the encoding, where the page is not to be asked for it.

    Raises:
        InputError: as for `read_text`.
    """
    found = None if charset else _CHARSET.search(data[:_HEAD])
    if found:
        charset = encoding_of_page(data, name, found[1].decode())
        if charset == UTF_8:  # so that it says what it is
            data = data[: found.start(1)] + UTF_8.encode() + data[found.end(1) :]
    text, encoding = decode(data, name, charset)
    pieces = read_html(text, name).pieces
    pieces = [*_in_language(pieces, target)] if target else pieces
    return pieces, encoding.encode_markup if charset else encoding.encode


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
