"""HTML as tokens that cover it without a gap: text, tags, and what is neither.

The rules are the browsers' (https://html.spec.whatwg.org/multipage/parsing.html), with less detail.
Every input is read in linear time, and none raises an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from translator.text.formats.html.rules import HTML, Rules

Kind = Literal["text", "raw", "start", "end", "other"]

_MARKUP_OF_NAMES = (
    r"<(?:(?P<start>{0}[^\s/>]{{0,99}})|/(?P<end>{0}[^\s/>]{{0,99}})"
    r"|(?P<comment>!--)|(?P<data>!\[CDATA\[)|(?P<instruction>\?)|(?P<template>%)|[!/])"
)
_MARKUP = re.compile(_MARKUP_OF_NAMES.format("[A-Za-z]"))
_XML_MARKUP = re.compile(_MARKUP_OF_NAMES.format(r"[^\W\d]"))
_CUT_OFF = re.compile(r"</?[A-Za-z][\w:-]*(?:\s+[\w:-]*|\s+[\w:-]+\s*=.*)?\Z", re.DOTALL)
_END_OF_COMMENT = re.compile(r"--!?>")
_NEXT_IN_TAG = re.compile(r">|=\s*([\"'])")
_ATTRIBUTE = re.compile(
    r"(?P<name>[^\s/>=]+)(?:\s*=\s*(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'"
    r"|(?P<bare>[^\s>\"'][^\s>]*)))?"
)


class Token(NamedTuple):
    """A piece of a page.

    Attributes:
        kind: `text` has entities that are to be decoded, `raw` none (the content of a script);
            `start` and `end` are tags; `other` is a comment, a doctype, an instruction.
        start: offset of its first character.
        end: offset behind its last one.
        name: of a tag, in small letters.
    """

    kind: Kind
    start: int
    end: int
    name: str = ""


class Attribute(NamedTuple):
    """An attribute of a tag; `start` and `end` are the offsets of its value with its quotes."""

    name: str
    value: str
    start: int
    end: int
    quote: str


def tokens(page: str, rules: Rules = HTML) -> Iterator[Token]:
    """Yield the tokens of a page in order; none is empty."""
    return _Scanner(page, rules).tokens()


def attributes(page: str, tag: Token) -> Iterator[Attribute]:
    """Yield the attributes of a start tag that have a value, entities not decoded."""
    for found in _ATTRIBUTE.finditer(page, tag.start + 1 + len(tag.name), tag.end - 1):
        for group, quote in (("double", '"'), ("single", "'"), ("bare", "")):
            if found[group] is not None:
                start, end = found.span(group)
                outer = len(quote)
                yield Attribute(
                    found["name"].lower(), found[group], start - outer, end + outer, quote
                )


class _Scanner:
    """Finds the end of each token; what was once looked for in vain is not looked for again."""

    def __init__(self, page: str, rules: Rules) -> None:
        self._page, self._rules = page, rules
        self._markup = _XML_MARKUP if rules.is_xml else _MARKUP
        self._quotes_matter = True  # until one is never closed: then tags end at the next `>`
        self._in_vain: set[str] = set()

    def tokens(self) -> Iterator[Token]:
        done = place = 0
        while markup := self._markup.search(self._page, place):
            token = self._token(markup)
            if token is None:  # nothing ends it, so it is text
                place = markup.start() + 1
                continue
            if done < token.start:
                yield Token("text", done, token.start)
            yield token
            done = place = token.end
            is_raw = token.name in self._rules.raw_text
            has_content = token.kind == "start" and not self._is_empty(token)
            if has_content and (is_raw or token.name in self._rules.text_only):
                done = place = self._end_of_raw_text(token)
                if token.end < done:
                    yield Token("raw" if is_raw else "text", token.end, done)
        if done < len(self._page):
            yield Token("text", done, len(self._page))

    def _is_empty(self, tag: Token) -> bool:
        """Whether a start tag is a whole element, as `<script/>` is in XML."""
        return self._rules.is_xml and self._page[tag.end - 2] == "/"

    def _token(self, markup: re.Match[str]) -> Token | None:
        start = markup.start()
        if name := markup["start"] or markup["end"]:
            if end := self._end_of_tag(markup.end()):
                return Token("start" if markup["start"] else "end", start, end, name.lower())
            is_last = self._page.find("<", start + 1) < 0
            if is_last and (
                name.lower() in self._rules.blocks or _CUT_OFF.match(self._page, start)
            ):
                return Token("other", start, len(self._page))
            return None
        if markup["comment"]:
            found = _END_OF_COMMENT.search(self._page, start + 2)  # `<!-->` is one, too
            return Token("other", start, found.end() if found else len(self._page))
        for group, closing in (("data", "]]>"), ("instruction", "?>"), ("template", "%>")):
            if markup[group]:
                end = self._behind(closing, markup.end())
                if end or group == "template":
                    return Token("other", start, end) if end else None
        end = self._behind(">", start)
        return Token("other", start, end) if end else None

    def _behind(self, closing: str, place: int) -> int:
        """Return the offset behind the next `closing`; 0 if there is none."""
        found = -1 if closing in self._in_vain else self._page.find(closing, place)
        if found < 0:
            self._in_vain.add(closing)
        return found + len(closing) if found >= 0 else 0

    def _end_of_tag(self, place: int) -> int:
        """Return the offset behind the `>` of a tag, which quotes may hide; 0 if there is none."""
        begin = place
        while self._quotes_matter:
            found = _NEXT_IN_TAG.search(self._page, place)
            if found and not found[1]:
                return found.end()
            place = self._page.find(found[1], found.end()) + 1 if found else 0
            self._quotes_matter = place > 0
        return self._behind(">", begin)

    def _end_of_raw_text(self, tag: Token) -> int:
        """Return where the content of an element without markup ends; a title must be closed."""
        closing = re.compile(rf"</{tag.name}(?=[\s/>])", re.IGNORECASE)
        found = None if tag.name in self._in_vain else closing.search(self._page, tag.end)
        if found:
            return found.start()
        self._in_vain.add(tag.name)
        return len(self._page) if tag.name in self._rules.raw_text else tag.end
