"""Sheets of OpenDocument under other names: the tables, their settings, and all addresses."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator

from translator.documents.archive import Archive
from translator.documents.sheet_names import Renames
from translator.documents.xml_source import XmlSource, escaped, escaped_value

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
_SETTINGS, _CONTENT = "settings.xml", "content.xml"
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
    """Return a name as it is now written."""
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
