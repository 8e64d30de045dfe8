"""Neural machine translation: `Translator.load(directory).translate(texts, source=…, target=…)`."""

from translator.config import DecodingOptions
from translator.errors import TranslatorError
from translator.pipeline import Language, Translation, Translator

__all__ = ["DecodingOptions", "Language", "Translation", "Translator", "TranslatorError"]
