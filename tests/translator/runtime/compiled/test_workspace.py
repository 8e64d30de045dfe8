"""The memory for what is computed on the way is large enough, and grows when it must."""

from __future__ import annotations

import pytest

from tests.cpu import NEEDS_INT8
from translator.model.transformer import Transformer
from translator.runtime.arrange import arrange
from translator.runtime.compiled.layout import Layout
from translator.runtime.compiled.workspace import PORTION, WORKSPACE, Workspace, make_workspace
from translator.runtime.kernels.records import Int8Weights

pytestmark = NEEDS_INT8


@pytest.fixture
def layout(model: Transformer) -> Layout:
    return Layout(arrange(model, ()), Int8Weights())


def test_every_part_has_its_own_memory(layout: Layout) -> None:
    array, memory = make_workspace(layout, rows=3, places=20, logits_rows=2)
    starts = [int(array[0][name]) for name in WORKSPACE.names or ()]
    begin = memory.ctypes.data
    assert starts == sorted(set(starts))
    assert begin <= starts[0]
    assert starts[-1] < begin + memory.size
    assert all(start % 64 == 0 for start in starts)
    x, row = starts[:2]
    assert row - x >= 3 * layout.model[0]["x_stride"]


def test_it_grows_once_and_never_shrinks(layout: Layout) -> None:
    workspace = Workspace(layout)
    first = workspace.array
    workspace.make_room(rows=PORTION, places=PORTION)
    assert workspace.array is first
    workspace.make_room(rows=1, places=PORTION + 1)
    larger = workspace.array
    assert larger is not first
    workspace.make_room(rows=PORTION, places=2 * PORTION)
    assert workspace.array is larger, "places come in portions, and rows are as many as before"
