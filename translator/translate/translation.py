"""What a translator answers: translations, their sentences, and the languages it knows."""

from __future__ import annotations

from dataclasses import dataclass

from translator.search.hypothesis import FinishReason
from translator.translate.degeneration import Flag


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
    """

    separator: str
    source: str
    text: str
    score: float | None = None
    finish_reasons: tuple[FinishReason, ...] = ()
    flags: tuple[Flag, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Translation:
    """The translation of one text.

    Attributes:
        text: with every separator of the original.
        alternatives: other translations, best first, without `text` and without repetitions.
        score: mean score of the sentences' parts; None if there was nothing to translate.
        finish_reasons: those of all sentences.
        flags: `retried` if a sentence ran in circles, was copied, or lacked a placeholder, so that
            it was translated once more; `repetition`, `copied` or `placeholders` if it still does
            (what stands for the placeholder then follows at the end). See
            `translate/degeneration.py`.
        sentences: the text, sentence by sentence.
        terms: entries of the glossary that were met, sorted.
    """

    text: str
    alternatives: tuple[str, ...] = ()
    score: float | None = None
    finish_reasons: tuple[FinishReason, ...] = ()
    flags: tuple[Flag, ...] = ()
    sentences: tuple[SentenceTranslation, ...] = ()
    terms: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Language:
    """A language of a model, and what it can be translated into (itself included)."""

    code: str
    name: str
    targets: tuple[str, ...]
