"""Which pieces a model ever produces in a language; nothing need be computed of the others.

All languages share a vocabulary, of which a good part is written in one of them only.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping


def pack(ids: Iterable[int]) -> str:
    """Return ids as a hexadecimal number with these bits, which is short in a file."""
    return format(sum(1 << piece_id for piece_id in set(ids)), "x")


def unpack(text: str) -> list[int]:
    """Return the ids of `pack`, in order.

    Raises:
        ValueError: it is no hexadecimal number.
    """
    bits = int(text, 16)
    if bits < 0:
        raise ValueError(f"must not be negative: {text}")
    return [piece_id for piece_id in range(bits.bit_length()) if bits >> piece_id & 1]


def problem(table: Mapping[str, str], languages: Collection[str], vocab_size: int) -> str:
    """Return what is wrong with the `output_pieces` of a model; nothing if they are right.

    Args:
        table: packed ids by language.
        languages: of the model.
        vocab_size: V.
    """
    for language, text in table.items():
        try:
            ids = unpack(text)
        except ValueError:
            return f"output_pieces.{language}: is no hexadecimal number"
        if language not in languages:
            return f"output_pieces.{language}: the model knows {', '.join(languages)} only"
        if not ids or ids[-1] >= vocab_size:
            return f"output_pieces.{language}: must be some of the {vocab_size} pieces"
    return ""
