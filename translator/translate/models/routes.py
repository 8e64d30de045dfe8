"""Which model translates from one language to another, and where the way leads through a third."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from translator.store.installed import InstalledModel
from translator.translate.models.face import Pair
from translator.translate.models.pairs import Pairs
from translator.translate.translation import Language


class Leg(NamedTuple):
    """One step of the way: a pair, and the model that translates it."""

    source: str
    target: str
    model: InstalledModel


class Routes:
    """The ways that some models offer.

    Attributes:
        models: in order of preference.
    """

    def __init__(self, models: Sequence[InstalledModel], pivot: str = "") -> None:
        """Work out all ways.

        Args:
            models: in order of preference; the first that has a direction translates it.
            pivot: code of the language that a pair goes through which no model has; none if empty.
        """
        self.models = tuple(models)
        self._pivot = pivot
        self._direct: dict[Pair, InstalledModel] = {}
        for model in models:
            for pair in model.description.pairs:
                self._direct.setdefault(pair, model)
        codes = {code for model in models for code in model.description.languages}
        to_pivot = [source for source, target in self._direct if target == pivot]
        from_pivot = [target for source, target in self._direct if source == pivot]
        through = [(source, target) for source in to_pivot for target in from_pivot]
        ends = {(s, t): self._direct[pivot, t] for s, t in through} | self._direct
        with_formality = [
            pair for pair, model in ends.items() if pair[1] in model.description.formality
        ]
        self._pairs = Pairs(codes, ends, with_formality)

    @property
    def languages(self) -> tuple[Language, ...]:
        """All languages of the models, by code, with all that each can be translated into."""
        return self._pairs.languages

    @property
    def directions(self) -> tuple[Pair, ...]:
        """Pairs that a single model translates."""
        return tuple(self._direct)

    def legs(self, source: str, target: str) -> tuple[Leg, ...]:
        """Return the way from one language to another: a leg, two through the pivot, or none.

        A text in the language that is wanted has no way to go.

        Raises:
            UnsupportedLanguageError: a language is unknown, or there is no way.
        """
        through = f", and no two lead there through {self._pivot}" if self._pivot else ""
        self._pairs.check(source, target, f"is not a direction of any model{through}")
        if source == target:
            return ()
        if (source, target) in self._direct:
            return (Leg(source, target, self._direct[source, target]),)
        pairs = (source, self._pivot), (self._pivot, target)
        return tuple(Leg(*pair, self._direct[pair]) for pair in pairs)

    def without(self, model: InstalledModel) -> Routes:
        """Return the ways that are left without one of the models."""
        return Routes([one for one in self.models if one is not model], self._pivot)
