"""The files of a model directory."""

from __future__ import annotations

from translator.tokens.imported import FORM, TARGET_MODEL
from translator.tokens.lexicon import LEXICON
from translator.tokens.rewrites import REWRITES
from translator.tokens.shortlist import SHORTLIST

CONFIG, CARD, CHECKSUMS = "config.json", "card.json", "checksums.json"
TOKENIZER, WEIGHTS = "tokenizer.model", "weights.safetensors"
CONVERTED = "translator.json"
"""Beside a CTranslate2 model: the configuration and the card of the model that it was made from."""
OPTIONAL = (FORM, TARGET_MODEL, SHORTLIST, LEXICON, REWRITES)
"""Files that some models have; all but the lexicon and the rewrites are of imported ones only."""
