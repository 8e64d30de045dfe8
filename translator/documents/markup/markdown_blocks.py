"""Blocks of Markdown: which lines are prose, code, HTML, or have a head of their own."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from translator.text.characters import word_set

_FENCE = re.compile(
    r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(?P<fence>`{3,}(?=[^`]*$)|~{3,}|\$\$(?=[ \t\r]*$))"
)
DEFINITION = re.compile(r" {0,3}\[(?!\^)(?P<label>[^\[\]]+)\]:\s*\S")
_HEADING_ID = re.compile(
    r"(?P<rest> {0,3}#{1,6}[ \t].*?\S)(?P<tail>[ \t]+\{:?[ \t]*[#.][^{}]*\}\s*)$"
)
_MARKER = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?=\S)")
_HTML = re.compile(r" {0,3}<(?:!--|[!?]|/?(?P<name>[A-Za-z][A-Za-z0-9-]*)(?=[\s/>]))")
_WITH_END_TAGS = word_set("pre script style textarea")
_HTML_BLOCKS = _WITH_END_TAGS | word_set(
    "address article aside blockquote body center dd details dialog div dl dt fieldset figcaption "
    "figure footer form h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link main menu "
    "meta nav noscript ol optgroup option p picture search section summary table tbody td tfoot "
    "th thead title tr ul video"
)
_CODE_INDENT = 4

_FOOTNOTE = re.compile(r"(?P<head> {0,3}\[\^[^\[\]\s]+\]:[ \t]+)(?P<rest>\S[^\n]*\n?)")
_TITLED = re.compile(
    r"(?P<head>[ \t>]*(?:!!!|\?{3}\+?|={3}[!+]?)[ \t]+[\w \t-]*\")(?P<rest>[^\"\n]+)"
    r"(?P<tail>\"\s*)$"
)
_UNTITLED = re.compile(r"[ \t>]*(?:!!!|\?{3}\+?)[ \t]+[\w \t-]+$")
"""The first line of a block of MkDocs, whose body is indented: `!!! note "A title"`."""

_WITH_HEADS = {"heading": _HEADING_ID, "footnote": _FOOTNOTE, "title": _TITLED}
"""Kinds of lines that are prose but for a head or a tail."""

_TEMPLATE = re.compile(r"[ \t]*\{(?:%|\{[<%]?)")
_MOST_TEMPLATE_LINES = 150
_CODE_OF_TEMPLATE = re.compile(
    r"[ \t]*\{(?:%-?|\{[<%])\s*(?P<name>chart|code|codeblock|highlight|katex|latex|math|mermaid"
    r"|plantuml|prism)\b"
)
"""A tag or a short code around what is no prose, as `{% highlight ruby %}`."""

_MODULE = re.compile(
    r"import\s+(?:(?:type\s+)?[\w$*{][^'\"\n]*\sfrom\s+)?['\"][^'\"\n]+['\"];?\s*$"
    r"|import\s+(?:[\w$]+,\s*)?(?:type\s+)?\{[^}\n]*$"
    r"|export\s+(?:(?:const|let|var|type|enum)\s+[\w$\[{][^\n]*[={]|(?:\*|\{|interface\s)"
    r"|(?:default\s+)?(?:async\s+)?(?:function|class)\b[^\n]*[({]"
    r"|default\s+(?:[({\[]|[\w$.]+(?:[({;]|\s*$)))"
)
"""The first line of an import or an export of MDX."""

_MOST_MODULE_LINES = 200


def blocks_of(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield each block with its kind.

    That is `code`, `html` or `prose`, or `heading`, `footnote` or `title` for a line of prose with
    what stays before or behind it; see `parted`.
    """
    place, indent, is_after_blank = 0, 0, True
    while place < len(lines):
        line = lines[place]
        kind, end = "prose", place + 1
        if fence := _FENCE.match(line):
            kind, end = "code", _end_of_fence(lines, place, fence["fence"])
        elif later := _end_of_template(lines, place):
            kind, end = "code", later
        elif _FOOTNOTE.match(line):
            kind, indent = "footnote", _CODE_INDENT
        elif _TITLED.match(line) or (_UNTITLED.match(line) and _has_body(lines, place)):
            kind = "title" if _TITLED.match(line) else "code"
            indent = _width(line) + _CODE_INDENT
        elif is_after_blank and _MODULE.match(line):
            kind, end = "code", _end_of_module(lines, place)
        elif DEFINITION.match(line) or (
            is_after_blank and _width(line) >= indent + _CODE_INDENT and line.strip()
        ):
            kind = "code"
        elif is_after_blank and (html := _HTML.match(line)) and _is_block(html):
            kind, end = "html", _end_of_html(lines, place, html["name"] or "")
        elif _HEADING_ID.match(line):
            kind = "heading"
        elif marker := _MARKER.match(line):
            indent = len(marker[0].expandtabs(4))
        elif line.strip() and is_after_blank and _width(line) < min(indent, 2):
            indent = 0  # the list has ended
        yield kind, "".join(lines[place:end])
        is_after_blank = not lines[end - 1].strip() or (is_after_blank and kind == "code")
        place = end


