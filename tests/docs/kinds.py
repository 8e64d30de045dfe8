"""Write the table of the kinds of files into docs/commands.md, from the table in the code.

python -m tests.docs.kinds
"""

from __future__ import annotations

import re

from tests.checkout import ROOT
from translator.documents.kinds import KINDS

PAGE = ROOT / "docs" / "commands.md"
BLOCK = re.compile(r"(?<=<!-- kinds -->\n).*?(?=<!-- /kinds -->)", re.DOTALL)


CHOICES = "; messages of ICU by their choices"


def table() -> str:
    """Return the table as Markdown."""
    rows = [
        f"| {kind.name} | {', '.join(f'`.{ending}`' for ending in kind.endings)} "
        f"| {kind.translated}{CHOICES if kind.has_choices else ''} | {kind.stays} |\n"
        for kind in KINDS
    ]
    return (
        f"| kind | endings | what is translated | what stays |\n|---|---|---|---|\n{''.join(rows)}"
    )


def main() -> None:
    """Write it."""
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(BLOCK.sub(lambda _: table(), page), encoding="utf-8")


if __name__ == "__main__":
    main()
