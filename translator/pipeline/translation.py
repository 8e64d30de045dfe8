"""What a translator answers: translations, their sentences, and the languages it knows."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from translator.alignment.words import TranslatedWord
from translator.engine.port import Times
from translator.pipeline.degeneration import Flag
from translator.search.hypothesis import FinishReason


class WrongNumbers(NamedTuple):
    """Numbers that differ between a sentence and its translation, as they are written there.

    Attributes:
        missing: numbers of the sentence that its translation lacks.
        added: numbers that only the translation has.
    """

    missing: tuple[str, ...] = ()
    added: tuple[str, ...] = ()


NO_WRONG_NUMBERS = WrongNumbers()


@dataclass(frozen=True, kw_only=True, slots=True)
class SentenceTranslation:
    """One sentence of a text.

    Attributes:
        separator: what stands before the sentence; it comes back as it was.
        source: the sentence. It is empty in the last entry of a text, which has only the separator
            that is left.
        score: mean score of its parts; None if there was nothing to translate.
        finish_reasons: why the search of each part ended: `eos`, or `length` if the part was cut
            off. A sentence has several parts if it is too long for the model, or has more
            placeholders than the model knows.
        flags: see `Translation.flags`.
        numbers: those that are wrong, if it has the flag `numbers`.
        times: when it was in the engine. None if it was not: there was nothing to translate, or a
            cache had the translation.
        terms: entries of the glossary that were met, sorted.
        words: of the translation, if they were asked for; None if they cannot be told.
        via: see `Translation.via`.
        alternatives, candidates: those of the whole text, which its last entry has.
    """

    separator: str
    source: str
    text: str
    score: float | None = None
    finish_reasons: tuple[FinishReason, ...] = ()
    flags: tuple[Flag, ...] = ()
    numbers: WrongNumbers = NO_WRONG_NUMBERS
    times: Times | None = field(default=None, compare=False)
    terms: tuple[str, ...] = ()
    words: tuple[TranslatedWord, ...] | None = None
    via: str = ""
    alternatives: tuple[str, ...] = ()
    candidates: tuple[Candidate, ...] = ()


class Candidate(NamedTuple):
    """A translation that the search found, with its scores.

    Attributes:
        text: with every separator of the original.
        score: mean score of its sentences' parts; higher is better.
        log_prob: of all its pieces together, in nats.
    """

    text: str
    score: float
    log_prob: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Translation:
    """The translation of one text.

    Attributes:
        text: with every separator of the original.
        alternatives: other translations, best first, without `text` and without repetitions.
        candidates: `text` and `alternatives` as the search found them, with their scores, if
            alternatives were asked for. A glossary and other steps after the search change `text`
            alone.
        score: mean score of the sentences' parts; None if there was nothing to translate.
        finish_reasons: those of all sentences.
        flags: what is or was wrong with a sentence. `retried`: it was translated once more. The
            others say what is still wrong: `repetition` (it runs in circles), `copied` (it is the
            source, untranslated), `numbers` (a number is not that of the source), `placeholders`
            (a name is not there as it was, or what a missing placeholder stands for is at the end
            of the sentence), `formality` (it addresses the reader in another form), `negation` (it
            says yes where the source says no, or the other way round), `brackets` (it lacks a part
            of the source in brackets). See `pipeline/degeneration.py` and `pipeline/numbers.py`.
        sentences: the text, sentence by sentence.
        terms: entries of the glossary that were met, sorted.
        times: when its sentences were in the engine; see `SentenceTranslation.times`.
        via: code of the language that it went through, if no model translates the pair by itself.
    """

    text: str
    alternatives: tuple[str, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    score: float | None = None
    finish_reasons: tuple[FinishReason, ...] = ()
    flags: tuple[Flag, ...] = ()
    sentences: tuple[SentenceTranslation, ...] = ()
    terms: tuple[str, ...] = ()
    times: Times | None = field(default=None, compare=False)
    via: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Language:
    """A language of a model, and the languages it can be translated into, itself among them.

    Attributes:
        name: in English.
        targets: codes of the languages that it can be translated into, sorted.
        formality: those of them in which a form of address can be asked for, sorted.
        formality_elsewhere: those of these for which another model than the usual one translates
            then.
    """

    code: str
    name: str
    targets: tuple[str, ...]
    formality: tuple[str, ...] = ()
    formality_elsewhere: tuple[str, ...] = ()


class SentenceStream:
    """The sentences of texts that are in the engine, each with the number of its text.

    Close it if you need no more of them: the remaining ones then leave the engine.
    """

    def __init__(
        self, sentences: Iterator[tuple[int, SentenceTranslation]], close: Callable[[], object]
    ) -> None:
        """Take the sentences, in the order of their texts, and what gives up those that are left.

        That may be called twice.
        """
        self._sentences, self._close = sentences, close

    def __iter__(self) -> SentenceStream:
        """Return self."""
        return self

    def __next__(self) -> tuple[int, SentenceTranslation]:
        """Return the next sentence. After the last one, or an error, the others are given up."""
        try:
            return next(self._sentences)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Give up what is left."""
        self._close()


def of_one_text(stream: Iterator[tuple[int, SentenceTranslation]]) -> Iterator[SentenceTranslation]:
    """Yield the sentences of the next text, and do not look at the text after it."""
    for _, sentence in stream:
        yield sentence
        if not sentence.source:
            return


def chained(parts: Iterable[Iterable[SentenceTranslation]]) -> Iterator[SentenceTranslation]:
    """Yield the sentences of a text from those of its parts, each as soon as it is known.

    Parts are as `TextTranslator.stream` yields them, or without an empty sentence at their end. The
    last one is empty, and has what is left.
    """
    between, terms = "", set[str]()
    for part in parts:
        for sentence in part:
            between += sentence.separator
            if sentence.source:
                yield dataclasses.replace(sentence, separator=between)
                between = ""
            else:
                terms.update(sentence.terms)
    yield SentenceTranslation(separator=between, source="", text="", terms=tuple(sorted(terms)))


def joined(sentences: Sequence[SentenceTranslation]) -> Translation:
    """Return the translation of a text from all its sentences, of which the last is empty."""
    last = sentences[-1]
    scores = [one.score for one in sentences if one.score is not None for _ in one.finish_reasons]
    return Translation(
        text="".join(one.separator + one.text for one in sentences),
        alternatives=last.alternatives,
        candidates=last.candidates,
        score=sum(scores) / len(scores) if scores else None,
        finish_reasons=tuple(reason for one in sentences for reason in one.finish_reasons),
        flags=tuple(sorted({flag for one in sentences for flag in one.flags})),
        sentences=tuple(one for one in sentences if one.source),
        terms=tuple(sorted({term for one in sentences for term in one.terms})),
        times=Times.around(one.times for one in sentences),
        via=next((one.via for one in sentences if one.via), ""),
    )


def numbers_of(sentences: Iterable[SentenceTranslation]) -> WrongNumbers:
    """Return the wrong numbers of sentences together."""
    found = [sentence.numbers for sentence in sentences]
    return WrongNumbers(
        tuple(number for one in found for number in one.missing),
        tuple(number for one in found for number in one.added),
    )


def sentences_of(translation: Translation) -> Iterator[SentenceTranslation]:
    """Yield the sentences of a translation, and behind them its last entry: `joined` backwards."""
    yield from translation.sentences
    done = "".join(sentence.separator + sentence.text for sentence in translation.sentences)
    yield SentenceTranslation(
        separator=translation.text[len(done) :],
        source="",
        text="",
        terms=translation.terms,
        alternatives=translation.alternatives,
        candidates=translation.candidates,
    )
