"""docs/commands.md lists the kinds of files as the code does, and says what stays of each."""

from __future__ import annotations

import re

from tests.checkout import ROOT
from translator.documents.kinds import KINDS

BLOCK = re.compile(r"(?<=<!-- kinds -->\n).*?(?=<!-- /kinds -->)", re.DOTALL)


def test_the_page_has_a_row_for_each_kind() -> None:
    [table] = BLOCK.findall((ROOT / "docs" / "commands.md").read_text("utf-8"))
    rows = [row.strip("|").split(" | ") for row in table.splitlines()[2:]]
    assert all(len(row) == 4 and all(map(str.strip, row)) for row in rows)
    assert [(name.strip(), endings) for name, endings, *_ in rows] == [
        (kind.name, ", ".join(f"`.{ending}`" for ending in kind.endings)) for kind in KINDS
    ]
