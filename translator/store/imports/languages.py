"""Codes of languages, and tags such as `>>deu<<`, as other projects write them."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterable

from babel.core import get_global

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
    found = _CODE.fullmatch(code)
    if found is None:
        return code
    language, rest = found[1], found[2] or ""
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
    found: dict[str, str] = {}
    for code in codes:
        name = own_code(code)
        found[code if name in found else name] = code
    return found


_TAG = re.compile(r">>(.+)<<")


def tags_and_pairs(
    pieces: Iterable[str], pair: tuple[str, str]
) -> tuple[dict[str, str], list[tuple[str, str]]]:
    """Return the tag of each target language, and the pairs of languages.

    Args:
        pieces: of the source.
        pair: what the model is said to translate from and to, several joined by `+`. A model with
            tags translates to what they say.

    Returns:
        tags by this project's codes, empty where there is none, and the directions.
    """
    tags = [tag[1] for piece in pieces if (tag := _TAG.fullmatch(piece))]
    by_code = {code: f">>{tag}<<" for code, tag in own_codes(tags).items()}
    sources, targets = ([own_code(code) for code in part.split("+")] for part in pair)
    pairs = itertools.product(sources, [*by_code] or targets)
    return by_code, [one for one in pairs if one[0] != one[1]]
