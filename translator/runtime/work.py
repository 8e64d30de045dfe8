"""How much there is to multiply."""

from __future__ import annotations

from typing import Any

from translator.runtime.plan import Linear, Network, Plan, Recurrence


def multiply_adds(plan: Plan[Any], num_source_ids: int, num_target_ids: int) -> int:
    """Return the multiply-adds in products with weights for so many ids."""
    of_source, of_target = 0, _size(plan.output)
    for encoder in plan.encoder:
        of_source += _size(encoder.qkv, encoder.attention_out, *_layers(encoder.feed_forward))
    for layer in plan.decoder:
        of_source += _size(layer.memory)
        past = layer.past
        own = (past.gates,) if isinstance(past, Recurrence) else (past.qkv, past.out)
        of_target += _size(*own, layer.query, layer.cross_out)
        of_target += _size(*_layers(layer.feed_forward))
    return of_source * num_source_ids + of_target * num_target_ids


def _layers(network: Network[Any]) -> tuple[Linear[Any], Linear[Any]]:
    return network.inner, network.out


def _size(*layers: Linear[Any]) -> int:
    return sum(len(layer.weight) * layer.weight.shape[1] for layer in layers)
