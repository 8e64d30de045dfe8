"""Spans of a text that are not language: they come back as they are.

Most are of a kind in the table of `span_kinds`; the others depend on what else is in the text.
"""

from __future__ import annotations

import bisect
import functools
import itertools
import re
import sys
from collections.abc import Callable, Sequence

from translator.text.characters import (
    TYPED_ENTITY,
    Alphabet,
    may_be_unread,
    unread_spans,
)
from translator.text.span_kinds import DRAWN_OUT, HINTS, KEY, KINDS, SIGN, STATEMENT

Span = tuple[int, int]
"""Start and end: offsets into a text."""

_DRAWN_OUT_HINT = re.compile(r"(.)(?:\1\1\1|.\1.\1.\1|..\1..\1..\1)")
"""What is found in any text in small letters that has some, at the first that comes again."""

_ANY_DRAWN_OUT = re.compile(f"(?i:{DRAWN_OUT})")

_EMPHASISED = re.compile(
    r"(?<![^\s(\[\"'„“‚‘»«—–])(?P<mark>[_~=/]|'{2,3})(?=[^\W\d_])"
    r"(?P<inner>[^_~=/\n<>{}\\]{1,100})(?<!\s)(?P=mark)"
    r"(?![^\s)\]\"'“”’«»,.;:!?…—–])(?!\.\w)"
)
"""Words between signs other than `*`, as in `I _never_ said so`."""

_MOST_MARKS = 40
"""Of a sentence; what is between them is looked through piece by piece."""

_EMPHASIS_SIGN = re.compile(r"''|[_~=/](?<![^\s(\[\"'„“‚‘»«—–].)[^\W\d_]")
_OF_PATHS = re.compile(
    r"(?i:\b(?:bin|boot|data|dev|director|docs|endpoint|etc|file|folder|home|images?|lib|media|mnt|opt|ordner|path|pfad"
    r"|proc|root|route|run|server|site|src|srv|sys|tmp|url|usr|var|verzeichnis)|datei)"
)
"""Is found in texts whose `/word/` is a path."""

_OF_NAMES = re.compile(
    r"(?i:\b(?:argument|attribut|column|feld|field|funktion|function|method|parameter|propert|spalte"
    r"|variab))"
)
"""Is found in texts whose `_word_` is a name."""

_KEY_FIRST = re.compile(KEY)
_VALUE_END = re.compile(r"[\"'],?$")

_ARGUMENT = re.compile(r"(?<![\w$.,-])\$[1-9](?![\w$%-]|[.,][0-9])")
_ARGUMENT_ALONE = re.compile(
    r"(?:^|[,:;(\"'“„‘]\s?|\b(?i:dear|hallo|hello|hey|hi|liebe[rs]?|welcome|willkommen)\s)\$1"
    r"(?!\s(?:and|equals|for|from|in|is|of|or|to)\b)"
)
_OF_MONEY = re.compile(
    r"(?i:\b(?:an?|about|almost|at|cheap\w*|cost\w*|each|earn\w*|fee|for|just|less|more|nearly|off|only"
    r"|over|owe\w*|paid|pay\w*|per|plus|price\w*|save\w*|sold|spen[dt]\w*|tip|total|under|worth)\s\$[1-9]"
    r"|\$[1-9]\s(?:an?|apiece|bill|bn|coin|each|fee|hundred|less|[mb]illion|more|note|off|or|per|thousand|to)\b"
    r"|\b(?:cents?|cost|costs|dollars?|fee|paid|pays?|prices?|usd)\b|[€£¥=])"
)
"""Before or behind a dollar sign and a digit, or anywhere in a message that speaks of money."""

_FIELD = r'(?:"[^"]*"|[0-9][0-9.:/-]*|[^\W\d][^",;]*(?<![\s\d.!?]))'
_ROW = re.compile(rf"{_FIELD}(?:,(?!\s){_FIELD})+")
_LONGEST_FIELD = 3
"""Words; a row of longer ones may be a sentence."""

