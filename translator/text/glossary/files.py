"""A glossary as a text file of two columns."""

from __future__ import annotations

from pathlib import Path

from translator.errors import InputError
from translator.text.glossary.terms import Glossary


def read_glossary(path: Path, keep: tuple[str, ...] = ()) -> Glossary:
    """Read a file of two columns with a tab between: a term and its translation.

    Args:
        path: UTF-8; blank lines and those that begin with `#` do not count. A term alone in its
            line is never translated.
        keep: further terms that are never translated.

    Raises:
        InputError: a line has more than two columns, or a term cannot be used.
    """
    pairs: dict[str, str] = {}
    kept = list(keep)
    lines = path.read_text(encoding="utf-8-sig").splitlines()
    for number, line in enumerate(lines, start=1):
        columns = [column.strip() for column in line.split("\t")]
        if not line.strip() or line.startswith("#"):
            continue
        if len(columns) > 2 or not columns[0]:
            raise InputError(
                f"{path}, line {number}: must be a term, a tab and its translation; or a term alone"
            )
        if len(columns) == 2 and columns[1]:
            pairs[columns[0]] = columns[1]
        else:
            kept.append(columns[0])
    return Glossary(pairs=pairs, keep=tuple(kept))
