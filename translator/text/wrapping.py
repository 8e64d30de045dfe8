"""Sentences that go on in the next line: which line breaks only wrap prose, and the way back.

A break between two lines of running text is no end of a sentence. It is taken out before
translation, and one comes back near the same place, with the same indentation behind it. Only what
is surely prose is joined: lists, tables, addresses, verse and code keep their lines.

Other lines stay as they are: names below a closing (a model takes `Mark` below `Cheers,` for a
word), and German addresses.
"""

from __future__ import annotations

import bisect
import itertools
import re
from collections.abc import Sequence

from translator.text.characters import word_set
from translator.text.spans import Span, find_spans

WRAPPED_WIDTHS = range(50, 121)
"""Characters in the longest line of text that somebody has wrapped."""

SMALL_STARTS = 1 / 3
"""Of the lines of wrapped prose but the first; fewer begin with a small letter in other text."""

_MARKER = re.compile(r"(?:[-*+•–—]|\d{1,3}[.)]|\[[ xX]\])[ \t]+")
_NO_PROSE = re.compile(
    r"[#|=>:]|```|~~~|\.\.\s|[-*+•–—]\s|\(?\w{1,2}[.)]\s|\d|\W*$|\w+::|\[[^\]]*\](?:\s|:)"
    r"|[\w.-]+(?:\s[\w-]+){0,3}(?::|\s?=)\s|</?(?:br|dd|div|dt|h\d|li|ol|p|table|td|th|tr|ul)\b"
)
_SURELY_ENDS = re.compile(r"(?:[-:;{}>\\]|,[\"'»“”])$|\s\s|\s\|\s")
_STARTS_LIKE_PROSE = re.compile(r"[^\W\d_]|[`(\[*\"'„“”‚‘<{&$%@_]")
_MARGIN = r"[ \t]*(?:>[ \t]?)*"
"""White space, and the signs of what is quoted."""

BREAK = re.compile(rf"[ \t\r]?\n{_MARGIN}")
"""Between two lines of one sentence."""


def soft_breaks(text: str, is_markdown: bool = False) -> frozenset[int]:
    """Return the offsets of the line feeds at which a line of prose goes on in the next line."""
    if "\n" not in text:
        return frozenset()
    lines, found, offset = text.split("\n"), set[int](), 0
    block, above = list[str](), ""
    for line, below in itertools.zip_longest(lines, lines[1:], fillvalue=""):
        block.append(line)
        if not _may_go_on(line, below, is_first=len(block) == 1):
            goes_on = above.rstrip().endswith(",")
            for one, is_soft in zip(block, _are_soft(block, goes_on, is_markdown), strict=False):
                offset += len(one)
                if is_soft:
                    found.add(offset)
                offset += 1
            offset += len(line) + 1
            above = line if line.strip("> \t\r") else above
            block = []
    return frozenset(found)


def _may_go_on(above: str, below: str, is_first: bool) -> bool:
    """Whether two neighbouring lines may be prose; the first of several may be a list's item."""
    if not above or not below:
        return False
    above, below = above.removesuffix("\r"), below.removesuffix("\r")
    upper, lower = _margin(above), _margin(below)
    marker = _MARKER.match(above, len(upper)) if is_first else None
    start = marker.end() if marker else len(upper)
    indentation = len(lower) - len(upper)
    fits = indentation in (start - len(upper), 4) if marker else indentation == 0
    fits = fits and lower.startswith(upper) and lower.count(">") == upper.count(">")
    if not fits or _SURELY_ENDS.search(above, start):
        return False
    if _NO_PROSE.match(above, start) or _NO_PROSE.match(below, len(lower)):
        return False
    return _STARTS_LIKE_PROSE.match(below, len(lower)) is not None


def _margin(line: str) -> str:
    margin = re.match(_MARGIN, line)
    return margin[0] if margin else ""


