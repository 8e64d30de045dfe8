"""From which language a text is translated where nobody has said so: the rule, in one place."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass

from translator.detection.detector import Detected, Detection, Detector
from translator.detection.languages import WORD, base_code, count_own
from translator.documents.markup.inline import TOKEN
from translator.errors import UnreadLanguageError
from translator.language_names import english_name
from translator.text.characters import has_spaces

UNDETECTED = "en"
"""The language of a text that cannot be told, as in LibreTranslate; another where it is missing."""

SUREST = 95.0
"""Confidence that a sentence is in another language than its text. Of 15,000 sentences of German
and English, 3 have it by mistake, and of those that are in another language, 99 % have it."""
FEWEST_WORDS, FEWEST_LETTERS = 3, 6
"""A shorter sentence, or in a language without spaces one of fewer letters, is in the language of
its text."""

_MARKUP = re.compile(  # what is never closed goes on to the end, as in a browser
    r"<(script|style)\b.*?(?:</\1\s*>|\Z)|<!--.*?(?:-->|\Z)|<[/!?a-z][^<>]*>", re.DOTALL | re.I
)
_ENDS = re.compile(r"(?<=[.!?:;…。！？])[\"'»”’)]*\s+|\s{2,}|[\t\n\r]")
"""Where a sentence may end; it also ends elsewhere."""


def undetected(sources: Sequence[str]) -> Detected:
    """Return what stands for the language of a text that cannot be told: English, if possible."""
    code = UNDETECTED if UNDETECTED in sources else sources[0]
    return Detected(language=code, confidence=0.0)


@dataclass(frozen=True, slots=True, eq=False)
class SourceFinder:
    """Finds the languages that texts are translated from.

    Attributes:
        detector: of the languages that the models read.
        sources: codes of those that are translated into the one wanted, which may be among them.
    """

    detector: Detector
    sources: Sequence[str]

    def of_text(self, text: str, name: str = "the text", *, is_markup: bool = False) -> Detected:
        """Return the language that a text is translated from: that of most of it.

        Args:
            text: of any length.
            name: of the text, for errors.
            is_markup: whether it is HTML or XML, of whose tags nothing counts.

        Raises:
            UnreadLanguageError: it is surely in a language that no model reads.
        """
        if is_markup:
            text = html.unescape(_MARKUP.sub(" ", text))
        detection = self.detector.examine(text)
        if detection.other is not None:
            raise _unread(detection.other, name)
        return next(iter(detection.languages), undetected(self.sources))

    def of_sentences(self, sentences: Sequence[str], main: str) -> list[str]:
        """Return the language of each sentence of a text.

        Args:
            sentences: of one text.
            main: code of the language of most of it.

        Returns:
            `main`, but for sentences that are clearly in another language of `sources`.
        """
        return [self._of_sentence(TOKEN.sub(" ", sentence), main) for sentence in sentences]

    def is_mixed(self, text: str, main: str) -> bool:
        """Return whether some part of a text is clearly in another language than most of it."""
        return any(language != main for language in self.of_sentences(_ENDS.split(text), main))

    def _of_sentence(self, sentence: str, main: str) -> str:
        bases = [base_code(main), *map(base_code, self.sources)]
        words = WORD.findall(sentence.lower())
        is_short = len(words) < FEWEST_WORDS
        if is_short and (all(map(has_spaces, bases)) or sum(map(len, words)) < FEWEST_LETTERS):
            return main
        own, *others = count_own(words, tuple(dict.fromkeys(bases)))
        if own and own >= max(others, default=0):
            return main  # as nearly always
        found: Detection = self.detector.examine(sentence)
        best = next(iter(found.languages), None)
        if found.other or best is None or best.confidence < SUREST:
            return main
        is_other = base_code(best.language) != bases[0] and best.language in self.sources
        return best.language if is_other and not (is_short and has_spaces(best.language)) else main


def _unread(other: Detected, name: str) -> UnreadLanguageError:
    message = (
        f"{name} seems to be in {english_name(other.language)} ({other.language}, "
        f"{other.confidence:.1f} %), which no model here reads; if that is wrong, name its "
        "language as source"
    )
    return UnreadLanguageError(message, other.language, other.confidence)
