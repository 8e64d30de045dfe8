"""The step `normalise`: a sentence as a model reads it; `denormalise` is the way back.

Emoji go behind the sentence, rare characters are written in the common way, and a sentence all in
capitals is read in small letters. Spans that must come back verbatim are placeholders by then.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from translator.text.characters import WINDOWS, plain, take_out_emoji

_WORD = re.compile(r"[^\W\d_]{2,}")


class Normalised(NamedTuple):
    """A sentence, or a piece of one, as a model reads it.

    Attributes:
        text: without emoji and rare characters.
        in_capitals: whether the sentence was all in capitals, and `text` no longer is.
        emoji: those taken out, behind a space; empty if there were none.
    """

    text: str
    in_capitals: bool
    emoji: str


def normalise(pieces: Sequence[str]) -> list[Normalised]:
    """Return the pieces of one sentence as a model reads them.

    Whether it is in capitals is a question about the sentence, so all pieces get the same answer.
    """
    without = [take_out_emoji(piece) for piece in pieces]
    plain_texts = [plain(text) for text, _ in without]
    in_capitals = is_in_capitals(" ".join(plain_texts))
    return [
        Normalised(
            text=text.capitalize() if in_capitals else text,
            in_capitals=in_capitals,
            emoji=f" {emoji}" if emoji else "",
        )
        for text, (_, emoji) in zip(plain_texts, without, strict=True)
    ]


def denormalise(translation: str, in_capitals: bool) -> str:
    """Return a translation in capitals if its sentence was, and without misread characters."""
    text = translation.translate(WINDOWS)
    return text.upper() if in_capitals else text


def is_in_capitals(sentence: str) -> bool:
    """Return whether a sentence of two words or more is all in capitals.

    A model that has hardly seen such words would spell them out: it does better with small letters.
    """
    return sentence.isupper() and len(_WORD.findall(sentence)) > 1
