"""Measure once, on sample text, how large the inputs of every linear layer become."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from translator.config import DecodingOptions
from translator.decoding.running_batch import decode_batch
from translator.decoding.special_ids import SpecialIds
from translator.model.inference import InferenceModel
from translator.model.linear import ObservedLayers, Range
from translator.model.transformer import Transformer


@torch.inference_mode()
def measure_ranges(
    model: Transformer, special_ids: SpecialIds, sources: Sequence[Sequence[int]]
) -> dict[str, Range]:
    """Translate sample sentences greedily and return the range of each layer's input, by name.

    Args:
        model: in evaluation mode, on the CPU.
        special_ids: of the vocabulary.
        sources: id sequences: tag, pieces, EOS; some hundred are enough.
    """
    layers = ObservedLayers()
    observed = InferenceModel(model, special_ids.forbidden_ids, layers, freeze=False)
    for source in sources:  # alone: in a batch, rows of sentences that are done would count
        decode_batch(observed, [source], DecodingOptions(beam_size=1), special_ids)
    return {name: layer.input_range for name, layer in layers.layers.items()}