_BETWEEN_FIELDS = re.compile(r'^"|"?(?:^|,(?!\s))(?:"?[0-9][0-9.:/-]*"?(?:,|$))*"?|"$')
"""Commas, with the quotes and the numbers beside them."""

_COMMAND = re.compile(
    r"\\(?:text(?:bf|it|sc|sf|sl|rm|up|md)|emph|underline|(?:sub){0,2}section|(?:sub)?paragraph"
    r"|chapter|part|title|caption|footnote|author)\*?(?:\[[^\[\]{}]{0,80}\])?\{|(?<!\\)[{}]"
)
"""A command of LaTeX before its text, or a brace."""


_STATEMENT = re.compile(STATEMENT)

_MAY_HAVE_LAYOUT = re.compile(
    "|".join(
        KINDS[name].pattern for name in ("templates", "wiki links", "formulas", "tags", "isolates")
    )
)
_OPENS_LAYOUT = re.compile(r"\{\{|\$\{|\[\[|\$\\|<%|\{\w+,|[\u2066-\u2068\u202a-\u202e]")


def find_spans(
    text: str, known: Sequence[Span] = (), alphabet: Alphabet | None = None
) -> list[Span]:
    """Return every span of a text that is not language, or cannot be read.

    Args:
        text: any text.
        known: spans that somebody else has found: in order, and without overlaps. They stay as they
            are; others are looked for between them.
        alphabet: what can be read, as of `Tokenizer.alphabet`; None for all.

    Returns:
        the spans, in order.
    """
    known = known or _between_fields(text) or arguments_in(text) or _emphasis_in(text)
    known = known or _commands_in(text)
    if known:
        spans = _between(known, text, lambda *gap: _find_by_looks(text, *gap))
    else:
        spans = _find_by_looks(text) if _may_have_spans(text) else []
    if alphabet is not None and may_be_unread(text, alphabet):
        spans = _between(spans, text, lambda *gap: unread_spans(text, alphabet, *gap))
    return spans


def spans_with_layout(text: str, known: Sequence[Span] = ()) -> Sequence[Span]:
    """Return known spans, and with them those in which what looks like layout is none.

    Args:
        text: any text.
        known: spans that somebody else has found: in order, and without overlaps.
    """
    if not _OPENS_LAYOUT.search(text):
        return known  # as nearly always

    def find(start: int, end: int) -> list[Span]:
        found = (one.span() for one in _MAY_HAVE_LAYOUT.finditer(text, start, end))
        return [span for span in found if not _STATEMENT.fullmatch(text, *span)]

    return _between(known, text, find)


def _may_have_spans(text: str) -> bool:
    """Return whether there may be a span; most sentences are done with then."""
    return any(hint.search(text) for hint in HINTS) or _has_drawn_out(text)


def _has_drawn_out(text: str) -> bool:
    return _DRAWN_OUT_HINT.search(text.lower()) is not None and bool(_ANY_DRAWN_OUT.search(text))


@functools.cache
def _pattern(has_signs: bool, has_drawn_out: bool) -> re.Pattern[str]:
    """Return a pattern of the spans that a text may have.

    One of all kinds takes many times as long as one of those that need no special sign. Characters
    written as entities are matched as well, so that no span begins in one.
    """
    kinds = {name: kind for name, kind in KINDS.items() if has_signs or not kind.has_sign}
    if not has_drawn_out:
        del kinds["drawn-out words"]
    patterns = (kind.pattern for kind in kinds.values())
    return re.compile("|".join((f"(?P<typed>{TYPED_ENTITY})", *patterns)))


def _find_by_looks(text: str, start: int = 0, end: int = sys.maxsize) -> list[Span]:
    pattern = _pattern(SIGN.search(text) is not None, _has_drawn_out(text))
    found = pattern.finditer(text, start, end)
    spans = [span.span() for span in found if span.lastgroup != "typed"]
    if spans and start == 0 and _KEY_FIRST.match(text) and (value := _VALUE_END.search(text)):
        spans.append(value.span())
    return _with_quotes(spans, text) if '["' in text else spans


