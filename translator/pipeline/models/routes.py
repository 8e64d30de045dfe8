"""Which model translates from one language to another, and where the way leads through a third."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from translator.errors import InputError, UnsupportedLanguageError
from translator.language_names import english_name
from translator.pipeline.face import Pair
from translator.pipeline.translation import Language
from translator.store.installed import InstalledModel


class Pairs:
    """Pairs of languages that can be translated; each language into itself, too."""

    def __init__(
        self,
        codes: Iterable[str],
        pairs: Iterable[Pair],
        with_formality: Iterable[Pair] = (),
        formal_elsewhere: Collection[Pair] = (),
    ) -> None:
        """Remember pairs of some languages that can be translated.

        For those `with_formality` a form of address can be asked for; those `formal_elsewhere`
        another model than the usual one then translates.
        """
        self._with_formality = frozenset(with_formality)
        targets = {code: {code} for code in codes}
        for source, target in pairs:
            targets[source].add(target)
        self._targets = targets
        self.languages = tuple(
            Language(
                code=code,
                name=english_name(code),
                targets=tuple(sorted(targets[code])),
                formality=_targets_of(code, self._with_formality),
                formality_elsewhere=_targets_of(code, formal_elsewhere),
            )
            for code in sorted(targets)
        )

    def has_forms(self, source: str, target: str) -> bool:
        """Return whether a form of address can be asked for between two languages."""
        return (source, target) in self._with_formality

    def check_formality(self, source: str, target: str) -> None:
        """Refuse to ask for a form of address where no model has learned one.

        Raises:
            InputError: says which pair it is.
        """
        if not self.has_forms(source, target):
            raise InputError(
                f"formality: no form of address can be asked for from {source} to {target}",
                "unsupported_formality",
            )

    def check(self, source: str, target: str, reason: str) -> None:
        """Refuse a pair that there is not; the reason is said behind `de to en`.

        Raises:
            UnsupportedLanguageError: a language is unknown, or there is no such pair.
        """
        for code in (source, target):
            if code not in self._targets:
                known = ", ".join(sorted(self._targets))
                raise UnsupportedLanguageError(f"{code} is not supported; known languages: {known}")
        if target not in self._targets[source]:
            raise UnsupportedLanguageError(f"{source} to {target} {reason}", "unsupported_pair")


def _targets_of(code: str, pairs: Iterable[Pair]) -> tuple[str, ...]:
    return tuple(sorted(target for source, target in pairs if source == code))


class Hop(NamedTuple):
    """One step of the way: a pair, and the model that translates it."""

    source: str
    target: str
    model: InstalledModel


class Routes:
    """The ways that some models offer, which are in order of preference."""

    def __init__(self, models: Sequence[InstalledModel], pivot: str = "") -> None:
        """Work out all ways; the first model that has a direction translates it.

        A pair that no model has goes through the language of the pivot; none if empty.
        """
        self.models = tuple(models)
        self._pivot = pivot
        self._direct: dict[Pair, InstalledModel] = {}
        self._formal: dict[Pair, InstalledModel] = {}  # the first that has learned Sie and du
        for model in models:
            for pair in model.description.pairs:
                self._direct.setdefault(pair, model)
                if pair[1] in model.description.formality:
                    self._formal.setdefault(pair, model)
        codes = {code for model in models for code in model.description.languages}
        to_pivot = [source for source, target in self._direct if target == pivot]
        from_pivot = [target for source, target in self._direct if source == pivot]
        through = [(source, target) for source in to_pivot for target in from_pivot]
        last = {(s, t): (pivot, t) for s, t in through} | {pair: pair for pair in self._direct}
        with_formality = [pair for pair, end in last.items() if end in self._formal]
        elsewhere = [
            pair
            for pair in with_formality
            if self._formal[last[pair]] is not self._direct[last[pair]]
        ]
        self._pairs = Pairs(codes, last, with_formality, elsewhere)

    @property
    def languages(self) -> tuple[Language, ...]:
        """All languages of the models, by code, with all that each can be translated into."""
        return self._pairs.languages

    @property
    def directions(self) -> tuple[Pair, ...]:
        """Pairs that a single model translates."""
        return tuple(self._direct)

    def hops(self, source: str, target: str, *, has_form: bool = False) -> tuple[Hop, ...]:
        """Return the way from one language to another: a hop, two through the pivot, or none.

        A text in the language that is wanted has no way to go. Where a form of address is asked for
        (`has_form`), a model that has learned both goes before one that has not.

        Raises:
            UnsupportedLanguageError: a language is unknown, or there is no way.
        """
        through = f", and no two lead there through {self._pivot}" if self._pivot else ""
        self._pairs.check(source, target, f"is not a direction of any model{through}")
        if source == target:
            return ()
        is_direct = (source, target) in self._direct
        end = (source, target) if is_direct else (self._pivot, target)
        last = Hop(*end, self._direct[end])
        if has_form:
            last = Hop(*end, self._formal.get(end, last.model))
        if is_direct:
            return (last,)
        return Hop(source, self._pivot, self._direct[source, self._pivot]), last

    def without(self, model: InstalledModel) -> Routes:
        """Return the ways that are left without one of the models."""
        return Routes([one for one in self.models if one is not model], self._pivot)
