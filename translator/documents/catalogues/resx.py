"""Resources of .NET (`.resx`, `.resw`): texts are translated; names, types and comments stay."""

from __future__ import annotations

from collections.abc import Iterator

from translator.documents.document import Document, TextUnit
from translator.documents.markup.icu import text_or_choices
from translator.documents.markup.program import label
from translator.documents.xml_source import Edit, Text, XmlSource
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
            for text in value.children:
                if isinstance(text, Text) and has_letters(text.text):
                    unit = _unit(source, text)
                    pieces = text_or_choices(
                        text.text, target, source.escaping(text), unit, ("", "")
                    )
                    yield text.start, text.end, pieces


def _unit(source: XmlSource, text: Text) -> TextUnit:
    message, escape = label(text.text), source.escaping(text)
    original = source.cut(text.start, text.end)
    return TextUnit(message.marked, original, lambda words: escape(message.finished(words)))
