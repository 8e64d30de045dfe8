"""Pages saved with their pictures (`.mhtml`, `.mht`): the page and its frames are read as HTML is.

Parts are found in the bytes of the file, so that all that is not translated comes back as it was.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterator, Sequence
from email.message import Message
from email.parser import BytesHeaderParser

from translator.documents.document import Document, Filler, Piece, PieceDocument
from translator.documents.plain import page_pieces
from translator.errors import InputError

_HTML = ("text/html", "application/xhtml+xml")
_BLANK_LINE = re.compile(rb"\r?\n\r?\n|\Z")
_MOST_LEVELS = 8  # of parts inside each other
_DECODE: dict[str, Callable[[bytes], bytes]] = {
    **dict.fromkeys(("7bit", "8bit", "binary"), bytes),
    "base64": binascii.a2b_base64,
    "quoted-printable": binascii.a2b_qp,
}


_Page = tuple[int, int, Sequence[Piece], Callable[[str], bytes]]
"""Where its body is in the file, what it has, and what makes a body of its text."""


def read_mhtml(name: str, data: bytes, target: str | None = None) -> Document[bytes]:
    """Read a page that a browser or Word has saved with its pictures.

    Raises:
        InputError: it is cut off, or has no page, or one in an unknown encoding.
    """
    parts = _parts(name, data, 0, len(data), _MOST_LEVELS)
    pages = [_page(name, data, target, *one) for one in parts if one[0].get_content_type() in _HTML]
    if not pages:
        raise InputError(f"{name}: has no page, so it is no saved one, or damaged; save it again")

    def write_all(filler: Filler) -> bytes:
        written, done = list[bytes](), 0
        for start, end, pieces, write in pages:
            written += [data[done:start], write(filler.text(pieces))]
            done = end
        return b"".join([*written, data[done:]])

    return PieceDocument((piece for page in pages for piece in page[2]), name, write_all)


def _parts(
    name: str, data: bytes, start: int, end: int, levels: int
) -> Iterator[tuple[Message, int, int]]:
    """Yield the head of each part that has no others inside, and where its body is."""
    blank = _BLANK_LINE.search(data, start, end)
    body = blank.end() if blank else end
    head = BytesHeaderParser().parsebytes(data[start:body].lstrip())
    boundary = head.get_boundary()
    if boundary is None or not levels:
        yield head, body, end
        return
    sign = re.escape(boundary.encode("utf-8", "replace"))
    line = re.compile(rb"\r?\n--" + sign + rb"(--)?[ \t]*(?=\r?\n|\Z)")
    begins = 0
    for found in line.finditer(data, body - 1, end):
        if begins:
            yield from _parts(name, data, begins, found.start(), levels - 1)
        if found[1]:
            return
        begins = found.end()
    raise InputError(f"{name}: is cut off: what ends its parts is missing; save the page again")


def _page(name: str, data: bytes, target: str | None, head: Message, start: int, end: int) -> _Page:
    transfer = str(head.get("Content-Transfer-Encoding", "8bit")).strip().lower()
    raw = data[start:end]
    try:
        page = _DECODE[transfer](raw)
    except (KeyError, binascii.Error) as error:
        raise InputError(f"{name}: has an unreadable page ({error}); save it again") from error
    pieces, encode = page_pieces(name, page, target, head.get_content_charset())
    newline = b"\r\n" if b"\r\n" in data else b"\n"

    def write(text: str) -> bytes:
        written = encode(text)
        if written == page:
            return raw
        if transfer == "base64":
            return base64.encodebytes(written).replace(b"\n", newline)
        if transfer == "quoted-printable":
            lines = (binascii.b2a_qp(line, istext=False) for line in written.split(newline))
            return newline.join(line.replace(b"\n", newline) for line in lines)
        if transfer == "7bit" and raw.isascii():
            return text.encode("ascii", "xmlcharrefreplace")
        return written

    return start, end, pieces, write
