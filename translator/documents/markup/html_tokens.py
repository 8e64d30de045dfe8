"""HTML as tokens that cover it without a gap, and what elements and attributes mean.

The rules are the browsers' (https://html.spec.whatwg.org/multipage/parsing.html), with less detail.
Every input is read in linear time, and none raises an error.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from translator.text.characters import word_set
from translator.text.span_kinds import STATEMENT

RAW_TEXT = word_set("iframe noembed noframes script style textarea xmp")
"""Their content is not markup, and nothing to translate."""

TEXT_ONLY = word_set("title")
"""Their content is text without tags."""

VOID = word_set(
    "area base basefont bgsound br col embed frame hr img input link meta param source track wbr"
)
"""They have no end tag."""

BLOCKS = word_set(
    "address article aside audio blockquote body button canvas caption center col colgroup datalist"
    " dd details dialog dir div dl dt embed fieldset figcaption figure footer form frame frameset"
    " h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe label legend li main map menu nav"
    " noframes noscript object ol optgroup option p pre search section select summary table"
    " tbody td template textarea tfoot th thead title tr ul video xmp"
)
"""They end the paragraph before them; all other elements, unknown ones too, stand inside one."""

LINE_BREAKS = word_set("br lb")
"""They end a line if they are empty: HTML's, and TEI's."""

NOTES = word_set("fn footnote indexterm note")
"""They stand inside a sentence, and are no part of it: DITA's, DocBook's, JATS's and TEI's."""

UNTRANSLATED = word_set("code kbd math pre rp rt samp svg tt var") | RAW_TEXT
"""Their content comes back as it is, unless an element inside has `translate="yes"`."""

UNREAD = word_set("link meta rp rt script style svg")
"""Nobody reads them as part of a sentence."""

RAISED = word_set("sub sup")
"""What they raise or lower may be no word, but a mark of a note."""

ITALIC = word_set("em i")
"""What they slant may be the name of a variable."""

UNTRANSLATED_CLASSES = word_set("notranslate mention hashtag hashtag-cooked u-url")
"""Names of people and topics have them: Mastodon's and Discourse's, and Google's mark."""

UNTRANSLATED_IN_LINKS = word_set("invisible ellipsis")
"""Parts of an address that Mastodon shows shortened."""

TRANSLATED_ATTRIBUTES = word_set("alt aria-label placeholder title")

TRANSLATED_META = word_set("description og:title og:description twitter:title twitter:description")
"""`<meta>` whose `content` is translated, by `name` or `property`."""

BUTTONS = word_set("button reset submit")
"""Types of `<input>` whose `value` is what stands on the button."""

LABELLED = word_set("optgroup option track")
"""Elements whose `label` is shown."""

LABELS = word_set("button dt label legend option summary th")
"""Elements of a few words, in which nobody emphasises a part of a word."""

_CELLS, _TERMS, _PARAGRAPH = word_set("td th"), word_set("dd dt"), word_set("p")

