"""Bytes of a file as text, and text as bytes again: in the same encoding, with the same mark."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from translator.errors import InputError

UTF_8 = "utf-8"
_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32-le",  # before UTF-16, whose mark it begins with
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
_DECLARED = re.compile(rb"<\?xml[^<>]{0,200}?encoding\s*=\s*[\"']([\w.-]{1,40})[\"']")
_BLOCK = 1 << 18
_BEYOND = {"ascii": rb"[\x80-\xff]", "iso8859-1": rb"[\x80-\x9f]"}
_NOT_IN_WINDOWS_1252 = re.compile(rb"[\x81\x8d\x8f\x90\x9d]")
_SIGNS = "\t\n\f\r -~€‚„…‰‹‘’“”•–—™›\u00a0¡£§©«®°´·»¿"
_LETTERS = {
    "de en es fr it nl": "àáâäæçèéêëìíîïñòóôöœùúûüß",
    "da fi nb nn sv": "àáâäåæçéêëïñóôöøšüž",
    "et": "äõöšüž",
    "pt": "àáâãçéêíóôõúü",
}
"""Letters of languages, by CLDR. A text in Czech, Hungarian or Romanian, whose `ř`, `ő` and `ă` are
`ø`, `õ` and `ã` here, soon has one that no row has."""

_ANY_OF_THEM = rf"(?=[\s\S]*?(?:å|ão))[{_SIGNS}{''.join(_LETTERS.values())}]*"
_WESTERN = re.compile(
    "|".join([*(f"[{_SIGNS}{letters}]*" for letters in _LETTERS.values()), _ANY_OF_THEM]),
    re.IGNORECASE,
)
"""All letters may stand beside `å` and `ão`, which no such text has."""


@dataclass(frozen=True, slots=True)
class TextEncoding:
    """How a file writes its text.

    Attributes:
        codec: name of a Python codec.
        mark: the byte order mark at its beginning, if any.
    """

    codec: str = "utf-8"
    mark: bytes = b""

    def encode(self, text: str) -> bytes:
        """Return the bytes of a text: UTF-8 with a mark if the encoding lacks a character."""
        try:
            return self.mark + text.encode(self.codec)
        except UnicodeEncodeError:
            return codecs.BOM_UTF8 + text.encode("utf-8", "replace")

    def encode_markup(self, text: str) -> bytes:
        """Return the bytes of XML or HTML: references for characters that the encoding lacks."""
        return self.mark + text.encode(self.codec, "xmlcharrefreplace")

    def encoded_markup(self, texts: Iterable[str]) -> Iterator[bytes]:
        """Yield the bytes of XML or HTML whose text comes in parts; see `encode_markup`."""
        encoder = codecs.getincrementalencoder(self.codec)("xmlcharrefreplace")
        yield self.mark
        parts, length = list[str](), 0
        for text in texts:
            parts.append(text)
            length += len(text)
            if length >= _BLOCK:
                yield encoder.encode("".join(parts))
                parts, length = [], 0
        yield encoder.encode("".join(parts), final=True)


_CENTRAL = re.compile(
    "[\t\n\f\r -~€‚„…‰‹‘’“”•–—™›\u00a0§©«®°´·»ÁÄÉËÍÓÔÖÚÜÝßáäéëíóôöúüý"
    "ĄĆČĎĐĘĚŁĽĹŃŇŐŔŘŚŠŤŮŰŹŻŽąćčďđęěłľĺńňőŕřśšťůűźżž]*"
)


def _is_misread(text: str) -> bool:
    """Return whether a text of another script was taken for Latin: few letters are plain then."""
    letters = [one for one in text if one.isalpha()]
    return 4 * sum(map(str.isascii, letters)) < len(letters)


def decode(data: bytes, name: str, declared: str | None = None) -> tuple[str, TextEncoding]:
    """Return the text of a file, and its encoding; the name is for errors.

    A byte order mark decides, or else what the file declares, or else UTF-8. A file that is not
    UTF-8 is read as UTF-16 if every other byte is zero, and as Windows-1252 or Windows-1250 if all
    its characters are such as texts of Western or of Central Europe have.

    Raises:
        InputError: it is in another encoding, or no text.
    """
    for mark, codec in _MARKS.items():
        if data.startswith(mark):
            encoding = TextEncoding(codec, mark)
            return _decoded(data[len(mark) :], encoding, name), encoding
    if declared is not None:
        encoding = TextEncoding(_known(declared, name))
        return _decoded(data, encoding, name), encoding
    if 3 * data.count(0) > len(data):
        encoding = TextEncoding("utf-16-be" if data[:1] == b"\0" else "utf-16-le")
        return _decoded(data, encoding, name), encoding
    try:
        return _decoded(data, TextEncoding(), name), TextEncoding()
    except InputError:
        for codec, letters in (("cp1252", _WESTERN), ("cp1250", _CENTRAL)):
            text = data.decode(codec, "replace")
            if letters.fullmatch(text) and not _is_misread(text):
                return text, TextEncoding(codec)
        raise


def encoding_of_page(data: bytes, name: str, declared: str) -> str:
    """Return the encoding of a page that declares one: as browsers read it, or surely UTF-8.

    To them, ASCII and Latin-1 are Windows-1252. Valid UTF-8 is that, even if it declares an
    encoding with a byte for each letter.

    Raises:
        InputError: there is no such encoding.
    """
    codec = _known(declared, name)
    is_single_byte = len(b"\xe3\xa4".decode(codec, "replace")) == 2  # in others, that is one
    if is_single_byte and not data.isascii() and _is_utf8(data):
        return UTF_8
    is_windows = codec in _BEYOND and re.search(_BEYOND[codec], data)
    return "cp1252" if is_windows and not _NOT_IN_WINDOWS_1252.search(data) else declared


def declared_by_xml(data: bytes) -> str | None:
    """Return the encoding that a file of XML names at its beginning."""
    declared = _DECLARED.match(data)
    return declared[1].decode() if declared else None


def as_utf8(data: bytes, name: str, declared: str) -> tuple[bytes, TextEncoding]:
    """Return the text of a file in UTF-8, without a mark, and its encoding.

    What is in UTF-8 already is not copied.

    Args: and Raises: see `decode`.
    """
    if (
        _known(declared, name) == "utf-8"
        and not data.startswith((*_MARKS,))
        and _is_utf8(data)
        and b"\0" not in data
    ):
        return data, TextEncoding()
    text, encoding = decode(data, name, declared)
    return text.encode(), encoding


def _is_utf8(data: bytes) -> bool:
    decoder, blocks = codecs.getincrementaldecoder("utf-8")(), memoryview(data)
    try:
        for start in range(0, len(data), _BLOCK):
            decoder.decode(blocks[start : start + _BLOCK])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def decode_json(data: bytes, name: str) -> tuple[str, Any, TextEncoding]:
    """Return the text of a file of JSON, what it says, and its encoding.

    Raises:
        InputError: as for `decode`, or it is no JSON; the message has line and column.
    """
    text, encoding = decode(data, name)
    try:
        return text, json.loads(text), encoding
    except RecursionError as error:
        raise InputError(f"{name}: is nested too deeply to be a catalogue of texts") from error
    except ValueError as error:
        raise InputError(f"{name}: is not JSON ({error})") from error


def newline_of(text: str) -> str:
    r"""Return what ends the lines of a text: `\r\n` if its first line ends so, else `\n`."""
    end = text.find("\n")
    return "\r\n" if end > 0 and text[end - 1] == "\r" else "\n"


def unescaped(raw: str, escape: re.Pattern[str], controls: Mapping[str, str]) -> str:
    """Return a text of a catalogue without its escapes.

    `escape` has a group `code`, of UTF-16, and a group `char`, with what `controls` says or itself;
    with neither, nothing is meant.
    """

    def char(found: re.Match[str]) -> str:
        if found["code"]:
            return chr(int(found["code"], 16))
        return controls.get(found["char"], found["char"] or "")

    text = escape.sub(char, raw)
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def escapes(raw: str, escape: re.Pattern[str], written: Mapping[str, str]) -> Mapping[int, str]:
    """Return `written` for `str.translate`, without what `raw` has with no escape only."""
    bare = escape.sub("", raw)
    known = written.items()
    return {ord(char): text for char, text in known if text in raw or char not in bare}


def _known(declared: str, name: str) -> str:
    """Return the codec that a file declares.

    Raises:
        InputError: Python has no such codec for text.
    """
    try:
        codec = codecs.lookup(declared)
        b"a".decode(declared)
    except (LookupError, ValueError) as error:
        raise InputError(
            f"{name}: declares the unknown encoding {declared!r}; save it as UTF-8"
        ) from error
    return codec.name


def _decoded(data: bytes, encoding: TextEncoding, name: str) -> str:
    try:
        text = data.decode(encoding.codec)
    except UnicodeError as error:
        line = data[: getattr(error, "start", 0)].count(b"\n") + 1
        reason = getattr(error, "reason", error)
        raise InputError(
            f"{name}, line {line}: is not {encoding.codec.upper()} ({reason}); save it as UTF-8"
        ) from error
    if "\0" in text:
        raise InputError(f"{name}: has zero bytes, so it is no text file")
    return text
