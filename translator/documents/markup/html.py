"""A page or a fragment of HTML as units to translate, and the way back.

Block elements end a unit; tags inside a paragraph are marks. What is not translated comes back byte
for byte, also where the HTML is broken: nothing is parsed into a tree, only into a row of tokens.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from translator.documents.document import THE_TEXT, Piece, TextDocument, TextUnit
from translator.documents.markup.entities import decode, encode, entities_of
from translator.documents.markup.html_parts import GAP, LINE_BREAK, HtmlItem, Markup
from translator.documents.markup.html_tokens import (
    BUTTONS,
    DIRECTIVE,
    HTML,
    LABELLED,
    LABELS,
    LINE_BREAKS,
    NOTES,
    TRANSLATED_ATTRIBUTES,
    TRANSLATED_META,
    UNTRANSLATED_CLASSES,
    UNTRANSLATED_IN_LINKS,
    Attribute,
    Rules,
    TagOptions,
    Token,
    attributes,
    tokens,
)
from translator.documents.markup.html_units import ENDS_WORD, ParagraphUnit, text_items, units_of
from translator.documents.markup.inline import Item
from translator.text.characters import has_letters
from translator.text.marked import MarkedText

_MOST_ITEMS = 2_000  # in a paragraph; longer ones are cut, so that no text takes long
_MATTERS = re.compile(
    r"\b(?:alt|aria-label|class|content|label|placeholder|title|translate|value)\s*=", re.IGNORECASE
)
_WHITE_SPACE = re.compile(r"\s+")
_CHOICE = re.compile(r"<input\b[^<>]*\stype\s*=\s*[\"']?\s*(?:radio|checkbox)\b", re.IGNORECASE)
"""A circle or a box to tick: it parts what a form offers."""

_BADGE = re.compile(r"(?<=[^\W\d_]{2})<(?!sub)[^<>]*>[^\W\d_][^<]+</\w+>\s*<")
"""An element that touches a word, and is no letter of it: `Colour<em>required</em>`."""


def read_html(
    text: str, name: str = THE_TEXT, options: TagOptions | None = None, target: str | None = None
) -> TextDocument:
    """Take apart a page or a fragment; any text is one. The name is for errors.

    The target's code chooses the categories of plurals of ICU.

    Raises:
        InputError: it has too many units.
    """
    return read_markup(text, HTML.with_options(options) if options else HTML, name, target)


def read_markup(
    text: str, rules: Rules, name: str = THE_TEXT, target: str | None = None
) -> TextDocument:
    """Take apart a text by the rules of its markup.

    Args: and Raises: see `read_html`.
    """
    return TextDocument(markup_pieces(text, rules, target), name)


def markup_pieces(text: str, rules: Rules, target: str | None = None) -> Sequence[Piece]:
    """Return the pieces of a text."""
    return _Reader(text, rules, target).pieces()


class _Element(NamedTuple):
    name: str
    is_translated: bool
    is_read: bool


def _attribute_unit(attribute: Attribute, raw: str) -> TextUnit:
    """Return the value of an attribute, which comes back with its quotes."""
    quote = attribute.quote or '"'
    entities = entities_of(attribute.value)

    def write(translation: str) -> str:
        return f"{quote}{encode(translation, entities, quote)}{quote}"

    return TextUnit(MarkedText(_WHITE_SPACE.sub(" ", decode(attribute.value))), raw, write)


def _names_of_texts(element: str, found: Sequence[Attribute]) -> frozenset[str]:
    if element == "meta":
        kinds = {one.value.lower() for one in found if one.name in ("name", "property")}
        return frozenset({"content"} if kinds & TRANSLATED_META else ())
    if element == "input" and any(
        one.name == "type" and one.value.strip().lower() in BUTTONS for one in found
    ):
        return TRANSLATED_ATTRIBUTES | {"value"}
    return TRANSLATED_ATTRIBUTES | {"label"} if element in LABELLED else TRANSLATED_ATTRIBUTES


class _Reader:
    def __init__(self, page: str, rules: Rules, target: str | None) -> None:
        self._page, self._rules, self._target = page, rules, target
        self._pieces: list[Piece] = []
        self._items: list[HtmlItem] = []
        self._elements: list[_Element] = []
        self._num_open: Counter[str] = Counter()
        self._around: tuple[list[Piece], list[HtmlItem], int] | None = None  # of an open note

    def pieces(self) -> Sequence[Piece]:
        """Return the whole page taken apart."""
        has_markup = False
        for token in tokens(self._page, self._rules):
            has_markup = has_markup or token.kind != "text"
            if token.kind == "start":
                self._start(token)
            elif token.kind == "end":
                self._end(token)
            elif token.kind == "text" and self._is_translated:
                raw = self._page[token.start : token.end]
                self._items += (
                    text_items(raw)
                    if has_markup or token.end < len(self._page)
                    else [Item("text", raw)]
                )
            elif self._is_translated and DIRECTIVE.fullmatch(self._page, token.start, token.end):
                self._items.append(Item("break", mark=(self._page[token.start : token.end],)))
            else:
                self._add_untranslated(token)
            if len(self._items) > _MOST_ITEMS:
                self._end_paragraph()
        self._end_note(())
        self._end_paragraph(keeps_spaces=not has_markup)
        return self._pieces

    @property
    def _is_translated(self) -> bool:
        return not self._elements or self._elements[-1].is_translated

    def _end_paragraph(self, keeps_spaces: bool = False) -> None:
        for part in units_of(self._items, keeps_spaces, self._rules):
            if isinstance(part, ParagraphUnit):
                self._pieces += part.choices(self._target) or (part,)
            else:
                self._pieces += part
        self._items = []

    def _end_note(self, markup: Markup) -> None:
        if self._around:  # of which the note is one mark
            self._end_paragraph()
            pieces, items, _ = self._around
            items.append(Item("stands", mark=(*self._pieces, *markup)))
            self._pieces, self._items, self._around = pieces, items, None

    def _add_untranslated(self, token: Token, markup: Markup = ()) -> None:
        raw = self._page[token.start : token.end]
        is_read = token.kind == "text" and (not self._elements or self._elements[-1].is_read)
        item = Item("stands", mark=markup or (raw,), read=decode(raw).strip() if is_read else "")
        self._items.append(item)

    def _start(self, token: Token) -> None:
        while self._elements and self._elements[-1].name in self._rules.ended_by.get(
            token.name, ()
        ):
            self._num_open[self._elements.pop().name] -= 1
        rules = self._rules
        is_block = token.name in rules.blocks
        if is_block:
            self._end_paragraph()
        was_translated = self._is_translated
        tag = self._page[token.start : token.end]
        is_void = token.name in rules.void or (rules.is_xml and _is_empty(tag))
        matters = rules.has_attributes and _MATTERS.search(tag)
        found = list(attributes(self._page, token)) if matters else []
        is_translated = self._translates(token.name, found)
        markup: Markup = (tag,)
        if (is_translated or (was_translated and token.name in rules.untranslated)) and found:
            markup = self._with_units(token, found)
        is_inline = is_translated and not (is_block or is_void or self._around)
        if is_note := is_inline and rules.finds_outline and token.name in NOTES - rules.joining:
            self._around = self._pieces, self._items, len(self._elements)
            self._pieces, self._items = [], []
        if not is_void:
            is_read = token.name not in rules.unread and (
                not self._elements or self._elements[-1].is_read
            )
            self._elements.append(_Element(token.name, is_translated, is_read))
            self._num_open[token.name] += 1
        if is_block or is_note:
            self._pieces += markup
        elif is_void and self._is_line_break(token):
            self._items.append(Item("break", mark=markup, pair=LINE_BREAK))
        elif rules.has_attributes and _CHOICE.match(tag):
            self._items.append(Item("break", mark=markup))
        elif is_void and rules.has_gaps and was_translated:
            self._items.append(Item("stands", mark=markup, pair=GAP))
        elif is_translated and not is_void:
            if self._elements[-2:][0].name in LABELS and _BADGE.match(self._page, token.start):
                self._items.append(Item("break", mark=()))
            self._items.append(Item("opens", mark=markup, pair=token.name))
        else:
            self._add_untranslated(token, markup)

    def _is_line_break(self, token: Token) -> bool:
        """Return whether an empty element is a break; in XML any may be one before a capital."""
        rules, page = self._rules, self._page
        may_be = rules.has_gaps and rules.finds_outline and token.name not in rules.joining
        around = page[max(token.start - 1, 0) : token.start] + page[token.end : token.end + 1]
        is_break = may_be and ENDS_WORD.match(around) and around[1:].isupper()
        return token.name in rules.line_breaks or bool(is_break)

    def _end(self, token: Token) -> None:
        was_translated = self._is_translated
        if self._num_open[token.name]:
            while (name := self._elements.pop().name) != token.name:
                self._num_open[name] -= 1
            self._num_open[token.name] -= 1
        markup = (self._page[token.start : token.end],)
        if self._around and (num_left := len(self._elements) - self._around[2]) <= 0:
            self._end_note(() if num_left else markup)
            if not num_left:
                return
        if token.name in self._rules.blocks:
            self._end_paragraph()
            self._pieces += markup
        elif was_translated:
            self._items.append(Item("closes", mark=markup, pair=token.name))
        else:
            self._add_untranslated(token)

    def _translates(self, name: str, found: Sequence[Attribute]) -> bool:
        values = {attribute.name: attribute.value for attribute in found}
        wish = values.get("translate")
        if name in self._rules.raw_text or (wish is not None and wish.lower() == "no"):
            return False
        if wish is not None and wish.lower() in ("", "yes"):
            return True
        if name in self._rules.untranslated or not self._is_translated:
            return False
        classes = values.get("class", "").split()
        in_link = self._num_open["a"] > 0
        return not any(
            one in UNTRANSLATED_CLASSES or (in_link and one in UNTRANSLATED_IN_LINKS)
            for one in classes
        )

    def _with_units(self, token: Token, found: Sequence[Attribute]) -> Markup:
        markup: list[Piece] = []
        done, names = token.start, _names_of_texts(token.name, found)
        for attribute in found:
            if attribute.name not in names or not has_letters(decode(attribute.value)):
                continue
            raw = self._page[attribute.start : attribute.end]
            markup += [self._page[done : attribute.start], _attribute_unit(attribute, raw)]
            done = attribute.end
        return (*markup, self._page[done : token.end])


_NAMES = Rules(has_gaps=True)


def read_xml(
    text: str, name: str = THE_TEXT, options: TagOptions | None = None, target: str | None = None
) -> TextDocument:
    """Take apart a document or a fragment; any text is one.

    Args: and Raises: see `read_html`.
    """
    options = options or TagOptions()
    rules = replace(_NAMES, finds_outline=options.finds_outline)
    if options.finds_outline:
        rules = replace(rules, blocks=outline_of(text), line_breaks=LINE_BREAKS)
    return read_markup(text, rules.with_options(options), name, target)


def _is_empty(tag: str) -> bool:
    """Return whether a tag of XML is all of its element, as `<a/>` and `<a></a>` are."""
    return tag.endswith("/>") or tag.rfind("</") > tag.find(">")


def outline_of(text: str) -> frozenset[str]:
    """Return the names of elements that enclose whole texts, rather than parts of a sentence.

    Such an element never has text beside it: all that stands around it in its parent is white space
    and other elements. In `<p>One <b>or</b> two</p>`, that is `p` and not `b`.
    """
    seen: set[str] = set()
    inline: set[str] = set()
    around: list[tuple[str, set[str], bool]] = []  # each open element, its children, has it text
    children, has_text, name = set[str](), False, ""
    for token in tokens(text, _NAMES):
        if token.kind == "text":
            has_text = has_text or not text[token.start : token.end].isspace()
        elif token.kind == "start":
            children.add(token.name)
            seen.add(token.name)
            if not _is_empty(text[token.start : token.end]):
                around.append((name, children, has_text))
                name, children, has_text = token.name, set(), False
        elif token.kind == "end" and token.name == name and around:
            inline |= children if has_text else set()
            name, children, has_text = around.pop()
    for own, is_beside in ((children, has_text), *((own, text) for _, own, text in around)):
        inline |= own if is_beside else set()
    return frozenset(seen - inline)
