"""`Detector`: which of its languages a text is written in, best first, by a bounded part of it."""

from __future__ import annotations

import functools
import threading
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from translator.detection.languages import WORD, base_code, scripts_of, share_common, share_written
from translator.text.characters import has_letters
from translator.text.spans import find_spans

SAMPLE_CHARACTERS = 2_000
"""Enough to be sure of any language."""
MAX_READ = 32_000
"""Characters that are looked at, however few of them are language."""
_WINDOW = 4_000


def sample(text: str) -> str:
    """Return what a language is detected from: lower-cased, without code, addresses and tags.

    It has at most `SAMPLE_CHARACTERS` characters, all from the first `MAX_READ` of the text. So the
    time for a text of any length is bounded.
    """
    # Capitals are fewer in what detectors learn from. "é" as one character or as two is the same.
    composed = unicodedata.normalize("NFC", _taken(text).lower())
    return composed[:SAMPLE_CHARACTERS].strip()


def sample_without_names(text: str) -> str:
    """Return a sample without words that have a capital letter, but for the first of the text.

    Many are names, which tell nothing of the language around them.
    """
    first, *others = _taken(text).split() or [""]
    words = (word for word in others if word == word.lower())
    return unicodedata.normalize("NFC", " ".join((first.lower(), *words)))


def _taken(text: str) -> str:
    text = text.lstrip()
    taken, start, stop = "", 0, min(len(text), MAX_READ)
    while start < stop and len(taken) < SAMPLE_CHARACTERS:
        end = min(start + _WINDOW, stop)
        if end < stop:  # not within an address, whose rest would be taken for language
            space = text.rfind(" ", start + 1, end)
            end = space if space > 0 else end
        taken += " ".join((*_without_spans(text[start:end]).split(), ""))
        start = end
    return taken[:SAMPLE_CHARACTERS]


def _without_spans(text: str) -> str:
    pieces, done = list[str](), 0
    for start, end in find_spans(text):
        pieces.append(text[done:start])
        done = end
    return " ".join((*pieces, text[done:]))


ALL_COMMON = 10.0
"""What a language's probability is multiplied by if all words are among its commonest."""

MOST_OF_ALL = 0.1
MOST_WITHOUT_NAMES = 0.01
FEWEST_WORDS = 3
MOST_READ = 0.3
"""A text is in another language if those of a detector together have no more of the probability
than this, and less without the names in it. It has so many words that are no names or, in a script
that none of them is written in, no more letters than this share of theirs."""

KIN = (("bs", "hr", "sr"), ("de", "lb"), ("id", "ms"), ("nn", "no"))
"""Languages that are taken for each other: who reads one reads much of the others."""

