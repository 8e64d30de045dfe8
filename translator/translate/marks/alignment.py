"""Which pieces of a source the pieces of its translation come from, by cross-attention.

The attention weights come from a second pass over source and translation, many pairs at a time.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from translator.model.padding import pad, padding_mask
from translator.model.transformer import AttentionWeights, Transformer
from translator.runtime.work import one_thread
from translator.text.spans import Span
from translator.tokens.tokenizer import WORD_START, Tokenizer

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


class Aligner:
    """Reads sentences and their translations once more; safe to use from many threads.

    One batch is read at a time, whoever asks: the engine has the other cores, and a long page lets
    others pass between its batches.

    Attributes:
        model: in evaluation mode.
        tokenizer: of the model.
    """

    def __init__(self, model: Transformer, tokenizer: Tokenizer) -> None:
        """Read with a model, which is in evaluation mode."""
        self.tokenizer = tokenizer
        self.model = model
        self._lock = threading.Lock()

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
        tokenizer = self.tokenizer
        encoded = [
            (
                tokenizer.encode_source(source, target_language),
                [tokenizer.bos_id, *tokenizer.encode(target)],
            )
            for source, target in pairs
        ]
        found: list[Alignment | None] = [None] * len(pairs)
        for batch in _batches([max(len(src), len(tgt)) for src, tgt in encoded]):
            while_waiting()
            weights, log_probs = self._read([encoded[number] for number in batch], has_log_probs)
            for row, number in enumerate(batch):
                (src, tgt), (source, target) = encoded[number], pairs[number]
                # the state at a piece, BOS at first, predicts the next one
                length = len(tgt) - 1
                found[number] = Alignment(
                    weights[row, :length, 1 : len(src) - 1].numpy(),  # (T, S), no tag, no EOS
                    places_of(source, tokenizer.pieces(src[1:-1])),
                    places_of(target, tokenizer.pieces(tgt[1:])),
                    None if log_probs is None else log_probs[row, :length].numpy(),
                )
        return found

    @torch.inference_mode()
    def _read(
        self, pairs: Sequence[tuple[list[int], list[int]]], has_log_probs: bool
    ) -> tuple[Tensor, Tensor | None]:
        """Return the last layer's cross-attention, the mean of its heads, and log-probabilities.

        Returns:
            (B, T, S), and (B, T - 1) of each piece behind the first.
        """
        model, pad_id = self.model, self.tokenizer.pad_id
        device = model.embedding.weight.device
        src = pad([src for src, _ in pairs], pad_id).to(device)
        tgt = pad([tgt for _, tgt in pairs], pad_id).to(device)
        src_mask = padding_mask(src, pad_id)
        weights, log_probs = AttentionWeights(), None
        with self.alone():
            states = model.decode(tgt, model.encode(src, src_mask), src_mask, weights)
            if has_log_probs:
                every = model.logits(states[:, :-1]).float().log_softmax(dim=-1)  # (B, T - 1, V)
                log_probs = every.gather(2, tgt[:, 1:, None]).squeeze(2).cpu()
        return weights.cross[-1].float().mean(dim=1).cpu(), log_probs  # (B, H, T, S) -> (B, T, S)


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
