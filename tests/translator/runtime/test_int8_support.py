"""Int8 needs Numba that compiles; which CPUs it needs is tested with their descriptions."""

from __future__ import annotations

import numba
import pytest

from translator.runtime.int8_support import int8_is_possible


def test_without_compiling_it_is_not_possible(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 1)
    assert not int8_is_possible()
