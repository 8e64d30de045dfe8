from __future__ import annotations

import pytest
import torch

from training.average import average_weights


def test_the_mean_of_weights() -> None:
    states = [{"w": torch.full((2,), float(v)), "b": torch.zeros(1)} for v in (1, 2, 6)]
    mean = average_weights(states)
    assert mean["w"].tolist() == [3.0, 3.0]
    assert mean["w"].dtype == torch.float32


def test_nothing_to_average() -> None:
    with pytest.raises(ValueError, match="no checkpoints to average: train first"):
        average_weights([])
