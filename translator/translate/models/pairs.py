"""Languages, and which of them can be translated into which."""

from __future__ import annotations

from collections.abc import Iterable

from translator.errors import InputError, UnsupportedLanguageError
from translator.language_names import english_name
from translator.translate.models.face import Pair
from translator.translate.translation import Language


class Pairs:
    """Pairs of languages that can be translated; each language into itself, too.

    Attributes:
        languages: all of them, by code, with the targets of each.
    """

    def __init__(
        self, codes: Iterable[str], pairs: Iterable[Pair], with_formality: Iterable[Pair] = ()
    ) -> None:
        """Remember pairs of some languages.

        Args:
            codes: of all languages.
            pairs: that can be translated.
            with_formality: those of them for which a form of address can be asked for.
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
                formality=tuple(
                    sorted(target for source, target in self._with_formality if source == code)
                ),
            )
            for code in sorted(targets)
        )

    def __contains__(self, pair: Pair) -> bool:
        """Return whether there is a pair of languages, both of which must be known."""
        source, target = pair
        return target in self._targets[source]

    def check_formality(self, source: str, target: str) -> None:
        """Refuse to ask for a form of address where no model has learned one.

        Raises:
            InputError: says which pair it is.
        """
        if (source, target) not in self._with_formality:
            raise InputError(
                f"formality: no form of address can be asked for from {source} to {target}",
                "unsupported_formality",
            )

    def check(self, source: str, target: str, reason: str) -> None:
        """Refuse a pair that there is not.

        Args:
            source: code of a language.
            target: code of another one, or the same.
            reason: what to say behind `de to en` if both languages are known.

        Raises:
            UnsupportedLanguageError: a language is unknown, or there is no such pair.
        """
        for code in (source, target):
            if code not in self._targets:
                known = ", ".join(sorted(self._targets))
                raise UnsupportedLanguageError(f"{code} is not supported; known languages: {known}")
        if (source, target) not in self:
            raise UnsupportedLanguageError(f"{source} to {target} {reason}", "unsupported_pair")
