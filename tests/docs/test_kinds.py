"""docs/commands.md lists the kinds of files as the code does."""

from __future__ import annotations

from tests.docs.kinds import BLOCK, PAGE, table


def test_the_page_has_the_table_of_the_code() -> None:
    found = BLOCK.search(PAGE.read_text(encoding="utf-8"))
    assert found is not None
    assert found[0] == table(), "run `python -m tests.docs.kinds`"
