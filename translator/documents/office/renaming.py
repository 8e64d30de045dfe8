"""Sheets of Excel under other names: in the list of sheets, and in whatever refers to one."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator

from translator.documents.markup.archive import Archive
from translator.documents.markup.source import XmlSource, escaped, escaped_value
from translator.documents.sheet_names import Renames

_FORMULA = re.compile(
    r"(<(?:\w+:)?(?:f|formula[12]?|definedName|calculatedColumnFormula|totalsRowFormula"
    r"|FmlaLink|FmlaRange|FmlaTxbx)\b[^<>]*>)([^<>]+)(?=</)"
)
_ADDRESS = re.compile(
    r"(\s(?:location|textlink|fmlaLink|fmlaRange|fmlaTxbx)\s*=\s*\"|\sTarget\s*=\s*\"#)([^\"<>]+)"
)
_SOURCE = re.compile(
    r"(<(?:\w+:)?(?:worksheetSource|dataRef|rangeSet)\b[^<>]*?\ssheet\s*=\s*\")([^\"<>]*)"
)
_SHEET = re.compile(r"(<(?:\w+:)?sheet\b[^<>]*?\sname\s*=\s*\")([^\"<>]*)")
_TITLE = re.compile(r"(<vt:lpstr>)([^<>]*)(?=</)")
_REFERENCE = re.compile(
    r'"(?:[^"]|"")*"'  # a text
    r"|'(?P<quoted>(?:[^'\[]|'')+)'!"  # with a bracket, it is in another file
    r"|(?<![\w.\]'!])(?P<bare>[^\W\d][\w.]*(?::[^\W\d][\w.]*)?)!"
)
_WITH_REFERENCES = re.compile(r"xl/(?!externalLinks/).*\.(?:xml|rels|vml)")
_TITLES = "docProps/app.xml"

Write = Callable[[str], str]


def sheets_of(workbook: XmlSource) -> list[str]:
    """Return the names of all sheets, from the part that lists them."""
    found = workbook.elements(frozenset({"s:sheet"}))
    return [element.attributes.get("name", "") for element, _ in found]


def formulas_of(archive: Archive) -> Iterator[str]:
    """Yield all formulas of a package."""
    for member in archive.names:
        if _WITH_REFERENCES.fullmatch(member):
            text = archive.read(member).decode("utf-8", "replace")
            yield from (html.unescape(formula[1]) for formula in _FORMULA.findall(text))


def rename(name: str, data: bytes, workbook: str, renames: Renames) -> bytes:
    """Return a file with other names of sheets.

    Args:
        name: of the file, for errors.
        data: the file.
        workbook: the member that lists the sheets.
        renames: new names by the old ones.
    """
    archive, contents = Archive(name, data), {}
    for member in archive.names:
        if member == _TITLES or _WITH_REFERENCES.fullmatch(member):
            source = XmlSource(f"{name}, {member}", archive.read(member), {})
            before = source.cut(0, source.size)
            after = _renamed(before, member, workbook, renames)
            if after != before:
                contents[member] = [source.encoding.encode_markup(after)]
    return archive.with_contents(contents.get)


def _renamed(text: str, member: str, workbook: str, renames: Renames) -> str:
    """Return the text of a member with the new names."""

    def replaced(pattern: re.Pattern[str], change: Write, write: Write) -> Write:
        def one(found: re.Match[str]) -> str:
            old = html.unescape(found[2])
            new = change(old)
            return found[0] if new == old else found[1] + write(new)

        return lambda text: pattern.sub(one, text)

    def by_name(old: str) -> str:
        return renames.get(old, old)

    def by_reference(old: str) -> str:
        return in_formula(old, renames)

    if member == _TITLES:
        text = replaced(_TITLE, by_reference, escaped)(text)
        return replaced(_TITLE, by_name, escaped)(text)
    text = replaced(_FORMULA, by_reference, escaped)(text)
    text = replaced(_ADDRESS, by_reference, escaped_value)(text)
    text = replaced(_SOURCE, by_name, escaped_value)(text)
    return replaced(_SHEET, by_name, escaped_value)(text) if member == workbook else text


def in_formula(formula: str, renames: Renames) -> str:
    """Return a formula that refers to sheets by their new names; texts in it stay."""

    def one(found: re.Match[str]) -> str:
        name = found["bare"] or (found["quoted"] or "").replace("''", "'")
        old = name.split(":")  # from one sheet to another
        if not any(sheet in renames for sheet in old):
            return found[0]
        new = ":".join(renames.get(sheet, sheet) for sheet in old).replace("'", "''")
        return f"'{new}'!"

    return _REFERENCE.sub(one, formula)
