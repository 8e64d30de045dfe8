"""The language that documents of an office say they are in, by which programs check spelling."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from babel.core import get_global

from translator.documents.archive import Archive
from translator.documents.xml_source import XmlSource
from translator.text.characters import primary_language
from translator.text.formats.document import Document
from translator.text.marked import MarkedText

_CODE = r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*"
OFFICE = re.compile(
    r"(?P<before><(?:\w+:)?(?:(?:lang|themeFontLang)\b[^<>]*?\s(?:\w+:)?val"
    rf"|(?:rPr|endParaRPr|defRPr)\b[^<>]*?\slang)\s*=\s*\")(?P<language>{_CODE})(?=\")"
)
OPEN_DOCUMENT = re.compile(
    rf"(?P<before>\sfo:language\s*=\s*\")(?P<language>{_CODE})"
    r"(?P<between>\"\s+fo:country\s*=\s*\")[A-Za-z0-9]+(?=\")"
)
"""Where a document says the language of its text."""

_MEMBER = re.compile(r"(?:word|ppt)/(?:.*/)?[^/]*\.xml|(?:.*/)?(?:content|styles)\.xml")


class LanguageMarked:
    """A document whose translation is marked as what it is, see `Document`.

    Marks of the language that most of them name are changed; a quotation in another keeps its own.
    """

    def __init__(
        self, name: str, document: Document[bytes], target: str, marks: re.Pattern[str]
    ) -> None:
        """Take the name of a file, what it is read as, the language wanted, and how marks look."""
        self._name, self._document, self._target = name, document, target
        self._marks = marks

    @property
    def units(self) -> Sequence[MarkedText]:
        """What to translate."""
        return self._document.units

    @property
    def left_alone(self) -> Sequence[str]:
        """What the document leaves."""
        return self._document.left_alone

    def rebuild(self, translations: Iterable[str]) -> bytes:
        """Return the document with its translations; see `Document.rebuild`."""
        written = self._document.rebuild(translations)
        archive = Archive(self._name, written)
        sources = {
            member: XmlSource(f"{self._name}, {member}", archive.read(member), {})
            for member in archive.names
            if _MEMBER.fullmatch(member)
        }
        texts = {member: source.cut(0, source.size) for member, source in sources.items()}
        named = Counter(
            primary_language(mark["language"])
            for text in texts.values()
            for mark in self._marks.finditer(text)
        )
        [(language, _)] = named.most_common(1) or [("", 0)]
        if language in ("", primary_language(self._target)):
            return written
        new, country = locale_of(self._target)

        def marked(mark: re.Match[str]) -> str:
            if primary_language(mark["language"]) != language:
                return mark[0]
            if "between" in mark.groupdict():
                return f"{mark['before']}{new}{mark['between']}{country or 'none'}"
            return mark["before"] + (f"{new}-{country}" if country else new)

        contents = {
            member: [sources[member].encoding.encode_markup(self._marks.sub(marked, text))]
            for member, text in texts.items()
        }
        return archive.with_contents(contents.get)


def locale_of(language: str) -> tuple[str, str]:
    """Return a language and the country that is meant by it: `de` is that of Germany."""
    first, *others = language.replace("_", "-").split("-")
    country = next((part for part in others if len(part) == 2 and part.isalpha()), "")
    likely = get_global("likely_subtags").get(first.lower(), "")
    known = likely.split("_")[-1] if "_" in likely else ""
    return first.lower(), (country or known).upper()