def _are_soft(block: Sequence[str], goes_on: bool, is_markdown: bool) -> list[bool]:
    """Return for each line but the last of a block whether it goes on in the next.

    Args:
        block: lines.
        goes_on: whether it may begin small, since a salutation with a comma stands above it.
        is_markdown: whether all lines of a paragraph go on.
    """
    lines = [line.rstrip() for line in block]
    inner = [line[len(_margin(line)) :] for line in lines]
    starts = [line[:1] for line in inner]
    width = max((len(line) for line in lines if "://" not in line), default=0)
    num_small = sum(start.islower() for start in starts[1:])
    if is_markdown and width >= WRAPPED_WIDTHS[0]:
        pairs = zip(lines, inner[1:], strict=False)
        return [_is_long(above, width) or _is_full(above, below, width) for above, below in pairs]
    is_prose = width in WRAPPED_WIDTHS and num_small >= max(1, SMALL_STARTS * (len(lines) - 1))
    if not is_prose or (starts[0].islower() and not goes_on):
        return [False] * (len(lines) - 1)
    return [_is_full(above, below, width) for above, below in zip(lines, inner[1:], strict=False)]


def _is_full(above: str, below: str, width: int) -> bool:
    """Whether the next line begins in mid-sentence, or its first word had no place in this one."""
    if below[0].islower():
        return len(above) >= width * (0.6 if above.endswith(",") else 0.3)
    return len(above) + 1 + len(below.split()[0]) > width


def _is_long(above: str, width: int) -> bool:
    """Whether a line of Markdown goes on in any next one: it is long, and ends no sentence."""
    return len(above) >= width * 0.6 and above[-1] not in ".!?"


def wrapped_lines(sentence: str) -> list[tuple[str, str]]:
    """Return the lines of a sentence, each with the break behind it; the last has none."""
    return list(zip(BREAK.split(sentence), [*BREAK.findall(sentence), ""], strict=True))


def unwrap(sentence: str, known: Sequence[Span] = ()) -> tuple[str, Sequence[Span]]:
    """Return a sentence in one line, and where known spans are in it; those keep their breaks."""
    if "\n" not in sentence:
        return sentence, known
    line, moved, done = "", list[Span](), 0
    for start, end in known:
        line += BREAK.sub(" ", sentence[done:start])
        moved.append((len(line), len(line) + end - start))
        line += sentence[start:end]
        done = end
    return line + BREAK.sub(" ", sentence[done:]), moved


def rewrap(translation: str, sentence: str) -> str:
    """Break a translation where its sentence was broken, at spaces near the same places.

    No break falls into a span that is not language, or before what would begin a list there.
    A translation with fewer such spaces has fewer lines; one that has lines already is returned.
    """
    if "\n" not in sentence or "\n" in translation:
        return translation
    lines = wrapped_lines(sentence)
    spaces, scale = _spaces(translation), len(translation) / len(unwrap(sentence)[0])
    parts, done, place, offset = [], 0, 0, 0
    for number, (line, gap) in enumerate(lines[:-1], start=1):
        wanted = (offset + len(line)) * scale
        offset += len(line) + 1
        later = len(lines) - 1 - number  # breaks, one space for each
        stop = min(max(len(spaces) - later, place + 1), len(spaces))
        nearest = bisect.bisect_left(spaces, wanted, place, stop)
        choices = [n for n in (nearest - 1, nearest) if place <= n < stop]
        if not choices:
            break
        place = min(choices, key=lambda n: abs(spaces[n] - wanted))
        parts += [translation[done : spaces[place]], gap]
        done, place = spaces[place] + 1, place + 1
    return "".join([*parts, translation[done:]])


def _spaces(text: str) -> list[int]:
    taken = {place for start, end in find_spans(text) for place in range(start, end)}
    return [
        found.start()
        for found in re.finditer(r"(?<=\S) (?=\S)", text)
        if found.start() not in taken and not _NO_PROSE.match(text, found.end())
    ]


