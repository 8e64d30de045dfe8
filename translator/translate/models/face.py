"""What a translator offers, whether it has one model or fifty."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from translator.config import DecodingOptions
from translator.engine.port import Statistics
from translator.text.formality import Formality
from translator.text.marked import MarkedText
from translator.translate.translation import Language, SentenceStream, Translation

if TYPE_CHECKING:
    from translator.translate.marks.alignment import Aligner

Pair = tuple[str, str]
"""Codes of a source and a target language."""


Tick = Callable[[], None]
"""What is called some ten times a second while something is waited for; it may raise."""


Progress = Callable[[int, int], None]
"""What is told some ten times a second how many sentences are done, and of how many."""


def idle() -> None:
    """Do nothing while waiting."""


def silent(done: int, total: int) -> None:
    """Tell no one."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelState:
    """A model and what has become of it.

    Attributes:
        name: by which people know it.
        is_loaded: whether it is in memory.
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

    def translate_prepared(
        self,
        texts: Sequence[str | MarkedText],
        *,
        source: str,
        target: str,
        options: DecodingOptions | None = None,
        formality: Formality | None = None,
        num_alternatives: int | None = None,
        timeout_s: float | None = None,
        while_waiting: Callable[[], None] = idle,
        on_progress: Progress = silent,
    ) -> list[Translation]:
        """Translate what `PreparedUnits` makes of texts, by a single model.

        Args: and Raises: see `TextTranslator.translate`.

        Raises:
            UnsupportedLanguageError: no single model translates that pair.
        """
        ...

    def stream_prepared(
        self,
        texts: Sequence[str | MarkedText],
        *,
        source: str,
        target: str,
        options: DecodingOptions | None = None,
        formality: Formality | None = None,
        timeout_s: float | None = None,
        while_waiting: Callable[[], None] = idle,
    ) -> SentenceStream:
        """Translate as `translate_prepared` does; see `TextTranslator.stream`."""
        ...

    def legs(self, source: str, target: str) -> tuple[Pair, ...]:
        """Return the pairs that lead from one language to the other: itself, or two by a pivot.

        Raises:
            UnsupportedLanguageError: there is no way.
        """
        ...

    def held(
        self, source: str, target: str, timeout_s: float | None = None, while_waiting: Tick = idle
    ) -> AbstractContextManager[None]:
        """Keep the models of a pair in memory; wait until they are there.

        Args:
            source: code of a language.
            target: code of another one.
            timeout_s: for loading them; as long as it takes if None.
            while_waiting: called now and then; what it raises ends the wait.

        Raises:
            UnsupportedLanguageError: there is no way from one language to the other.
            DeadlineExceededError: the time is over.
        """
        ...

    def aligner(
        self, source: str, target: str, timeout_s: float | None = None, while_waiting: Tick = idle
    ) -> Aligner:
        """Return what aligns sentences of a pair with their translations; see `held`.

        Raises:
            UnsupportedLanguageError: no single model translates that pair.
        """
        ...

    def cards(self, source: str, target: str) -> tuple[Mapping[str, Any], ...]:
        """Return the cards of the models that translate a pair, in order."""
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
