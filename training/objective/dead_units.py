"""Feed-forward units that never fire: a part of a model that costs time and does nothing."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional as F

from training.data.encoded import EncodedCorpus, make_batch
from training.objective.evaluating import evaluating
from translator.errors import ConfigError
from translator.model.layers import FeedForward
from translator.model.transformer import Transformer

SELDOM = 2e-4
"""A unit that fires at a smaller share of the places is dead."""
NUM_SENTENCES = 1024
BATCH = 64


@torch.inference_mode()
def firing_shares(model: Transformer, corpus: EncodedCorpus, bos_id: int) -> dict[str, Tensor]:
    """Return at which share of all places each unit is above zero: (d_ff) for each network's name.

    It is measured on some sentences of `corpus`, padding included.
    """
    counts: dict[str, Tensor] = {}
    places: dict[str, int] = {}

    def count(name: str, active: Tensor) -> None:
        counts[name] = counts.get(name, 0) + (active > 0).flatten(0, -2).sum(dim=0)
        places[name] = places.get(name, 0) + active[..., 0].numel()

    hooks = [
        part.inner_proj.register_forward_hook(lambda _, __, inner, name=name: count(name, inner))
        for name, part in model.named_modules()
        if isinstance(part, FeedForward)
    ]
    device, some = model.embedding.weight.device, corpus.spaced(NUM_SENTENCES)
    with evaluating(model):
        for start in range(0, len(some), BATCH):
            pairs = corpus.pairs(some[start : start + BATCH])
            batch = make_batch(pairs, model.config.pad_id, bos_id).to(device)
            memory = model.encode(batch.src, batch.src_mask)
            model.decode(batch.tgt_in, memory, batch.src_mask)
    for hook in hooks:
        hook.remove()
    return {name: count / places[name] for name, count in counts.items()}


@torch.no_grad()
def revive(model: Transformer, corpus: EncodedCorpus, bos_id: int) -> float:
    """Let units that never fire begin anew; return the share of all units that were dead.

    A ReLU that is below zero everywhere gets no gradient, and stays so for good. Such a unit gets
    random input weights of the size that its network's others have. Its output weights become zero,
    so the model computes the same as before.

    Raises:
        ConfigError: the model's activation is another one, whose units never stop learning.

    Source: Dohare et al. 2024, "Loss of plasticity in deep continual learning", Methods: continual
    backpropagation begins anew with the units that do least, in the same manner.
    """
    if model.config.activation != "relu":
        raise ConfigError([f"revive_units: is for relu, the base has {model.config.activation}"])
    dead = {name: share < SELDOM for name, share in firing_shares(model, corpus, bos_id).items()}
    for name, is_dead in dead.items():
        weight = model.get_parameter(f"{name}.inner_proj.weight")
        others = weight if is_dead.all() else weight[~is_dead]
        new = F.normalize(torch.randn_like(weight[is_dead]))
        weight[is_dead] = new * others.norm(dim=1).median()
        model.get_parameter(f"{name}.inner_proj.bias")[is_dead] = 0.0
        model.get_parameter(f"{name}.out_proj.weight")[:, is_dead] = 0.0
    return float(torch.cat(list(dead.values())).float().mean())
