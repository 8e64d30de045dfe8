"""The work of a plan is counted by hand, and threads are given back."""

from __future__ import annotations

import pytest
import torch

from translator.config import ModelConfig
from translator.model.transformer import make_model
from translator.runtime.arrange import arrange
from translator.runtime.work import multiply_adds, one_thread


def test_work_by_hand() -> None:
    config = ModelConfig(
        vocab_size=100, d_model=10, d_ff=30, num_heads=2, num_encoder_layers=3, num_decoder_layers=2
    )
    plan, network = arrange(make_model(config), ()), 2 * 10 * 30
    of_source = 3 * (4 * 100 + network) + 2 * (2 * 100)
    of_target = 2 * (6 * 100 + network) + 100 * 10
    assert multiply_adds(plan, 1, 0) == of_source
    assert multiply_adds(plan, 7, 5) == 7 * of_source + 5 * of_target


def test_threads_come_back_after_an_error() -> None:
    before = torch.get_num_threads()
    torch.set_num_threads(3)
    with one_thread():
        assert torch.get_num_threads() == 1
    with pytest.raises(RuntimeError, match="in between"), one_thread():
        raise RuntimeError("in between")
    assert torch.get_num_threads() == 3
    torch.set_num_threads(before)