def _between_fields(text: str) -> list[Span]:
    """Return what stands between the fields of a row of a CSV file, and around them."""
    num_commas = text.count(",")
    if (num_commas < 2 and '","' not in text) or num_commas == text.count(", "):
        return []  # as nearly always
    if not _ROW.fullmatch(text):
        return []
    fields = _BETWEEN_FIELDS.split(text)
    spans = [found.span() for found in _BETWEEN_FIELDS.finditer(text) if found[0]]
    is_row = any(end - start > 1 for start, end in spans)  # with a number, or in quotes
    is_short = all(len(field.split()) <= _LONGEST_FIELD for field in fields)
    return spans if is_row and is_short and any(fields) else []


def arguments_in(text: str) -> list[Span]:
    """Return the arguments of a message, such as `$1` in `Hello, $1!`; an amount of money is none.

    They are counted from 1. Nothing else in the message speaks of money, and a lone one stands
    where no amount would.
    """
    if "$1" not in text or _OF_MONEY.search(text):
        return []  # as nearly always
    spans = [found.span() for found in _ARGUMENT.finditer(text)]
    counted = sorted({int(text[end - 1]) for _, end in spans})
    if text.count("$") != len(spans) or counted != [*range(1, len(counted) + 1)]:
        return []
    is_message = len(spans) > 1 or _ARGUMENT_ALONE.search(text)
    return spans if is_message and len(spans) <= _MOST_MARKS else []


def _emphasis_in(text: str) -> list[Span]:
    """Return the signs around words that are emphasised with another sign than `*`."""
    if not _EMPHASIS_SIGN.search(text):
        return []  # as nearly always
    marked = list(itertools.islice(_EMPHASISED.finditer(text), _MOST_MARKS))
    if not marked or len(marked) == _MOST_MARKS:
        return []
    has_names, has_paths = _OF_NAMES.search(text), _OF_PATHS.search(text)
    spans = list[Span]()
    for found in marked:
        is_name = found["mark"] == "_" and found["inner"].isalnum() and has_names
        if not is_name and (found["mark"] != "/" or not has_paths):
            spans += [found.span("mark"), (found.end("inner"), found.end())]
    return spans


def _commands_in(text: str) -> list[Span]:
    """Return the commands of LaTeX around their texts, and the braces that close them."""
    if "{" not in text or "\\" not in text:
        return []  # as nearly always
    spans, opened = list[Span](), list[Span]()
    for found in itertools.islice(_COMMAND.finditer(text), 2 * _MOST_MARKS):
        if found[0] != "}":
            opened.append(found.span())
        elif opened and (opening := opened.pop())[1] - opening[0] > 1:
            spans += [opening, found.span()]
    return sorted(spans)


def _with_quotes(spans: list[Span], text: str) -> list[Span]:
    """Return spans; quotes around all the text of a link, as in `["Save"](url)`, belong to them.

    A model that reads them beside a placeholder lets the quotes and the brackets cross.
    """
    for number, (start, end) in enumerate(spans[:-1]):
        after, last = spans[number + 1]
        is_link = text[end - 1 : end + 1] == '["' and text[after - 1 : after + 1] == '"]'
        if is_link and text.count('"', end, after) == 2:
            spans[number : number + 2] = [(start, end + 1), (after - 1, last)]
    return spans


def _between(
    taken: Sequence[Span], text: str, find: Callable[[int, int], list[Span]]
) -> list[Span]:
    """Return the spans that are taken, and in order with them what is found before and between."""
    spans, done = list[Span](), 0
    for start, end in (*taken, (len(text), len(text))):
        assert done <= start <= end, f"{taken}: in order and without overlaps"
        spans += find(done, start)
        if start < end:
            spans.append((start, end))
        done = end
    return spans


def span_at(place: int, spans: Sequence[Span]) -> Span | None:
    """Return the one of some spans, which are in order, that has the character at `place`."""
    number = bisect.bisect_right(spans, (place, sys.maxsize))
    return spans[number - 1] if number and place < spans[number - 1][1] else None
