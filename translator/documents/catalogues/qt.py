"""Catalogues of Qt (`.ts`): translations that are missing are filled in, and stay unfinished."""

from __future__ import annotations

from collections.abc import Iterator

from translator.documents.catalogues.gettext import PLURAL_FORMS
from translator.documents.document import Document, Piece, TextUnit
from translator.documents.kinds import (
    NO_OPTIONS,
    FileOptions,
    check_translations,
    is_other_language,
)
from translator.documents.markup.program import label
from translator.documents.xml_source import (
    Edit,
    Element,
    XmlSource,
    escaped,
    opened,
    with_attribute,
)
from translator.errors import InputError
from translator.text.characters import has_letters, primary_language

_ROOT = "TS"
_FORMS = frozenset({"numerusform", "lengthvariant"})


def read_qt(
    name: str, data: bytes, target: str | None = None, options: FileOptions = NO_OPTIONS
) -> Document[bytes]:
    """Read a catalogue of Qt.

    A translation that somebody has made stays, finished or not; so do obsolete ones. What is
    filled in stays unfinished, so that it is reviewed. All plural forms of a message are alike.

    Raises:
        InputError: it is not well-formed, or no catalogue of Qt, or has translations into another
            language than `target`, and they are not to be replaced.
    """
    source = XmlSource(name, data, {})
    root = source.root(_ROOT)
    if root is None:
        raise InputError(f"{name}: is no catalogue of Qt, which begins with <{_ROOT}>")
    reader = _Reader(source, root, target, options.replace_translations)
    document = source.document(reader.edits())
    check_translations(name, reader.language if reader.is_begun else None, target)
    return document


class _Reader:
    """Cuts a catalogue into pieces.

    Attributes:
        language: that it says it is in.
        is_begun: whether there are translations that stay.
    """

    def __init__(
        self, source: XmlSource, root: Element, target: str | None, replaces: bool
    ) -> None:
        self._source, self._root, self._target = source, root, target
        self.language = root.attributes.get("language")
        self._is_other = is_other_language(self.language, target)
        self._replaces = replaces and self._is_other
        self.is_begun = False

    def edits(self) -> Iterator[Edit]:
        """Yield all that is new."""
        tag = self._source.cut(self._root.start, self._root.inside)
        if self._target is not None and (self._is_other or not self.language):
            tag = with_attribute(tag, "language", self._target)
        yield self._root.start, self._root.inside, [tag]
        for message, _ in self._source.elements(frozenset({"message"})):
            text, translation = message.child("source"), message.child("translation")
            if text is None or translation is None or not self._is_wanted(text, translation):
                continue
            forms = [child for child in translation.elements if child.name in _FORMS]
            tag = self._source.cut(translation.start, translation.inside)
            tag = with_attribute(tag, "type", "unfinished")
            count = len(forms)
            if message.attributes.get("numerus") == "yes":
                count, _ = PLURAL_FORMS.get(primary_language(self._target or ""), (count, ""))
            if count != len(forms):
                margin = self._source.margin(text.start)
                form = _filled(f"{margin}    <numerusform>", text.text, "numerusform")
                new = [opened(tag), *form * count, margin, "</translation>"]
                yield translation.start, translation.end, new
            elif not forms:
                yield translation.start, translation.end, _filled(tag, text.text, "translation")
            else:
                yield translation.start, translation.inside, [tag]
                for one in forms:
                    tag = self._source.cut(one.start, one.inside)
                    yield one.start, one.end, _filled(tag, text.text, one.name)

    def _is_wanted(self, text: Element, translation: Element) -> bool:
        kind = translation.attributes.get("type")
        is_there = kind is None or bool(translation.text.strip())
        if kind not in (None, "unfinished") or not has_letters(text.text) or any(text.elements):
            return False
        self.is_begun = self.is_begun or (bool(translation.text.strip()) and not self._replaces)
        return not is_there or self._replaces


def _filled(tag: str, text: str, name: str) -> list[Piece]:
    message = label(text)
    unit = TextUnit(message.marked, None, lambda words: escaped(message.finished(words)))
    return [opened(tag), unit, f"</{name}>"]
