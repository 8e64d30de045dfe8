"""Whether a translation says the quantities that its source was made with, and no others."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tests.fidelity.spelling import Quantity


def faults(
    quantities: Sequence[Quantity], translation: str, units: Sequence[Sequence[str]] = ()
) -> list[str]:
    """Return what is wrong: quantities that are not there, and digits that should not be.

    Args:
        quantities: of the source.
        translation: of the source.
        units: that must be there, each in one of several forms.
    """
    left, found = translation.replace("\u00a0", " ").replace("\u202f", " "), list[str]()
    for quantity in sorted(quantities, key=lambda one: -len(one.text)):
        for accepted in sorted(quantity.accepted, key=len, reverse=True):
            place = re.search(
                rf"(?<![^\W_])(?<![0-9][.,:/])(?:{accepted})(?![0-9]|[.,:/][0-9])", left
            )
            if place:
                left = f"{left[: place.start()]} \0 {left[place.end() :]}"
                break
        else:
            found.append(f"lacks {quantity.text}")
    lower = translation.casefold()
    found += [f"lacks {ways[0]}" for ways in units if not any(way in lower for way in ways)]
    if found or re.search("[0-9]", left):
        found += [f"has {digits}" for digits in re.findall(r"[0-9][0-9.,:/]*", left)]
    return found