Rank = Callable[[str], Sequence[tuple[str, float]]]
"""Probabilities of base codes for a text, as `LanguageIdentifier.rank` of py3langid gives them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Detected:
    """A language that a text may be written in.

    Attributes:
        language: as the detector was given it.
        confidence: 0 to 100; those of all languages for a text add up to 100 at most.
    """

    language: str
    confidence: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Detection:
    """What a detector says of a text.

    Attributes:
        languages: see `Detector.detect`.
        other: the language that the text is surely in, if that is none of the detector's.
    """

    languages: list[Detected]
    other: Detected | None = None


class Detector:
    """Says which of a few languages a text is written in, or that it is in another one.

    A short text in another language of the same script is taken for the nearest of them. Threads
    may share a detector.
    """

    def __init__(self, languages: Sequence[str]) -> None:
        """Remember the languages; nothing is loaded yet.

        Args:
            languages: codes such as `de`, `pt-BR` or `zh-Hans`. Regions and scripts are not told
                apart: languages of one base code share its confidence. A language that py3langid
                does not know is never detected.
        """
        self.languages = tuple(dict.fromkeys(languages))
        self._bases = list(dict.fromkeys(map(base_code, self.languages)))
        self._lock = threading.Lock()
        self._rank: Rank | None = None

    def load(self) -> None:
        """Load py3langid's model, unless that is done: a second or two, and about 80 MB.

        The first call of `detect` does so otherwise.
        """
        self._loaded()

    def detect(self, text: str) -> list[Detected]:
        """Return the languages that a text may be written in, best first.

        Args:
            text: of any length; see `sample` for how much of it counts.

        Returns:
            only languages of this detector. None if the text has no letters, only letters of
            scripts that none of them is written in, or nothing that tells them apart. Letters of
            other scripts beside theirs lower every confidence, and so does another language.
        """
        return self.examine(text).languages

    def examine(self, text: str) -> Detection:
        """Return which of the languages a text may be written in, or which other one it is in."""
        part = sample(text)
        if not has_letters(part):
            return Detection(languages=[])
        shares = share_written(part, self._bases)
        most = max(shares, default=0.0)
        # py3langid learned words between spaces: with them, a text of one word is less of a riddle.
        every = self._loaded()(f" {part} ")
        own_share = sum(probability for own, probability in every if own in self._bases)
        other = self._other(text, most) if own_share <= MOST_OF_ALL else None
        if most == 0 or own_share == 0:
            return Detection(languages=[], other=other)
        candidates = {own for own, share in zip(self._bases, shares, strict=True) if share == most}
        ranked = [item for item in every if item[0] in candidates]
        common = share_common(part, [own for own, _ in ranked])
        scores = {
            own: probability * ALL_COMMON**share
            for (own, probability), share in zip(ranked, common, strict=True)
        }
        if len(scores) > 1 and len({*scores.values()}) == 1:
            return Detection(languages=[], other=other)  # nothing tells them apart
        whole = most * own_share if other else most
        total = sum(scores.values())
        found = self._detected({own: whole * score / total for own, score in scores.items()})
        return Detection(languages=found, other=other)

    def _other(self, text: str, read_share: float) -> Detected | None:
        """Return the language that a text is surely in, which is none of this detector's.

        Args:
            text: any text.
            read_share: of its letters, those in the script of some language of this detector.
        """
        part = sample_without_names(text)
        ranked = self._loaded()(f" {part} ")
        if not {*self._bases} <= {language for language, _ in ranked}:
            return None  # it may be in that language
        read = {*self._bases, *(one for kin in KIN if {*kin} & {*self._bases} for one in kin)}
        if sum(share for language, share in ranked if language in read) > MOST_WITHOUT_NAMES:
            return None
        language, probability = ranked[0]
        is_script_read = any(scripts_of(language) & scripts_of(own) for own in self._bases)
        if is_script_read and len(WORD.findall(part)) < FEWEST_WORDS:
            return None
        if not is_script_read and read_share > MOST_READ:
            return None
        return Detected(language=language, confidence=100 * probability)

    def _detected(self, shares: dict[str, float]) -> list[Detected]:
        bases = [base_code(language) for language in self.languages]
        found = [
            Detected(language=language, confidence=100 * shares[own] / bases.count(own))
            for language, own in zip(self.languages, bases, strict=True)
            if own in shares
        ]
        return sorted(found, key=lambda detected: -detected.confidence)

    def _loaded(self) -> Rank:
        with self._lock:
            if self._rank is None:
                self._rank = _load(self._bases)
            return self._rank


def _load(languages: Sequence[str]) -> Rank:
    """Return what ranks those of some languages that py3langid knows, and all with short codes.

    The codes of three letters are left out: few people write those languages, and a short text in
    a larger one is easily taken for one of them.
    """
    identifier = _identifier()
    kept = {*languages, *(label for label in identifier.labels if len(label) == 2)}

    def rank(text: str) -> list[tuple[str, float]]:
        found = [item for item in identifier.rank(text) if item[0] in kept]
        total = sum(probability for _, probability in found)
        return [(language, probability / total) for language, probability in found]

    return rank


@functools.cache
def _identifier() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
