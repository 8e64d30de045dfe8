"""A page or a fragment of HTML as units to translate, and the way back.

Block elements end a unit; tags inside a paragraph are marks. What is not translated comes back byte
for byte, also where the HTML is broken: nothing is parsed into a tree, only into a row of tokens.
"""

from __future__ import annotations

import html
import itertools
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from translator.documents.document import THE_TEXT, Piece, TextDocument, TextUnit, Unit
from translator.documents.markup.html_tokens import (
    BUTTONS,
    DIRECTIVE,
    HTML,
    ITALIC,
    LABELLED,
    LABELS,
    LINE_BREAKS,
    NOTES,
    RAISED,
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
from translator.documents.markup.icu import may_be_message, message_pieces, read_message
from translator.documents.markup.inline import (
    FIRST_LETTER,
    Item,
    inline_of,
    is_sign,
    paired,
    without_edges,
)
from translator.text.characters import has_letters
from translator.text.lone_numbers import may_stand_alone
from translator.text.marked import MarkedText

_MOST_ITEMS = 2_000  # in a paragraph; longer ones are cut, so that no text takes long
_MOST_LEVELS = 8  # of elements inside each other that part a paragraph
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
            self._items.append(Item("break", mark=markup, pair=_LINE_BREAK))
        elif rules.has_attributes and _CHOICE.match(tag):
            self._items.append(Item("break", mark=markup))
        elif is_void and rules.has_gaps and was_translated:
            self._items.append(Item("stands", mark=markup, pair=_GAP))
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
        is_break = may_be and _ENDS_WORD.match(around) and around[1:].isupper()
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


Markup = tuple[Piece, ...]
"""A part of a page as it comes back; attributes that are translated are units in it."""

HtmlItem = Item[Markup]
"""A text has its entities; `pair` is the name of an element that opens or closes, or says what
stands: a `_LINE_BREAK`, for example."""

_LINE_BREAK, _GAP = "br", "gap"
"""A `<br>`; an empty element of XML, or one with a space, which parts the words that it touches."""

NO_BREAK = "\u00a0"
_SPACES = re.compile(r"[ \t\n\r\f]+")
_BLANK_LINE = re.compile(r"(\n[ \t\r\f]*\n)")
_BEFORE = re.compile(rf"(?:[ \t\n\r\f{NO_BREAK}]|&nbsp;|&#160;)*")
_AFTER_BACKWARDS = re.compile(rf"(?:[ \t\n\r\f{NO_BREAK}]|;psbn&|;061#&)*")
_WRAPPED_LINE = 40
"""Characters before a `<br>` that only wraps a sentence, at least."""


class ParagraphUnit:
    """One text to translate, with the marks inside it."""

    __slots__ = ("_breaks", "_entities", "_initial", "_inline", "_whole", "inner", "marked")

    def __init__(self, items: Sequence[HtmlItem], keeps_spaces: bool) -> None:
        """Make one of items without unneeded edges, whose pairs are all complete.

        `keeps_spaces` says that white space means something, as in a text without tags.
        """
        self._whole = joined(items)
        self._entities = entities_of("".join(item.text for item in items))
        self._breaks: list[tuple[float, Markup]] = []  # with the share of the text before each
        self._initial, items = _without_initial(items)
        shown, before = list[HtmlItem](), ""
        for place, item in enumerate(items):
            if item.kind == "text":
                text = decode(item.text)
                text = text if keeps_spaces else _SPACES.sub(" ", text)
                text = text.removeprefix(" ") if self._breaks and before.endswith(" ") else text
            elif item.kind == "break":
                self._breaks.append((len(before), item.mark or ()))
                text = "" if before.endswith(" ") else " "
            elif item.pair == _GAP and item.mark and _parts_words(before, items[place + 1 :]):
                shown.append(replace(item, mark=("\0", *item.mark)))
                text = " "
            else:
                shown.append(item)
                continue
            shown.append(Item("text", text))
            before += text
        self._inline = inline_of(shown)
        self._breaks = [(place / len(before), markup) for place, markup in self._breaks]
        self.marked: MarkedText = self._inline.marked()
        self.inner: Sequence[Unit] = [piece for piece in self._whole if not isinstance(piece, str)]

    def choices(self, target: str | None) -> Sequence[Piece]:
        """Return the pieces of a message of ICU, with the target's plurals; none if it is none.

        A message in which tags stand comes back as it is.
        """
        if not may_be_message(self.marked.text):
            return ()  # as nearly always
        if self.marked.spans:
            return self._whole if read_message(self.marked.text) else ()
        found = message_pieces(self.marked.text, target, lambda text: encode(text, self._entities))
        return found or ()

    def render(self, translation: str) -> Markup:
        """Return what takes the place of this unit."""
        if translation == self.marked.text:
            return self._whole
        kept = keep_no_breaks(self.marked.text, translation)
        pieces = self._with_initial([*self._with_breaks([*self._inline.pieces(kept)])])
        rendered, is_gap = list[Piece](), False
        for piece in pieces:
            if isinstance(piece, str):
                piece, is_gap = piece.removeprefix(" ") if is_gap else piece, False
                rendered.append(encode(piece, self._entities))
            elif is_gap := piece[0][:1] == ("\0",):  # what parts words
                if rendered and isinstance(last := rendered[-1], str):
                    rendered[-1] = last.removesuffix(" ")
                rendered += piece[0][1:]
            else:
                rendered += piece[0]
        return tuple(rendered)

    def _with_initial(self, pieces: list[str | tuple[Markup]]) -> list[str | tuple[Markup]]:
        """Return texts and marks, with the first letter in the initial that the source has."""
        for place, piece in enumerate(pieces) if self._initial else ():
            if isinstance(piece, str) and (letter := FIRST_LETTER.match(piece)):
                opens, closes = self._initial
                pieces[place] = piece[letter.end() :]
                return [(opens,), letter[0], (closes,), *pieces]
        return [*((markup,) for markup in self._initial), *pieces]

    def _with_breaks(self, pieces: Sequence[str | tuple[Markup]]) -> Iterator[str | tuple[Markup]]:
        """Yield texts and marks with the breaks of lines, at spaces near the same places."""
        waiting, done = list(self._breaks), 0
        size = sum(len(piece) for piece in pieces if isinstance(piece, str))
        for piece in pieces:
            if not isinstance(piece, str):
                yield piece
                continue
            start = 0
            for space in _SPACES.finditer(piece):
                after = _SPACES.search(piece, space.end())
                following = after.start() if after else len(piece)
                while waiting and done + (space.start() + following) / 2 >= waiting[0][0] * size:
                    yield piece[start : space.start()]
                    yield (waiting.pop(0)[1],)
                    start = space.end()
            yield piece[start:]
            done += len(piece)
        yield from ((markup,) for _, markup in waiting)


_ENDS_WORD = re.compile(r"[\w.,:;!?)]")
_INITIAL = re.compile(r"[\"'„“«‹¿¡]?[^\W\d_]")
_INITIAL_FIRST = re.compile("(o+)t(c+)o*t")  # by the first letters of the kinds of items


def _parts_words(before: str, items: Sequence[HtmlItem]) -> bool:
    """Return whether something touches a word, and another at once or behind a tag."""
    after = "".join(item.text for item in items[:4])
    return bool(_ENDS_WORD.match(before[-1:])) and after[:1].isalnum()


_RUN = re.compile(r"<(span|font)(\s+(style|lang|color|face|size)=(\"[^\"]*\"|'[^']*'|[\w-]+))+>")
"""What an editor writes around each part of a text that has a font."""

_IS_SEEN = re.compile(r"padding|margin|border|display|background(?!-color: ?t)|decoration(?!: ?n)")
_PROPERTY = re.compile(r"([\w-]+)\s*[:=]")


def _with_base(items: list[HtmlItem]) -> list[HtmlItem]:
    """Return items with one pair around all that editors have put around several parts.

    So `<i A>One</i><i B>two</i><i A>three</i>` is read as `<i A>One<i B>two</i>three</i>`, if the
    other parts say all that it says.
    """
    parts, start, depth = list[tuple[int, int]](), 0, 0
    for place, item in enumerate(items):
        start = place if depth == 0 else start
        depth += (item.kind == "opens") - (item.kind == "closes")
        if depth == 0 and not item.is_unread:
            parts.append((start, place))
    tags = [["".join(map(str, one.mark or ())) for one in items[a : b + 1]] for a, b in parts]
    said = [{*_PROPERTY.findall("".join(own))} for own in tags]
    runs = [own[0] for own in tags if _RUN.fullmatch(own[0]) and not _IS_SEEN.search(own[0])]
    bases = Counter(tag for tag in runs if all(map({*_PROPERTY.findall(tag)}.issubset, said)))
    base, count = max(bases.items(), key=lambda one: one[1], default=("", 0))
    if count < 2:
        return items
    places = [one for part, own in zip(parts, tags, strict=True) if own[0] == base for one in part]
    inner = [item for place, item in enumerate(items) if place not in places]
    return [items[places[0]], *inner, items[places[-1]]]


def _side_by_side(items: Sequence[HtmlItem], rules: Rules) -> list[HtmlItem]:
    """Return items with one for elements that touch where the next begins with a capital.

    So in `<b>File</b><b>Open</b>` each is a text of its own. In HTML, elements that are not alike
    may be parts of a name: `Java<b>Script</b>`.
    """
    result, opened, starts = list[HtmlItem](), list[int](), dict[int, int]()
    for item in items:
        result.append(item)
        if item.kind == "opens":
            opened.append(len(result) - 1)
        elif item.kind == "closes":
            start = opened.pop()
            first = starts.get(start - 1, start)
            left, right = result[first:start] or result[:start][-1:], result[start:]
            before, after = ("".join(one.read or one.text for one in own) for own in (left, right))
            is_word = before[-2:].isalpha() and before[-2:].islower() and after[:1].isupper()
            is_same = is_word and (left[0].mark or ())[:1] == (right[0].mark or ())[:1]
            if is_word and (rules.has_gaps or is_same or left[0].pair == item.pair == "a"):
                mark = (*_apart(result[first:start], rules), *_apart(right, rules))
                read = f"{before} {after}" if first < start else after
                start, result[first:] = first, [Item("stands", "", mark, item.pair, read)]
            starts[len(result) - 1] = start
    return result


def _apart(items: Sequence[HtmlItem], rules: Rules) -> Markup:
    first, *last = (item.mark or () for item in (*items[:1], *items[1:][-1:])) if items else ((),)
    parts = (first, *_unit_of(items[1:-1], False, rules), *last)
    return tuple(one for it in parts for one in (it if isinstance(it, tuple) else (it,)))


def _without_initial(items: Sequence[HtmlItem]) -> tuple[tuple[Markup, ...], Sequence[HtmlItem]]:
    """Return what opens and closes around the first letter of a word, and the items without it.

    The letter begins the text that it touches: `<i>O</i><b>nce</b>` is read as `<b>Once</b>`.
    """
    found = _INITIAL_FIRST.match("".join(item.kind[0] for item in items))
    if found is None or len(found[1]) != len(found[2]):
        return (), items
    depth, end, place = found.end(1), found.end(2), found.end() - 1
    letter, text = decode(items[depth].text), items[place].text
    if letter.islower() or not (_INITIAL.fullmatch(letter) and text[:1].isalpha()):
        return (), items
    rest = list(items[end:])
    rest[place - end] = replace(items[place], text=items[depth].text + text)
    return (joined(items[:depth]), joined(items[depth + 1 : end])), rest


def joined(items: Sequence[HtmlItem]) -> Markup:
    """Return the markup of some items."""
    return tuple(piece for item in items for piece in item.mark or (item.text,))


def text_items(raw: str) -> Iterator[HtmlItem]:
    """Yield a text of a page as items; a blank line is a break, for some mean a new paragraph."""
    for number, part in enumerate(_BLANK_LINE.split(raw)):
        if part:
            yield Item("break", mark=(part,)) if number % 2 else Item("text", part)


def units_of(
    items: Sequence[HtmlItem], keeps_spaces: bool = False, rules: Rules = HTML
) -> Iterator[ParagraphUnit | Markup]:
    """Yield the units of a paragraph, and the markup around them, in order."""
    start = 0
    for place in (*_separating_breaks(items), len(items)):
        yield from _unit_of(items[start:place], keeps_spaces, rules)
        if place < len(items):
            yield items[place].mark or ()
        start = place + 1


def _separating_breaks(items: Sequence[HtmlItem]) -> list[int]:
    """Return the places of breaks, but not of those `<br>` inside a sentence that is wrapped."""
    found: list[int] = []
    before = ""
    waiting: int | None = None  # a `<br>` of which we do not know yet what follows
    for place, item in enumerate(items):
        if item.kind == "text" and item.text.strip():
            if waiting is not None and not _goes_on(before, item.text.lstrip()):
                found.append(waiting)
            is_new_line = waiting is not None or (found and not before)
            before = item.text if is_new_line else before + item.text
            before, waiting = before[-200:], None
        elif item.kind == "break":
            if waiting is not None or item.pair != _LINE_BREAK or not before:
                found += [place] if waiting is None else [waiting, place]
                before, waiting = "", None
            else:
                waiting = place
    return [*found, waiting] if waiting is not None else found


def _goes_on(before: str, after: str) -> bool:
    line = before.strip()
    ends_open = line[-1:].isalnum() or line.endswith(",")
    return ends_open and len(line) >= _WRAPPED_LINE and after[0].islower()


def _is_read(item: HtmlItem) -> bool:
    """Return whether a text has letters, or is a number that a language writes in its way."""
    text = decode(item.text)
    return item.kind == "text" and (has_letters(text) or may_stand_alone(text.strip()))


def _unit_of(
    items: Sequence[HtmlItem], keeps_spaces: bool, rules: Rules, levels: int = _MOST_LEVELS
) -> Iterator[ParagraphUnit | Markup]:
    """Yield the units that some items make, if there is something to translate, and their edges."""
    if not any(map(_is_read, items)):
        yield joined(items)
        return
    whole = _without_empty_pairs(_with_variables(paired(_joined_stands(items))))
    is_page = not keeps_spaces and _PAGE.fullmatch("".join(item.text for item in whole).strip())
    if is_page or not any(map(_is_read, whole)):
        yield joined(whole)
        return
    before, inner, after = map(list, without_edges(whole, _is_edge))
    if cuts := _cuts(inner, rules) if levels else ():
        yield joined(before)
        for start, end in itertools.pairwise((0, *cuts, len(inner))):
            yield from _unit_of(inner[start:end], keeps_spaces, rules, levels - 1)
        yield joined(after)
        return
    inner = _with_base(_side_by_side(inner, rules))
    opening, inner, closing = map(list, without_edges(inner, _is_edge))
    before, after = [*before, *opening], [*closing, *after]
    if inner[0].kind == "text":
        inner[0], space = _split_start(inner[0])
        before.append(space)
    if inner[-1].kind == "text":
        inner[-1], space = _split_end(inner[-1])
        after.insert(0, space)
    yield joined(before)
    yield ParagraphUnit(inner, keeps_spaces)
    yield joined(after)


_PAGE = re.compile("(?:xl|l?x{0,4})(?:ix|iv|v?i{0,4})")
"""A Roman number of a page, alone in its paragraph."""

_BAR = re.compile(r"\s*[|·•‣∙⋅/\\»›→>–—-]*\s*")
_ENDS_LABEL = re.compile(r"[^\W_][.!?:…)”“]*\Z")
_ENDS_SENTENCE = re.compile(r"[.!?…]\W*\Z")


class _Part(NamedTuple):
    """An element of a paragraph with all inside, or what stands beside elements."""

    start: int
    end: int
    text: str
    is_element: bool
    is_link: bool


def _parts(items: Sequence[HtmlItem], joining: frozenset[str]) -> Iterator[_Part]:
    """Yield the parts of a paragraph that are read, but not what is only between others.

    `joining` are names of elements that part nothing.
    """
    start = depth = 0
    for place, item in enumerate(items):
        depth += (item.kind == "opens") - (item.kind == "closes")
        if depth == 0:
            own = items[start : place + 1]
            text = decode("".join(one.read or one.text for one in own))
            if len(own) > 1 or not _BAR.fullmatch(text):
                is_link = any(one.kind == "opens" and one.pair == "a" for one in own)
                is_element = len(own) > 1 and own[0].pair not in joining
                yield _Part(start, place + 1, text, is_element, is_link)
            start = place + 1


def _cuts(items: Sequence[HtmlItem], rules: Rules) -> Sequence[int]:
    """Return where to cut a paragraph into the texts that stand side by side in it.

    Those are elements with nothing but a space, nothing, or a bar between them, and labels at the
    beginning that touch the capital behind them. A sentence is not cut, nor a word: see `_parted`.
    """
    parts = list(_parts(items, rules.joining)) if rules.finds_outline else []
    is_row = all(part.is_element for part in parts)
    is_sentence = not (is_row and parts) or _ENDS_SENTENCE.search(parts[-1].text) is not None
    cuts = list[int]()
    for left, right in itertools.pairwise(parts):
        touch = not any(item.text or item.kind == "break" for item in items[left.end : right.start])
        pair = items[right.start].pair if touch and right == parts[-1] else None
        if (left.is_element and _parted(left, right, touch, is_row, is_sentence)) or (
            pair in _BADGES and _is_badge(left, right, pair == "small")
        ):
            cuts += [left.end] if touch else [left.end, right.start]
        elif not is_row:
            break
    return cuts


_BADGES = frozenset({"label", "small", "span", "sup"})


def _is_badge(left: _Part, right: _Part, is_small: bool) -> bool:
    """Return whether an element at the end is no part of the sentence: `Messages<…>New</…>`.

    It touches the word before it with a capital, or with several words, or is a small remark.
    """
    is_remark = is_small and not _ENDS_SENTENCE.search(right.text)
    if left.text[-1:].isspace() or not right.text[:1].isalpha():
        return is_remark
    is_name = len(left.text) < 5 or right.text[1:2].isupper()  # as in `Mac<span>OS</span>`
    is_own = is_remark or " " in right.text.strip() or (right.text[:1].isupper() and not is_name)
    return left.text[-2:].isalpha() and left.text[-1].islower() and is_own


def _parted(left: _Part, right: _Part, touch: bool, is_row: bool, is_sentence: bool) -> bool:
    """Return whether an element and what follows are texts of their own."""
    begins = right.text[:1].isupper() or right.text[:1].isdigit()
    if is_row and left.is_link and right.is_link:
        return True
    if not touch:
        return is_row and (begins or not has_letters(right.text))
    is_initial = sum(map(str.isalpha, left.text)) < 2 and not (begins and left.text.islower())
    is_label = _ENDS_LABEL.search(left.text) and (is_row or " " in right.text)
    if is_initial or not is_label or is_sign(right.text):  # `<b>You</b>Tube` is no label
        return False
    return begins or not (is_sentence or right.text[:1].isspace())


_VARIABLE = re.compile(r"[A-Za-zα-ωΑ-Ω]")
_MAY_BE_WORD = frozenset("aAIO")
"""Letters that are words of some language: variables only if there are others in the paragraph."""


def _with_variables(items: list[HtmlItem]) -> list[HtmlItem]:
    """Return items with one in place of each slanted letter that stands for a number."""
    places = [
        place
        for place, item in enumerate(items)
        if item.kind == "opens"
        and item.pair in ITALIC
        and [one.kind for one in items[place + 1 : place + 3]] == ["text", "closes"]
        and _VARIABLE.fullmatch(items[place + 1].text)
        and not any(map(str.isalpha, _around(items, place)))
    ]
    if all(items[place + 1].text in _MAY_BE_WORD for place in places):
        return items  # as nearly always
    result, done = list[HtmlItem](), 0
    for place in places:
        pair = items[place : place + 3]
        result += [*items[done:place], Item("stands", mark=joined(pair), read=pair[1].text)]
        done = place + 3
    return [*result, *items[done:]]


def _around(items: Sequence[HtmlItem], place: int) -> str:
    """Return the characters that stand before and behind a pair around a text, or its tags."""
    tags = ("opens", "closes")
    before = next((one.text for one in items[:place][::-1] if one.kind not in tags), "")
    after = next((one.text for one in items[place + 3 :] if one.kind not in tags), "")
    return before[-1:] + after[:1]


def _joined_stands(items: Sequence[HtmlItem]) -> Iterator[HtmlItem]:
    for stands, group in itertools.groupby(items, key=lambda item: item.kind == "stands"):
        if stands:
            run = list(group)
            read = "".join(item.read for item in run)
            yield Item("stands", mark=joined(run), pair=run[0].pair, read=read)
        else:
            yield from group


def _without_empty_pairs(items: Sequence[HtmlItem]) -> list[HtmlItem]:
    """Return items with one in place of each pair that has nothing to translate inside.

    A raised letter is the mark of a note.
    """
    result: list[HtmlItem] = []
    opened: list[tuple[int, bool]] = []  # place in the result; whether there were letters before
    letters = False
    for item in items:
        result.append(item)
        if item.kind == "opens":
            opened.append((len(result) - 1, letters))
            letters = False
        elif item.kind == "closes":
            start, letters_before = opened.pop()
            read = "".join(one.read or decode(one.text) for one in result[start:])
            letters = letters and not (item.pair in RAISED and is_sign(read))
            if not letters:
                pair = _GAP if read.isspace() else None
                result[start:] = [Item("stands", "", joined(result[start:]), pair, read.strip())]
            letters = letters or letters_before
        else:
            letters = letters or _is_read(item)
    return result


def _is_edge(item: HtmlItem) -> bool:
    if item.kind == "text":
        return not _split_start(item)[0].text
    return item.kind in ("stands", "break") and not item.read


def _split_start(item: HtmlItem) -> tuple[HtmlItem, HtmlItem]:
    found = _BEFORE.match(item.text)
    end = found.end() if found else 0
    return Item("text", item.text[end:]), Item("text", item.text[:end])


def _split_end(item: HtmlItem) -> tuple[HtmlItem, HtmlItem]:
    found = _AFTER_BACKWARDS.match(item.text[::-1])
    end = len(item.text) - (found.end() if found else 0)
    return Item("text", item.text[:end]), Item("text", item.text[end:])


_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});?")
_BETWEEN_WORDS = re.compile(r"([^\s<>]+)\u00a0(?=([^\s<>]+))")
_ALWAYS = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_MOST_NO_BREAKS = 100  # of a paragraph; no more are looked for


