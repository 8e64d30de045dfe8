"""How widely the encoder attends: a sign of health that neither loss nor BLEU shows in time."""

from __future__ import annotations

import torch
from torch import Tensor

from training.data.encoded import EncodedCorpus, make_batch
from training.objective.evaluating import evaluating
from translator.model.transformer import AttentionWeights, Transformer

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
