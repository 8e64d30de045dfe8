"""The kernels need Numba that compiles; which CPUs it needs is tested with their descriptions."""

from __future__ import annotations

import numba
import pytest

from translator.runtime.support import kernels_are_possible


def test_without_compiling_it_is_not_possible(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 1)
    assert not kernels_are_possible()
