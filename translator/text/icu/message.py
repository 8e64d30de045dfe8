"""A message of ICU as pieces: each combination of its choices is a whole sentence to translate.

`{n, plural, one {# vote} other {# votes}} for {name}` becomes `1 vote for {name}` and `25 votes for
{name}`. What comes back is `{n, plural, one {# Stimme für {name}} other {# Stimmen für {name}}}`: a
language may need another order of words, or other words around, in each case. Plurals get the
categories that the language of the translation has.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from translator.text.characters import has_letters
from translator.text.formats.document import Piece
from translator.text.icu.categories import KEYWORDS, samples
from translator.text.icu.leaf import leaf_pieces
from translator.text.icu.syntax import Choice, Number, Part, Parts, Text, Verbatim, read_message

MOST_SENTENCES = 48
"""Of a message; one with more combinations comes back as it is."""

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\s*\n\s*")


def _as_it_is(text: str) -> str:
    return text


def message_pieces(
    text: str, target: str | None, escape: Callable[[str], str] = _as_it_is
) -> list[Piece] | None:
    """Return the pieces of a message with choices, and None for any other text.

    Args:
        text: of the message.
        target: code of the language wanted; without it, the categories stay as they are.
        escape: writes text as the file does.
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


def _sentences(parts: Parts) -> Iterator[Parts]:
    """Yield the parts of each sentence, so that choices of different ones are not combined."""
    group: list[Part] = []
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
        self, parts: Parts, chosen: Mapping[tuple[str, str], str], inner: Choice | None
    ) -> Iterator[Piece]:
        """Yield the pieces of some parts.

        Args:
            parts: of one sentence.
            chosen: which branch of each choice around them it is of, by argument and kind.
            inner: the innermost choice around them.
        """
        place = next((n for n, part in enumerate(parts) if isinstance(part, Choice)), None)
        if place is None:
            yield from self._leaf(parts, chosen, inner)
            return
        choice, before, behind = parts[place], parts[:place], parts[place + 1 :]
        assert isinstance(choice, Choice)
        name = choice.argument, choice.kind
        if name in chosen:
            key = chosen[name] if chosen[name] in choice.branches else "other"
            yield from self.pieces((*before, *choice.branches[key][1], *behind), chosen, inner)
            return
        yield self._escape(choice.head)
        for key, lead, own in self._branches(choice):
            yield self._escape(lead)
            yield from self.pieces((*before, *own, *behind), {**chosen, name: key}, choice)
            yield "}"
        yield self._escape(choice.tail)

    def _branches(self, choice: Choice) -> Iterator[tuple[str, str, Parts]]:
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
        self, parts: Parts, chosen: Mapping[tuple[str, str], str], inner: Choice | None
    ) -> Iterator[Piece]:
        """Yield a sentence, or what has nothing to translate."""
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
        """Return what writes text so that ICU reads it as text."""
        special = "{}#" if is_plural else "{}"
        apostrophe = re.compile("'" if self._doubles else f"'(?=[{special}'])")
        braces = re.compile(f"[{special}]+")
        return lambda text: braces.sub(r"'\g<0>'", apostrophe.sub("''", text))
