"""What a translator answers: translations, their sentences, and the languages it knows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from translator.engine.port import Times
from translator.search.hypothesis import FinishReason
from translator.translate.degeneration import Flag


class AlignedWord(NamedTuple):
    """A word of a sentence of the source, as a word of its translation attends to it.

    Attributes:
        start, end: where it is in the sentence.
        weight: its share of the attention that goes to words.
    """

    start: int
    end: int
    weight: float


class TranslatedWord(NamedTuple):
    """A word of a translated sentence, by a second pass of the model over both.

    Attributes:
        start, end: where it is in the translation.
        log_prob: of its pieces together, in nats: the lower, the less sure the model is.
        sources: the words it comes from, those with most weight first.
    """

    start: int
    end: int
    log_prob: float
    sources: tuple[AlignedWord, ...]


class WrongNumbers(NamedTuple):
    """Numbers of a sentence that are not those of its translation.

    Attributes:
        missing: those of the sentence that its translation lacks, as they stand there.
        added: those that only the translation has.
    """

    missing: tuple[str, ...] = ()
    added: tuple[str, ...] = ()


NO_WRONG_NUMBERS = WrongNumbers()


@dataclass(frozen=True, kw_only=True, slots=True)
class SentenceTranslation:
    """One sentence of a text.

    Attributes:
        separator: what stands before the sentence; it comes back as it was.
        source: the sentence; empty behind the last one, where only a separator is left.
        text: its translation.
        score: mean score of its parts; None if there was nothing to translate.
        finish_reasons: why the search of each part ended, `eos` or `length`. A sentence that is
            too long for the model, or has too many spans, is translated in parts.
        flags: see `Translation.flags`.
        numbers: those that are wrong, if it has the flag `numbers`.
        times: when it was in the engine; None if there was nothing to translate, or it was known.
        terms: entries of the glossary that were met, sorted.
        words: of the translation, where they were asked for; None if there is no telling.
        via: see `Translation.via`.
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


@dataclass(frozen=True, kw_only=True, slots=True)
class Translation:
    """The translation of one text.

    Attributes:
        text: with every separator of the original.
        alternatives: other translations, best first, without `text` and without repetitions.
        score: mean score of the sentences' parts; None if there was nothing to translate.
        finish_reasons: those of all sentences.
        flags: `retried` if a sentence ran in circles, was copied, lacked a placeholder or had a
            wrong number, so that it was translated once more; `repetition`, `copied`,
            `placeholders` or `numbers` if it still does (what stands for the placeholder then
            follows at the end). See `translate/degeneration.py` and `translate/numbers`.
        sentences: the text, sentence by sentence.
        terms: entries of the glossary that were met, sorted.
        times: when its sentences were in the engine; see `SentenceTranslation.times`.
        via: code of the language that it went through, if no model translates the pair by itself.
    """

    text: str
    alternatives: tuple[str, ...] = ()
    score: float | None = None
    finish_reasons: tuple[FinishReason, ...] = ()
    flags: tuple[Flag, ...] = ()
    sentences: tuple[SentenceTranslation, ...] = ()
    terms: tuple[str, ...] = ()
    times: Times | None = field(default=None, compare=False)
    via: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Language:
    """A language of a model, and what it can be translated into (itself included)."""

    code: str
    name: str
    targets: tuple[str, ...]


def nothing_is_known(_: int) -> bool:
    """Say of a text that its sentences may have to be waited for."""
    return False


class SentenceStream:
    """The sentences of texts that are in the engine, as they are done; each with its text's number.

    Who takes no more closes it: what is left leaves the engine.
    """

    def __init__(
        self,
        sentences: Iterator[tuple[int, SentenceTranslation]],
        close: Callable[[], object],
        is_done: Callable[[int], bool] = nothing_is_known,
    ) -> None:
        """Take the sentences.

        Args:
            sentences: in the order of their texts.
            close: gives up those that are left; may be called twice.
            is_done: whether the sentences of a text, by its number, can be had without waiting, as
                far as that is known.
        """
        self._sentences, self._close, self.is_done = sentences, close, is_done

    def __iter__(self) -> SentenceStream:
        """Return self."""
        return self

    def __next__(self) -> tuple[int, SentenceTranslation]:
        """Return the next sentence; its end and every error give up the others."""
        try:
            return next(self._sentences)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Give up what is left."""
        self._close()


def of_one_text(
    stream: Iterator[tuple[int, SentenceTranslation]],
) -> Iterator[SentenceTranslation]:
    """Yield the sentences of the next text, without a look at the one behind it."""
    for _, sentence in stream:
        yield sentence
        if not sentence.source:
            return


def joined(sentences: Sequence[SentenceTranslation]) -> Translation:
    """Return the translation of a text from all its sentences.

    Args:
        sentences: as `Translator.stream` yields them: the last one is empty.
    """
    return Translation(
        text="".join(one.separator + one.text for one in sentences),
        score=mean_score(sentences),
        finish_reasons=tuple(reason for one in sentences for reason in one.finish_reasons),
        flags=tuple(sorted({flag for one in sentences for flag in one.flags})),
        sentences=tuple(one for one in sentences if one.source),
        terms=tuple(sorted({term for one in sentences for term in one.terms})),
        times=Times.around(one.times for one in sentences),
        via=via_of(sentences),
    )


def numbers_of(sentences: Iterable[SentenceTranslation]) -> WrongNumbers:
    """Return the wrong numbers of sentences together."""
    found = [sentence.numbers for sentence in sentences]
    return WrongNumbers(
        tuple(number for one in found for number in one.missing),
        tuple(number for one in found for number in one.added),
    )


def via_of(sentences: Sequence[SentenceTranslation]) -> str:
    """Return the language that sentences went through, if any of them did."""
    return next((one.via for one in sentences if one.via), "")


def mean_score(sentences: Sequence[SentenceTranslation]) -> float | None:
    """Return the mean score of the parts of sentences; None if they have none."""
    scores = [one.score for one in sentences if one.score is not None for _ in one.finish_reasons]
    return sum(scores) / len(scores) if scores else None
