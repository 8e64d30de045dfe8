"""Sources of German are marked with the form of address of their translation, in some pairs.

With the mark, the model learns to write the form that is asked for. Pairs without it keep the model
as it is for everybody who asks for no form.

Source: Sennrich, Haddow & Birch 2016, "Controlling Politeness in Neural Machine Translation via
Side Constraints", §3.
"""

from __future__ import annotations

import random

from translator.text.formality import Formality, formality_of


def formality_mark(source: str, target: str, share: float) -> Formality | None:
    """Return the mark of one pair: the form of its German side, in a share of all such pairs.

    Which pairs get one depends on their sources alone.

    Args:
        source: a sentence.
        target: its translation into German.
        share: of the pairs that address a reader, from 0 to 1.
    """
    form = formality_of(target, source)
    return form if form and random.Random(f"formality {source}").random() < share else None
