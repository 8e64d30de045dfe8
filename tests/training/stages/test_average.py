from __future__ import annotations

import pytest
import torch

from training.stages.average import average_weights


def test_the_mean_of_weights() -> None:
    states = [{"w": torch.full((2,), float(v)), "b": torch.zeros(1)} for v in (1, 2, 6)]
    mean = average_weights(states)
    assert mean["w"].tolist() == [3.0, 3.0]
    assert mean["w"].dtype == torch.float32


def test_nothing_to_average() -> None:
    with pytest.raises(ValueError, match="no checkpoints to average: train first"):
        average_weights([])


def test_a_stream_of_states_is_read_once_and_summed_without_loss() -> None:
    values = [1e8, 1.0, -1e8, 3.0]
    mean = average_weights({"w": torch.tensor([value])} for value in values)
    assert mean["w"].item() == 1.0  # float32 would have lost the 1.0


def test_the_states_themselves_are_left_alone() -> None:
    state = {"w": torch.ones(2)}
    mean = average_weights([state, {"w": torch.zeros(2)}])
    mean["w"].fill_(9.0)
    assert state["w"].tolist() == [1.0, 1.0]
    assert average_weights([state])["w"].tolist() == [1.0, 1.0]


@pytest.mark.parametrize("other", [{"w": torch.ones(1)}, {"v": torch.ones(2)}, {}])
def test_different_models_are_not_averaged(other: dict[str, torch.Tensor]) -> None:
    with pytest.raises(ValueError, match="different models"):
        average_weights([{"w": torch.ones(2)}, other])
