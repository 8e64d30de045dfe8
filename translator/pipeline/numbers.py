"""The numbers of one chunk, compared with those of its translations, and other ways to ask for it.

In a `Variant` a model can hardly get the numbers wrong. Stand-ins are short numbers that every
model copies; each number comes back in the place of its stand-in. Placeholders do the same for a
model that has learned to carry them. Spaces in brackets keep what stands there from being lost.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from translator.pipeline.chunks import Chunk
from translator.pipeline.degeneration import Flag
from translator.rules.comparison import AGREED, Disagreement, disagreement
from translator.rules.digits import Mention
from translator.rules.kinds import CURRENCIES, CURRENCY_SIGNS
from translator.rules.mentions import mentions_in
from translator.rules.writing import MINUS, Replacement, replacements, with_ordinals
from translator.text.brackets import with_spaces_in_brackets
from translator.text.characters import Alphabet, doubtful_names, plain, symbols
from translator.text.spans import Span, find_spans
from translator.tokens.port import Vocabulary

_DIGIT = re.compile("[0-9]")
_MUST_STAY = re.compile(r"[0-9{}%`$_()\\]|/\w")
"""Tags and targets of links are left to those who place them by attention."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A chunk with replaced numbers: what each stand-in, or placeholder, is to be replaced with."""

    source_ids: tuple[int, ...]
    numbers: Mapping[str, str]
    target: str

    def with_numbers(self, translation: str) -> str | None:
        """Return a translation with the numbers; None unless each stand-in is there just once."""
        for stand_in, number in self.numbers.items():
            if stand_in.removeprefix(MINUS).isdigit():
                alone = rf"(?<![0-9])(?<![0-9][.,:/]){stand_in}(?![0-9]|[.,:/][0-9])"
            else:
                alone = re.escape(stand_in)
            parts = re.split(alone, translation)
            if len(parts) != 2:
                return None
            translation = number.join(parts)
        return with_ordinals(translation) if self.target == "en" else translation


