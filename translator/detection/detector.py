"""`Detector`: which of its languages a text is written in, best first."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from translator.detection.sample import sample
from translator.detection.scripts import base_code, share_written
from translator.detection.words import share_common

ALL_COMMON = 10.0
"""What a language's probability is multiplied by if all words are among its commonest."""

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


class Detector:
    """Says which of a few languages a text is written in.

    A text in any other language of the same script is taken for the nearest of them, so its
    confidences mean little. Threads may share a detector.
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
        """Load py3langid's model, unless that is done: a second or two, and about 60 MB.

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
            other scripts beside theirs lower every confidence.
        """
        part = sample(text)
        shares = share_written(part, self._bases)
        most = max(shares, default=0.0)
        if most == 0:
            return []
        candidates = {own for own, share in zip(self._bases, shares, strict=True) if share == most}
        # py3langid learned words between spaces: with them, a text of one word is less of a riddle.
        ranked = [item for item in self._loaded()(f" {part} ") if item[0] in candidates]
        common = share_common(part, [own for own, _ in ranked])
        scores = {
            own: probability * ALL_COMMON**share
            for (own, probability), share in zip(ranked, common, strict=True)
        }
        if len(scores) > 1 and len({*scores.values()}) == 1:
            return []  # nothing tells them apart
        total = sum(scores.values())
        return self._detected({own: most * score / total for own, score in scores.items()})

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
    """Return what ranks those of some languages that py3langid knows."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    whole = LanguageIdentifier.from_model_file(MODEL_FILE)
    known = {*languages} & {*whole.labels}
    if not known:
        return lambda text: ()
    whole.set_languages(known)
    # A new object keeps only what these languages need; `whole` holds 28 MB for all others.
    own = LanguageIdentifier(
        *(whole.nb_ptc, whole.nb_pc, whole.nb_classes, whole.tk_nextmove, whole.tk_output),
        norm_probs=True,
        tk_row=whole.tk_row,
    )
    rank: Rank = own.rank
    return rank
