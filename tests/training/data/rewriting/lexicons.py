"""A small lexicon, for tests."""

from __future__ import annotations

import random

from training.data.rewriting.lexicon import Lexicon

WORDS = {"fenster": "window", "datei": "file", "haus": "house", "schließen": "close"}
FILLERS = {"sehr": "very", "oder": "or", "aber": "but", "immer": "always", "heute": "today"}


def small_lexicon() -> Lexicon:
    """Return one from sentences of five random words."""
    chance, known = random.Random(1), {**WORDS, **FILLERS}
    chosen = [chance.sample(sorted(known), 4) for _ in range(300)]
    return Lexicon((" ".join(words), " ".join(known[w] for w in words)) for words in chosen)
