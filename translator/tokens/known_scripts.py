"""Which scripts a vocabulary can read, told by its pieces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from translator.text.characters import script_of

LEAST_SHARE = 0.01
"""Of the pieces with letters. A vocabulary has a few letters of any script: those that its training
text names now and then."""

ENOUGH_PIECES = 100
"""Pieces of several letters that tell that a script has been learned, however large the rest is."""


def known_scripts(pieces: Iterable[str]) -> frozenset[str]:
    """Return the scripts that make up a fair share of some pieces; see `characters.script_of`.

    Args:
        pieces: all of a vocabulary, without control symbols and bytes.
    """
    num_pieces, num_long = Counter[str](), Counter[str]()
    total = 0
    for piece in pieces:
        names = [name for name in map(script_of, piece) if name]
        total += bool(names)
        num_pieces.update({*names})
        num_long.update({*names} if len(names) > 1 else ())
    return frozenset(
        name
        for name, count in num_pieces.items()
        if count >= LEAST_SHARE * total or num_long[name] >= ENOUGH_PIECES
    )
