"""What a plan says of itself: its sizes, its memory, and where it lies."""

from __future__ import annotations

import torch

from translator.model.transformer import Transformer
from translator.runtime.arrange import arrange


def test_memory_is_counted_once_however_often_a_matrix_is_used(model: Transformer) -> None:
    plan = arrange(model, ())
    num_weights = sum(weight.numel() for weight in model.parameters())
    assert plan.num_bytes == 4 * (num_weights + len(plan.output.bias))


def test_a_head_has_its_share_of_the_width(model: Transformer) -> None:
    plan = arrange(model, ())
    assert plan.d_k * model.config.num_heads == model.config.d_model
    assert plan.device == torch.device("cpu")