class NumberCheck:
    """Says which numbers of a chunk a translation has wrong, and how to ask for it otherwise."""

    def __init__(self, chunk: Chunk, tokenizer: Vocabulary, max_ids: int) -> None:
        """Check translations of a chunk, which has `max_ids` source ids at most."""
        self._chunk, self._tokenizer, self._max_ids = chunk, tokenizer, max_ids
        self._signs, self._spans = _signs_in(chunk), _copied_from(chunk, tokenizer)
        text = chunk.protected.text
        text = text.translate(self._signs) if self._signs else text
        for span in self._spans:  # as many other characters in the place of what must stay
            text = text[: span.start] + "_" * len(span.text) + text[span.end :]
        self._source = text

    def wrong(self, translation: str) -> Disagreement:
        """Return which numbers of the chunk and of a translation with placeholders do not agree."""
        languages = self._chunk.languages
        if not all(languages):
            return AGREED
        written = self._chunk.written(translation)
        if self._signs:
            written = written.translate(self._signs)
        lost = []
        for span in self._spans:
            found = self._find(span.text, written)
            if found:
                written = written[: found.start()] + "_" * len(found[0]) + written[found.end() :]
            else:
                lost.append(span)
        missing, added = disagreement(self._source, written, languages)
        return Disagreement((*lost, *missing), added) if lost or missing or added else AGREED

    def flag(self, wrong: Disagreement) -> Flag:
        """Return what to say of a translation: it is about numbers, or only about other names."""
        is_number = wrong.added or any(_DIGIT.search(mention.text) for mention in wrong.missing)
        is_number = is_number or any(mention.kind == "word" for mention in wrong.missing)
        return "numbers" if is_number else "placeholders"

    def variants(self, wrong: Disagreement) -> list[Variant]:
        """Return other ways to ask for the chunk, the best first."""
        if wrong == AGREED:
            return []
        languages = self._chunk.languages
        found_again = (*self._spans, *mentions_in(self._source, languages[0]), *wrong.missing)
        by_place = {mention.start: mention for mention in found_again}
        mentions = [by_place[start] for start in sorted(by_place)]
        text = self._chunk.protected.text
        found = list(replacements(mentions, wrong.missing, text, languages))
        return list(self.with_replaced(found))

    def with_replaced(self, found: Sequence[Replacement]) -> Iterator[Variant]:
        """Yield the ways to ask with other words for some numbers, the best first."""
        if not found:
            return
        text, (source, target) = self._chunk.protected.text, self._chunk.languages
        free = [name for name in symbols(self._tokenizer.num_placeholders) if name not in text]
        ways = [[one.stand_in for one in found]]
        if len(found) <= len(free):
            has_names = any(_DIGIT.search(one.whole) is None for one in found)
            ways.insert(0 if has_names else 1, free[: len(found)])
        for names in ways:
            has_stand_ins = names[0] not in free
            read = self._chunk.protected.apart(
                _replaced(text, found, names), source, self._tokenizer.log_prob
            )
            ids = self._tokenizer.encode_source(read, target, source)
            numbers = {
                name: one.written if has_stand_ins and one.written is not None else one.whole
                for name, one in zip(names, found, strict=True)
                if not has_stand_ins or one.written is not None
            }
            if len(ids) <= self._max_ids:
                yield Variant(tuple(ids), numbers, target)

    def with_brackets_apart(self) -> list[Variant]:
        """Return the way to ask with spaces in all brackets, unless they have been read so."""
        (source, target), protected = self._chunk.languages, self._chunk.protected
        text = with_spaces_in_brackets(protected.text, are_all=True)
        read = protected.apart(text, source, self._tokenizer.log_prob)
        ids = tuple(self._tokenizer.encode_source(read, target, source))
        is_new = ids != self._chunk.source_ids and len(ids) <= self._max_ids
        return [Variant(ids, {}, target)] if is_new else []

    def _find(self, text: str, written: str) -> re.Match[str] | None:
        """Return where a translation has a text that must stay; names may lose a genitive's s."""
        if not self._tokenizer.num_placeholders:
            return re.search(re.escape(text), written)
        composed = unicodedata.normalize("NFC", plain(text)).removesuffix("s")
        return re.search(re.escape(composed), written, re.IGNORECASE)


def _signs_in(chunk: Chunk) -> dict[int, str]:
    """Return the placeholders of currencies, by which a number is read: `£20m` are no metres."""
    protected = chunk.protected
    pairs = zip(protected.placeholders, protected.spans, strict=True)
    return {ord(name): span for name, span in pairs if span in CURRENCY_SIGNS or span in CURRENCIES}


def _copied_from(chunk: Chunk, tokenizer: Vocabulary) -> list[Mention]:
    """Return what must come back and the model reads as it is: numbers, variables, code, names.

    A model with placeholders reads only names that it may misspell: the rest is placeholders.
    """
    text = chunk.protected.text
    find = doubtful_names if tokenizer.num_placeholders > 0 else _read_as_they_are
    return [
        Mention(
            start=start,
            end=end,
            digits_end=end,
            text=text[start:end],
            readings=((text[start:end],),),
            kind="digits",
        )
        for start, end in sorted(find(text, tokenizer.alphabet))
    ]


def _read_as_they_are(text: str, alphabet: Alphabet) -> list[Span]:
    """Return what a model without placeholders reads and must copy, in any order."""
    by_looks = find_spans(text)
    unread = {*find_spans(text, (), alphabet)}.difference(by_looks)
    return [
        *(one for one in by_looks if _MUST_STAY.search(text, *one) and text[one[0]] not in "<]§≤≥"),
        *(one for one in unread if any(map(str.isalnum, text[slice(*one)]))),
    ]


def _replaced(text: str, found: Sequence[Replacement], names: Sequence[str]) -> str:
    pieces, done = list[str](), 0
    for one, name in zip(found, names, strict=True):
        pieces += [text[done : one.start], name]
        done = one.end
    return "".join([*pieces, text[done:]])
