"""Pieces, codes of languages, and tags such as `>>deu<<`, as other projects write them down."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import sentencepiece
from babel.core import get_global

from translator.errors import ImportedModelError
from translator.store.imports.reading import refused_at
from translator.tokens.imported import VocabularyForm

MOST_FILLING = 64
"""Ids without a piece behind the last one: vocabularies are filled up to a round number."""


def ordered(listed: object, name: str) -> list[str]:
    """Return pieces by id; ids must be 0, 1, 2, … without a gap."""
    if not isinstance(listed, dict) or any(
        type(piece_id) is not int for piece_id in listed.values()
    ):
        raise ImportedModelError(f"{name}: must be a table from pieces to ids")
    pieces = sorted(listed, key=listed.__getitem__)
    if [listed[piece] for piece in pieces] != [*range(len(pieces))]:
        raise ImportedModelError(f"{name}: its ids are not 0 to {len(pieces) - 1}, each once")
    return pieces


def filled(
    pieces: Sequence[str], num_pieces: int, name: str, most: int = MOST_FILLING
) -> tuple[str, ...]:
    """Return pieces, and names for the few ids behind them that the model has besides."""
    if not 0 <= num_pieces - len(pieces) <= most:
        raise ImportedModelError(
            f"{name}: has {len(pieces)} pieces, the model {num_pieces}; they do not belong together"
        )
    return (*pieces, *(f"<unused {number}>" for number in range(len(pieces), num_pieces)))


def made_form(**values: Any) -> VocabularyForm:
    """Return the form of a vocabulary, or refuse it in one line."""
    with refused_at("vocabulary"):
        return VocabularyForm(**values)


def sentencepieces(serialized: bytes, name: str) -> list[str]:
    """Return the pieces of a SentencePiece model by id; `name` is its file, for messages."""
    processor = sentencepiece.SentencePieceProcessor()
    try:
        processor.LoadFromSerializedProto(serialized)
        return [processor.IdToPiece(number) for number in range(processor.vocab_size())]
    except RuntimeError as error:
        raise ImportedModelError(f"{name}: not a SentencePiece model") from error


ZERO_PIECE = "<pad>"


def with_zero_row(matrix: npt.NDArray[Any], place: int) -> npt.NDArray[Any]:
    """Return a matrix, or a vector, with zeros more at a place."""
    return np.insert(matrix, place, 0, axis=0)


def with_zero_piece(pieces: Sequence[str], place: int) -> tuple[str, ...]:
    """Return pieces with one more at a place, named so that none of them has its name."""
    name = ZERO_PIECE
    while name in pieces:
        name = f"<{name}>"
    return (*pieces[:place], name, *pieces[place:])


_CODE = re.compile(r"([a-z]{2,3})(?:[-_]([A-Za-z]{2,4}))?")
OTHER_NAMES = {
    "cmn": "zh",
    "iw": "he",
    "nor": "no",
    "ns": "nso",
    "pb": "pt-BR",
    "pbt": "ps",
    "quy": "qu",
    "tgl": "tl",
    "twi": "tw",
    "zt": "zh-Hant",
}
"""Codes that projects have made up, or that CLDR calls otherwise than users do."""

USUAL_SCRIPTS = {"ko": "Hang"}
"""Beside those that CLDR has."""


@functools.cache
def own_code(code: str) -> str:
    """Return the code of a language or of one with its script, such as `de` for `deu_Latn`.

    Scripts that a language is usually written in are left out. What is unknown stays as it is.

    Source: Unicode CLDR's aliases and likely subtags, by way of Babel.
    """
    match = _CODE.fullmatch(code)
    if match is None:
        return code
    language, rest = match[1], match[2] or ""
    aliases, likely = get_global("language_aliases"), get_global("likely_subtags")
    language = str(OTHER_NAMES.get(language) or aliases.get(language, language)).replace("_", "-")
    if not rest or "-" in language:
        return language
    if len(rest) < 4:
        return f"{language}-{rest.upper()}"
    usual = str(likely.get(language, "")).split("_")
    usual = [*usual[1:2], USUAL_SCRIPTS.get(language, "")]
    return language if rest.title() in usual else f"{language}-{rest.title()}"


def own_codes(codes: Iterable[str]) -> dict[str, str]:
    """Return the codes by their own names; of several with one name, the first has it."""
    by_name: dict[str, str] = {}
    for code in codes:
        name = own_code(code)
        by_name[code if name in by_name else name] = code
    return by_name


_TAG = re.compile(r">>(.+)<<")


def tags_and_pairs(
    pieces: Iterable[str], pair: tuple[str, str]
) -> tuple[dict[str, str], list[tuple[str, str]]]:
    """Return the tag of each target language by our codes, and the pairs of languages.

    A model with tags, among the source's pieces, translates to what they say; `pair` is what it is
    said to translate from and to, several joined by `+`.
    """
    tags = [tag[1] for piece in pieces if (tag := _TAG.fullmatch(piece))]
    by_code = {code: f">>{tag}<<" for code, tag in own_codes(tags).items()}
    sources, targets = ([own_code(code) for code in part.split("+")] for part in pair)
    pairs = itertools.product(sources, [*by_code] or targets)
    return by_code, [pair for pair in pairs if pair[0] != pair[1]]
