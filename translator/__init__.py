"""Neural machine translation: `Translator.load(directory).translate(texts, source=…, target=…)`."""

import importlib
from typing import TYPE_CHECKING

from translator.python_version import require_python

if TYPE_CHECKING:
    from translator.config import DecodingOptions
    from translator.errors import TranslatorError
    from translator.patience import Patience
    from translator.text.glossary import Glossary
    from translator.translate.models.model_set import ModelSet
    from translator.translate.scoring import PairScore, score_pairs
    from translator.translate.translation import Language, SentenceTranslation, Translation
    from translator.translate.translator import Translator

require_python()

__all__ = [
    "DecodingOptions",
    "Glossary",
    "Language",
    "ModelSet",
    "PairScore",
    "Patience",
    "SentenceTranslation",
    "Translation",
    "Translator",
    "TranslatorError",
    "score_pairs",
]

_HOMES = {
    "DecodingOptions": "translator.config",
    "Glossary": "translator.text.glossary",
    "Language": "translator.translate.translation",
    "ModelSet": "translator.translate.models.model_set",
    "PairScore": "translator.translate.scoring",
    "Patience": "translator.patience",
    "SentenceTranslation": "translator.translate.translation",
    "Translation": "translator.translate.translation",
    "Translator": "translator.translate.translator",
    "TranslatorError": "translator.errors",
    "score_pairs": "translator.translate.scoring",
}


def __getattr__(name: str) -> object:
    """Import a public name when it is first used: PyTorch and Numba take a second to import."""
    if name not in _HOMES:
        raise AttributeError(f"module 'translator' has no attribute {name!r}")
    found = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = found  # so that the next use, and who documents this module, finds it here
    return found
