"""How probable a finished model finds the pairs of a corpus, in both directions.

A pair that no model would write is seldom a translation. One direction alone would favour short and
common sentences; that both directions agree says that the sides mean the same.

Source: Junczys-Dowmunt 2018, "Dual Conditional Cross-Entropy Filtering of Noisy Parallel Corpora".
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray

from training.data.corpus import SentencePair
from training.data.encoded import EncodedPair, make_batch
from training.data.sampler import length_buckets
from translator.store.model_directory import load_model_directory
from translator.text.protection import protect_pair

MAX_BATCH_TOKENS = 4_096


class PairJudge:
    """A model directory that says how improbable pairs are."""

    def __init__(self, directory: Path, device: str = "cpu") -> None:
        """Load a model.

        Raises:
            ModelDirectoryError: it is missing or damaged.
        """
        loaded = load_model_directory(directory, device)
        self._model, self._tokenizer, self._device = loaded.model, loaded.tokenizer, device

    def improbability(
        self, pairs: Sequence[SentencePair], languages: tuple[str, str]
    ) -> NDArray[np.float64]:
        """Return the dual cross-entropy of pairs of two languages (n,), the smaller the better.

        It is the mean of the cross-entropies of both directions, in nats a piece, and the
        difference between them.
        """
        forward = self.cross_entropy([pair.sides for pair in pairs], languages[1])
        back = self.cross_entropy([(pair.target, pair.source) for pair in pairs], languages[0])
        return np.abs(forward - back) + (forward + back) / 2

    @torch.inference_mode()
    def cross_entropy(self, pairs: Sequence[tuple[str, str]], target: str) -> NDArray[np.float64]:
        """Return how many nats a piece of each target costs the model that reads its source (n,).

        Args:
            pairs: sources and targets.
            target: language of the targets.
        """
        encoded = [self._encoded(source, text, target) for source, text in pairs]
        lengths = np.array([[len(pair.src), len(pair.tgt)] for pair in encoded]).reshape(-1, 2).T
        nats = np.empty(len(encoded))
        for indices in length_buckets(lengths, MAX_BATCH_TOKENS, np.arange(len(encoded))):
            nats[indices] = self._of_batch([encoded[index] for index in indices])
        return nats

    def _encoded(self, source: str, target: str, language: str) -> EncodedPair:
        """Return a pair as the model has learned to read pairs."""
        tokenizer = self._tokenizer
        source, target = protect_pair(source, target, tokenizer.num_placeholders)
        ids = [*tokenizer.encode(target), tokenizer.eos_id]
        return EncodedPair(tokenizer.encode_source(source, language), ids)

    def _of_batch(self, pairs: Sequence[EncodedPair]) -> NDArray[np.float64]:
        pad_id = self._tokenizer.pad_id
        batch = make_batch(pairs, pad_id, self._tokenizer.bos_id).to(torch.device(self._device))
        logits = self._model(batch.src, batch.tgt_in, batch.src_mask)  # (B, T, V)
        nats = F.cross_entropy(
            logits.transpose(1, 2), batch.tgt_out, ignore_index=pad_id, reduction="none"
        )  # (B, T), zero where padded
        counts = (batch.tgt_out != pad_id).sum(dim=1)
        return (nats.sum(dim=1) / counts).double().cpu().numpy()
