"""What is minimised: the loss of a batch under the model."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn

from training.config import TrainingConfig
from training.data.encoded import EncodedCorpus, TrainBatch, make_batch
from training.data.sampler import length_buckets
from training.machine import has_bfloat16
from training.objective.consistency import consistency_loss, two_views, weights
from training.objective.evaluating import evaluating
from training.objective.loss import LossSum, label_smoothed_loss
from training.objective.rounding import InputRounding, rounded
from training.objective.spread import encoder_spread
from translator.model.transformer import Transformer


class Criterion(nn.Module):
    """The model with its loss: one module from batch to scalar, as DDP and the compiler want it.

    Attributes:
        rounding: of the inputs of all linear layers to 8 bits, in training mode; off at first.
    """

    def __init__(self, model: Transformer, config: TrainingConfig, unk_id: int) -> None:
        """Score `model` as `config` says; `unk_id` stands where a piece is cut out."""
        super().__init__()
        self.model, self.config, self.unk_id = model, config, unk_id
        self.is_bf16 = config.bf16 and has_bfloat16(model.embedding.weight.device)
        self.rounding = InputRounding(model)
        self._encode, self._decode = model.encode, model.decode
        if config.compile:
            self._encode = torch.compile(model.encode, dynamic=True)
            self._decode = torch.compile(model.decode, dynamic=True)

    def forward(self, batch: TrainBatch, step: int = 0) -> LossSum:
        """Return the summed loss of one micro-batch.

        Products are in bfloat16 if the recipe says so and the machine has it. In training mode the
        consistency of two views belongs to it, if the recipe asks for that at this `step`.
        """
        config, pad_id = self.config, self.model.config.pad_id
        is_twofold = self.training and config.consistency != "none"
        is_twofold = is_twofold and step >= config.consistency_from
        if is_twofold:
            batch = two_views(batch, config.cut, self.unk_id, pad_id)
        with torch.autocast(batch.src.device.type, torch.bfloat16, enabled=self.is_bf16):
            memory = self._encode(batch.src, batch.src_mask)
            states = self._decode(batch.tgt_in, memory, batch.src_mask)
            if self.rounding.is_on and self.training:
                states = rounded(states)
            weight, smoothing = self.model.embedding.weight, config.label_smoothing
            if is_twofold:
                return consistency_loss(
                    states,
                    weight,
                    batch.tgt_out,
                    pad_id=pad_id,
                    smoothing=smoothing,
                    parts=weights(config.consistency, config.consistency_weight),
                )
            return label_smoothed_loss(
                states, weight, batch.tgt_out, pad_id=pad_id, smoothing=smoothing
            )

    def corpus_figures(self, corpus: EncodedCorpus, bos_id: int) -> dict[str, float]:
        """Return the `loss` of a corpus, and the `spread` of the encoder's attention over it."""
        spread = encoder_spread(self.model, corpus, bos_id)
        return {"loss": self.corpus_loss(corpus, bos_id), "spread": spread}

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
