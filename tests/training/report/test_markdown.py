"""Foreign text stays text; numbers and times read as a person writes them."""

from __future__ import annotations

import pytest

from training.report.markdown import duration, escaped, fenced, number, table


def test_foreign_text_is_one_line_without_mark_up() -> None:
    assert escaped("# a_b *c*\n<b>|`d`") == r"\# a\_b \*c\* \<b\>\|\`d\`"


def test_a_table_has_a_line_a_row() -> None:
    assert table(["part", "BLEU"], [["dev", "1"]]) == "| part | BLEU |\n| --- | ---: |\n| dev | 1 |"


def test_a_block_of_code_may_hold_fences() -> None:
    assert fenced("a\n````\n", "toml") == "`````toml\na\n````\n`````"


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(42.4, "42 s"), (185, "3 min 5 s"), (4130.8, "1 h 9 min"), (3600 * 30, "30 h 0 min")],
)
def test_durations(seconds: float, expected: str) -> None:
    assert duration(seconds) == expected


@pytest.mark.parametrize(
    ("value", "expected"), [(29000, "29,000"), (41.3, "41.30"), (None, "–"), ("c|d", r"c\|d")]
)
def test_numbers(value: object, expected: str) -> None:
    assert number(value) == expected
