"""The step `languages`: each sentence of a text in several languages is translated from its own.

What is in the language wanted stays. In most texts that costs no more than a look at the commonest
words of each sentence.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from translator.detection.sources import SourceFinder
from translator.documents.markup.inline import TOKEN
from translator.pipeline.steps import Batches, Texts, numbered
from translator.pipeline.translation import SentenceTranslation, chained, of_one_text
from translator.text.marked import MarkedText
from translator.text.segmentation import split
from translator.text.spans import Span, find_spans

_QUOTE = re.compile(r":\s+(?=[\"'„“‘‚»«])")
"""Between `He wrote:` and what he wrote."""


class Languages:
    """Cuts texts where their language changes.

    Attributes:
        sources: codes of the languages of all parts, in order.
    """

    name = "languages"

    def __init__(self, main: str, finder: SourceFinder) -> None:
        """Take the language of most texts, and what finds those of sentences."""
        self._main, self._finder = main, finder
        self._counts = list[int]()
        self.sources = list[str]()

    def down(self, texts: Texts) -> Texts:
        """Return the parts of all texts; those that have no other language stay whole."""
        below = list[MarkedText]()
        for text in texts:
            parts = list(_parts(text, self._main, self._finder))
            self._counts.append(len(parts))
            self.sources += [source for source, _ in parts]
            below += [part for _, part in parts]
        return below

    def up(self, batches: Batches) -> Batches:
        """Put the sentences of parts together; a text in several languages has no alternatives."""
        if all(count == 1 for count in self._counts):
            return batches
        return self._joined(numbered(batches))

    def _joined(self, sentences: Iterator[tuple[int, SentenceTranslation]]) -> Batches:
        for number, count in enumerate(self._counts):
            parts = (of_one_text(sentences) for _ in range(count))
            for sentence in next(parts) if count == 1 else chained(parts):
                yield [(number, sentence)]


def _parts(unit: MarkedText, main: str, finder: SourceFinder) -> Iterator[tuple[str, MarkedText]]:
    text = unit.text
    if not finder.is_mixed(text, main):
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


def _sentences(unit: MarkedText, language: str) -> Sequence[Span]:
    """Return where the sentences of a text are; a quotation behind a colon is one by itself."""
    segments, spans = split(unit.text, language, True, unit.spans, unit.is_markdown), None
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
    tags = [tag for tag in TOKEN.finditer(text) if not tag["alone"]]
    ends = len([tag for tag in tags if tag["end"]])
    return len(tags) != 2 * ends


def _sliced(unit: MarkedText, begin: int, end: int) -> MarkedText:
    spans = tuple((a - begin, b - begin) for a, b in unit.spans if begin <= a and b <= end)
    prefix = None if begin else unit.prefix
    return replace(unit, text=unit.text[begin:end], spans=spans, prefix=prefix)
