r"""Subtitles: SubRip (`.srt`), WebVTT (`.vtt`), and those with styles (`.ass`, `.ssa`).

Numbers, times, styles and notes stay. In a text with styles, a break of a line (`\N`) is a space to
the translation, which is broken near the same place.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from translator.documents.document import Document, FileDocument, Piece, TextUnit
from translator.documents.encoding import decode, newline_of
from translator.documents.markup.inline import Item, Kind, inline_of, paired, without_edges
from translator.errors import InputError
from translator.text.characters import has_letters
from translator.text.marked import MarkedText
from translator.text.wrapping import rewrap

_TIME = r"(?:\d{1,4}:)?\d{1,2}:\d{1,2}[.,]\d{1,3}"
_TIMING = re.compile(
    rf"^[ \t]*(?P<begin>{_TIME})[ \t]*-->[ \t]*(?P<end>{_TIME})[^\n]*(?:\n|\Z)", re.M
)
_CUE = re.compile(r"(?:[ \t]*[^\s][^\n]*(?:\n|\Z))*")
_TAG = re.compile(
    r"<rt\b[^<>\n]{0,300}>[^<>\n]{0,300}</rt>|<(?P<end>/?)(?P<name>[A-Za-z]\w{0,30})\b[^<>\n]{0,300}>|<\d[\d:.]{0,20}>|\{\\[^{}\n]{0,100}\}"
)
_TIME_INSIDE = re.compile(r"<\d[\d:.]{0,20}>")
_BETWEEN_TAGS = re.compile(r"(<[^<>]*>|\s+(?=<)|(?<=>)\s+)")
_WITHOUT_WORDS = re.compile(
    rf"(?:{_TIME_INSIDE.pattern})?<(\w{{1,30}})\b[^<>\n]{{0,300}}>\s*</\1>\s?"
    rf"|{_TIME_INSIDE.pattern}\s?(?=<\d|\Z)"
)
_WRAPPER = re.compile(
    r"(?P<before>(?:\{\\[^{}\n]{0,100}\}|<[A-Za-z][^<>\n]{0,300}>){0,8})(?P<inside>.*?)"
    r"(?P<after>(?:</\w{1,30}>){0,8})",
    re.DOTALL,
)
_TAGS = r"(?:\s|<[^<>]*>|\{[^{}]*\})*"
_BRACKETS = r"[\[(（【][^\[\]()（）【】\n]{1,100}[\])）】]"
_SOUND = rf"{_BRACKETS}{_TAGS}$"  # alone in its line
_UTTERANCE = re.compile(
    rf"{_TAGS}(?:[-–—‐]|>>|[♪♫]|#\s|{_SOUND}"
    rf"|(?:{_BRACKETS}\s+)?[^\W\d_a-zß-ÿ][A-ZÀ-Þ0-9 .'’-]{{0,30}}:\s)"
)
"""Begins what one speaker says: `- Yes`, `>> Yes`, `ANNA: Yes`; or is a sound, `[DOOR OPENS]`."""
_ENDS_SONG_OR_SOUND = re.compile(rf"^{_TAGS}{_SOUND}|(?:[♪♫]|\s#){_TAGS}$")
_SOUND_FIRST = re.compile(rf"\A({_TAGS}{_BRACKETS})\s+(?=[^\s<])")
"""A sound before what somebody says, `(laughs) ANNA: Yes`: a sentence of its own."""

_GOES_ON = re.compile(r"[^\W\d_][,’']?$")
_MOST_CUES = 4
_MOST_PAUSE_S = 1.0
_ENTITIES = {"&lt;": "<", "&gt;": ">", "&nbsp;": "\u00a0", "&lrm;": "\u200e", "&rlm;": "\u200f"}
_ENTITIES |= {"&amp;": "&"}  # read as the last
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_FORMAT = re.compile(r"Format\s*:\s*(?P<names>.*)", re.IGNORECASE)
_DIALOGUE = re.compile(r"Dialogue\s*:", re.IGNORECASE)
_SECTION = re.compile(r"\s*\[(?P<name>[^\]]*)\]")
_STYLE = re.compile(r"\{[^{}]*\}|\\h")
_BREAK = re.compile(r"(?:(?<![ \t])[ \t]+)?\\[Nn][ \t]*")
_SWITCH = re.compile(r"\{\\(?P<name>[bius])(?P<on>[01])\}")
_DRAWING = re.compile(r"\{[^{}]*\\p[1-9]")

Escape = Callable[[str], str]
WithTags = Callable[[str, Escape], str]
"""Puts its tags into a translation; the text between them is escaped."""


@dataclass(frozen=True, slots=True)
class _Cue:
    """The text of a cue: lines, what stands around them, and the offsets in the file."""

    start: int
    end: int
    begin_s: float
    end_s: float
    lines: tuple[str, ...]
    before: str
    after: str
    wraps_lines: bool

    @property
    def is_simple(self) -> bool:
        """Whether it is the text of one speaker without tags inside."""
        return not any(_TAG.search(line) or _UTTERANCE.match(line) for line in self.lines)

    def goes_on(self, following: _Cue) -> bool:
        """Whether the sentence at the end of this cue surely ends in the next one."""
        return (
            self.is_simple
            and following.is_simple
            and (self.before, self.after) == (following.before, following.after)
            and _GOES_ON.search(self.lines[-1]) is not None
            and following.lines[0][:1].islower()
            and following.begin_s - self.end_s <= _MOST_PAUSE_S
        )


def read_srt(name: str, data: bytes) -> Document[bytes]:
    """Read subtitles in SubRip's format.

    Each cue is a unit. Where a sentence goes on in the next cue without doubt, both are one unit,
    and the translation is broken near the same place.

    Raises:
        InputError: there is no cue, or the encoding is unknown.
    """
    text, encoding = decode(data, name)
    if not _TIMING.search(text):
        raise InputError(
            f"{name}: has no line such as 00:00:01,000 --> 00:00:02,500, so it is no file of "
            "subtitles"
        )
    return _document(text, name, encoding.encode, str, str)


def read_vtt(name: str, data: bytes) -> Document[bytes]:
    """Read subtitles in the format WebVTT; see `read_srt`.

    Raises:
        InputError: there is no `WEBVTT` in the first line, or the encoding is unknown.
    """
    text, encoding = decode(data, name)
    if not text.startswith("WEBVTT"):
        raise InputError(f"{name}: must begin with WEBVTT; subtitles of SubRip are named .srt")
    return _document(text, name, encoding.encode, _unescaped, _escaped)


def _document(
    text: str, name: str, encode: Callable[[str], bytes], unescape: Escape, escape: Escape
) -> Document[bytes]:
    cues = [*_cues(text)]
    pieces, done = list[Piece](), 0
    for group in _groups(cues):
        start, end = group[0].start, group[-1].end
        pieces += [text[done:start], _unit(text, group, unescape, escape)]
        done = end
    return FileDocument([*pieces, text[done:]], name, encode)


def _cues(text: str) -> Iterator[_Cue]:
    timings = [*_TIMING.finditer(text)]
    for number, timing in enumerate(timings):
        found = _CUE.match(text, timing.end())
        end = found.end() if found else timing.end()
        if number + 1 < len(timings) and timings[number + 1].start() < end:  # no blank line between
            end = text.rindex("\n", 0, timings[number + 1].start() - 1) + 1
            end = max(end, timing.end())
        raw = text[timing.end() : end].rstrip()
        if has_letters(_TAG.sub("", raw)):
            times = _seconds(timing["begin"]), _seconds(timing["end"])
            yield _cue(timing.end(), raw, *times)


def _cue(start: int, raw: str, begin_s: float, end_s: float) -> _Cue:
    lines = [line.strip() for line in raw.split("\n")]
    wrappers = [found for line in lines if (found := _WRAPPER.fullmatch(line))]
    around = {(found["before"], found["after"]) for found in wrappers}
    wraps_lines = len(lines) > 1 and len(around) == 1 and all(around.copy().pop())
    if wraps_lines:
        [(before, after)] = around
        lines = [found["inside"] for found in wrappers]
    else:
        whole = _WRAPPER.fullmatch("\n".join(lines))
        assert whole is not None  # anything matches
        before, after, lines = whole["before"], whole["after"], whole["inside"].split("\n")
        if before.count("<") != after.count("<") or not _is_whole(before, whole["inside"], after):
            before, after, lines = "", "", [line.strip() for line in raw.split("\n")]
    return _Cue(start, start + len(raw), begin_s, end_s, tuple(lines), before, after, wraps_lines)


def _is_whole(before: str, inside: str, after: str) -> bool:
    names = [found["name"] for found in _TAG.finditer(before) if found["name"]]
    ends = [found["name"] for found in _TAG.finditer(after)]
    inner = {found["name"] for found in _TAG.finditer(inside)}
    return names == ends[::-1] and not inner & {*names}


def _groups(cues: Sequence[_Cue]) -> Iterator[list[_Cue]]:
    group: list[_Cue] = []
    for cue in cues:
        if group and (len(group) == _MOST_CUES or not group[-1].goes_on(cue)):
            yield group
            group = []
        group.append(cue)
    if group:
        yield group


def _unit(text: str, cues: Sequence[_Cue], unescape: Escape, escape: Escape) -> TextUnit:
    newline = newline_of(text)
    if _TIME_INSIDE.search(text, cues[0].start, cues[0].end):
        return _timed_unit(text[cues[0].start : cues[0].end], unescape, escape)
    said, broken = _said([line for cue in cues for line in cue.lines])
    marked, with_tags = _without_tags(said, _TAG, _tag, unescape)

    def write(translation: str) -> str:
        whole = with_tags(broken(translation), escape)
        shares = _shares([line for line in whole.split("\n") if line.strip()], cues)
        written, done = "", cues[0].start
        for cue, lines in zip(cues, shares, strict=True):
            written += text[done : cue.start] + _written(cue, lines, newline)
            done = cue.end
        return written

    return TextUnit(marked, text[cues[0].start : cues[-1].end], write)


def _timed_unit(raw: str, unescape: Escape, escape: Escape) -> TextUnit:
    """Return a cue with times inside, between which a translation's words stand in order.

    So the times rise. A time without a word goes, and so do tags around nothing.
    """
    parts = _BETWEEN_TAGS.split(raw.strip())
    slots = [place for place in range(0, len(parts), 2) if parts[place]]
    sizes = [*itertools.accumulate(len(parts[place]) for place in slots)]

    def write(translation: str) -> str:
        words, said, done = translation.split(), list(parts), 0
        for number, (place, size) in enumerate(zip(slots, sizes, strict=True), 1):
            start, done = done, round(size * len(words) / sizes[-1])
            if len(words) >= len(slots):  # one for each
                done = min(max(done, start + 1), len(words) - len(slots) + number)
            said[place] = escape(rewrap(" ".join(words[start:done]), parts[place]))
        return _WITHOUT_WORDS.sub("", "".join(said))

    return TextUnit(MarkedText(unescape(" ".join(_TAG.sub("", raw).split()))), raw, write)


def _said(lines: Sequence[str]) -> tuple[str, Callable[[str], str]]:
    """Return what is said, in a line for each speaker, song or sound, and what breaks it again."""
    utterances = list[list[str]]()
    for line in lines:
        before = " ".join(utterances[-1][-2:]) if utterances else "♪"  # a sound may have two lines
        if _UTTERANCE.match(line) or _ENDS_SONG_OR_SOUND.search(before):
            utterances.append([line])
        else:
            utterances[-1].append(line)
    said = [_SOUND_FIRST.sub(r"\1\n", " ".join(one), count=1) for one in utterances]
    counts = [1 + text.count("\n") for text in said]

    def broken(translation: str) -> str:
        spoken = translation.split("\n")
        if len(spoken) != sum(counts):
            return translation
        left = iter(spoken)
        spoken = [" ".join(itertools.islice(left, count)) for count in counts]
        pairs = zip(spoken, utterances, strict=True)
        return "\n".join(rewrap(line, "\n".join(one)) for line, one in pairs)

    return "\n".join(said), broken


def _tag(tag: re.Match[str]) -> tuple[Kind, str | None]:
    """Return what a tag does, and the name that it shares with the other of its pair."""
    return ("closes" if tag["end"] else "opens" if tag["name"] else "stands"), tag["name"]


def _shares(lines: Sequence[str], cues: Sequence[_Cue]) -> list[list[str]]:
    """Return which lines go to which cue: as many as it had, at least one, and all the last."""
    left, shares = list(lines), list[list[str]]()
    for number, cue in enumerate(cues):
        reserved = len(cues) - 1 - number  # a line for each later cue
        count = max(min(len(cue.lines), len(left) - reserved), 1) if reserved else len(left)
        shares.append(left[:count] or ["…"])
        left = left[count:]
    return shares


def _written(cue: _Cue, lines: Sequence[str], newline: str) -> str:
    if cue.wraps_lines:
        return newline.join(f"{cue.before}{line}{cue.after}" for line in lines)
    return cue.before + newline.join(lines) + cue.after


def _seconds(time: str) -> float:
    parts = map(float, time.replace(",", ".").split(":"))
    return functools.reduce(lambda total, part: 60 * total + part, parts)


def _unescaped(text: str) -> str:
    for entity, char in _ENTITIES.items():
        text = text.replace(entity, char)
    return text


def _escaped(text: str) -> str:
    return text.translate({ord(char): entity for entity, char in _ENTITIES.items()})


def _without_tags(
    text: str,
    tags: re.Pattern[str],
    role: Callable[[re.Match[str]], tuple[Kind, str | None]],
    unescape: Escape = str,
) -> tuple[MarkedText, WithTags]:
    """Return a text as it is to be translated, and what puts its tags into the translation."""
    items, done = list[Item[str]](), 0
    for tag in tags.finditer(text):
        if done < tag.start():
            items.append(Item("text", unescape(text[done : tag.start()])))
        kind, pair = role(tag)
        items.append(Item(kind, mark=tag[0], pair=pair))
        done = tag.end()
    if done < len(text):
        items.append(Item("text", unescape(text[done:])))
    before, middle, after = without_edges(paired(items))
    inline = inline_of(middle)

    def with_tags(translation: str, escape: Escape) -> str:
        around = ["".join(item.mark or item.text for item in edge) for edge in (before, after)]
        written = "".join(
            escape(piece) if isinstance(piece, str) else piece[0]
            for piece in inline.pieces(translation)
        )
        return around[0] + written + around[1]

    return inline.marked(), with_tags


def read_ass(name: str, data: bytes) -> Document[bytes]:
    """Read subtitles with styles. Comments and drawings stay.

    Raises:
        InputError: there are no events, or the encoding is unknown.
    """
    text, encoding = decode(data, name)
    return FileDocument(_pieces(text, name), name, encoding.encode)


def _pieces(text: str, name: str) -> Iterator[Piece]:
    section, num_fields = "", 0
    for line in _LINE.findall(text):
        if found := _SECTION.match(line):
            section = found["name"].strip().lower()
        elif section == "events" and (head := _FORMAT.match(line)):
            num_fields = len(head["names"].split(","))
        elif section == "events" and num_fields and _DIALOGUE.match(line):
            fields = line.rstrip("\r\n").split(",", num_fields - 1)
            if len(fields) == num_fields and _is_language(fields[-1]):
                ending = line[len(line.rstrip("\r\n")) :]
                yield ",".join(fields[:-1]) + ","
                yield _dialogue(fields[-1])
                yield ending
                continue
        yield line
    if not num_fields:
        raise InputError(
            f"{name}: has no [Events] with a line Format:, so it is no file of subtitles"
        )


def _is_language(text: str) -> bool:
    return not _DRAWING.search(text) and has_letters(_BREAK.sub(" ", _STYLE.sub("", text)))


def _dialogue(original: str) -> TextUnit:
    lines = _BREAK.split(original)
    said, broken = _said(lines)
    marked, with_tags = _without_tags(said, _STYLE, _switch)
    mark = r"\N" if r"\N" in original else r"\n"

    def write(translation: str) -> str:
        return with_tags(broken(translation), str).replace("\n", mark)

    return TextUnit(marked, original, write)


def _switch(tag: re.Match[str]) -> tuple[Kind, str | None]:
    r"""Return what a tag does: `{\i1}` and `{\i0}` are a pair."""
    switch = _SWITCH.fullmatch(tag[0])
    if switch is None:
        return "stands", None
    return ("opens" if switch["on"] == "1" else "closes"), switch["name"]
