"""The step `normalise`: a sentence as a model reads it; `denormalise` is the way back.

Emoji go behind the sentence, rare characters are written in the common way, and a sentence all in
capitals is read as it is ordinarily written (`capitals`). Spans that must come back verbatim are
placeholders by then.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from translator.text.capitals import LogProb, is_word, ordinary_case
from translator.text.characters import WINDOWS, plain, primary_language, take_out_emoji
from translator.text.placeholders import PLACEHOLDER

_NUMERO = re.compile(rf"\bno\.(?=\s?(?:[0-9]|{PLACEHOLDER.pattern}))")
"""`no. 5` is no answer; a model knows `No. 5` better."""

_FIRST_NUMERO = re.compile(rf"^N[oO]\.(?=\s?(?:[0-9]|{PLACEHOLDER.pattern}))")
"""At the beginning of a sentence, a model takes it for an answer all the same."""

_ROUND = re.compile(r"(?<=[0-9]),(?:[-–—]{1,2})(?!\w)|(?<=[0-9])\.(?=\+[0-9])")
"""Signs in a number that only German has: of `1.250,– Euro`, and of the minute `90.+3`."""

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


def normalise(pieces: Sequence[str], language: str, log_prob: LogProb) -> list[Normalised]:
    """Return the pieces of one sentence as a model reads them.

    Whether it is in capitals is a question about the sentence, so all pieces get the same answer.

    Args:
        pieces: of the sentence.
        language: code of its language; empty if nobody has said it.
        log_prob: of the vocabulary; see `Vocabulary.log_prob`.
    """
    without = [take_out_emoji(piece) for piece in pieces]
    plain_texts = [plain(text) for text, _ in without]
    if primary_language(language) == "en":
        plain_texts = [
            _FIRST_NUMERO.sub("Number", _NUMERO.sub("No.", text)) for text in plain_texts
        ]
    elif primary_language(language) == "de":
        plain_texts = [_ROUND.sub("", text) for text in plain_texts]
    in_capitals = is_in_capitals(" ".join(plain_texts), language, log_prob)
    return [
        Normalised(
            text=ordinary_case(text, language, log_prob) if in_capitals else text,
            in_capitals=in_capitals,
            emoji=f" {emoji}" if emoji else "",
        )
        for text, (_, emoji) in zip(plain_texts, without, strict=True)
    ]


def denormalise(translation: str, in_capitals: bool) -> str:
    """Return a translation in capitals if its sentence was, and without misread characters."""
    text = translation.translate(WINDOWS)
    return text.upper() if in_capitals else text


def is_in_capitals(sentence: str, language: str, log_prob: LogProb) -> bool:
    """Return whether a sentence is all in capitals, and more than an acronym.

    A model that has hardly seen such words would spell them out: it does better with small letters.

    Args: see `normalise`.
    """
    if not sentence.isupper():
        return False
    words = _WORD.findall(sentence)
    return len(words) > 1 or (len(words) == 1 and is_word(words[0], language, log_prob))
