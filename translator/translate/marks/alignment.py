"""Which pieces of a source the pieces of its translation come from, by cross-attention.

The attention weights come from a second pass over source and translation, many pairs at a time.
"""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from translator.model.padding import pad, padding_mask
from translator.model.transformer import AttentionWeights, Transformer
from translator.runtime.work import one_thread
from translator.text.spans import Span
from translator.tokens.port import Vocabulary
from translator.tokens.tokenizer import WORD_START

Pair = tuple[list[int], list[int]]
"""What the encoder reads, and what the decoder is given."""

_MOST_IDS = 500  # of a batch, padding included: what it computes stays in the cache
_LONGEST_SENTENCE = 400  # ids; attention to more takes much memory


@dataclass(frozen=True, slots=True)
class Alignment:
    """How much each piece of a translation attends to each piece of its source.

    Attributes:
        weights: (T, S), rows for the pieces of the translation.
        source: where each piece of the source is in the text that the model read.
        target: the same for the translation.
        log_probs: (T,) of the pieces of the translation, in nats, if they were asked for.
    """

    weights: npt.NDArray[np.float32]
    source: tuple[Span, ...]
    target: tuple[Span, ...]
    log_probs: npt.NDArray[np.float32] | None = None


@dataclass(eq=False, slots=True)
class _Reading:
    """Pairs that are to be read, and what comes of them."""

    pairs: Sequence[Pair]
    has_log_probs: bool
    is_done: bool = False
    weights: Tensor = field(default_factory=lambda: torch.empty(0))
    log_probs: Tensor | None = None
    error: Exception | None = None


