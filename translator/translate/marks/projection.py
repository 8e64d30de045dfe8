"""Translations get their marks back: those taken out of the source, or those that a model lost."""

from __future__ import annotations

import dataclasses
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from translator.text.formats.inline import TOKEN
from translator.text.marked import MarkedText
from translator.text.spans import Span, find_spans, span_at
from translator.translate.marks.places import find_places
from translator.translate.marks.readable import Readable, readable_pair
from translator.translate.marks.regions import (
    Mark,
    Region,
    Taken,
    regions_of,
    take_out,
    with_tokens,
)
from translator.translate.translation import SentenceTranslation, Translation

if TYPE_CHECKING:
    from translator.translate.marks.alignment import Aligner

_SPACES = re.compile(r"\s+")
_ADDRESS = re.compile(
    r"(?:https?|ftp)://[^\s<>\"”“»«)\]}]*[\w/]|\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}\b"
)


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence whose marks are to be found a place."""

    source: str
    known: Sequence[Span]
    target: str
    regions: list[Region]


@dataclass(frozen=True, kw_only=True, slots=True)
class MarkProjection:
    """Puts marks into translations.

    Attributes:
        aligner: of the model that has translated, or of one like it.
        target: code of the language of the translations.
        while_waiting: called now and then; what it raises ends the work.
    """

    aligner: Aligner
    target: str
    while_waiting: Callable[[], None] = lambda: None

    def take_out(self, marked: MarkedText) -> Taken:
        """Return a text as it is to be translated, and the marks that `put_back` needs."""
        has_placeholders = self.aligner.tokenizer.num_placeholders > 0
        return take_out(marked if has_placeholders else with_addresses(marked), has_placeholders)

    def put_back(
        self, taken: Sequence[Taken], translations: Sequence[Translation]
    ) -> list[Translation]:
        """Return the translations of texts whose marks had been taken out, with their marks."""
        if not any(text.marks for text in taken):
            return list(translations)  # as nearly always, in plain text
        parts = [
            list(_parts(text, sentences_of(translation)))
            for text, translation in zip(taken, translations, strict=True)
        ]
        found = iter(self._found([work for own in parts for _, _, work in own if work]))
        done = []
        for translation, own in zip(translations, parts, strict=True):
            *sentences, last = [
                dataclasses.replace(
                    sentence, separator=separator, text=next(found) if work else sentence.text
                )
                for separator, sentence, work in own
            ]
            done.append(_with_sentences(translation, sentences, last.separator))
        return done

    def put_back_each(
        self, taken: Taken, sentences: Iterable[SentenceTranslation]
    ) -> Iterator[SentenceTranslation]:
        """Yield the sentences of a text with their marks, each as soon as it is there.

        Args:
            taken: the text.
            sentences: as `TextTranslator.stream` yields them.
        """
        for separator, sentence, work in _parts(taken, sentences):
            text = self._found([work])[0] if work else sentence.text
            yield dataclasses.replace(sentence, separator=separator, text=text)

    def mend_each(self, sentences: Iterable[SentenceTranslation]) -> Iterator[SentenceTranslation]:
        """Yield sentences of a text with marks, those that were lost where they belong."""
        for sentence in sentences:
            if "placeholders" in sentence.flags and _has_marks(sentence.source):
                [text] = self._found([_lost(sentence)])
                sentence = dataclasses.replace(sentence, text=text)
            yield sentence

    def mend(self, translations: Sequence[Translation]) -> list[Translation]:
        """Return translations of texts with marks, those that were lost where they belong.

        A lost mark stands at the end of its sentence, and the sentence has the flag `placeholders`.
        """
        works = {
            (number, place): _lost(sentence)
            for number, translation in enumerate(translations)
            if "placeholders" in translation.flags
            for place, sentence in enumerate(translation.sentences)
            if "placeholders" in sentence.flags and _has_marks(sentence.source)
        }
        found = dict(zip(works, self._found(list(works.values())), strict=True))
        mended = list(translations)
        for number in {number for number, _ in works}:
            sentences = [
                dataclasses.replace(sentence, text=found.get((number, place), sentence.text))
                for place, sentence in enumerate(translations[number].sentences)
            ]
            tail = _tail(translations[number])
            mended[number] = _with_sentences(translations[number], sentences, tail)
        return mended

    def _found(self, sentences: Sequence[_Sentence]) -> list[str]:
        """Return the translations of sentences with their marks."""
        read = [self._read(sentence) for sentence in sentences]
        unclear = [n for n, one in enumerate(sentences) if _is_unclear(one.regions, one.source)]
        pairs = [(read[number][0].text, read[number][1].text) for number in unclear]
        aligned = self.aligner.align(pairs, self.target, self.while_waiting)
        alignments = dict(zip(unclear, aligned, strict=True))
        for number, (sentence, (source, target)) in enumerate(zip(sentences, read, strict=True)):
            _move(sentence.regions, "source", source.offset_of)
            find_places(sentence.regions, source.text, target.text, alignments.get(number))
            _move(sentence.regions, "target", target.place_of)
            _stay_where_copied(sentence.regions, sentence.target)
        return [with_tokens(sentence.target, sentence.regions) for sentence in sentences]

    def _read(self, sentence: _Sentence) -> tuple[Readable, Readable]:
        """Return source and translation as the model reads them."""
        spans: list[Span] = []
        if self.aligner.tokenizer.num_placeholders:
            spans = find_spans(sentence.source, sentence.known)
            _widen(sentence.regions, spans)
        return readable_pair(sentence.source, spans, sentence.target, self.aligner.tokenizer)


def with_addresses(marked: MarkedText) -> MarkedText:
    """Return a text whose addresses are spans: a model without placeholders may misspell them."""
    found = [match.span() for match in _ADDRESS.finditer(marked.text)]
    free = [
        (start, end)
        for start, end in found
        if all(end <= first or last <= start for first, last in marked.spans)
    ]
    return MarkedText(marked.text, tuple(sorted([*marked.spans, *free])))


def _stay_where_copied(regions: Sequence[Region], target: str) -> None:
    """Let a span that the model has copied, once and as it was, be there."""
    for region in regions:
        if region.is_replaced and region.before and target.count(region.before) == 1:
            start = target.index(region.before)
            region.target = (start, start + len(region.before))
        _stay_where_copied(region.inner, target)


def sentences_of(translation: Translation) -> Iterator[SentenceTranslation]:
    """Yield the sentences of a translation, and behind them an empty one with what is left."""
    yield from translation.sentences
    yield SentenceTranslation(separator=_tail(translation), source="", text="")


def _parts(
    taken: Taken, sentences: Iterable[SentenceTranslation]
) -> Iterator[tuple[str, SentenceTranslation, _Sentence | None]]:
    """Yield for each sentence its separator with marks, itself, and what is to be found in it."""
    marks, place = deque(taken.marks), 0
    for sentence in sentences:
        start = place + len(sentence.separator)
        end = start + len(sentence.source)
        between = list(_until(marks, start, is_last=not sentence.source))
        inside = list(_until(marks, end)) if sentence.source else []
        separator = with_tokens(
            sentence.separator,
            [
                Region(
                    (0, 0),
                    mark.token,
                    is_replaced=True,
                    target=(mark.start - place, min(mark.end, start) - place),
                )
                for mark in between
            ],
        )
        work = None
        if inside:
            known = [(a - start, b - start) for a, b in taken.text.spans if start <= a and b <= end]
            regions = regions_of(inside, start, end)
            work = _Sentence(sentence.source, known, sentence.text, regions)
        yield separator, sentence, work
        place = end


def _until(marks: deque[Mark], end: int, is_last: bool = False) -> Iterator[Mark]:
    """Take those marks that come before a place, or close something just there."""
    while marks and (
        is_last or marks[0].start < end or (marks[0].start == end and marks[0].kind == "closes")
    ):
        yield marks.popleft()


def _has_marks(source: str) -> bool:
    return any(not token["text"] for token in TOKEN.finditer(source))


def _lost(sentence: SentenceTranslation) -> _Sentence:
    """Return a sentence and its translation without marks, and those as regions."""
    spans = tuple(token.span() for token in TOKEN.finditer(sentence.source))
    taken = take_out(MarkedText(sentence.source, spans), has_placeholders=True)
    bare = TOKEN.sub(lambda token: token[0] if token["text"] else "", sentence.text)
    target = _SPACES.sub(" ", bare).strip()
    source = taken.text.text
    regions = regions_of(taken.marks, 0, len(source))
    return _Sentence(source, taken.text.spans, target, regions)


def _is_unclear(regions: Sequence[Region], source: str) -> bool:
    """Whether a mark stands inside a sentence, not only at its edges."""
    return any(
        {*region.source} - {0, len(source)} or _is_unclear(region.inner, source)
        for region in regions
    )


def _widen(regions: Sequence[Region], spans: Sequence[Span]) -> None:
    """Let regions have all of a span, such as an address, of which they have a part."""
    for region in regions:
        start, end = region.source
        if start < end:
            first, last = span_at(start, spans), span_at(end - 1, spans)
            region.source = (first[0] if first else start, last[1] if last else end)
        _widen(region.inner, spans)


def _move(regions: Sequence[Region], name: str, moved: Callable[[int], int]) -> None:
    for region in regions:
        start, end = getattr(region, name)
        setattr(region, name, (moved(start), moved(end)))
        _move(region.inner, name, moved)


def _tail(translation: Translation) -> str:
    """Return what stands behind the last sentence."""
    return translation.text[len(_text_of(translation.sentences)) :]


def _text_of(sentences: Sequence[SentenceTranslation]) -> str:
    return "".join(sentence.separator + sentence.text for sentence in sentences)


def _with_sentences(
    translation: Translation, sentences: Sequence[SentenceTranslation], tail: str
) -> Translation:
    text = _text_of(sentences) + tail
    return dataclasses.replace(translation, text=text, sentences=tuple(sentences))
