"""The language that documents of an office say they are in, by which programs check spelling."""

from __future__ import annotations

import re
from collections import Counter

from babel.core import get_global

from translator.documents.archive import Archive, Finish
from translator.documents.xml_source import XmlSource
from translator.text.characters import primary_language

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


def marking(name: str, target: str | None, marks: re.Pattern[str]) -> Finish:
    """Return what marks a document that is written with the language of its translation.

    Marks of the language that most of them name are changed; a quotation in another keeps its own.
    Without a target, nothing is changed. The name is for errors.
    """
    return lambda written: _marked(name, written, target, marks) if target else written


def _marked(name: str, written: bytes, target: str, marks: re.Pattern[str]) -> bytes:
    archive = Archive(name, written)
    sources = {
        member: XmlSource(f"{name}, {member}", archive.read(member), {})
        for member in archive.names
        if _MEMBER.fullmatch(member)
    }
    texts = {member: source.cut(0, source.size) for member, source in sources.items()}
    named = Counter(
        primary_language(mark["language"])
        for text in texts.values()
        for mark in marks.finditer(text)
    )
    [(language, _)] = named.most_common(1) or [("", 0)]
    if language in ("", primary_language(target)):
        return written
    new, country = locale_of(target)

    def marked(mark: re.Match[str]) -> str:
        if primary_language(mark["language"]) != language:
            return mark[0]
        if "between" in mark.groupdict():
            return f"{mark['before']}{new}{mark['between']}{country or 'none'}"
        return mark["before"] + (f"{new}-{country}" if country else new)

    contents = {
        member: [sources[member].encoding.encode_markup(marks.sub(marked, text))]
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
