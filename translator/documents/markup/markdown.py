"""Markdown as units to translate: what is code, settings or HTML is told from prose, line by line.

Prose goes to the text pipe as it is, several paragraphs at a time: links, emphasis, inline code,
list markers and the bars of tables are spans and separators there. HTML is read by its own reader.
The title of a link, `[a](url "title")`, is a unit of its own, since it is no part of the sentence.
A link by its text, `[a]` or `[a][]`, gets that as a label, so that it still finds its definition.
What MDX adds, modules and components, is code, but for what people read of a component. So are tags
and calls of template languages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from translator.documents.document import THE_TEXT, Piece, Prose, TextDocument, TextUnit
from translator.documents.markup.html import read_html
from translator.documents.markup.inline import FIRST_LETTER
from translator.documents.markup.markdown_blocks import DEFINITION, blocks_of, parted
from translator.text.characters import has_letters
from translator.text.marked import MarkedText
from translator.text.span_kinds import CODE_IN_A_LINE, MARKDOWN_ADDRESS, MARKDOWN_TITLE
from translator.text.spans import Span

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_FRONT_MATTER = re.compile(
    r"\ufeff?(?P<fence>---|\+\+\+)[ \t]*\r?\n(?s:.*?)^(?:(?P=fence)|\.\.\.)[ \t]*(?:\r?\n|\Z)",
    re.MULTILINE,
)
_REFERENCE = re.compile(
    rf"{CODE_IN_A_LINE}|(?<![\\\]])\[(?P<text>[^\[\]^][^\[\]]*)\]"
    r"(?P<after>\[(?P<label>#(?P<number>\d{1,6})|[^\[\]]*)\]|(?![(\[\]:]))"
)
_CODE = re.compile(CODE_IN_A_LINE)
_TITLE = rf"(?!\"\"|'')(?P<title>{MARKDOWN_TITLE})"
_LINK_OR_CODE = re.compile(rf"{CODE_IN_A_LINE}|(?<=\]\(){MARKDOWN_ADDRESS}\s+{_TITLE}(?=\))")
_TITLE_OF_DEFINITION = re.compile(rf" {{0,3}}\[(?!\^)[^\[\]]+\]:\s*\S+\s+{_TITLE}\s*\Z")
_PARAGRAPH = re.compile(r"(?s:.+?)(?:\n\s*\n|\Z)")
_BRACES = r"\{(?:[^{}]|\{(?:[^{}]|\{[^{}]{0,500}\}){0,500}\}){0,500}\}"
_COMPONENT = (
    r"</?(?:[A-Z][\w.]{0,80}|[a-z]\w{0,40}\.[\w.]{1,80})"
    rf"(?:\s(?:[^<>{{}}\"'`]|\"[^\"]{{0,500}}\"|'[^']{{0,500}}'|{_BRACES}){{0,500}})?/?>"
)
_TAG = (
    r"<(?=[^<>]*\s[A-Za-z][\w-]*(?:\s*/?>|\s+[^\s=]))[A-Za-z][A-Za-z0-9-]*"
    r"(?:\s+[A-Za-z_:][\w:.-]*(?:=(?:\"[^\"<>]*\"|'[^'<>]*'|[^\s\"'<>=]+))?){1,20}\s*/?>"
)
"""A tag with an attribute that has no value."""

_MATH = r"(?<![\w$\\])\$(?=[^\s$])(?=[^$\n]*[\\^_])[^$\n]{1,300}(?<=[^\s\\])\$(?![\w$])"
_TEMPLATE = rf"(?=\{{\{{[^{{}}<%][^{{}}]*\{{)\{{{_BRACES}\}}"
"""A call with braces in it; others are told by their looks."""

_CODE_OR_COMPONENT = re.compile(
    r"(?<![\w`])(?P<ticks>`{1,3})(?!`)(?P<code>(?:(?!\n[ \t]*\n)[\s\S]){1,300}?)"
    rf"(?<!`)(?P=ticks)(?!`)|{_COMPONENT}|\{{/\*[\s\S]{{0,500}}?\*/\}}|{_TAG}|{_MATH}|{_TEMPLATE}"
)
_IS_ODD = re.compile(r"\n|^```|/`+$|(?<!^)`(?!`*$)")
_SHORT_CODE = re.compile(r"\{\{[<%][^{}]{1,500}[%>]\}\}")
_SHOWN = re.compile(r"(?<=\s)(?:alt|title|label|placeholder)=(?P<title>\"[^\"{}]+\"|'[^'{}]+')")
_ARGUMENT = re.compile(r"(?<=\s)(?:title|alt|caption|text|summary)=(?P<title>\"(?:[^\"\\]|\\.)+\")")
_INITIAL = re.compile(
    r"(?P<opens>(?P<stars>\*{1,3})|<(?P<tag>[a-z]+)\b[^<>\n]*>)(?P<letter>[\"“„]?[^\W\d_])"
    r"(?P<closes>(?(tag)</(?P=tag)>|(?P=stars)))(?=[^\W\d_])"
)


def read_markdown(text: str, name: str = THE_TEXT, has_front_matter: bool = False) -> TextDocument:
    """Take Markdown apart; any text is Markdown. The name is for errors.

    `has_front_matter` says that what people read of front matter is translated, and of the
    arguments of short codes.

    Raises:
        InputError: it has too many units.
    """
    return TextDocument(_pieces(text, has_front_matter), name)


def _front_matter(text: str) -> Iterator[Piece]:
    from translator.documents.front_matter import front_matter  # it reads YAML, and few ask for it

    return front_matter(text)


def _pieces(text: str, has_front_matter: bool) -> Iterator[Piece]:
    front_matter = _FRONT_MATTER.match(text)
    start = front_matter.end() if front_matter else 0
    if start:
        yield from _front_matter(text[:start]) if has_front_matter else [text[:start]]
    blocks = list(blocks_of(_LINE.findall(text, start)))
    labels = frozenset(
        _normal(definition["label"])
        for kind, block in blocks
        if kind == "code" and (definition := DEFINITION.match(block))
    )
    prose: list[str] = []
    for kind, block in blocks:
        for part, is_read in parted(kind, block):
            if is_read:
                prose.append(part)
                continue
            yield from _prose("".join(prose), labels, has_front_matter)
            yield from read_html(part).pieces if kind == "html" else _code(part)
            prose = []
    yield from _prose("".join(prose), labels, has_front_matter)


@dataclass(frozen=True, slots=True, eq=False)
class _LinkedProse:
    """Prose with links that have titles, or that find their definitions by their texts.

    Attributes:
        marked: what to translate.
        inner: the titles, in order. The translation repeats them as they are.
        links: those that are found by their texts; the number of each is its label in `marked`.
        has_arguments: whether short codes have titles, too.
        initial: what opens and closes around the first letter.
    """

    marked: MarkedText
    inner: Sequence[TextUnit]
    links: Sequence[re.Match[str]]
    has_arguments: bool = False
    initial: Sequence[str] = ()

    def render(self, translation: str) -> Iterator[Piece]:
        """Yield the translation, with each title that it repeats as a unit."""
        said = self._with_labels(translation)
        if self.initial:
            opens, closes = self.initial
            said = FIRST_LETTER.sub(lambda first: f"{opens}{first[0]}{closes}", said, count=1)
        titles, done = list(self.inner), 0
        for start, end in _titles(said, self.has_arguments):
            of_link = (unit for unit in titles if unit.original == said[start:end])
            if done <= start and (title := next(of_link, None)):
                titles.remove(title)
                yield said[done:start]
                yield title
                done = end
        yield said[done:]

    def _with_labels(self, translation: str) -> str:
        """Return a translation with the labels of its links, those as they were that are alike."""

        def written(link: re.Match[str]) -> str:
            if not (link["number"] and int(link["number"]) < len(self.links)):
                return link[0]
            text, known = link["text"], self.links[int(link["number"])]
            if _normal(text) == _normal(known["text"]):
                return f"[{text}]{known['after']}"
            return f"[{text}][{' '.join(known['text'].split())}]"

        return _REFERENCE.sub(written, translation) if self.links else translation


def _prose(text: str, labels: frozenset[str], has_arguments: bool) -> Iterator[Piece]:
    """Yield prose; a paragraph with titles or an initial stands alone, so that the others are told.

    `labels` are those of all definitions of links; see `_normal`.
    """
    is_apart = _titles(text, has_arguments) or _INITIAL.search(text)
    for part in _PARAGRAPH.findall(text) if is_apart else filter(None, [text]):
        read, links = _numbered(part, labels) if labels else (part, ())
        initial = _INITIAL.match(read)
        if initial:
            read = initial["letter"] + read[initial.end() :]
        titles = [_title(read, *span) for span in _titles(read, has_arguments)]
        marked = MarkedText(read, tuple(tag.span() for tag in _verbatim(read)), is_markdown=True)
        if titles or links or initial:
            around = initial.group("opens", "closes") if initial else ()
            yield _LinkedProse(marked, titles, links, has_arguments, around)
        else:
            yield Prose(marked)


def _normal(label: str) -> str:
    return " ".join(label.casefold().split())


def _numbered(text: str, labels: frozenset[str]) -> tuple[str, Sequence[re.Match[str]]]:
    """Return a text with a number for a label after each link by its text, and those links.

    A number is short, so that it is still seen which lines are wrapped.
    """
    links = list[re.Match[str]]()

    def numbered(link: re.Match[str]) -> str:
        inside = link["text"]
        is_short = inside and not link["label"] and _normal(inside) in labels
        if not is_short or not has_letters(_CODE.sub("", inside)):
            return link[0]
        links.append(link)
        return f"[{inside}][#{len(links) - 1}]"

    return _REFERENCE.sub(numbered, text), links


def _verbatim(text: str) -> Iterator[re.Match[str]]:
    """Yield components, comments, formulas, and code that cannot be told by its looks.

    That is code over several lines, between three backticks, with one in it, or `/` at its end.
    """
    found = _CODE_OR_COMPONENT.finditer(text)
    return (one for one in found if not one["code"] or _IS_ODD.search(one[0]))


def _titles(text: str, has_arguments: bool) -> Sequence[Span]:
    """Return where titles are, without quotes: of links, of components, of short codes if asked."""
    found = [match for match in _LINK_OR_CODE.finditer(text) if match["title"]]
    for tag in _verbatim(text):
        found += _SHOWN.finditer(text, *tag.span()) if tag[0].startswith("<") else ()
    for short_code in _SHORT_CODE.finditer(text) if has_arguments else ():
        found += _ARGUMENT.finditer(text, *short_code.span())
    return sorted(_inside(title) for title in found if has_letters(title["title"]))


def _code(block: str) -> Iterator[Piece]:
    """Yield code, and definitions of links with their titles."""
    definition = _TITLE_OF_DEFINITION.match(block)
    if definition is None:
        yield block
        return
    start, end = _inside(definition)
    yield from (block[:start], _title(block, start, end), block[end:])


def _inside(link: re.Match[str]) -> tuple[int, int]:
    """Return where the title of a link is, without its quotation marks."""
    return link.start("title") + 1, link.end("title") - 1


def _title(text: str, start: int, end: int) -> TextUnit:
    """Return a title; quotes in it are escaped as a component does it, or else as Markdown does."""
    quote, title, before = text[start - 1], text[start:end], text[:start].replace("{{<", "{{%")
    is_shown = text[start - 2] == "=" and before.rfind("{{%") < before.rfind("<")
    bare = re.compile(rf"(?<!\\){quote}")
    escaped = {'"': "&quot;", "'": "&#39;"}[quote] if is_shown else "\\" + quote
    return TextUnit(MarkedText(title), title, lambda said: bare.sub(lambda _: escaped, said))
