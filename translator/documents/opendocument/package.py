"""Documents of OpenDocument: texts (`.odt`), slides (`.odp`) and sheets (`.ods`), with charts.

A paragraph is a unit. Spans with a format, links and the like are marks. Fields and cells that are
computed and deleted text stay as they are, and so do comments, but for those of sheets.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from translator.documents.archive import Archive, ArchiveDocument, Finish
from translator.documents.code import Code, staying, unless_all_is_code
from translator.documents.document import Document, Piece
from translator.documents.encoding import TextEncoding
from translator.documents.kinds import NO_OPTIONS, FileOptions
from translator.documents.language_marks import OPEN_DOCUMENT, marking
from translator.documents.opendocument.part import MemberReader, cells_of, values_that_formulas_name
from translator.documents.sheet_names import NamedSheets, Renames
from translator.documents.xml_source import XmlSource, escaped, escaped_value
from translator.errors import InputError

_OASIS = "urn:oasis:names:tc:opendocument:xmlns:"
_PREFIXES = {
    f"{_OASIS}text:1.0": "text",
    f"{_OASIS}office:1.0": "office",
    f"{_OASIS}style:1.0": "style",
    f"{_OASIS}table:1.0": "table",
    f"{_OASIS}drawing:1.0": "draw",
    f"{_OASIS}form:1.0": "form",
    f"{_OASIS}presentation:1.0": "presentation",
    f"{_OASIS}svg-compatible:1.0": "svg",
    "http://openoffice.org/2009/office": "officeooo",
}
_CONTENT = "content.xml"
_WITH_TEXT = re.compile(r"(?P<object>[^/]+/)?content\.xml|styles\.xml")
_KIND = b"application/vnd.oasis.opendocument."


def read_odt(name: str, data: bytes, target: str | None = None) -> Document[bytes]:
    """Read a text of OpenDocument.

    Raises:
        InputError: it is damaged, encrypted or too large, or no such document.
    """
    archive = _opened(name, data, "text")
    return _document(name, archive, finish=marking(name, target, OPEN_DOCUMENT))


def read_odp(name: str, data: bytes, target: str | None = None) -> Document[bytes]:
    """Read slides of OpenDocument.

    Raises:
        InputError: as for `read_odt`.
    """
    archive = _opened(name, data, "presentation")
    return _document(name, archive, finish=marking(name, target, OPEN_DOCUMENT))


def read_ods(name: str, data: bytes, options: FileOptions = NO_OPTIONS) -> Document[bytes]:
    """Read sheets of OpenDocument.

    Cells that are codes, or that a formula or a filter names, stay as they are.

    Raises:
        InputError: as for `read_odt`.
    """
    archive = _opened(name, data, "spreadsheet")
    content = archive.read(_CONTENT)
    cells = cells_of(XmlSource(f"{name}, {_CONTENT}", content, _PREFIXES))
    document = _document(name, archive, staying(values_that_formulas_name(content), cells))
    if not options.sheet_names:
        return document
    text = content.decode("utf-8", "replace")

    def renamed(data: bytes, renames: Renames) -> bytes:
        return rename(name, data, renames)

    return NamedSheets(name, document, sheets_of(text), formulas_of(text), renamed)


def _opened(name: str, data: bytes, kind: str) -> Archive:
    archive = Archive(name, data)
    manifest = "META-INF/manifest.xml"
    if manifest in archive.names and b"encryption-data" in archive.read(manifest):
        raise InputError(f"{name}: is encrypted; save it without a password", "encrypted_file")
    archive.read(_CONTENT)
    declared = archive.read("mimetype") if "mimetype" in archive.names else b""
    if declared.startswith(_KIND) and not declared.startswith(_KIND + kind.encode()):
        other = declared.removeprefix(_KIND).decode("ascii", "replace").strip()
        raise InputError(f"{name}: is a {other} of OpenDocument, not a {kind}; name it as one")
    return archive


def _document(
    name: str,
    archive: Archive,
    stays: Callable[[str], bool] | None = None,
    finish: Finish = lambda written: written,
) -> Document[bytes]:
    def part(member: str, is_object: bool, code: Code) -> tuple[Iterable[Piece], TextEncoding]:
        source = XmlSource(f"{name}, {member}", archive.read(member), _PREFIXES)
        return MemberReader(source, stays, code, is_object=is_object).pieces(), source.encoding

    def read(code: Code) -> Document[bytes]:
        parts = {
            member: partial(part, member, found["object"] is not None, code)
            for member in archive.names
            if (found := _WITH_TEXT.fullmatch(member))
        }
        return ArchiveDocument(name, archive, parts, finish)

    return unless_all_is_code(read)


_TAG = re.compile(r"<[A-Za-z][^<>]*>")
_ATTRIBUTE = re.compile(r"(\s([\w.-]+(?::[\w.-]+)?)\s*=\s*)(?:\"([^\"]*)\"|'([^']*)')")
_SHEET = re.compile(r"<table:table\s[^<>]*?\btable:name\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_ACTIVE = re.compile(r"(<[^<>]*config:name=\"ActiveTable\"[^<>]*>)([^<>]*)(?=</)")
_FORMULA = re.compile(r"\stable:(?:formula|condition|expression)\s*=\s*\"([^\"]*)\"")
_TEXTS = frozenset({"office:string-value", "svg:title", "table:name"})
_REFERENCE = re.compile(
    r'"(?:[^"]|"")*"'  # a text
    r"|(?<![\w.'])(?<!'#)(?<!'#\$)(?:'(?P<quoted>(?:[^']|'')+)'|(?P<bare>[^\W\d]\w*))"
    r"\.(?=\$?(?:[A-Z]{1,3}(?:\$?\d|(?!\w))|\d))"
)
_MEMBER = re.compile(r"(?:[^/]+/)?(?:content|styles)\.xml|settings\.xml")
_SETTINGS = "settings.xml"
_PLAIN = re.compile(r"[^\W\d]\w*")


def sheets_of(content: str) -> list[str]:
    """Return the names of all sheets, from the main member."""
    return [html.unescape(double or single) for double, single in _SHEET.findall(content)]


def formulas_of(content: str) -> Iterator[str]:
    """Yield all formulas and conditions."""
    return (html.unescape(formula) for formula in _FORMULA.findall(content))


def rename(name: str, data: bytes, renames: Renames) -> bytes:
    """Return a file with other names of sheets."""
    archive, contents = Archive(name, data), {}
    for member in archive.names:
        if _MEMBER.fullmatch(member):
            source = XmlSource(f"{name}, {member}", archive.read(member), {})
            before = source.cut(0, source.size)
            after = _TAG.sub(lambda tag: _in_tag(tag[0], member, renames), before)  # noqa: B023
            if member == _SETTINGS:
                after = _ACTIVE.sub(lambda one: one[1] + _named(one[2], renames, escaped), after)
            if after != before:
                contents[member] = [source.encoding.encode_markup(after)]
    return archive.with_contents(contents.get)


def _in_tag(tag: str, member: str, renames: Renames) -> str:
    """Return a start tag with the new names: its own, if it is of a sheet, and in addresses."""
    is_sheet = member == _CONTENT and tag.startswith("<table:table ")
    is_entry = member == _SETTINGS and tag.startswith("<config:config-item-map-entry ")

    def one(found: re.Match[str]) -> str:
        before, name, value = found[1], found[2], found[3] if found[4] is None else found[4]
        if (is_sheet and name == "table:name") or (is_entry and name == "config:name"):
            return f'{before}"{_named(value, renames, escaped_value)}"'
        old = html.unescape(value)
        new = old if name in _TEXTS else in_address(old, renames)
        return found[0] if new == old else f'{before}"{escaped_value(new)}"'

    return _ATTRIBUTE.sub(one, tag)


def _named(written: str, renames: Renames, write: Callable[[str], str]) -> str:
    new = renames.get(html.unescape(written))
    return written if new is None else write(new)


def in_address(address: str, renames: Renames) -> str:
    """Return an address or a formula that has sheets by their new names; texts in it stay."""

    def one(found: re.Match[str]) -> str:
        new = renames.get(found["bare"] or (found["quoted"] or "").replace("''", "'"))
        if new is None:
            return found[0]
        return f"{new}." if _PLAIN.fullmatch(new) else "'{}'.".format(new.replace("'", "''"))

    return _REFERENCE.sub(one, address)
