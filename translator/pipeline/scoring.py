"""How probable given translations are by a model: forced decoding."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from translator.alignment.alignment import PieceLogProbs
from translator.errors import InputError
from translator.search.length_penalty import length_penalty
from translator.text.protection import protect_pair

if TYPE_CHECKING:
    from translator.pipeline.translator import Translator


@dataclass(frozen=True, kw_only=True, slots=True)
class PairScore:
    """How probable the model finds a translation of a sentence.

    Attributes:
        log_prob: of all its pieces together, its end included, in nats.
        score: `log_prob` divided by the length penalty of the model's search, as in
            `Translation.score`: comparable between translations of different length.
        pieces: of the translation, each with its log-probability after the pieces before it. The
            last one is its end.
    """

    log_prob: float
    score: float
    pieces: tuple[tuple[str, float], ...]


def score_pairs(
    translator: Translator,
    pairs: Sequence[tuple[str, str]],
    *,
    source: str,
    target: str,
    while_waiting: Callable[[], None] = lambda: None,
) -> list[PairScore | None]:
    """Return how probable each translation is, in the precision that the model translates in.

    Addresses, tags and the like that both sides have in common are read as placeholders, if the
    model knows any, as in training.

    Args:
        translator: of the model.
        pairs: a sentence and its translation each. Neither is split, and white
            space at the end of one is not read.
        source: language code of the sentences.
        target: language code of the translations.
        while_waiting: called before each batch.

    Returns:
        a score for each pair, in order; None if one side has more than LONGEST_SENTENCE pieces.

    Raises:
        UnsupportedLanguageError: the model does not translate that pair of languages.
        InputError: a text is not valid Unicode, or both languages are the same.
    """
    if source == target:
        raise InputError(f"{source} → {target}: nothing is translated, so nothing can be scored")
    with translator.lease(source, target):
        aligner = translator.aligner(source)
        tokenizer = aligner.tokenizer
        count, alphabet = tokenizer.num_placeholders, tokenizer.alphabet
        read = [protect_pair(*pair, count, alphabet) for pair in pairs]
        found = aligner.log_probs(read, target, while_waiting)
    return [None if pieces is None else _scored(translator, pieces) for pieces in found]


def _scored(translator: Translator, pieces: PieceLogProbs) -> PairScore:
    total = sum(log_prob for _, log_prob in pieces)
    penalty = length_penalty(len(pieces), translator.description.decoding)
    return PairScore(log_prob=total, score=total / penalty, pieces=tuple(pieces))
