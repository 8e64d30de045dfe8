"""What a translator offers, whether it has one model or fifty."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from translator.deadline import NO_DEADLINE, Deadline
from translator.engine.port import Statistics
from translator.pipeline.options import OnStep, SearchOptions
from translator.pipeline.steps import Batches
from translator.pipeline.translation import Language
from translator.text.marked import MarkedText

if TYPE_CHECKING:
    from translator.alignment.alignment import Aligner

Pair = tuple[str, str]
"""Codes of a source and a target language."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelState:
    """A model and what has become of it.

    Attributes:
        num_bytes: of memory that it takes, or would take.
        loads: how often it has been loaded.
        load_s: how long that took the last time.
        evictions: how often it had to make room for another one.
    """

    name: str
    is_loaded: bool
    num_bytes: int
    loads: int = 0
    load_s: float = 0.0
    evictions: int = 0


class SingleModel(Protocol):
    """A model in memory; safe to use from many threads."""

    def aligner(self, source: str) -> Aligner:
        """Return what aligns sentences of a language with their translations."""
        ...

    def decode(
        self,
        texts: Sequence[MarkedText],
        options: SearchOptions,
        deadline: Deadline = NO_DEADLINE,
        *,
        is_whole: bool = False,
        on_step: OnStep | None = None,
    ) -> AbstractContextManager[Batches]:
        """Translate the sentences of texts, which have gone down the pipeline.

        With `is_whole`, all sentences come in one batch; otherwise each comes when it is done, and
        with it those behind it that are done already. For `on_step` see `TextOptions`.

        Returns:
            a context of the translations. Until it is left, all texts are in the engine.

        Raises:
            TranslatorError: see `TextTranslator.translate`.
        """
        ...


class Lease(NamedTuple):
    """A model that somebody has for the way from a language to another, or for a part of it.

    Attributes:
        fingerprint: stands for the model: another one means other translations.
    """

    source: str
    target: str
    model: SingleModel
    fingerprint: str = ""


class AnyTranslator(Protocol):
    """Translates between the languages of its models; safe to use from many threads."""

    @property
    def languages(self) -> tuple[Language, ...]:
        """All languages, by code, with the targets of each."""
        ...

    @property
    def directions(self) -> tuple[Pair, ...]:
        """Pairs that a single model translates."""
        ...

    @property
    def is_alive(self) -> bool:
        """Whether it can still translate."""
        ...

    def lease(
        self, source: str, target: str, deadline: Deadline = NO_DEADLINE, *, has_form: bool = False
    ) -> AbstractContextManager[Sequence[Lease]]:
        """Have the models that lead from one language to another, as long as they are wanted.

        The deadline is for loading them; `has_form` says that a form of address is asked for.

        Returns:
            a context of one model, of two by a pivot, or of none if both languages are the same.

        Raises:
            UnsupportedLanguageError: there is no way from one language to the other.
            DeadlineExceededError: the time is over.
        """
        ...

    def cards(
        self, source: str, target: str, *, has_form: bool = False
    ) -> tuple[Mapping[str, Any], ...]:
        """Return the cards of the models that translate a pair, in order.

        Raises:
            UnsupportedLanguageError: there is no way from one language to the other.
        """
        ...

    def fingerprint(self, source: str, target: str) -> str:
        """Return what stands for the models of a pair: another one means other translations."""
        ...

    def models(self) -> tuple[ModelState, ...]:
        """Return all models, in order of preference."""
        ...

    def engines(self) -> dict[str, Statistics]:
        """Return what each engine has now and has done, by the name of its model."""
        ...

    def statistics(self) -> Statistics:
        """Return what the engines have now and have done since the beginning."""
        ...

    def close(self) -> None:
        """Stop all engines."""
        ...
