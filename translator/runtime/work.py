"""How much there is to multiply."""

from __future__ import annotations

from translator.runtime.plan import Linear, Network, Plan, Recurrence
from translator.search.rows import Array


def multiply_adds(plan: Plan[Array], num_source_ids: int, num_target_ids: int) -> int:
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


def _layers(network: Network[Array]) -> tuple[Linear[Array], Linear[Array]]:
    return network.inner, network.out


def _size(*layers: Linear[Array]) -> int:
    return sum(layer.weight.size for layer in layers)