def decode(raw: str) -> str:
    """Return text of a page with characters for its entities."""
    return _ENTITY.sub(lambda found: html.unescape(found[0]), raw) if "&" in raw else raw


def entities_of(raw: str) -> dict[str, str]:
    """Return how a text of a page writes characters, by character; `&`, `<` and `>` are among them.

    A translation is to write them in the same way, so that `&auml;` stays `&auml;`.
    """
    if "&" not in raw:
        return _ALWAYS
    written = {html.unescape(entity): entity for entity in _ENTITY.findall(raw)}
    ours = {char: name for char, name in written.items() if len(char) == 1 and name[-1] == ";"}
    return {**_ALWAYS, **ours}


def encode(text: str, entities: Mapping[str, str], quote: str = "") -> str:
    """Return plain text as a page writes it; for entities, see `entities_of`.

    `quote` is what stands around it, if it is the value of an attribute.
    """
    table = {ord(char): entity for char, entity in entities.items()}
    if quote and ord(quote) not in table:
        table[ord(quote)] = "&quot;" if quote == '"' else "&#39;"
    return text.translate(table)


def keep_no_breaks(source: str, translation: str) -> str:
    """Return a translation with a no-break space between words that had one in the source.

    A model writes plain spaces. One is replaced if the same two words stand around it, or the same
    number before it (`10 km`).
    """
    if NO_BREAK not in source:
        return translation
    for found in itertools.islice(_BETWEEN_WORDS.finditer(source), _MOST_NO_BREAKS):
        before, after = found.groups()
        both = f"{before} {after}"
        if both in translation:
            translation = translation.replace(both, f"{before}{NO_BREAK}{after}", 1)
        elif before[-1].isdigit():
            translation = re.sub(
                rf"(?<!\S){re.escape(before)} (?=\S)", f"{before}{NO_BREAK}", translation, count=1
            )
    return translation