class Aligner:
    """Reads sentences and their translations once more; safe to use from many threads.

    One batch is read at a time: the engine has the other cores, and a long page lets others pass
    between its batches. Whoever's turn it is reads for those who wait as well, as far as they fit
    into a batch: reading eight short sentences takes little longer than reading two.

    Attributes:
        model: in evaluation mode.
        tokenizer: of the model.
        source_language: code; models that need none take any.
    """

    def __init__(self, model: Transformer, tokenizer: Vocabulary) -> None:
        """Read with a model, which is in evaluation mode."""
        self.tokenizer, self.source_language = tokenizer, ""
        self.model = model
        self._lock = threading.Lock()
        self._waiting: list[_Reading] = []
        self._waiting_lock = threading.Lock()

    def of_language(self, source: str) -> Aligner:
        """Return one that takes turns with this one and reads sources of a language."""
        other = copy.copy(self)
        other.source_language = source
        return other

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Hold the turn to run the model, in one thread: the engine has the other cores."""
        with self._lock, one_thread():
            yield

    def align(
        self,
        pairs: Sequence[tuple[str, str]],
        target_language: str,
        while_waiting: Callable[[], None] = lambda: None,
        has_log_probs: bool = False,
    ) -> list[Alignment | None]:
        """Return the alignment of each pair of source and translation; None if one is too long.

        Args:
            pairs: sentences as the model reads them.
            target_language: code of the language of the translations.
            while_waiting: called before each batch.
            has_log_probs: whether to tell how probable each piece is.
        """
        tokenizer, (before, behind) = self.tokenizer, self.tokenizer.frame
        start_ids = tokenizer.start_ids(target_language) if pairs else ()
        first = len(start_ids) - 1  # the state at a piece, BOS at first, predicts the next one
        encoded = [
            (
                tokenizer.encode_source(source, target_language, self.source_language),
                [*start_ids, *tokenizer.encode(target)],
            )
            for source, target in pairs
        ]
        found: list[Alignment | None] = [None] * len(pairs)
        for batch in _batches([max(len(src), len(tgt)) for src, tgt in encoded]):
            while_waiting()
            weights, log_probs = self._read([encoded[number] for number in batch], has_log_probs)
            for row, number in enumerate(batch):
                (src, tgt), (source, target) = encoded[number], pairs[number]
                length, text = len(tgt) - 1, slice(before, len(src) - behind)  # no tag, no EOS
                found[number] = Alignment(
                    weights[row, first:length, text].numpy(),  # (T, S)
                    places_of(source, tokenizer.source_pieces(src[text])),
                    places_of(target, tokenizer.pieces(tgt[first + 1 :])),
                    None if log_probs is None else log_probs[row, first:length].numpy(),
                )
        return found

    def _read(self, pairs: Sequence[Pair], has_log_probs: bool) -> tuple[Tensor, Tensor | None]:
        """Return the last layer's cross-attention, the mean of its heads, and log-probabilities.

        Returns:
            (B, T, S), and (B, T - 1) of each piece behind the first; longer than the pairs are if
            they were read with longer ones.
        """
        mine = _Reading(pairs, has_log_probs)
        with self._waiting_lock:
            self._waiting.append(mine)
        with self.alone():
            if not mine.is_done:
                self._read_together(self._take(mine))
        if mine.error is not None:
            raise mine.error
        return mine.weights, mine.log_probs

    def _take(self, first: _Reading) -> list[_Reading]:
        """Take one who waits, and others with whom it makes a batch."""
        taken = [first]
        with self._waiting_lock:
            for other in self._waiting:
                if other is not first and _num_ids([*taken, other]) <= _MOST_IDS:
                    taken.append(other)
            self._waiting = [other for other in self._waiting if other not in taken]
        return taken

    def _read_together(self, taken: Sequence[_Reading]) -> None:
        """Read for several at once; what goes wrong is told to all of them."""
        pairs = [pair for one in taken for pair in one.pairs]
        try:
            weights, log_probs = self._run(pairs, any(one.has_log_probs for one in taken))
        except Exception as error:
            for one in taken:
                one.error, one.is_done = error, True
            return
        start = 0
        for one in taken:
            own = slice(start, start + len(one.pairs))
            one.weights, start = weights[own], own.stop
            one.log_probs = log_probs[own] if log_probs is not None and one.has_log_probs else None
            one.is_done = True

    @torch.inference_mode()
    def _run(self, pairs: Sequence[Pair], has_log_probs: bool) -> tuple[Tensor, Tensor | None]:
        """Run the model; see `_read`."""
        model, pad_id = self.model, self.tokenizer.pad_id
        device = model.embedding.weight.device
        src = pad([src for src, _ in pairs], pad_id).to(device)
        tgt = pad([tgt for _, tgt in pairs], pad_id).to(device)
        src_mask = padding_mask(src, pad_id)
        weights, log_probs = AttentionWeights(), None
        states = model.decode(tgt, model.encode(src, src_mask), src_mask, weights)
        if has_log_probs:
            every = model.logits(states[:, :-1]).float().log_softmax(dim=-1)  # (B, T - 1, V)
            log_probs = every.gather(2, tgt[:, 1:, None]).squeeze(2).cpu()
        return weights.cross[-1].float().mean(dim=1).cpu(), log_probs  # (B, H, T, S) -> (B, T, S)


def _num_ids(readings: Sequence[_Reading]) -> int:
    """Return the ids of a batch, padding included."""
    pairs = [pair for one in readings for pair in one.pairs]
    return len(pairs) * max(max(map(len, pair)) for pair in pairs)


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    batch: list[int] = []
    for number in sorted(range(len(lengths)), key=lengths.__getitem__):
        if lengths[number] > _LONGEST_SENTENCE:
            break
        if batch and (len(batch) + 1) * lengths[number] > _MOST_IDS:
            yield batch
            batch = []
        batch.append(number)
    if batch:
        yield batch


def places_of(text: str, pieces: Sequence[str]) -> tuple[Span, ...]:
    """Return start and end of each piece in a text; what cannot be found there is empty."""
    places, done = list[Span](), 0
    for piece in pieces:
        bare = piece.replace(WORD_START, " ").strip()
        start = text.find(bare, done, done + len(bare) + 20) if bare else -1
        if start < 0:  # bytes of a rare character, or one that was normalised
            places.append((done, done))
            continue
        done = start + len(bare)
        places.append((start, done))
    return tuple(places)
