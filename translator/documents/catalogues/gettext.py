"""Catalogues of gettext: `.po` and `.pot`. Empty translations are filled in, all else stays."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from babel.messages.plurals import PLURALS

from translator.documents.document import Document, FileDocument, Piece, TextUnit
from translator.documents.encoding import TextEncoding, decode, newline_of
from translator.documents.kinds import (
    NO_OPTIONS,
    FileOptions,
    check_translations,
    is_other_language,
)
from translator.documents.markup.icu import text_or_choices
from translator.documents.markup.program import label
from translator.errors import InputError

_FIELD = re.compile(
    r"\s*(?P<keyword>(?P<name>msgctxt|msgid_plural|msgid|msgstr)(?:\[(?P<number>\d{1,2})\])?)"
    r"(?P<gap>[ \t]*)(?P<string>\".*\")?\s*$",
    re.DOTALL,
)
_STRING = re.compile(r"\s*(\".*\")\s*$", re.DOTALL)
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|[0-7]{1,3}|.)", re.DOTALL)
_CHARSET = re.compile(rb"charset=([\w.:-]{1,40})")
_HEAD = 16_384  # bytes that the header is looked for in
_WRAP_WIDTH = 76  # characters between quotes, as gettext's own tools wrap
_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
_NAMES = {ord(char): f"\\{letter}" for letter, char in _LETTERS.items()}
_NAMES |= {ord('"'): '\\"', ord("\\"): "\\\\"}

_LANGUAGE = r"(?<!-)Language:"  # and not `X-Source-Language:`
PLURAL_FORMS = {**PLURALS, "hu": (2, "(n != 1)"), "tr": (2, "(n > 1)")}
"""Number of plural forms by language, and gettext's expression that chooses one. For two
languages, Babel has those of old."""


@dataclass(slots=True)
class _Field:
    name: str
    keyword: str
    number: int | None
    lines: list[str]
    values: list[str]

    @property
    def value(self) -> str:
        return "".join(self.values)


@dataclass(slots=True)
class _Entry:
    fields: list[_Field] = field(default_factory=list)

    def value(self, name: str) -> str | None:
        return next((one.value for one in self.fields if one.name == name), None)

    @property
    def is_header(self) -> bool:
        return self.value("msgid") == "" and self.value("msgctxt") is None

    @property
    def is_done(self) -> bool:
        return any(one.name == "msgstr" for one in self.fields)


def read_po(
    name: str, data: bytes, target: str | None = None, options: FileOptions = NO_OPTIONS
) -> Document[bytes]:
    """Read a catalogue.

    An entry that has a translation, fuzzy or not, stays as it is. In an entry with plural forms,
    the first is the translation of the singular, all others are that of the plural. Comments,
    flags, contexts and obsolete entries stay byte for byte.

    Raises:
        InputError: a line is none of a catalogue, or the translations that are there already are
            in another language than `target`, and are not to be replaced.
    """
    found = _CHARSET.search(data[:_HEAD])
    declared = found[1].decode() if found and found[1] != b"CHARSET" else None
    text, encoding = decode(data, name, declared)
    reader = _Reader(text, name, target, options.replace_translations)
    document = FileDocument(reader.pieces(), name, lambda text: _encoded(text, encoding))
    check_translations(name, reader.language if reader.is_begun else None, target)
    return document


def _encoded(text: str, encoding: TextEncoding) -> bytes:
    """Return the bytes of a catalogue; as UTF-8 if its encoding lacks a character."""
    try:
        return encoding.mark + text.encode(encoding.codec)
    except UnicodeEncodeError:
        head, tail = text[:_HEAD], text[_HEAD:]
        head = re.sub(r"charset=[\w.:-]{1,40}", "charset=UTF-8", head, count=1)
        return (head + tail).encode("utf-8", "replace")


class _Reader:
    """Cuts a catalogue into pieces.

    Attributes:
        language: that the header names, without a region; None if it names none.
        is_begun: whether there are translations that stay.
    """

    def __init__(self, text: str, name: str, target: str | None, replaces: bool) -> None:
        self._text, self._name = text, name
        base, _, place = (target or "").partition("-")
        self._target = base.lower() or None
        # a script is a language of its own to its readers; a region is, where it tells the script
        is_named = len(place) == 4 or (place and self._target == "zh")
        self._locale = f"{self._target}_{place}" if is_named else self._target
        self._newline = newline_of(text)
        self._num_plurals: int | None = None
        self.language: str | None = None
        self.is_begun = False
        self._replaces = replaces

    def pieces(self) -> Iterator[Piece]:
        """Yield all pieces."""
        entry = _Entry()
        for number, line in enumerate(re.findall(r"[^\n]*\n|[^\n]+", self._text), start=1):
            is_other = not line.strip() or line.lstrip().startswith("#")
            found = None if is_other else _FIELD.match(line)
            begins = found is not None and found["name"] in ("msgctxt", "msgid")
            if (is_other or begins) and entry.is_done:
                yield from self._entry(entry)
                entry = _Entry()
            if is_other:
                for above in entry.fields:  # a comment inside an entry: what is above it stays
                    yield from above.lines
                    above.lines = []
                yield line
            elif found:
                keyword, gap = found["keyword"], found["gap"]
                plural = int(found["number"]) if found["number"] else None
                value = [_unescaped(found["string"][1:-1])] if found["string"] else []
                entry.fields.append(
                    _Field(found["name"], keyword + (gap or " "), plural, [line], value)
                )
            elif entry.fields and (string := _STRING.match(line)):
                entry.fields[-1].lines.append(line)
                entry.fields[-1].values.append(_unescaped(string[1][1:-1]))
            else:
                raise InputError(
                    f"{self._name}, line {number}: {line.strip()[:60]!r} is no line of a gettext "
                    'catalogue; they begin with #, msgid, msgstr or "'
                )
        yield from self._entry(entry)

    def _entry(self, entry: _Entry) -> Iterator[Piece]:
        source, plural = entry.value("msgid"), entry.value("msgid_plural")
        strings = [one for one in entry.fields if one.name == "msgstr"]
        for one in entry.fields:
            if one.name != "msgstr":
                yield from one.lines
        if entry.is_header:
            yield self._header("".join(line for one in strings for line in one.lines))
            return
        if self._replaces and is_other_language(self.language, self._target):
            for one in strings:
                one.values.clear()
        self.is_begun = self.is_begun or any(one.value for one in strings)
        if source is None or plural is None:
            for one in strings:
                if source and not one.value:
                    yield from self._filled(one, source, entry)
                else:
                    yield from one.lines
            return
        yield from self._plural_forms(strings, source, plural, entry)

    def _plural_forms(
        self, strings: Sequence[_Field], source: str, plural: str, entry: _Entry
    ) -> Iterator[Piece]:
        """Yield as many forms as the language has, or as there are if it is unknown."""
        count = max(self._num_plurals or 0, sum(bool(one.value) for one in strings)) or len(strings)
        there = {one.number or 0: one for one in strings}
        for number in range(count):
            one = there.get(number)
            if one is None:
                line = f'msgstr[{number}] ""{self._newline}'
                one = _Field("msgstr", f"msgstr[{number}] ", number, [line], [])
            is_singular = number == 0 and count > 1
            text = source if is_singular else plural
            yield from one.lines if one.value else self._filled(one, text, entry)

    def _filled(self, string: _Field, source: str, entry: _Entry) -> Iterator[Piece]:
        ending = self._newline if string.lines[-1].endswith("\n") else ""
        message = label(source)
        msgid = next(one for one in entry.fields if one.name == "msgid")
        is_wrapped = len(msgid.lines) > 1

        def write(translation: str) -> str:
            lines = _quoted(message.finished(translation), is_wrapped)
            return string.keyword + self._newline.join(lines) + ending

        unit = TextUnit(message.marked, None, write)
        quotes = (f'{string.keyword}"', f'"{ending}')
        yield from text_or_choices(
            source, self._target, lambda text: text.translate(_NAMES), unit, quotes
        )

    def _header(self, lines: str) -> str:
        """Return the header with the language wanted; note what it says."""
        said = re.search(rf"{_LANGUAGE}[ \t]*([A-Za-z]{{2,3}})(?![A-Za-z])", lines)
        self.language = said[1].lower() if said else None
        forms = re.search(r"nplurals=\s*(\d{1,2})(?!\d)", lines)
        self._num_plurals = int(forms[1]) if forms else None
        if self._target is None:
            return lines
        lines = lines.replace("charset=CHARSET", "charset=UTF-8")
        if self.language != self._target:
            named = f"Language: {self._locale}"
            lines, count = re.subn(rf'{_LANGUAGE}[^\\"]*', named, lines, count=1)
            if not count:
                lines += f'"{named}\\n"{self._newline}'
        if self._target in PLURAL_FORMS and (not forms or self.language != self._target):
            self._num_plurals, expression = PLURAL_FORMS[self._target]
            wanted = f"Plural-Forms: nplurals={self._num_plurals}; plural={expression};"
            lines, count = re.subn(r'Plural-Forms:[^\\"]*', wanted, lines, count=1)
            if not count and "\nmsgid_plural" in self._text:
                lines += f'"{wanted}\\n"{self._newline}'
        return lines


def _unescaped(string: str) -> str:
    def char(found: re.Match[str]) -> str:
        code = found[1]
        if code[0] == "x" and len(code) == 3:
            return chr(int(code[1:], 16))
        if code[0] in "01234567":
            return chr(int(code, 8))
        return _LETTERS.get(code, code)

    return _ESCAPE.sub(char, string)


def _quoted(value: str, is_wrapped: bool) -> list[str]:
    """Return a string in lines of a catalogue: a line for each of its own, wrapped if asked for."""
    lines = re.findall(r"[^\n]*\n|[^\n]+", value)
    if is_wrapped:
        lines = [part for line in lines for part in _wrapped(line)]
    quoted = [f'"{line.translate(_NAMES)}"' for line in lines]
    return quoted if len(quoted) == 1 else ['""', *quoted]


def _wrapped(line: str) -> list[str]:
    parts, part = [], ""
    for word in re.findall(r"\S+\s*|\s+", line):
        if part and len(part) + len(word.rstrip()) > _WRAP_WIDTH:
            parts.append(part)
            part = ""
        part += word
    return [*parts, part]
