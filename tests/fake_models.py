"""Translators without a model: subclasses say what becomes of a text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

from translator.deadline import NO_DEADLINE, Deadline
from translator.engine.port import Statistics
from translator.pipeline.face import Lease, ModelState, Pair
from translator.pipeline.options import OnStep, SearchOptions
from translator.pipeline.steps import Batches
from translator.pipeline.translation import Language, SentenceTranslation
from translator.text.characters import Alphabet
from translator.text.marked import MarkedText


class FakeModel:
    """One model that translates every pair.

    Attributes:
        languages: that it says it has.
        num_placeholders: of its vocabulary.
    """

    languages: tuple[Language, ...] = ()
    num_placeholders = 8
    directions: tuple[Pair, ...] = ()
    is_alive = True

    def sentences_of(
        self, text: MarkedText, options: SearchOptions
    ) -> Iterator[SentenceTranslation]:
        """Yield the sentences of a text, and an empty one behind them."""
        raise NotImplementedError

    def cards(
        self, source: str, target: str, *, has_form: bool = False
    ) -> tuple[Mapping[str, Any], ...]:
        return ({"name": "fake"},)

    def fingerprint(self, source: str, target: str) -> str:
        return "0123456789abcdef"

    def models(self) -> tuple[ModelState, ...]:
        return (ModelState(name="fake", is_loaded=True, num_bytes=7, loads=1),)

    def engines(self) -> dict[str, Statistics]:
        return {"fake": self.statistics()}

    def statistics(self) -> Statistics:
        return Statistics()

    def close(self) -> None:
        pass

    @contextmanager
    def lease(
        self, source: str, target: str, deadline: Deadline = NO_DEADLINE, *, has_form: bool = False
    ) -> Iterator[Sequence[Lease]]:
        yield () if source == target else (Lease(source, target, self),)

    def aligner(self, source: str) -> Any:
        """Return one that knows of no alignment."""
        tokenizer = SimpleNamespace(
            num_placeholders=self.num_placeholders, log_prob=len, alphabet=Alphabet(frozenset())
        )
        return SimpleNamespace(
            tokenizer=tokenizer, align=lambda pairs, *_, **__: [None for _ in pairs]
        )

    @contextmanager
    def decode(
        self,
        texts: Sequence[MarkedText],
        options: SearchOptions,
        deadline: Deadline = NO_DEADLINE,
        *,
        is_whole: bool = False,
        on_step: OnStep | None = None,
    ) -> Iterator[Batches]:
        sentences = (
            (number, sentence)
            for number, text in enumerate(texts)
            for sentence in self.sentences_of(text, options)
        )
        yield iter([list(sentences)]) if is_whole else ([sentence] for sentence in sentences)
