"""A model in evaluation mode for a while."""

from __future__ import annotations

import pytest
from torch import nn

from training.objective.evaluating import evaluating


@pytest.mark.parametrize("was_training", [True, False])
def test_a_module_is_left_as_it_was_also_by_an_error(was_training: bool) -> None:
    module = nn.Sequential(nn.Dropout()).train(was_training)
    modes = list[bool]()

    def look() -> None:
        with evaluating(module):
            modes.extend(part.training for part in module.modules())
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        look()
    assert modes == [False, False]
    assert module.training == module[0].training == was_training
