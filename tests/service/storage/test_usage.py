"""Characters by caller and month."""

from __future__ import annotations

from pathlib import Path

from service.storage.usage import WRITE_EVERY_S, UsageCounts

DAY_S = 86_400


def test_counts_add_up_and_begin_anew_each_month(tmp_path: Path) -> None:
    now_s = [0.0]
    counts = UsageCounts(tmp_path / "database", clock=lambda: now_s[0])
    counts.add("me", 3)
    counts.add("you", 5)
    counts.add("me", 4)
    assert [counts.of(one) for one in ("me", "you", "nobody")] == [7, 5, 0]
    now_s[0] = 31 * DAY_S
    assert counts.of("me") == 0


def test_another_process_sees_them_after_a_while(tmp_path: Path) -> None:
    now_s = [0.0]
    mine, yours = (UsageCounts(tmp_path / "database", clock=lambda: now_s[0]) for _ in range(2))
    mine.add("me", 3)
    assert yours.of("me") == 0
    now_s[0] = WRITE_EVERY_S
    mine.add("me", 4)
    assert yours.of("me") == 7
    yours.add("me", 1)
    assert (yours.of("me"), mine.of("me")) == (8, 8)
