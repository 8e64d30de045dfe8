"""Terms whose translation is given: they take their place in the source, and come back verbatim."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from translator.errors import InputError
from translator.text.marked import MarkedText
from translator.text.spans import Span, find_spans, span_at

MAX_TERMS = 20_000
MAX_TERM_LENGTH = 200

_LOOK_BACK = 40  # characters before a word that can tell whether a sentence begins with it
_WORD = re.compile(r"\w+|[^\w\s]")
_WORD_CHARACTER = re.compile(r"\w")
_ENDS_IN_WORD = re.compile(r"\w$")
_SENTENCE_END = re.compile(r"(?:^|[.!?:…][\"'”“»)\]]*|\n)\s*$")


class Replaced(NamedTuple):
    """A term that was met.

    Attributes:
        start, end: where its translation stands now.
        entry: of the glossary.
        sent: what stood there.
    """

    start: int
    end: int
    entry: str
    sent: str


class Applied(NamedTuple):
    """A text as it is to be translated.

    Attributes:
        text: with the translations of terms in their places.
        terms: entries of the glossary that were met.
        replaced: terms and what stands in their places, in order.
    """

    text: MarkedText
    terms: frozenset[str] = frozenset()
    replaced: tuple[Replaced, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Glossary:
    """Terms with their translations, and terms that are never translated.

    Attributes:
        pairs: what stands for a term of the source language in the translation.
        keep: terms that come back as they are.
    """

    pairs: Mapping[str, str] = field(default_factory=dict)
    keep: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse empty and very long terms, and too many of them.

        Raises:
            InputError: naming the term, or the number.
        """
        terms = [*self.pairs, *self.keep]
        if len(terms) > MAX_TERMS:
            raise InputError(f"glossary: has {len(terms)} terms, {MAX_TERMS} at most")
        for term in (*terms, *self.pairs.values()):
            if not term or term != " ".join(term.split()):
                raise InputError(
                    f"glossary: {term!r} must not be empty, and have no white space but single "
                    "spaces between words"
                )
            if len(term) > MAX_TERM_LENGTH:
                raise InputError(
                    f"glossary: {term[:20]}… has {len(term)} characters, {MAX_TERM_LENGTH} at most"
                )

    def apply(self, text: MarkedText) -> Applied:
        """Put the translations of terms in their places, as spans that come back verbatim.

        Only whole words are terms, in the same case; the first letter may be a capital where a
        sentence begins. Of terms that overlap, the longest counts. Nothing is
        changed in a known span, or in a part of an address and the like.

        Returns:
            the text to translate, and what was done to it.
        """
        places = list(self._places(text))
        if not any(term for _, _, term, _ in places):
            return Applied(text)
        pieces, spans, met, length, done = list[str](), list[Span](), set[str](), 0, 0
        replaced: list[Replaced] = []

        def add(piece: str, is_span: bool = False) -> None:
            nonlocal length
            pieces.append(piece)
            if is_span and piece:
                spans.append((length, length + len(piece)))
            length += len(piece)

        for start, end, term, shown in places:
            add(text.text[done:start])
            add(shown, is_span=True)
            if term:
                met.add(term)
                replaced.append(Replaced(length - len(shown), length, term, text.text[start:end]))
            done = end
        add(text.text[done:])
        marked = replace(text, text="".join(pieces), spans=tuple(spans))
        return Applied(marked, frozenset(met), tuple(replaced))

    def _places(self, text: MarkedText) -> Iterator[tuple[int, int, str, str]]:
        """Yield known spans and terms in order: start, end, the entry or "", what stands there."""
        if not self._lengths:
            return
        by_looks, done = find_spans(text.text, text.spans), 0
        for start, end in (*text.spans, (len(text.text), len(text.text))):
            for word in _WORD.finditer(text.text, done, start):
                entry = self._entry_at(text.text, word, start) if done <= word.start() else ""
                after = word.start() + len(entry)
                if entry and not _is_cut(word.start(), after, by_looks):
                    found = text.text[word.start() : after]
                    shown = self.pairs.get(entry, found)
                    if found != entry:
                        shown = shown[0].upper() + shown[1:]
                    yield word.start(), after, entry, shown
                    done = after
            if start < end:
                yield start, end, "", text.text[start:end]
            done = end

    def _entry_at(self, text: str, word: re.Match[str], stop: int) -> str:
        """Return the longest entry that begins with a word of a text; empty if none does."""
        if _ENDS_IN_WORD.search(text, max(0, word.start() - 1), word.start()):
            return ""
        spellings = [(word[0], "")]
        small = word[0][0].lower()
        if small != word[0][0]:
            spellings.append((small + word[0][1:], small))
        for first_word, capital in spellings:
            for length in self._lengths.get(first_word, ()):
                after = word.start() + length
                here = capital + text[word.start() + len(capital) : after]
                if here not in self._entries or after > min(stop, len(text)):
                    continue
                if after == len(text) or not _WORD_CHARACTER.match(text, after):
                    before = text[max(0, word.start() - _LOOK_BACK) : word.start()]
                    if not capital or _SENTENCE_END.search(before):
                        return here
        return ""

    @cached_property
    def _entries(self) -> frozenset[str]:
        return frozenset({*self.pairs, *self.keep})

    @cached_property
    def _lengths(self) -> Mapping[str, Sequence[int]]:
        """How long the entries are that begin with each word, the longest first.

        There are few lengths, however many entries there are.
        """
        found: dict[str, set[int]] = {}
        for entry in self._entries:
            if word := _WORD.match(entry):
                found.setdefault(word[0], set()).add(len(entry))
        return {word: sorted(lengths, reverse=True) for word, lengths in found.items()}


def _is_cut(start: int, end: int, spans: Sequence[Span]) -> bool:
    around = (span_at(start, spans), span_at(end - 1, spans))
    return any(span is not None and not start <= span[0] < span[1] <= end for span in around)


def read_glossary(path: Path, keep: tuple[str, ...] = ()) -> Glossary:
    """Read a file of two columns with a tab between: a term and its translation.

    Args:
        path: UTF-8; blank lines and those that begin with `#` do not count. A term alone in its
            line is never translated.
        keep: further terms that are never translated.

    Raises:
        InputError: a line has more than two columns, or a term cannot be used.
    """
    pairs: dict[str, str] = {}
    kept = list(keep)
    lines = path.read_text(encoding="utf-8-sig").splitlines()
    for number, line in enumerate(lines, start=1):
        columns = [column.strip() for column in line.split("\t")]
        if not line.strip() or line.startswith("#"):
            continue
        if len(columns) > 2 or not columns[0]:
            raise InputError(
                f"{path}, line {number}: must be a term, a tab and its translation; or a term alone"
            )
        if len(columns) == 2 and columns[1]:
            pairs[columns[0]] = columns[1]
        else:
            kept.append(columns[0])
    return Glossary(pairs=pairs, keep=tuple(kept))