_WITH_GREETINGS = (
    r"(?:[Mm]it )?(?:(?:[Vv]iele|[Ll]iebe|[Bb]este|[Hh]erzliche|[Ff]reundliche|[Ss]chöne|[Ss]onnige"
    r"|[Gg]anz)[nmrs]? ){1,2}Gr(?:ü|u|ue)(?:ß|ss)e?n?(?: aus [A-ZÄÖÜ][\w-]+)?"
)
_SURE = (
    rf"{_WITH_GREETINGS}|Hochachtungsvoll|Herzlichst|Mf[Gg]|Bis (?:bald|dann)|Alles (?:Liebe|Gute)"
    r"|(?:With |Many )?(?:[Kk]ind(?:est)?|[Bb]est|[Ww]arm(?:est)?) (?:regards|wishes|greetings)"
    r"|Yours (?:sincerely|faithfully|truly|ever)|Sincerely yours|See you soon|Many thanks"
    r"|(?:All|Lots of|Much|With) (?:my )?love|All the best|Talk (?:to you )?soon|Take care"
)
_UNSURE = (
    r"Gr(?:uß|uss|üße|uesse)|[LV]G|Herzlich|Danke|Vielen Dank|Tschüss"
    r"|Best|Regards|Cheers|Love|Hugs|Thanks|Thank you|Yours|Sincerely|Respectfully|Warmly"
    r"|Cordially|See you"
)
"""These may be words of a list; they are closings with a comma, or above the last line."""

_NAME_WORD = r"[A-ZÄÖÜ](?:\.|[^\W\d_]*(?:['’-][A-ZÄÖÜ][^\W\d_]*){0,2})"
_NAME = rf"(?:(?:Dr|Prof)\. ){{0,2}}{_NAME_WORD}(?: (?:v[ao]n |de[rn]? ){{0,2}}{_NAME_WORD}){{0,2}}"
_SIGNED = re.compile(
    rf"(?m:(?:^|(?<=[.!?,] ))(?:{_SURE}|(?P<unsure>{_UNSURE}))(?P<mark>[,!.]?)"
    rf"[ \t\r]*\n(?:[ \t\r]*\n){{0,2}}[ \t]*(?P<name>{_NAME})[ \t\r]*$)"
)
_SIGNED_HINT = re.compile(r"[^\W\d_][,!.]?[ \t\r]*\n\s*[A-ZÄÖÜ][\w.'’ \t\r-]{0,60}(?:\n|$)")
_NO_NAMES = word_set(
    "aunt best bis bitte board club committee company customer dad daddy danke das dear deine dein"
    " department der die director eltern euer eure everyone familie family firma from gran grandma"
    " grandpa granny hotel human ihr ihre kind kunden leitung liebe mama management manager mein"
    " meine mit mom mommy mum mummy mutter nan office oma onkel opa papa parents please president"
    " principal ps redaktion regards sales secretary service staff support tante team the uncle"
    " vater verein viele vorstand your"
)
_OFFICE = re.compile(
    r"[^\W\d_]{5}(?:ung|schaft|[hk]eit|team|service|stelle|büro|amt|vorstand|redaktion|leiter(?:in)?"
    r"|dienst|support|ment|shop|rat)\b"
)
"""Who is no person, or has a word in either language."""


_ADDRESS = re.compile(
    r"(?m:^[ \t]*(?:Postfach [0-9 ]{2,12}"
    r"|(?P<street>[A-ZÄÖÜ][\w.-]*(?: [\w.-]+){0,4} [0-9]{1,3} ?[a-zA-Z]?"
    r"(?:[-–/][0-9]{1,3}[a-z]?)?))"
    r"[ \t\r]*\n[ \t]*(?P<town>(?:D-)?[0-9]{5} [A-ZÄÖÜ][^\W\d_][\w ./()-]{0,40}[\w)])[ \t\r]*$)"
)
"""A line with the number of a house, or a box, above a postcode and its town."""

_POSTCODE = re.compile(r"\n[ \t]*(?:D-)?[0-9]{5} [A-ZÄÖÜ]")


def lines_that_stay(text: str) -> list[Span]:
    """Return where lines are names below the closing of a letter, or of German addresses."""
    if "\n" not in text:
        return []  # as mostly
    lines = list[Span]()
    if _SIGNED_HINT.search(text):
        lines += [found.span("name") for found in _SIGNED.finditer(text) if _is_name(found)]
    if _POSTCODE.search(text):
        for found in _ADDRESS.finditer(text):
            lines += [found.span("street")] if found["street"] else []
            lines.append(found.span("town"))
    return lines


def _is_name(found: re.Match[str]) -> bool:
    name, text = found["name"], found.string
    words = {word.lower() for word in name.split() if word[0].isupper()}
    if not _NO_NAMES.isdisjoint(words) or _OFFICE.search(name):
        return False
    return not found["unsure"] or found["mark"] == "," or not text[found.end() :].strip()
