"""Subword regularisation: words are split into pieces in another way each time they are read.

SentencePiece can sample too, but from a generator that cannot be saved or set for one sentence.
Here every random number comes from the caller's generator, so that a batch is the same in whatever
process it is made. Pieces never cross a space, so words can be treated alone and remembered.
"""

from __future__ import annotations

import bisect
import itertools
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from translator.tokens.tokenizer import WORD_START, Tokenizer

MAX_REMEMBERED = 300_000


@dataclass(frozen=True, slots=True)
class Alternatives:
    """The ways in which one word can be split.

    Attributes:
        splits: ids of each.
        cumulative: running sum of their probabilities, ending at 1.
    """

    splits: tuple[tuple[int, ...], ...]
    cumulative: tuple[float, ...]

    def draw(self, generator: random.Random) -> tuple[int, ...]:
        """Return one of them at random."""
        if len(self.splits) == 1:
            return self.splits[0]
        return self.splits[bisect.bisect(self.cumulative[:-1], generator.random())]


class SubwordSampler:
    """Splits the words of encoded text anew."""

    def __init__(
        self,
        tokenizer: Tokenizer,
        *,
        unigram_alpha: float = 0.0,
        bpe_dropout: float = 0.0,
        num_splits: int = 32,
    ) -> None:
        """Sample from a unigram or a BPE vocabulary.

        Args:
            tokenizer: of the vocabulary.
            unigram_alpha: a split is drawn in proportion to its probability to this power; small
                values make all of them alike, 0 means that the vocabulary is BPE.
            bpe_dropout: probability that a merge is left out.
            num_splits: ways to split a word that are considered: the best ones of a unigram
                vocabulary, or so many draws of BPE-dropout.

        Source: Kudo 2018, §3.2; Provilkov et al. 2020, §3.1.
        """
        self.tokenizer, self.num_splits = tokenizer, num_splits
        self.unigram_alpha, self.bpe_dropout = unigram_alpha, bpe_dropout
        self._starts_word = [
            tokenizer.piece(i).startswith(WORD_START) for i in range(tokenizer.vocab_size)
        ]
        self._ids = {tokenizer.piece(i): i for i in range(tokenizer.vocab_size)}
        self._remembered: dict[tuple[int, ...], Alternatives] = {}

    def resample(self, ids: Sequence[int], generator: random.Random) -> list[int]:
        """Return other ids of the same text; words with byte pieces stay as they are."""
        words = (self._alternatives(word).draw(generator) for word in self._words(ids))
        return list(itertools.chain.from_iterable(words))

    def _words(self, ids: Sequence[int]) -> Iterator[tuple[int, ...]]:
        start = 0
        for place in range(1, len(ids) + 1):
            if place == len(ids) or self._starts_word[ids[place]]:
                yield tuple(ids[start:place])
                start = place

    def _alternatives(self, word: tuple[int, ...]) -> Alternatives:
        alternatives = self._remembered.get(word)
        if alternatives is None:
            if len(self._remembered) >= MAX_REMEMBERED:
                self._remembered.clear()
            find = self._unigram if self.unigram_alpha else self._bpe
            alternatives = self._remembered[word] = find(word)
        return alternatives

    def _text(self, word: tuple[int, ...]) -> str:
        """Return the characters of a word, space mark included; empty if there are byte pieces."""
        pieces = [self.tokenizer.piece(i) for i in word]
        is_text = all(len(p) < 3 or not (p[0] == "<" and p[-1] == ">") for p in pieces)
        return "".join(pieces) if is_text else ""

    def _unigram(self, word: tuple[int, ...]) -> Alternatives:
        """Weigh the best splits by P^alpha."""
        text = self._text(word)
        if len(text) < 3 or not text.startswith(WORD_START):
            return Alternatives((word,), (1.0,))
        splits = self.tokenizer.best_splits(text[1:], self.num_splits)
        highest = max(score for _, score in splits)
        weights = [math.exp(self.unigram_alpha * (score - highest)) for _, score in splits]
        return _alternatives([ids for ids, _ in splits], weights)

    def _bpe(self, word: tuple[int, ...]) -> Alternatives:
        """Draw merges from a generator that depends on the word alone."""
        text = self._text(word)
        if len(text) < 2 or any(character not in self._ids for character in text):
            return Alternatives((word,), (1.0,))
        generator = random.Random(text)
        draws = [self._merge(text, generator) for _ in range(self.num_splits)]
        return _alternatives(draws, [1.0] * len(draws))

    def _merge(self, text: str, generator: random.Random) -> tuple[int, ...]:
        """Merge neighbours, the earliest learned first, leaving each out with the probability."""
        pieces = list(text)
        while True:
            possible = [
                (-self.tokenizer.score(merged), place)
                for place in range(len(pieces) - 1)
                if (merged := self._ids.get(pieces[place] + pieces[place + 1])) is not None
                and generator.random() >= self.bpe_dropout
            ]
            if not possible:
                return tuple(self._ids[piece] for piece in pieces)
            place = min(possible)[1]
            pieces[place : place + 2] = [pieces[place] + pieces[place + 1]]


def _alternatives(splits: Sequence[tuple[int, ...]], weights: Sequence[float]) -> Alternatives:
    total = sum(weights)
    cumulative = itertools.accumulate(weight / total for weight in weights)
    return Alternatives(tuple(splits), tuple(cumulative))
