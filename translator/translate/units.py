"""Units of texts: what the translator is given instead of each, and what becomes of its answer."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from translator.config import DecodingOptions
from translator.detection.sources import SourceFinder
from translator.text.capitals import Emphasised, read_emphasis
from translator.text.formality import Formality
from translator.text.formats.html.rules import TagWishes
from translator.text.formats.inline import TOKEN
from translator.text.glossary import Applied, Glossary
from translator.text.marked import MarkedText, as_marked
from translator.text.spans import Span, find_spans
from translator.translate.marks.emphasis import places_within, shouted, with_sources
from translator.translate.marks.projection import MarkProjection, sentences_of
from translator.translate.marks.readable import Readable, readable, readable_pair
from translator.translate.marks.words import translated_words
from translator.translate.translation import SentenceTranslation, TranslatedWord, Translation

if TYPE_CHECKING:
    from translator.translate.marks.alignment import Aligner

TextFormat = Literal["text", "html", "markdown", "xml"]
MarkMethod = Literal["placeholders", "attention"]


@dataclass(frozen=True, kw_only=True, slots=True)
class TextOptions:
    """How texts are translated.

    Attributes:
        source: language code of all texts, or of most of them if there is a `finder`.
        target: language code wanted.
        text_format: of all texts.
        tags: what to do with some tags of HTML or XML.
        glossary: terms whose translation is given.
        decoding: how to search; as the model says by default.
        formality: how to address the reader; as the model does if None.
        num_alternatives: further translations of each text; by default as many as `decoding` says,
            and none by two models. There are none in other formats.
        has_words: whether to say of each word where it comes from and how sure it is.
        finder: finds sentences that are in another language than `source`, which are translated
            from that, or stay if it is the one wanted; none if it is None.
        marks: how tags inside a paragraph follow their words. By attention the model reads plain
            sentences, and translates them better. Placeholders take less time, if it has any.
        timeout_s: for all texts together; as long as it takes if None.
        while_waiting, on_progress: see `TextTranslator.translate`.
    """

    source: str
    target: str
    text_format: TextFormat = "text"
    tags: TagWishes | None = None
    glossary: Glossary | None = None
    decoding: DecodingOptions | None = None
    formality: Formality | None = None
    num_alternatives: int | None = None
    has_words: bool = False
    finder: SourceFinder | None = None
    marks: MarkMethod = "attention"
    timeout_s: float | None = None
    while_waiting: Callable[[], None] = lambda: None
    on_progress: Callable[[int, int], None] = lambda done, total: None


class PreparedUnits:
    """Units with their terms replaced and, where attention places them, without their marks.

    Attributes:
        texts: what to translate instead of the units.
    """

    texts: Sequence[MarkedText]

    def __init__(
        self, units: Sequence[str | MarkedText], aligner: Aligner, options: TextOptions
    ) -> None:
        """Prepare units.

        Args:
            units: of any texts.
            aligner: of the model that is to translate.
            options: say how.
        """
        self._aligner, self._options = aligner, options
        self._is_copied = options.source == options.target
        glossary = None if self._is_copied else options.glossary
        self._applied = [
            glossary.apply(as_marked(unit)) if glossary else Applied(as_marked(unit))
            for unit in units
        ]
        self._projection = MarkProjection(
            aligner=aligner, target=options.target, while_waiting=options.while_waiting
        )
        can_carry = aligner.tokenizer.num_placeholders > 0
        by_attention = not can_carry or options.marks == "attention"
        self._taken = None
        self.texts = [applied.text for applied in self._applied]
        if by_attention and not self._is_copied:
            self._taken = [self._projection.take_out(text) for text in self.texts]
            self.texts = [text for text, _ in self._taken]
        self._unshouted = self.texts
        self._emphasised = [self._read_emphasis(number) for number in range(len(units))]
        self.texts = [one.text for one in self._emphasised]

    def _read_emphasis(self, number: int) -> Emphasised:
        """Return a text without shouted words; where attention places marks, they stay."""
        text = self.texts[number]
        if self._is_copied or (self._taken is not None and self._taken[number].marks):
            return Emphasised(text)
        tokenizer = self._aligner.tokenizer
        keeps_code = tokenizer.num_placeholders > 0
        return read_emphasis(text, self._options.source, tokenizer.log_prob, keeps_code)

    def finished(self, translations: Sequence[Translation], start: int = 0) -> list[Translation]:
        """Return the translations of units from those of their texts.

        Args:
            translations: of `texts`, or of some of them that follow each other.
            start: number of the first of them.
        """
        those = slice(start, start + len(translations))
        if self._is_copied:
            return list(translations)
        every_applied = self._applied[those]
        if self._taken is None:
            translations = self._projection.mend(translations)
        else:
            translations = self._projection.put_back(self._taken[those], translations)
        if self._options.has_words:
            every = [
                (sentence, known)
                for applied, translation in zip(every_applied, translations, strict=True)
                for sentence, known in _with_spans(applied, translation.sentences)
            ]
            words = iter(self._words(every))
            translations = [
                dataclasses.replace(
                    translation,
                    sentences=tuple(
                        dataclasses.replace(sentence, words=next(words))
                        for sentence in translation.sentences
                    ),
                )
                for translation in translations
            ]
        translations = [
            self._shouted(number, translation) if self._emphasised[number].places else translation
            for number, translation in enumerate(translations, start=start)
        ]
        return [
            dataclasses.replace(
                translation,
                sentences=tuple(as_sent(applied, translation.sentences)),
                terms=tuple(sorted(applied.terms)),
            )
            if applied.terms
            else translation
            for applied, translation in zip(every_applied, translations, strict=True)
        ]

    def terms(self, number: int) -> frozenset[str]:
        """Return the entries of the glossary that a unit has."""
        return self._applied[number].terms

    def has_tags(self, number: int) -> bool:
        """Whether a unit has marks that attention places, so that it is told as a whole."""
        return self._taken is not None and any(
            mark.kind != "span" for mark in self._taken[number].marks
        )

    def finished_each(
        self, number: int, sentences: Iterable[SentenceTranslation]
    ) -> Iterator[SentenceTranslation]:
        """Yield the sentences of one unit from those of its text, each as soon as it is there."""
        if self._is_copied:
            return iter(sentences)
        applied = self._applied[number]
        if self._taken is None:
            sentences = self._projection.mend_each(sentences)
        else:
            sentences = self._projection.put_back_each(self._taken[number], sentences)
        if self._options.has_words:
            sentences = (
                dataclasses.replace(sentence, words=self._words([(sentence, known)])[0])
                for sentence, known in _with_spans(applied, sentences)
            )
        if self._emphasised[number].places:
            sentences = self._shouted_each(number, sentences)
        return as_sent(applied, sentences) if applied.terms else iter(sentences)

    def _shouted(self, number: int, translation: Translation) -> Translation:
        """Return the translation of a text with its shouted words."""
        told = list(self._shouted_each(number, sentences_of(translation)))
        text = "".join(sentence.separator + sentence.text for sentence in told)
        return dataclasses.replace(translation, text=text, sentences=tuple(told[:-1]))

    def _shouted_each(
        self, number: int, sentences: Iterable[SentenceTranslation]
    ) -> Iterator[SentenceTranslation]:
        """Yield the sentences of a text with its shouted words, each as soon as it is there."""

        def told() -> Iterator[SentenceTranslation]:
            for sentence, places in places_within(self._emphasised[number], sentences):
                words = sentence.words
                if places and words is None:
                    words = self._words([(sentence, ())])[0]
                yield shouted(sentence, places, words) if places else sentence

        return with_sources(self._unshouted[number].text, told())

    def _words(
        self, sentences: Sequence[tuple[SentenceTranslation, Sequence[Span]]]
    ) -> list[tuple[TranslatedWord, ...] | None]:
        """Return the words of sentences; None for what has not been translated or has tags."""
        tokenizer = self._aligner.tokenizer
        pairs: dict[int, tuple[Readable, Readable]] = {}
        for number, (sentence, known) in enumerate(sentences):
            has_tags = TOKEN.search(sentence.source) or TOKEN.search(sentence.text)
            if sentence.score is not None and not has_tags:
                spans: list[Span] = []
                if tokenizer.num_placeholders:
                    spans = find_spans(sentence.source, known, tokenizer.alphabet)
                pairs[number] = readable_pair(sentence.source, spans, sentence.text, tokenizer)
        aligned = self._aligner.align(
            [(source.text, target.text) for source, target in pairs.values()],
            self._options.target,
            self._options.while_waiting,
            has_log_probs=True,
        )
        found: list[tuple[TranslatedWord, ...] | None] = [None] * len(sentences)
        for (number, both), alignment in zip(pairs.items(), aligned, strict=True):
            if alignment is not None:
                found[number] = translated_words(*both, alignment)
        return found


def _with_spans(
    applied: Applied, sentences: Iterable[SentenceTranslation]
) -> Iterator[tuple[SentenceTranslation, list[Span]]]:
    """Yield each sentence with such spans of it as the reader or the glossary knows."""
    place = 0
    for sentence in sentences:
        start = place + len(sentence.separator)
        place = start + len(sentence.source)
        spans = applied.text.spans
        yield sentence, [(a - start, b - start) for a, b in spans if start <= a and b <= place]


def as_sent(
    applied: Applied, sentences: Iterable[SentenceTranslation]
) -> Iterator[SentenceTranslation]:
    """Yield sentences with the terms that they have, as they were sent."""
    place = 0
    for sentence in sentences:
        start = place + len(sentence.separator)
        place = start + len(sentence.source)
        sent, terms, own = _own(applied, start, place)
        words = sentence.words and tuple(
            word._replace(
                sources=tuple(
                    source._replace(start=own.place_of(source.start), end=own.place_of(source.end))
                    for source in word.sources
                )
            )
            for word in sentence.words
        )
        yield dataclasses.replace(sentence, source=sent, terms=terms, words=words)


def _own(applied: Applied, start: int, end: int) -> tuple[str, tuple[str, ...], Readable]:
    """Return what was sent for a part of a text, its terms, and the part as a reading of it."""
    text, pieces, shown = applied.text.text, list[str](), list[tuple[Span, str]]()
    found = [one for one in applied.replaced if start <= one.start and one.end <= end]
    length, done = 0, start
    for one in found:
        pieces += [text[done : one.start], one.sent]
        length += one.start - done + len(one.sent)
        shown.append(((length - len(one.sent), length), text[one.start : one.end]))
        done = one.end
    sent = "".join([*pieces, text[done:end]])
    terms = tuple(sorted({one.entry for one in found}))
    return sent, terms, readable(sent, shown)
