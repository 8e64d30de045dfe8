"""Messages of ICU: `{count, plural, one {# file} other {# files}} for {name}`.

They are read strictly, since braces are common in texts: whatever is not such a message to the last
character is none. Each combination of the choices is a whole sentence to translate:
`{n, plural, one {# vote} other {# votes}} for {name}` becomes `1 vote for {name}` and `25 votes for
{name}`. What comes back is `{n, plural, one {# Stimme für {name}} other {# Stimmen für {name}}}`: a
language may need another order of words, or other words around, in each case. Plurals get the
categories that the language of the translation has.

Source: ICU User Guide, Formatting Messages, with the default mode of apostrophes.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from translator.documents.document import Piece, Unit
from translator.documents.markup.program import marked_message
from translator.text.characters import has_letters, primary_language
from translator.text.marked import MarkedText
from translator.text.spans import Span

MOST_DEPTH = 6
_LONGEST_MESSAGE = 20_000

_CHOICE = re.compile(
    r"\{\s*(?P<argument>[A-Za-z_][\w.-]{0,99}|\d{1,3})\s*,\s*(?P<kind>plural|selectordinal|select)\s*,"
    r"(?:\s*offset:\s*(?P<offset>\d{1,9})(?=\s))?"
)
_ARGUMENT = re.compile(
    r"\{\s*(?P<argument>[A-Za-z_][\w.-]{0,99}|\d{1,3})\s*"
    r"(?:,\s*(?:number|date|time|spellout|ordinal|duration)\s*(?:,[^{}']{1,200})?)?\}"
)
_KEYS = {
    "plural": re.compile(r"\s*(=\d{1,9}|zero|one|two|few|many|other)\s*\{"),
    "selectordinal": re.compile(r"\s*(=\d{1,9}|zero|one|two|few|many|other)\s*\{"),
    "select": re.compile(r"\s*([\w-]{1,100})\s*\{"),
}
_END = re.compile(r"\s*\}")
_TEXT = re.compile(r"[^{}'#]+")
_QUOTED = re.compile(r"'[{}#](?:[^']|'')*(?:'|\Z)")


@dataclass(frozen=True, slots=True)
class Text:
    """What people read, without quotes of ICU."""

    text: str


@dataclass(frozen=True, slots=True)
class Verbatim:
    """What comes back as it is, `raw`: an argument, named if it is plain, or quoted braces."""

    raw: str
    argument: str = ""


@dataclass(frozen=True, slots=True)
class Number:
    """`#`: the number that a plural chooses by.

    Attributes:
        argument: of that plural.
        has_offset: whether something is taken from it before.
    """

    argument: str
    has_offset: bool


@dataclass(frozen=True, slots=True)
class Choice:
    """A plural, or a choice by a word.

    Attributes:
        argument: that it chooses by.
        kind: `plural`, `selectordinal` or `select`.
        head: as it stands in the message, up to the first key.
        branches: by key, in order; each with how it begins in the message, and its parts.
        tail: after the last branch.
    """

    argument: str
    kind: str
    head: str
    branches: dict[str, tuple[str, MessageParts]]
    tail: str


MessagePart = Text | Verbatim | Number | Choice
MessageParts = tuple[MessagePart, ...]


class _NoMessageError(Exception):
    """The text is no such message."""


def may_be_message(text: str) -> bool:
    """Return whether a text has the beginning of a choice, as nearly none has."""
    return _CHOICE.search(text) is not None


def read_message(text: str) -> MessageParts | None:
    """Return the parts of a message with a choice inside, and None for any other text."""
    if len(text) > _LONGEST_MESSAGE or not may_be_message(text):
        return None
    try:
        parts, end = _parts(text, 0, None, 0)
    except _NoMessageError:
        return None
    has_choice = any(isinstance(part, Choice) for part in parts)
    return parts if has_choice and end == len(text) else None


def _parts(text: str, place: int, plural: Number | None, depth: int) -> tuple[MessageParts, int]:
    """Return the parts from a place to the brace that ends them, or to the end of the message."""
    if depth > MOST_DEPTH:
        raise _NoMessageError
    parts, written = list[MessagePart](), ""
    while place < len(text) and text[place] != "}":
        part: MessagePart | None = None
        if found := _TEXT.match(text, place):
            written += found[0]
        elif text.startswith("''", place):
            written += "'"
            place += 2
            continue
        elif found := _QUOTED.match(text, place):
            if found[0][1] == "#" and plural is None:
                written += "'"  # quotes only what would mean something
                place += 1
                continue
            part = Verbatim(found[0])
        elif found := _CHOICE.match(text, place):
            part, end = _choice(text, found, plural, depth)
        elif found := _ARGUMENT.match(text, place):
            is_plain = "," not in found[0]
            part = Verbatim(found[0], found["argument"] if is_plain else "")
        elif text[place] == "#" and plural is not None:
            part, found = plural, re.compile("#").match(text, place)
        elif text[place] in "#'":
            written += text[place]
            place += 1
            continue
        else:
            raise _NoMessageError
        if part is not None:
            parts += [*([Text(written)] if written else []), part]
            written = ""
        place = end if isinstance(part, Choice) else found.end() if found else place + 1
    if depth == 0 and place < len(text):
        raise _NoMessageError
    return (*parts, *([Text(written)] if written else [])), place


def _choice(
    text: str, found: re.Match[str], around: Number | None, depth: int
) -> tuple[Choice, int]:
    argument, kind, place = found["argument"], found["kind"], found.end()
    is_plural = kind != "select"
    if found["offset"] and not is_plural:
        raise _NoMessageError
    number = Number(argument, bool(int(found["offset"] or 0))) if is_plural else around
    branches: dict[str, tuple[str, MessageParts]] = {}
    while key := _KEYS[kind].match(text, place):
        parts, end = _parts(text, key.end(), number, depth + 1)
        if end >= len(text) or key[1] in branches:
            raise _NoMessageError
        branches[key[1]] = (key[0], parts)
        place = end + 1
    closing = _END.match(text, place)
    if closing is None or "other" not in branches:
        raise _NoMessageError
    return Choice(argument, kind, found[0], branches, closing[0]), closing.end()


MOST_SENTENCES = 48
"""Of a message; one with more combinations comes back as it is."""

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<!\s)\s*\n\s*")


def message_pieces(
    text: str, target: str | None, escape: Callable[[str], str] = str
) -> list[Piece] | None:
    """Return the pieces of a message with choices, and None for any other text.

    Without a target, a language's code, categories stay. `escape` writes text as the file does.
    """
    parts = read_message(text)
    if parts is None:
        return None
    writer = _Writer(target, escape, doubles_apostrophes="''" in text)
    try:
        return [piece for group in _sentences(parts) for piece in writer.pieces(group, {}, None)]
    except _TooManyError:
        return [escape(text)]


class _TooManyError(Exception):
    """There are more combinations than a message may have, or a number that cannot be moved."""


def _sentences(parts: MessageParts) -> Iterator[MessageParts]:
    """Yield the parts of each sentence, so that choices of different ones are not combined."""
    group: list[MessagePart] = []
    for part in parts:
        if not isinstance(part, Text):
            group.append(part)
            continue
        done = 0
        for end in _SENTENCE_END.finditer(part.text):
            if part.text[done : end.start()]:
                group.append(Text(part.text[done : end.start()]))
            yield tuple(group)
            yield (Text(end[0]),)
            group, done = [], end.end()
        if part.text[done:]:
            group.append(Text(part.text[done:]))
    yield tuple(group)


def _with_quoted_signs(text: str) -> Iterator[Text | Verbatim]:
    """Yield a text whose `#` would mean the number where it is now."""
    for place, piece in enumerate(re.split("(#+)", text)):
        if piece:
            yield Verbatim(f"'{piece}'") if place % 2 else Text(piece)


class _Writer:
    def __init__(
        self, target: str | None, escape: Callable[[str], str], doubles_apostrophes: bool
    ) -> None:
        self._target, self._escape = target, escape
        self._doubles = doubles_apostrophes
        self._num_left = MOST_SENTENCES

    def pieces(
        self, parts: MessageParts, chosen: Mapping[tuple[str, str], str], inner: Choice | None
    ) -> Iterator[Piece]:
        """Yield the pieces of some parts of one sentence.

        `chosen` has the branch of each choice around them, by argument and kind; `inner` is the
        innermost choice.
        """
        place = next((n for n, part in enumerate(parts) if isinstance(part, Choice)), None)
        if place is None:
            yield from self._leaf(parts, chosen, inner)
            return
        choice, before, after = parts[place], parts[:place], parts[place + 1 :]
        assert isinstance(choice, Choice)
        name = choice.argument, choice.kind
        if name in chosen:
            key = chosen[name] if chosen[name] in choice.branches else "other"
            yield from self.pieces((*before, *choice.branches[key][1], *after), chosen, inner)
            return
        yield self._escape(choice.head)
        for key, lead, own in self._branches(choice):
            yield self._escape(lead)
            yield from self.pieces((*before, *own, *after), {**chosen, name: key}, choice)
            yield "}"
        yield self._escape(choice.tail)

    def _branches(self, choice: Choice) -> Iterator[tuple[str, str, MessageParts]]:
        """Yield key, beginning and parts of each branch that the translation needs."""
        wanted = samples(self._target, choice.kind) if self._target else {}
        ours = [key for key in KEYWORDS if key in choice.branches]
        if choice.kind == "select" or not wanted or [*wanted] == sorted(ours, key=KEYWORDS.index):
            for key, (lead, parts) in choice.branches.items():
                yield key, lead, parts
            return
        for key, (lead, parts) in choice.branches.items():
            if key not in KEYWORDS:
                yield key, lead, parts
        lead, other = choice.branches["other"]
        for key in wanted:
            own = choice.branches.get(key, (lead.replace("other", key), other))
            yield key, *own

    def _leaf(
        self, parts: MessageParts, chosen: Mapping[tuple[str, str], str], inner: Choice | None
    ) -> Iterator[Piece]:
        self._num_left -= 1
        if self._num_left < 0:
            raise _TooManyError
        is_plural = inner is not None and inner.kind != "select"
        kept: list[Text | Verbatim] = []
        for part in parts:
            if isinstance(part, Number):
                is_own = is_plural and inner is not None and part.argument == inner.argument
                if part.has_offset and not is_own:
                    raise _TooManyError
                raw = "#" if is_own else f"{{{part.argument}, number}}"
                kept.append(Verbatim(raw, "" if part.has_offset else part.argument))
            elif isinstance(part, Text) and is_plural:
                kept += _with_quoted_signs(part.text)
            elif not isinstance(part, Choice):
                kept.append(part)
        quote = self._quote(is_plural)
        if any(isinstance(part, Text) and has_letters(part.text) for part in kept):
            yield from leaf_pieces(kept, self._numbers(chosen), quote, self._escape)
        else:
            yield from (
                self._escape(quote(part.text) if isinstance(part, Text) else part.raw)
                for part in kept
            )

    def _numbers(self, chosen: Mapping[tuple[str, str], str]) -> dict[str, Sequence[int]]:
        """Return numbers that stand for arguments, where plurals have chosen by them."""
        found: dict[str, Sequence[int]] = {}
        for (argument, kind), key in chosen.items():
            if key.startswith("="):
                found[argument] = (int(key[1:]),)
            elif kind != "select" and self._target:
                found[argument] = samples(self._target, kind).get(key, ())
        return found

    def _quote(self, is_plural: bool) -> Callable[[str], str]:
        special = "{}#" if is_plural else "{}"
        apostrophe = re.compile("'" if self._doubles else f"'(?=[{special}'])")
        braces = re.compile(f"[{special}]+")
        return lambda text: braces.sub(r"'\g<0>'", apostrophe.sub("''", text))


_CODE = re.compile(r"\{code_[0-9]+\}")
_IS_TEXT = ("text", "verbatim")
_IS_TAG = ("opens", "closes")


def text_or_choices(
    text: str,
    target: str | None,
    escape: Callable[[str], str],
    unit: Piece,
    quotes: tuple[str, str] = ('"', '"'),
) -> Iterator[Piece]:
    """Yield the pieces of a message, see `message_pieces`, in the quotes of the file.

    The text is without the file's own escapes; `unit` stands there if it is no message.
    """
    choices = message_pieces(text, target, escape)
    if choices is None:
        yield unit
    else:
        yield from (quotes[0], *choices, quotes[1])


def choices_in_markup(
    parts: Sequence[tuple[str, str]],
    original: Sequence[Piece],
    target: str | None,
    escape: Callable[[str], str],
) -> Sequence[Piece] | None:
    """Return the pieces of a message with choices, and None for any other content of an element.

    `{count, plural, one {one vote} other {<x id="1"/> votes}}` is how Angular's catalogues have
    them: the code comes back as it is. A message in which tags enclose words stays as it is,
    `original`. The parts say what each does; for the others, see `message_pieces`.
    """
    if not may_be_message("".join(part for kind, part in parts if kind in _IS_TEXT)):
        return None  # as nearly always
    text, codes = "", dict[str, str]()
    for kind, part in parts:
        if kind not in _IS_TEXT:
            name = f"{{code_{len(codes)}}}"
            codes[name], part = part, name
        text += part

    def write(part: str) -> str:
        pieces, done = list[str](), 0
        for found in _CODE.finditer(part):
            code = codes.get(found[0])
            pieces += [escape(part[done : found.start()]), code or escape(found[0])]
            done = found.end()
        return "".join([*pieces, escape(part[done:])])

    choices = message_pieces(text, target, write)
    if choices is None:
        return None
    has_such_names = len(_CODE.findall(text)) > len(codes) > 0
    return original if has_such_names or any(kind in _IS_TAG for kind, _ in parts) else choices


Write = Callable[[str], str]


@dataclass(frozen=True, slots=True, eq=False)
class _Sentence:
    """A sentence with its arguments as they stand.

    Attributes:
        marked: what to translate.
        raws: of the arguments, which are not quoted.
        quote: writes text as ICU does.
        escape: writes all of it as the file does.
    """

    marked: MarkedText
    raws: tuple[str, ...]
    quote: Write
    escape: Write

    @property
    def inner(self) -> Sequence[Unit]:
        """Nothing."""
        return ()

    def render(self, translation: str) -> Iterator[Piece]:
        """Yield the translation, with its text quoted."""
        done = 0
        for raw in _finder(self.raws).finditer(translation):
            yield self.escape(self.quote(translation[done : raw.start()]) + raw[0])
            done = raw.end()
        yield self.escape(self.quote(translation[done:]))


@dataclass(frozen=True, slots=True, eq=False)
class _Counted:
    """The same sentence with a number for each counted argument.

    Attributes:
        marked: what to translate.
        numbers: each with what it stands for, in the order of the sentence.
        plain: the sentence with its arguments.
    """

    marked: MarkedText
    numbers: tuple[tuple[str, str], ...]
    plain: _Sentence

    @property
    def inner(self) -> Sequence[Unit]:
        """Return the sentence with its arguments."""
        return (self.plain,)

    def render(self, translation: str) -> Iterator[Piece]:
        """Yield the translation with arguments for numbers; the plain one if one is missing."""
        waiting: dict[str, list[str]] = {}
        for number, raw in self.numbers:
            waiting.setdefault(number, []).append(raw)
        finder = re.compile(rf"(?<![\d.,])(?:{'|'.join(waiting)})(?!\d|[.,]\d)")
        found = [match[0] for match in finder.finditer(translation)]
        if sorted(found) != sorted(number for number, _ in self.numbers):
            yield self.plain
            return
        yield from self.plain.render(
            finder.sub(lambda match: waiting[match[0]].pop(0), translation)
        )


def leaf_pieces(
    parts: Sequence[Text | Verbatim],
    numbers: Mapping[str, Sequence[int]],
    quote: Write,
    escape: Write,
) -> Iterator[Piece]:
    """Yield one sentence; numbers may stand for its arguments, by their names.

    `quote` writes text as ICU does, and `escape` all of it as the file does.
    """
    raws = tuple(part.raw for part in parts if isinstance(part, Verbatim))
    plain = _Sentence(_marked(parts, {}), raws, quote, escape)
    written = "".join(part.text for part in parts if isinstance(part, Text))
    free = {
        argument: str(number)
        for argument, possible in numbers.items()
        if (number := next((n for n in possible if str(n) not in written), None)) is not None
    }
    counted = tuple(
        (free[part.argument], part.raw)
        for part in parts
        if isinstance(part, Verbatim) and part.argument in free
    )
    if counted and len({*free.values()}) == len(free):
        yield _Counted(_marked(parts, free), counted, plain)
    else:
        yield plain


def _marked(parts: Sequence[Text | Verbatim], numbers: Mapping[str, str]) -> MarkedText:
    """Return the sentence with its arguments as spans, or with numbers for some of them."""
    text, spans = "", list[Span]()
    for part in parts:
        start = len(text)
        if isinstance(part, Text):
            spans += [(start + a, start + b) for a, b in marked_message(part.text).spans]
            text += part.text
        elif part.argument in numbers:
            text += numbers[part.argument]
        else:
            text += part.raw
            spans.append((start, len(text)))
    return MarkedText(text, tuple(spans))


def _finder(raws: Sequence[str]) -> re.Pattern[str]:
    if not raws:
        return re.compile(r"(?!)")
    longest_first = sorted({*raws}, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, longest_first)))


KEYWORDS = ("zero", "one", "two", "few", "many", "other")

_NUMBERS = (1, 25, 23, 22, 21, 37, 5, 3, 2, 12, 8, 0, 11, 100)
"""Those first that are seldom spelled out."""


@functools.cache
def samples(language: str, kind: str) -> dict[str, tuple[int, ...]]:
    """Return whole numbers of each category of a language; nothing if CLDR does not know it.

    A category that only fractions or millions have is left out, but for `other`.

    Args:
        language: code.
        kind: `plural` for amounts, `selectordinal` for places in a row.

    Source: Unicode CLDR, plural rules, by way of Babel.
    """
    from babel import Locale, UnknownLocaleError  # takes a while

    try:
        locale = Locale(primary_language(language))
    except (UnknownLocaleError, ValueError):
        return {}
    rule = locale.plural_form if kind == "plural" else locale.ordinal_form
    found: dict[str, list[int]] = {}
    for number in _NUMBERS:
        found.setdefault(rule(number), []).append(number)
    usual = found.get("other") or found.get("many") or list(_NUMBERS)
    return {
        keyword: tuple(
            sorted(found.get(keyword, usual), key=lambda n: (n == 1) != (keyword == "one"))
        )
        for keyword in KEYWORDS
        if keyword in found or keyword == "other"
    }
