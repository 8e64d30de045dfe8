"""Tags such as `>>deu<<`, by which models of OPUS-MT are told the language wanted."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable

from translator.store.imports.languages import own_code, own_codes

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
