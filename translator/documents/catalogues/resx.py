"""Resources of .NET (`.resx`, `.resw`): texts are translated; names, types and comments stay."""

from __future__ import annotations

from collections.abc import Iterator

from translator.documents.document import Document, TextUnit
from translator.documents.markup.icu import text_or_choices
from translator.documents.markup.program import label
from translator.documents.xml_source import Edit, Element, XmlSource
from translator.errors import InputError
from translator.text.characters import has_letters

_STRING = "System.String"


def read_resx(name: str, data: bytes, target: str | None = None) -> Document[bytes]:
    """Read resources of .NET.

    What has a type other than a string stays, and so do names that a designer keeps, `>>a.Name`.

    Raises:
        InputError: it is not well-formed, or other XML.
    """
    source = XmlSource(name, data, {})
    if source.root("root") is None:
        raise InputError(f"{name}: is no file of resources of .NET, which begins with <root>")
    return source.document(_edits(source, target))


def _edits(source: XmlSource, target: str | None) -> Iterator[Edit]:
    for data, around in source.elements(frozenset({"data"})):
        said, value = data.attributes, data.child("value")
        is_string = said.get("type", _STRING).startswith(_STRING) and "mimetype" not in said
        if len(around) == 1 and value and is_string and not said.get("name", "").startswith(">>"):
            yield from _edit(source, value, target)


def _edit(source: XmlSource, value: Element, target: str | None) -> Iterator[Edit]:
    start, end, escape = source.place(value)
    if has_letters(value.text) and not any(value.elements):
        message, original = label(value.text), source.cut(start, end)
        unit = TextUnit(message.marked, original, lambda text: escape(message.finished(text)))
        yield start, end, text_or_choices(value.text, target, escape, unit, ("", ""))
