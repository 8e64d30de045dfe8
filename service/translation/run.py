"""Translate the texts of a request as its plan says, and answer when all are done."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from service.schemas.translate.answer import ModelAnswer, Outcome
from service.schemas.translate.request import TranslateRequest
from service.translation.plan import Plan
from service.translation.texts import options_of
from translator.translate.documents import translate_texts

if TYPE_CHECKING:
    from translator.translate.translation import Translation
    from translator.translate.translator import Translator
    from translator.translate.units import TextOptions


@dataclass(frozen=True, kw_only=True, slots=True)
class Work:
    """A request that is to be translated.

    Attributes:
        request: what is wanted.
        plan: in how many calls.
        translator: translates.
        timeout_s: for all calls together; as long as it takes if None.
        while_waiting: called while sentences are in the engine; what it raises ends the work.
        started_s: when it began, on the monotonic clock.
    """

    request: TranslateRequest
    plan: Plan
    translator: Translator
    timeout_s: float | None
    while_waiting: Callable[[], None]
    started_s: float

    def options(self, source: str) -> TextOptions:
        """Return how texts of one language are translated, in the time that is left."""
        left_s = None
        if self.timeout_s is not None:
            left_s = max(0.001, self.started_s + self.timeout_s - time.monotonic())
        return options_of(self.request, source, left_s, self.while_waiting)

    def outcome(self, translations: list[Translation | None]) -> Outcome:
        """Return what came of it."""
        card = self.translator.card if self.request.has_details else None
        return Outcome(
            translations=translations,
            detected=self.plan.detected,
            faults=self.plan.faults,
            model=ModelAnswer(name=card.get("name"), version=card.get("commit")) if card else None,
            total_ms=1000 * (time.monotonic() - self.started_s),
        )


def translate_all(work: Work) -> Outcome:
    """Translate all texts.

    Raises:
        TranslatorError: see `Translator.translate`.
    """
    found: list[Translation | None] = [None] * len(work.request.texts)
    for source, numbers in work.plan.groups.items():
        texts = [work.request.texts[number] for number in numbers]
        done = translate_texts(work.translator, texts, work.options(source))
        for number, translation in zip(numbers, done, strict=True):
            found[number] = translation
    return work.outcome(found)
