"""XLIFF 1.2 and 2.x (`.xliff`, `.xlf`): the `target` of each unit is filled in, all else stays."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from translator.documents.document import Document, Piece
from translator.documents.kinds import (
    NO_OPTIONS,
    FileOptions,
    check_translations,
    is_other_language,
)
from translator.documents.markup.icu import choices_in_markup
from translator.documents.markup.inline import Item, Kind
from translator.documents.paragraph import (
    CUTS,
    Mark,
    ParagraphUnit,
    char_for,
    enclosed,
    mark_of,
    message_items,
    parts_of,
)
from translator.documents.xml_source import Edit, Element, Text, XmlSource, opened, with_attribute
from translator.errors import InputError
from translator.text.characters import has_letters

_FIRST = "urn:oasis:names:tc:xliff:document:1."
_SECOND = "urn:oasis:names:tc:xliff:document:2."
_PREFIXES = {
    **{f"{_FIRST}{minor}": "" for minor in range(3)},
    **{f"{_SECOND}{minor}": "" for minor in range(3)},
    "http://www.w3.org/XML/1998/namespace": "xml",
}
_LANGUAGE_OF = {"file": "target-language", "xliff": "trgLang"}
_UNITS = frozenset({"trans-unit", "unit"})
_NOT_YET = frozenset({"new", "needs-translation", "initial"})
_NEW_STATE: Mapping[str, Mapping[str, str | None]] = {
    "trans-unit": {"state": "needs-review-translation", "state-qualifier": "mt-suggestion"},
    "segment": {},
}
_AROUND = frozenset({"g", "mrk", "pc"})
_LINES = frozenset({"lb", "pb", "x-br"})
_UNREAD = frozenset({"image", "x-img"})
_PARTS = re.compile(f"([{CUTS}])")
_NAMED_HALF = re.compile(r"(START|CLOSE)_(.+)")
_HALVES: dict[str, tuple[Kind, str]] = {
    "bx": ("opens", "rid"),
    "ex": ("closes", "rid"),
    "bpt": ("opens", "rid"),
    "ept": ("closes", "rid"),
    "sc": ("opens", "id"),
    "ec": ("closes", "startRef"),
}


def read_xliff(
    name: str, data: bytes, target: str | None = None, options: FileOptions = NO_OPTIONS
) -> Document[bytes]:
    """Read XLIFF.

    A unit that has a target keeps it unless its state says that it is to be translated. What has
    `translate="no"`, on itself or around it, is left out. A new target is marked to be reviewed as
    a suggestion of a machine (1.2), or as translated (2.x).

    Raises:
        InputError: it is no XLIFF, not well-formed, declares entities, or has translations into
            another language than `target`, and they are not to be replaced.
    """
    source = XmlSource(name, data, _PREFIXES)
    reader = _Reader(source, target, options.replace_translations)
    document = source.document(reader.edits())
    root = None if reader.has_units else source.root("xliff")
    if not reader.has_units and (root is None or "version" not in root.attributes):
        raise InputError(f"{name}: is no XLIFF of version 1 or 2")
    check_translations(name, reader.other_language, target)
    return document


class _Reader:
    """Cuts a file into pieces.

    Attributes:
        has_units: whether there is something, translated or not.
        other_language: of a translation that stays and is not in the language wanted, if any.
    """

    def __init__(self, source: XmlSource, target: str | None, replaces: bool) -> None:
        self._source, self._target, self._replaces = source, target, replaces
        self._named = set[int]()
        self._said: str | None = None
        self.has_units = False
        self.other_language: str | None = None

    def edits(self) -> Iterator[Edit]:
        """Yield all that is new."""
        for unit, around in self._source.elements(_UNITS):
            self.has_units, self._said = True, None
            for element in around:
                name = _LANGUAGE_OF.get(element.name)
                self._said = element.attributes.get(name, self._said) if name else self._said
                if name and element.start not in self._named:
                    self._named.add(element.start)
                    yield element.start, element.inside, [self._naming(element)]
            if not _is_translated((*around, unit)):
                continue
            segments = (child for child in unit.elements if child.name == "segment")
            for texts in [unit] if unit.name == "trans-unit" else segments:
                yield from self._filled(texts)

    def _naming(self, element: Element) -> str:
        tag = self._source.cut(element.start, element.inside)
        is_second = element.name == "xliff"
        if self._target is None or is_second != ("srcLang" in element.attributes):
            return tag
        if not is_second and "source-language" not in element.attributes:
            return tag
        name = _LANGUAGE_OF[element.name]
        said = element.attributes.get(name, "")
        return (
            with_attribute(tag, name, self._target)
            if not said or is_other_language(said, self._target)
            else tag
        )

    def _filled(self, texts: Element) -> Iterator[Edit]:
        source, target = texts.child("source"), texts.child("target")
        if source is None or not self._is_wanted(texts, target):
            return
        text = texts.child("seg-source") or source
        parts = [*self._parts(text)]
        if all(isinstance(part, str) for part in parts):
            return
        prefix = self._source.prefix(source)
        if texts.attributes.get("approved") == "yes":
            tag = self._source.cut(texts.start, texts.inside)
            yield texts.start, texts.inside, [with_attribute(tag, "approved", None)]
        if texts.name == "segment":
            tag = with_attribute(self._source.cut(texts.start, texts.inside), "subState", None)
            yield texts.start, texts.inside, [with_attribute(tag, "state", "translated")]
        tag, attributes = f"<{prefix}target>", dict(_NEW_STATE[texts.name])
        if target is not None:
            tag = opened(self._source.cut(target.start, target.inside))
            said = target.attributes.get("xml:lang")
            attributes |= (
                {"xml:lang": self._target} if is_other_language(said, self._target) else {}
            )
        for name, value in attributes.items():
            tag = with_attribute(tag, name, value)
        new = [tag, *parts, f"</{prefix}target>"]
        if target is not None:
            yield target.start, target.end, new
            return
        before = text if text.start > source.start else source
        yield before.end, before.end, [self._source.margin(source.start), *new]

    def _is_wanted(self, texts: Element, target: Element | None) -> bool:
        if target is None or not target.text.strip():
            return True
        state = (target if texts.name == "trans-unit" else texts).attributes.get("state")
        if state in _NOT_YET and texts.attributes.get("approved") != "yes":
            return True
        said = target.attributes.get("xml:lang", self._said)
        if not is_other_language(said, self._target):
            return False
        if not self._replaces:
            self.other_language = said
        return self._replaces

    def _parts(self, text: Element) -> Iterator[Piece]:
        """Yield the content of a source: a unit, or one for each of its marked sentences."""
        done = text.inside
        for child in text.elements:
            if child.name == "mrk" and child.attributes.get("mtype") == "seg":
                yield self._source.cut(done, child.inside)
                yield from self._content(child)
                done = child.outside
        if done > text.inside:
            yield self._source.cut(done, text.outside)
        else:
            yield from self._content(text)

    def _content(self, text: Element) -> Iterator[Piece]:
        start, end, escape = self._source.place(text)
        yield self._source.cut(text.inside, start)
        items = [*self._items(text)]
        original = [self._source.cut(start, end)]
        choices = choices_in_markup(parts_of(items), original, self._target, escape)
        if choices is not None:
            yield from choices
        elif has_letters("".join(item.text for item in items if item.kind == "text")):
            cuts = dict[str, str]()
            items = [_cutting(item, cuts) for item in items]
            yield ParagraphUnit(items, original, partial(_write, escape, cuts))
        else:
            yield from original
        yield self._source.cut(end, text.outside)

    def _items(self, parent: Element) -> Iterator[Item[Mark]]:
        for child in parent.children:
            if isinstance(child, Text):
                yield from message_items(child.text)
            elif child.name in _AROUND and child.attributes.get("translate") != "no":
                yield from enclosed(self._source, child, self._items(child))
            else:
                kind, shared = ("break", None) if _is_line(child) else _kind_of(child)
                read = _read(child) if kind == "stands" else ""
                mark = mark_of(self._source, child.start, child.end)
                yield Item(kind, mark=mark, pair=shared, read=read)


def _cutting(item: Item[Mark], cuts: dict[str, str]) -> Item[Mark]:
    """Return an item; a break of a line is the character that stands for it, and cuts the text."""
    if item.kind != "break" or item.mark is None:
        return item
    char = char_for("".join(map(str, item.mark.markup)), cuts)
    return Item("text", char) if char else replace(item, kind="stands")


def _write(escape: Callable[[str], str], cuts: Mapping[str, str], text: str, *_: str) -> str:
    """Return a text as the file has it, with the elements that characters of it stand for."""
    return "".join(cuts.get(part) or escape(part) for part in _PARTS.split(text))


def _kind_of(code: Element) -> tuple[Kind, Hashable]:
    """Return what a code does, and what it has in common with the other half of its pair."""
    name = code.attributes.get("id", "")
    if code.name == "x" and (half := _NAMED_HALF.fullmatch(name)):  # as Angular writes them
        return ("opens" if half[1] == "START" else "closes"), ("named", half[2])
    kind, key = _HALVES.get(code.name, ("stands", "id"))
    return kind, ("half", code.attributes.get(key) or name)


def _is_line(code: Element) -> bool:
    is_alone = code.name in ("ph", "x")
    return is_alone and (code.attributes.get("ctype") in _LINES or _shown(code)[:3] == "<br")


def _read(code: Element) -> str:
    """Return what a code adds to the sentence: something for a placeholder, nothing for a tag."""
    if code.name not in ("ph", "x", "mrk") or code.attributes.get("ctype") in _UNREAD:
        return ""
    shown = _shown(code)
    return "" if shown.startswith("<") else shown


def _shown(code: Element) -> str:
    said = (code.attributes.get(name, "") for name in ("equiv-text", "equiv", "disp", "id"))
    return code.text.strip() or next(filter(None, said), "")


def _is_translated(elements: Sequence[Element]) -> bool:
    """Return what the innermost of some elements says that says something."""
    said = [
        element.attributes["translate"] for element in elements if "translate" in element.attributes
    ]
    return not said or said[-1] != "no"
