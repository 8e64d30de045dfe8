"""What stands beside a number: its minus, and its unit or currency."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from translator.text.numbers.comparison.units import CURRENCIES, has_unit, unit_beside
from translator.text.numbers.digits import Mention

_BELOW_ZERO = re.compile(r"(?i:\bminus\b|unter null|below (?:zero|freezing)|negativ)")

_NEAR = 6
"""Characters between two numbers of a range, or fewer, of which one currency is said."""


def without_sign_or_unit(
    own: tuple[str, Sequence[Mention]],
    other: tuple[str, Sequence[Mention]],
    languages: tuple[str, str],
) -> Iterator[Mention]:
    """Yield the mentions whose minus or whose unit is nowhere in the other text.

    Args:
        own: a text, and the mentions in it.
        other: the other text, and the mentions in it.
        languages: codes of the own and of the other text.
    """
    (text, mentions), (other_text, others) = own, other
    for mention in mentions:
        if mention.kind != "digits":
            continue
        if mention.is_negative and not _BELOW_ZERO.search(other_text):
            same = [one for one in others if {*one.readings} & {*mention.readings}]
            if same and not any(one.is_negative for one in same):
                yield mention
        unit = unit_beside(text, mention.start, mention.end, languages[0])
        if unit and (
            not has_unit(other_text, unit, languages[1])
            or (unit in CURRENCIES and _has_moved(unit, mention, own, other, languages))
        ):
            yield mention


def _has_moved(
    unit: str,
    mention: Mention,
    own: tuple[str, Sequence[Mention]],
    other: tuple[str, Sequence[Mention]],
    languages: tuple[str, str],
) -> bool:
    """Return whether a currency stands beside another number of the other text: `€12 à 4.99`.

    Args:
        unit: of the mention.
        mention: of the own text.
        own: a text, and the mentions in it.
        other: the other text, and the mentions in it.
        languages: codes of the own and of the other text.
    """
    beside = [one for one in other[1] if _has_beside(unit, one, other[0], languages[1])]
    if not beside or any({*one.readings} & {*mention.readings} for one in beside):
        return False
    partners = [one for one in own[1] if any({*one.readings} & {*two.readings} for two in beside)]
    return bool(partners) and not any(
        _has_beside(unit, one, own[0], languages[0])
        or max(one.start, mention.start) - min(one.end, mention.end) <= _NEAR
        for one in partners
    )


def _has_beside(unit: str, mention: Mention, text: str, language: str) -> bool:
    is_number = mention.kind == "digits"
    return is_number and unit_beside(text, mention.start, mention.end, language) == unit
