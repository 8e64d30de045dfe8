"""The sentences of a test part, each with its own score, for a report of what a model does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import sacrebleu

from translator.errors import InputError

SOURCE, REFERENCE, HYPOTHESIS = ".src.txt", ".ref.txt", ".txt"


@dataclass(frozen=True, kw_only=True, slots=True)
class ScoredSentence:
    """One translated sentence.

    Attributes:
        line: its number in the test part, from 1.
        source: as it was given.
        reference: by a human translator.
        hypothesis: by the model.
        chrf: chrF2 of this sentence alone, 0–100.
    """

    line: int
    source: str
    reference: str
    hypothesis: str
    chrf: float

    @property
    def length_ratio(self) -> float:
        """Characters of the hypothesis over those of the reference."""
        return len(self.hypothesis) / max(1, len(self.reference))


def list_parts(scores: Path) -> list[str]:
    """Return the names of all test parts and directions whose hypotheses lie in a folder."""
    sides = (SOURCE, REFERENCE)
    return sorted(
        path.name.removesuffix(HYPOTHESIS)
        for path in scores.glob(f"*{HYPOTHESIS}")
        if not path.name.endswith(sides)
    )


def read_sentences(scores: Path, name: str) -> list[ScoredSentence]:
    """Read `NAME.txt`, `NAME.src.txt` and `NAME.ref.txt`, and score every sentence.

    Raises:
        InputError: a file is missing, or they differ in their number of lines.
    """
    sources, references, hypotheses = (
        _lines(scores / f"{name}{suffix}") for suffix in (SOURCE, REFERENCE, HYPOTHESIS)
    )
    if not len(sources) == len(references) == len(hypotheses):
        raise InputError(
            f"{name}: {len(sources)} sources, {len(references)} references and {len(hypotheses)} "
            "translations are not aligned; evaluate again"
        )
    return score_sentences(sources, references, hypotheses)


def score_sentences(
    sources: Sequence[str], references: Sequence[str], hypotheses: Sequence[str]
) -> list[ScoredSentence]:
    """Return aligned sentences with the chrF of each."""
    chrf = sacrebleu.CHRF()
    rows = zip(sources, references, hypotheses, strict=True)
    return [
        ScoredSentence(
            line=line,
            source=source,
            reference=reference,
            hypothesis=hypothesis,
            chrf=chrf.sentence_score(hypothesis, [reference]).score,
        )
        for line, (source, reference, hypothesis) in enumerate(rows, start=1)
    ]


def selections(sentences: Sequence[ScoredSentence], count: int) -> dict[str, list[ScoredSentence]]:
    """Return what a reader should look at, by reason, `count` sentences each.

    Among equals the longer sentence comes first, for it shows more.
    """
    by_length = sorted(sentences, key=lambda s: -len(s.source))  # sorting keeps the order of equals
    orders = {
        "Worst by chrF": sorted(by_length, key=lambda s: s.chrf),
        "Best by chrF": sorted(by_length, key=lambda s: -s.chrf),
        "Longest": by_length,
        "Most shortened": sorted(by_length, key=lambda s: s.length_ratio),
        "Most lengthened": sorted(by_length, key=lambda s: -s.length_ratio),
    }
    return {reason: order[:count] for reason, order in orders.items()}


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8", errors="replace").split("\n")[:-1]
    except OSError as error:
        raise InputError(
            f"{path.name}: {error.strerror}; delete .evaluate.done and run the recipe again"
        ) from error