ENDED_BY = {
    **dict.fromkeys(BLOCKS, _PARAGRAPH),
    "li": _PARAGRAPH | {"li"},
    **dict.fromkeys(_TERMS, _TERMS | _PARAGRAPH),
    **dict.fromkeys(_CELLS, _CELLS | _PARAGRAPH),
    "tr": _CELLS | {"tr"},
    "option": word_set("option"),
}
"""By start tag, which elements it ends if they are the innermost, since they need no end tag."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TagOptions:
    """What someone says of tags by their names; case does not matter.

    Attributes:
        ignored: their content comes back as it is.
        splitting: they end the paragraph before them.
        joining: they stand inside a paragraph.
        finds_outline: whether, in XML, all other tags that enclose whole texts split too.
    """

    ignored: frozenset[str] = frozenset()
    splitting: frozenset[str] = frozenset()
    joining: frozenset[str] = frozenset()
    finds_outline: bool = True

    def __post_init__(self) -> None:
        """Write all names in small letters."""
        for name in ("ignored", "splitting", "joining"):
            names = frozenset(tag.lower() for tag in getattr(self, name))
            object.__setattr__(self, name, names)


@dataclass(frozen=True, kw_only=True, slots=True)
class Rules:
    """How one kind of markup is read. The defaults are XML's, of which only names are known.

    Attributes:
        is_xml: whether `<a/>` has no content, and names may have any letters.
        raw_text: see RAW_TEXT; and so on.
        has_attributes: whether attributes say or hold something to translate.
        line_breaks: elements that end a line.
        has_gaps: whether an empty element that touches two words parts them.
        finds_outline: whether a paragraph may be parted at other elements than `blocks`.
        joining: elements that someone says part nothing.
    """

    is_xml: bool = True
    raw_text: frozenset[str] = frozenset()
    text_only: frozenset[str] = frozenset()
    void: frozenset[str] = frozenset()
    blocks: frozenset[str] = frozenset()
    untranslated: frozenset[str] = frozenset()
    unread: frozenset[str] = frozenset()
    ended_by: Mapping[str, frozenset[str]] = field(default_factory=dict)
    has_attributes: bool = False
    line_breaks: frozenset[str] = frozenset()
    has_gaps: bool = False
    finds_outline: bool = True
    joining: frozenset[str] = frozenset()

    def with_options(self, options: TagOptions) -> Rules:
        """Return rules that follow what someone says of tags."""
        return dataclasses.replace(
            self,
            blocks=(self.blocks - options.joining) | options.splitting,
            untranslated=self.untranslated | options.ignored,
            line_breaks=self.line_breaks - options.joining,
            joining=options.joining,
        )


HTML = Rules(
    is_xml=False,
    raw_text=RAW_TEXT,
    text_only=TEXT_ONLY,
    void=VOID,
    blocks=BLOCKS,
    untranslated=UNTRANSLATED,
    unread=UNREAD,
    ended_by=ENDED_BY,
    has_attributes=True,
    line_breaks=LINE_BREAKS,
)

XHTML = dataclasses.replace(HTML, is_xml=True, ended_by={})
"""HTML written as XML."""


TokenKind = Literal["text", "raw", "start", "end", "other"]

_MARKUP_OF_NAMES = (
    r"<(?:(?P<start>{0}[^\s/>]{{0,99}})|/(?P<end>{0}[^\s/>]{{0,99}})"
    r"|(?P<comment>[!\#]--)|(?P<data>!\[CDATA\[)|(?P<instruction>\?)|(?P<template>%)"
    r"|(?P<directive>/?(?:\#[a-z]|@))|[!/])"
)
_MARKUP = re.compile(_MARKUP_OF_NAMES.format("[A-Za-z]"))
_XML_MARKUP = re.compile(_MARKUP_OF_NAMES.format(r"[^\W\d]"))
DIRECTIVE = re.compile(STATEMENT)
_CUT_OFF = re.compile(r"</?[A-Za-z][\w:-]*(?:\s+[\w:-]*|\s+[\w:-]+\s*=.*)?\Z", re.DOTALL)
_END_OF_COMMENT = re.compile(r"--!?>")
_NEXT_IN_TAG = re.compile(r">|=\s*([\"'{])")
_ATTRIBUTE = re.compile(
    r"(?P<name>[^\s/>=]+)(?:\s*=\s*(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'"
    r"|(?P<bare>[^\s>\"'][^\s>]*)))?"
)


class Token(NamedTuple):
    """A piece of a page.

    Attributes:
        kind: `text` has entities that are to be decoded, `raw` none (the content of a script);
            `start` and `end` are tags; `other` is a comment, a doctype, or code.
        start: offset of its first character.
        end: offset after its last one.
        name: of a tag, in small letters.
    """

    kind: TokenKind
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
            end_tag = f"</{self._page[token.start + 1 : token.start + 1 + len(token.name)]}>"
            if self._rules.has_gaps and self._page.startswith(end_tag, token.end):
                token = token._replace(end=token.end + len(end_tag))  # as XML reads `<a></a>`
            yield token
            done = place = token.end
            is_raw = token.name in self._rules.raw_text
            is_whole = self._rules.is_xml and self._page[token.end - 2] == "/"  # as `<script/>` is
            has_content = token.kind == "start" and not is_whole
            if has_content and (is_raw or token.name in self._rules.text_only):
                done = place = self._end_of_raw_text(token)
                if token.end < done:
                    yield Token("raw" if is_raw else "text", token.end, done)
        if done < len(self._page):
            yield Token("text", done, len(self._page))

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
        if markup["directive"]:
            found = DIRECTIVE.match(self._page, start)
            end = found.end() if found else self._end_of_tag(markup.end())
            return Token("other", start, end) if end else None
        for group, closing in (("data", "]]>"), ("instruction", "?>"), ("template", "%>")):
            if markup[group]:
                end = self._after(closing, markup.end())
                if end or group == "template":
                    return Token("other", start, end) if end else None
        end = self._after(">", start)
        return Token("other", start, end) if end else None

    def _after(self, closing: str, place: int) -> int:
        """Return the offset after the next `closing`; 0 if there is none."""
        found = -1 if closing in self._in_vain else self._page.find(closing, place)
        if found < 0:
            self._in_vain.add(closing)
        return found + len(closing) if found >= 0 else 0

    def _end_of_tag(self, place: int) -> int:
        """Return the offset after the `>` of a tag, which quotes may hide; 0 if there is none."""
        begin = place
        while self._quotes_matter:  # and braces, which are JSX's
            found = _NEXT_IN_TAG.search(self._page, place)
            if found and not found[1]:
                return found.end()
            closing = found[1].replace("{", "}") if found else ""
            place = self._page.find(closing, found.end()) + 1 if found else 0
            self._quotes_matter = place > 0
        return self._after(">", begin)

    def _end_of_raw_text(self, tag: Token) -> int:
        """Return where the content of an element without markup ends; a title must be closed."""
        closing = re.compile(rf"</{tag.name}(?=[\s/>])", re.IGNORECASE)
        found = None if tag.name in self._in_vain else closing.search(self._page, tag.end)
        if found:
            return found.start()
        self._in_vain.add(tag.name)
        return len(self._page) if tag.name in self._rules.raw_text else tag.end
