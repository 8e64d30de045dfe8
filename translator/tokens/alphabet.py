"""Which scripts and letters a vocabulary can read, and how probable it finds a text."""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Callable, Collection

import sentencepiece

from translator.text.characters import Alphabet, script_of

_LEAST_OF_UNIGRAMS = -100.0
"""No piece of a unigram model is less probable, in nats; scores of merges are numbers of merges."""

_RARER = 10.0
"""What SentencePiece takes from the rarest piece for a character that it does not know."""


class Likelihood:
    """Scores texts by the pieces that they are split into."""

    def __init__(self, processor: sentencepiece.SentencePieceProcessor) -> None:
        self._processor = processor
        self.log_prob = functools.lru_cache(maxsize=10_000)(self._log_prob)

    def _log_prob(self, text: str) -> float:
        """Return the log-probability of a text, in nats; without weight where it has bytes."""
        return sum(self._of_piece(piece_id) for piece_id in self._processor.EncodeAsIds(text))

    def of_piece(self, piece: str) -> float:
        """Return the log-probability of a piece, in nats; minus infinity if nothing tells it.

        The ranks of merges do not: single characters come behind all of them.
        """
        piece_id = int(self._processor.PieceToId(piece))
        is_told = not (self._has_merges or self._processor.IsUnknown(piece_id))
        return self._of_piece(piece_id) if is_told else -math.inf

    def _of_piece(self, piece_id: int) -> float:
        processor = self._processor
        if processor.IsByte(piece_id) or processor.IsUnknown(piece_id):
            return self._least - _RARER
        score = float(processor.GetScore(piece_id))
        return -math.log(2 - score) if self._has_merges else score

    @functools.cached_property
    def _scores(self) -> tuple[float, ...]:
        return tuple(map(self._processor.GetScore, range(self._processor.vocab_size())))

    @functools.cached_property
    def _has_merges(self) -> bool:
        """Whether scores are numbers of merges: the frequency falls with them, as with any rank."""
        return min(self._scores) < _LEAST_OF_UNIGRAMS

    @functools.cached_property
    def _least(self) -> float:
        least = min(self._scores)
        return -math.log(2 - least) if self._has_merges else least


LEAST_SHARE = 0.01
"""Of the pieces with letters. A vocabulary has a few letters of any script: those that its training
text names now and then."""

ENOUGH_PIECES = 100
"""Pieces of several letters that tell that a script has been learned, however large the rest is."""

LEAST, LEAST_SURE = -13.4, -12.0
"""In nats. Measured with the shipped model, with made-up names around each letter: it copies nearly
all letters that are more probable than the second, and hardly any below -14.2. Of those between
them some get lost at the beginning of a name (`Čelik`), or make the model write another one
(`château`, *Kâteau*)."""

ENOUGH_OF_OTHER_CASE = 3
"""Longer pieces with the small letter that tell that its capital is one of the language's own."""

_ALWAYS = frozenset(map(chr, (*range(0x80), *range(0xD800, 0xE000))))
"""ASCII, and lone surrogates: those are refused when the sentence is encoded."""


def alphabet_of(pieces: Collection[str], log_prob: Callable[[str], float]) -> Alphabet:
    """Return what a vocabulary can read.

    A letter can be trusted if it is a part of a longer piece, or a probable piece by itself. Other
    characters can be if they are pieces, and so can letters of scripts without capitals: those have
    many letters, so that each is rare. What would be split into bytes cannot be trusted, and no
    letter of a script that the vocabulary has not learned: it has a few by chance.

    Args:
        pieces: all of a vocabulary, without control symbols and bytes.
        log_prob: of a piece, in nats; minus infinity where the vocabulary does not tell.
    """
    num_longer = Counter(one for piece in pieces if len(piece) > 1 for one in {*piece})
    alone = {piece.strip("▁@") or piece for piece in pieces}  # others are bytes in another word
    characters = {one for one in alone if len(one) == 1}
    scripts = known_scripts(pieces)
    characters = {one for one in characters if script_of(one) in {*scripts, ""}}
    with_capitals = {script_of(one) for one in characters if one.lower() != one.upper()} | {""}

    def is_known(one: str, least: float) -> bool:
        if num_longer[one] or not (one.isalpha() and script_of(one) in with_capitals):
            return True
        own = max(num_longer[one.lower()], num_longer[one.upper()])
        return own >= ENOUGH_OF_OTHER_CASE or log_prob(one) >= least

    return Alphabet(
        scripts=scripts,
        known=_ALWAYS | {one for one in characters if is_known(one, LEAST)},
        sure=_ALWAYS | {one for one in characters if is_known(one, LEAST_SURE)},
    )


def known_scripts(pieces: Collection[str]) -> frozenset[str]:
    """Return the scripts that make up a fair share of some pieces; see `characters.script_of`."""
    num_pieces, num_long = Counter[str](), Counter[str]()
    total = 0
    for piece in pieces:
        names = [name for name in map(script_of, piece) if name]
        total += bool(names)
        num_pieces.update({*names})
        num_long.update({*names} if len(names) > 1 else ())
    return frozenset(
        name
        for name, count in num_pieces.items()
        if count >= LEAST_SHARE * total or num_long[name] >= ENOUGH_PIECES
    )
