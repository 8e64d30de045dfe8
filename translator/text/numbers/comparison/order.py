"""Whether two numbers that are set against each other stand in the same order.

`51.2 to 48.8 percent` is not `48.8 to 51.2 percent`. A score may be turned: German
begins with the loser's (`verlor 1:3`), English with the winner's (`lost 3-1`).
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from translator.text.numbers.digits import Mention

_AGAINST = re.compile(r"\s?[-–]\s?|\s(?:zu|to|bis|auf)\s")
_LOST = re.compile(
    r"(?i:verlor|verlier|unterl[aäei]g|niederlage|geschlagen|schl[aäu]g|bezw[aiu]ng|besieg"
    r"|\blos[est]|\bloss|defeat|\bbeat|\bwin|\bwon\b|gewann|gewinn|sieg|victor|abgelehn|reject|against)"
)

_Pair = tuple[Decimal, Decimal]


def turned(
    own: tuple[str, Sequence[Mention]], other: tuple[str, Sequence[Mention]]
) -> list[tuple[Mention, Mention]]:
    """Return the pairs of a text that the other has only in the other order: the first of each.

    Args:
        own: a text, and the mentions in it.
        other: the other text, and the mentions in it.
    """
    ours = dict(_pairs(*own))
    if not ours:
        return []
    theirs = dict(_pairs(*other))
    may_be_score = _LOST.search(own[0]) or _LOST.search(other[0])
    return [
        (mention, theirs[two, one])
        for (one, two), mention in ours.items()
        if (two, one) in theirs
        and (two, one) not in ours
        and (one, two) not in theirs
        and not (may_be_score and one % 1 == 0 and two % 1 == 0)
    ]


def _pairs(text: str, mentions: Sequence[Mention]) -> Iterator[tuple[_Pair, Mention]]:
    """Yield two numbers that are set against each other, and the mention of the first."""
    for mention, following in itertools.pairwise([*mentions, None]):
        if mention is None or mention.kind not in ("digits", "word"):
            continue
        if ":" in mention.text:
            ratio = _ratio(mention)
            if ratio:
                yield ratio, mention
        elif following is not None and mention.end < following.start:
            one, two = mention.value, following.value
            is_pair = _AGAINST.fullmatch(text, mention.end, following.start)
            if is_pair and one is not None and two is not None and one != two:
                yield (one, two), mention


def _ratio(mention: Mention) -> _Pair | None:
    """Return the parts of `3:1`; None if it may be a time of day."""
    if any(isinstance(reading[0], str) and ":" in reading[0] for reading in mention.readings[:1]):
        return None
    for reading in mention.readings:
        if len(reading) == 2:
            one, two = reading
            if isinstance(one, Decimal) and isinstance(two, Decimal) and one != two:
                return one, two
    return None
