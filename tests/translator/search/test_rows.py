from __future__ import annotations

import numpy as np
import pytest

from translator.search.rows import Rows


@pytest.mark.parametrize("count", [3, 40])
def test_rows_join_and_leave(count: int) -> None:
    rows = Rows((np.int64, ()), (np.float32, (2,)))
    for number in range(count):
        one, two = rows.add(1)
        one[:], two[:] = number, [number, -number]
    places = [*range(count - 2)]
    places[0] = count - 1  # the last one fills the gap
    rows.keep(places)
    assert len(rows) == len(places)
    assert rows.used[0].tolist() == places
    assert rows.used[1].tolist() == [[place, -place] for place in places]
    rows.keep([])
    assert [len(one) for one in rows.used] == [0, 0]


def test_many_rows_take_others_places() -> None:
    rows = Rows((np.int64, ()))
    [own] = rows.add(40)
    own[:] = range(40)
    places = list(range(20, 40))
    rows.keep(places)
    assert rows.used[0].tolist() == places


def test_rows_become_wider() -> None:
    rows = Rows((np.int64, (2, 3)), (np.int64, ()))
    rows.add(1)[0][:] = 7
    rows.widen(0, 5)
    rows.widen(0, 4)
    assert rows.used[0].tolist() == [[[7, 7, 7, 0, 0]] * 2]
    assert rows.add(2)[0].shape == (2, 2, 5)
