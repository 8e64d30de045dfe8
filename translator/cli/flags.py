"""What has visibly gone wrong in translations, for the end of a command."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence

from translator.pipeline.degeneration import Flag
from translator.pipeline.streaming import TranslateLines
from translator.pipeline.translation import SentenceTranslation, Translation

SHOWN = 10
"""Sentences with wrong numbers that are printed, at most."""


class FlagReport:
    """Counts the flags of translations, and keeps the first sentences with wrong numbers."""

    def __init__(self) -> None:
        self._counts = Counter[Flag]()
        self._wrong = list[SentenceTranslation]()

    def add(self, translations: Sequence[Translation]) -> None:
        """Take translations into account."""
        for translation in translations:
            self._counts.update(translation.flags)
            if "numbers" in translation.flags and len(self._wrong) < SHOWN:
                self._wrong += [
                    sentence for sentence in translation.sentences if "numbers" in sentence.flags
                ]

    def counted(self, translate: TranslateLines) -> TranslateLines:
        """Return a function that does the same as `translate`, and adds its answers."""

        def translate_and_add(lines: list[str]) -> list[Translation]:
            answers = translate(lines)
            self.add(answers)
            return answers

        return translate_and_add

    def print(self, what: str) -> None:
        """Say on standard error what has gone wrong, if anything has; `what` are Lines or Texts."""
        if not self._counts:
            return
        counts = self._counts
        print(
            f"{what} translated once more, since a sentence ran in circles, was copied, lost an "
            "address, a tag, a negation, a part in brackets or the like, or had a wrong number: "
            f"{counts['retried']}. Still in circles: {counts['repetition']}; "
            f"still copied: {counts['copied']}; with what was lost at the end: "
            f"{counts['placeholders']}; with yes for no, perhaps: {counts['negation']}; "
            f"without a part in brackets: {counts['brackets']}; "
            f"with numbers to be checked: {counts['numbers']}",
            file=sys.stderr,
        )
        for sentence in self._wrong[:SHOWN]:
            missing, added = (", ".join(numbers) or "nothing" for numbers in sentence.numbers)
            print(
                f"check the numbers: {sentence.source} → {sentence.text} "
                f"(only in the source: {missing}; only in the translation: {added})",
                file=sys.stderr,
            )