def parted(kind: str, block: str) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a block, each with whether it is prose.

    The label of a footnote, what is around the title of a block, and the ID of a heading are none.
    """
    line = _WITH_HEADS[kind].match(block) if kind in _WITH_HEADS else None
    if line is None:
        yield block, kind == "prose"
        return
    for name in ("head", "rest", "tail"):
        if part := line.groupdict().get(name):
            yield part, name == "rest"


def _has_body(lines: Sequence[str], place: int) -> bool:
    """Return whether the next line that is not blank is indented as a body."""
    below = next(filter(str.strip, lines[place + 1 : place + 4]), "")
    return _width(below) >= _width(lines[place]) + _CODE_INDENT


def _end_of_template(lines: Sequence[str], place: int) -> int:
    """Return the line after a tag or a short code that has lines of its own, or 0.

    That is the one behind its end tag if code stands between both.
    """
    if "{" not in lines[place]:
        return 0
    end, opening = 0, _TEMPLATE.match(lines[place])
    paragraph = itertools.takewhile(str.strip, lines[place : place + _MOST_TEMPLATE_LINES])
    text = "".join(paragraph) if opening else ""
    stop = _end_of_braces(text, opening[0].strip()) if opening else 0
    if stop and not text[stop:].partition("\n")[0].strip():
        end = place + text.count("\n", 0, stop) + 1
    if code := _CODE_OF_TEMPLATE.match(lines[place]):
        closing = re.compile(rf"\{{(?:%-?|\{{[<%])\s*(?:end|/\s*){code['name']}\b")
        later = (n for n in range(place, len(lines)) if closing.search(lines[n]))
        end = next(later, end - 1) + 1
    return end


def _end_of_braces(text: str, opening: str) -> int:
    """Return where a template ends that begins a text, or 0: `{{` at the brace that closes it."""
    if opening != "{{":
        closing = {"{%": "%}", "{{<": ">}}", "{{%": "%}}"}[opening]
        return text.find(closing) + len(closing) if closing in text else 0
    depth = 0
    for brace in re.finditer("[{}]", text):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return brace.end()
    return 0


def _width(line: str) -> int:
    expanded = line.expandtabs(4)
    return len(expanded) - len(expanded.lstrip())


def _is_block(html: re.Match[str]) -> bool:
    return html["name"] is None or html["name"].lower() in _HTML_BLOCKS


def _end_of_fence(lines: Sequence[str], place: int, fence: str) -> int:
    closing = re.compile(rf"[ \t>]*{re.escape(fence.strip())}{re.escape(fence[0])}*\s*$")
    for number in range(place + 1, len(lines)):
        if closing.match(lines[number]):
            return number + 1
    return len(lines)


def _end_of_module(lines: Sequence[str], place: int) -> int:
    """Return the line after an import or export: behind the last bracket that it opens."""
    depth = 0
    for number, line in enumerate(lines[place : place + _MOST_MODULE_LINES], place + 1):
        depth += sum(map(line.count, "({[")) - sum(map(line.count, ")}]"))
        if depth <= 0:
            return number
    return place + 1


def _end_of_html(lines: Sequence[str], place: int, name: str) -> int:
    """Return the line after a block of HTML: its end tag, its comment's end, or a blank line."""
    is_comment = lines[place].lstrip().startswith("<!--")
    closing = f"</{name.lower()}>" if name.lower() in _WITH_END_TAGS else ""
    closing = "-->" if is_comment else closing
    for number in range(place, len(lines)):
        if closing and closing in lines[number].lower():
            return number + 1
        if not closing and not lines[number].strip():
            return number
    return len(lines)
