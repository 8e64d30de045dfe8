"""Units whose sentences are in several languages: each sentence is translated from its own.

What is in the language wanted stays. In most texts that costs no more than a look at the commonest
words of each sentence.
"""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, NamedTuple

from translator.text.formats.inline import TOKEN
from translator.text.marked import MarkedText, as_marked
from translator.text.segmentation import split
from translator.text.spans import Span, find_spans
from translator.translate.legs import Units, UnitStream, stream_units, translate_units
from translator.translate.marks.projection import sentences_of
from translator.translate.models.deadline import remaining
from translator.translate.models.face import silent
from translator.translate.translation import (
    SentenceTranslation,
    Translation,
    chained,
    joined,
    of_one_text,
)
from translator.translate.units import TextOptions

if TYPE_CHECKING:
    from translator.translate.models.face import AnyTranslator


_QUOTE = re.compile(r":\s+(?=[\"'„“‘‚»«])")
"""Between `He wrote:` and what he wrote."""


class Part(NamedTuple):
    """A part of a unit in one language.

    Attributes:
        source: code of that language, which may be the one wanted.
        place: which of the texts in that language it is.
    """

    source: str
    place: int


class Cut:
    """Units cut where their language changes.

    Attributes:
        texts: those of each language.
        units: the parts of each unit, in order; one at least.
    """

    def __init__(self, units: Units, options: TextOptions) -> None:
        """Cut units; those that have no other language than `options.source` stay whole."""
        self.texts: dict[str, list[MarkedText]] = {}
        self.units = [
            [self._part(*part) for part in _parts(as_marked(unit), options)] for unit in units
        ]

    def _part(self, source: str, text: MarkedText) -> Part:
        texts = self.texts.setdefault(source, [])
        texts.append(text)
        return Part(source, len(texts) - 1)


def translate_mixed(
    translator: AnyTranslator, units: Units, options: TextOptions
) -> list[Translation]:
    """Translate as `translate_units` does, each sentence from its own language.

    A unit in several languages has no alternatives.

    Raises:
        TranslatorError: see `TextTranslator.translate`.
    """
    cut = Cut(units, options)
    if {*cut.texts} <= {options.source}:
        return translate_units(translator, units, options)
    left_s = remaining(options.timeout_s)
    found = {
        source: translate_units(translator, texts, _from(source, translator, options, left_s()))
        for source, texts in cut.texts.items()
    }
    return [
        found[parts[0].source][parts[0].place]
        if len(parts) == 1
        else joined([*chained(sentences_of(found[source][place]) for source, place in parts)])
        for parts in cut.units
    ]


def stream_mixed(translator: AnyTranslator, units: Units, options: TextOptions) -> UnitStream:
    """Translate as `translate_mixed` does, and yield each sentence when it is done.

    Yields:
        see `stream_units`.
    """
    cut = Cut(units, options)
    if {*cut.texts} <= {options.source}:
        return stream_units(translator, units, options)
    left_s, streams = remaining(options.timeout_s), dict[str, UnitStream]()

    def told() -> Iterator[tuple[int, SentenceTranslation]]:
        for number, parts in enumerate(cut.units):
            for sentence in chained(of_one_text(streams[source]) for source, _ in parts):
                yield number, sentence

    def terms(number: int) -> frozenset[str]:
        parts = cut.units[number]
        return frozenset().union(*(streams[source].terms(place) for source, place in parts))

    with ExitStack() as guard:
        for source, texts in cut.texts.items():
            streams[source] = stream_units(
                translator, texts, _from(source, translator, options, left_s())
            )
            guard.callback(streams[source].close)
        close = guard.pop_all().close
    return UnitStream(told(), close, terms)


def _from(
    source: str, translator: AnyTranslator, options: TextOptions, timeout_s: float | None
) -> TextOptions:
    """Return the options of the texts in one language; only those of the main one tell progress."""
    own = dataclasses.replace(options, source=source, timeout_s=timeout_s)
    if source == options.source:
        return own
    is_choice = any(
        language.code == source and options.target in language.formality
        for language in translator.languages
    )
    form = options.formality if is_choice else None
    return dataclasses.replace(own, formality=form, on_progress=silent)


def _parts(unit: MarkedText, options: TextOptions) -> Iterator[tuple[str, MarkedText]]:
    """Yield the parts of a unit, each with its language."""
    finder, text, main = options.finder, unit.text, options.source
    if finder is None or not finder.is_mixed(text, main):
        yield main, unit
        return
    places = _sentences(unit, main)
    languages = finder.of_sentences([text[start:end] for start, end in places], main)
    begin, before = 0, next(iter(languages), main)
    for (start, _), source in zip(places, languages, strict=True):
        if source != before and not _has_open_tag(text[begin:start]):
            yield before, _sliced(unit, begin, start)
            before, begin = source, start
    yield before, _sliced(unit, begin, len(text))


def _sentences(unit: MarkedText, language: str) -> list[Span]:
    """Return where the sentences of a unit are; a quotation behind a colon is one by itself."""
    segments, spans = split(unit.text, language, True, unit.spans), None
    places, place = list[Span](), 0
    for separator, sentence in zip(segments.separators, segments.sentences, strict=False):
        place += len(separator)
        cuts = [place, *(place + quote.end() for quote in _QUOTE.finditer(sentence))]
        if cuts[1:]:
            spans = spans or find_spans(unit.text, unit.spans)
            cuts = [cut for cut in cuts if not any(a < cut < b for a, b in spans)]
        place += len(sentence)
        places += itertools.pairwise((*cuts, place))
    return places


def _has_open_tag(text: str) -> bool:
    tags = [found for found in TOKEN.finditer(text) if not found["alone"]]
    ends = len([found for found in tags if found["end"]])
    return len(tags) != 2 * ends


def _sliced(unit: MarkedText, begin: int, end: int) -> MarkedText:
    spans = tuple((a - begin, b - begin) for a, b in unit.spans if begin <= a and b <= end)
    return MarkedText(unit.text[begin:end], spans)
