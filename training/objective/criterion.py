"""What is minimised, the loss of a batch under the model, and what is watched beside it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

import numpy as np
import torch
from torch import Tensor, nn

from training.config import TrainingConfig
from training.data.encoded import EncodedCorpus, TrainBatch, make_batch
from training.data.sampler import length_buckets
from training.machine import has_bfloat16
from training.objective.loss import LossSum, RowScorer, label_smoothed_loss, score_rows
from translator.model.transformer import AttentionWeights, Transformer


class Criterion(nn.Module):
    """The model with its loss: one module from batch to scalar, as DDP wants it.

    Attributes:
        picks_real: whether the loss leaves padding out, for which the CPU waits for the device.
    """

    def __init__(self, model: Transformer, config: TrainingConfig, picks_real: bool = True) -> None:
        super().__init__()
        self.model, self.config, self.picks_real = model, config, picks_real
        self.is_bf16 = config.bf16 and has_bfloat16(model.embedding.weight.device)
        self._scorer: RowScorer = score_rows
        if config.compile:
            # all layers of a kind share one compiled graph, for all shapes of batches
            for layer in (*model.encoder_layers, *model.decoder_layers):
                layer.compile(dynamic=True)
            self._scorer = torch.compile(score_rows, dynamic=True)

    def forward(self, batch: TrainBatch) -> LossSum:
        """Return the summed loss of one micro-batch.

        Products are in bfloat16 if the recipe says so and the machine has it.
        """
        with torch.autocast(batch.src.device.type, torch.bfloat16, enabled=self.is_bf16):
            memory = self.model.encode(batch.src, batch.src_mask)
            states = self.model.decode(batch.tgt_in, memory, batch.src_mask)
            return label_smoothed_loss(
                states,
                self.model.embedding.weight,
                batch.tgt_out,
                pad_id=self.model.config.pad_id,
                smoothing=self.config.label_smoothing,
                picks_real=self.picks_real,
                scorer=self._scorer,
            )

    def corpus_figures(self, corpus: EncodedCorpus, bos_id: int) -> dict[str, float]:
        """Return the `loss` of a corpus, and the `spread` of the encoder's attention over it."""
        with self._uncompiled():
            spread = encoder_spread(self.model, corpus, bos_id)
            return {"loss": self.corpus_loss(corpus, bos_id), "spread": spread}

    def _uncompiled(self) -> AbstractContextManager[None]:
        """Return a context in which nothing is compiled: these batches have other shapes."""
        if not self.config.compile:
            return nullcontext()
        stance: AbstractContextManager[None] = torch.compiler.set_stance("force_eager")
        return stance

    @torch.inference_mode()
    def corpus_loss(self, corpus: EncodedCorpus, bos_id: int) -> float:
        """Return the plain negative log-likelihood a target piece of a corpus, in nats."""
        device, pad_id = self.model.embedding.weight.device, self.model.config.pad_id
        nll, num_targets = 0.0, 0
        order = np.arange(len(corpus))
        with evaluating(self):
            for indices in length_buckets(corpus.lengths, self.config.max_batch_tokens, order):
                batch = make_batch(corpus.pairs(indices.tolist()), pad_id, bos_id)
                nll += float(self(batch.to(device)).nll)
                num_targets += batch.num_targets
        return nll / num_targets


COLLAPSED = 1.2
"""Below this, nearly all weight is on one piece, and queries and keys get hardly any gradient."""
NUM_SENTENCES = 64


@torch.inference_mode()
def encoder_spread(model: Transformer, corpus: EncodedCorpus, bos_id: int) -> float:
    """Return over how many pieces the narrowest layer of the encoder spreads its attention.

    That is e to the entropy of a row of weights, the mean over rows, heads and some sentences of
    `corpus`: 1 if each piece looks at a single one, S if it looks at all S alike.

    Source: Zhai et al. 2023, "Stabilizing Transformer Training by Preventing Attention Entropy
    Collapse".
    """
    device = model.embedding.weight.device
    pairs = corpus.pairs(corpus.spaced(NUM_SENTENCES))
    batch = make_batch(pairs, model.config.pad_id, bos_id).to(device)
    weights = AttentionWeights()
    with evaluating(model):
        model.encode(batch.src, batch.src_mask, weights)
    is_piece = batch.src != model.config.pad_id  # (B, S)
    return min(float(_spread(layer, is_piece)) for layer in weights.encoder)


def _spread(weights: Tensor, is_piece: Tensor) -> Tensor:
    """Return the mean spread of the rows (B, H, S, S) of a layer that belong to pieces (B, S)."""
    entropy: Tensor = torch.special.entr(weights.float()).sum(dim=-1)  # (B, H, S)
    return entropy.exp().transpose(1, 2)[is_piece].mean()


@contextmanager
def evaluating(module: nn.Module) -> Iterator[None]:
    """Hold a module in evaluation mode; leave it in the mode that it was in."""
    was_training = module.training
    module.eval()
    try:
        yield
    finally:
        module.train(was_training)
