"""Neural machine translation: `Translator.load(directory).translate(texts, source=…, target=…)`."""

import importlib
from typing import TYPE_CHECKING

from translator.python_version import require_python

if TYPE_CHECKING:
    from translator.alignment.record import AttentionRecord as AttentionRecord
    from translator.alignment.record import record_alone as record_alone
    from translator.alignment.vectors import Head as Head
    from translator.config import DecodingOptions
    from translator.deadline import LOOK_EVERY_S as LOOK_EVERY_S
    from translator.deadline import NO_DEADLINE as NO_DEADLINE
    from translator.deadline import Deadline
    from translator.detection.detector import Detected as Detected
    from translator.detection.detector import Detector as Detector
    from translator.detection.sources import SourceFinder as SourceFinder
    from translator.detection.sources import undetected as undetected
    from translator.documents.document import Document as Document
    from translator.documents.document import as_many as as_many
    from translator.documents.markup.html_tokens import TagOptions as TagOptions
    from translator.durable import NoRoomError as NoRoomError
    from translator.durable import write_durably as write_durably
    from translator.errors import TranslatorError
    from translator.pipeline.documents import translate_document as translate_document
    from translator.pipeline.face import AnyTranslator as AnyTranslator
    from translator.pipeline.face import ModelState as ModelState
    from translator.pipeline.face import Pair as Pair
    from translator.pipeline.models.here import stand_in as stand_in
    from translator.pipeline.models.model_set import ModelSet
    from translator.pipeline.options import TextFormat as TextFormat
    from translator.pipeline.options import TextOptions as TextOptions
    from translator.pipeline.scoring import PairScore, score_pairs
    from translator.pipeline.texts import stream_texts as stream_texts
    from translator.pipeline.texts import translate_texts as translate_texts
    from translator.pipeline.translation import Language, SentenceTranslation, Translation
    from translator.pipeline.translation import SentenceStream as SentenceStream
    from translator.pipeline.translation import joined as joined
    from translator.pipeline.translation import of_one_text as of_one_text
    from translator.pipeline.translator import PreparedModel as PreparedModel
    from translator.pipeline.translator import Translator
    from translator.rules.formality import Formality as Formality
    from translator.store.home import DEFAULT_MODEL as DEFAULT_MODEL
    from translator.store.home import models_folder as models_folder
    from translator.strict import raise_if_wrong as raise_if_wrong
    from translator.text.glossary import Glossary
    from translator.text.marked import MarkedText as MarkedText

require_python()

__all__ = [
    "Deadline",
    "DecodingOptions",
    "Glossary",
    "Language",
    "ModelSet",
    "PairScore",
    "SentenceTranslation",
    "Translation",
    "Translator",
    "TranslatorError",
    "score_pairs",
]

_HOMES = {
    name: f"translator.{module}"
    for module, names in {
        "alignment.record": "AttentionRecord record_alone",
        "alignment.vectors": "Head",
        "config": "DecodingOptions",
        "deadline": "Deadline LOOK_EVERY_S NO_DEADLINE",
        "detection.detector": "Detected Detector",
        "detection.sources": "SourceFinder undetected",
        "documents.document": "Document as_many",
        "documents.markup.html_tokens": "TagOptions",
        "durable": "NoRoomError write_durably",
        "errors": "TranslatorError",
        "pipeline.documents": "translate_document",
        "pipeline.face": "AnyTranslator ModelState Pair",
        "pipeline.models.here": "stand_in",
        "pipeline.models.model_set": "ModelSet",
        "pipeline.options": "TextFormat TextOptions",
        "pipeline.scoring": "PairScore score_pairs",
        "pipeline.texts": "stream_texts translate_texts",
        "pipeline.translation": "Language SentenceStream SentenceTranslation Translation joined "
        "of_one_text",
        "pipeline.translator": "PreparedModel Translator",
        "rules.formality": "Formality",
        "store.home": "DEFAULT_MODEL models_folder",
        "strict": "raise_if_wrong",
        "text.glossary": "Glossary",
        "text.marked": "MarkedText",
    }.items()
    for name in names.split()
}
"""Where names are: those above, and what the service takes beside them."""


def __getattr__(name: str) -> object:
    """Import a public name when it is first used: PyTorch and Numba take a second to import."""
    if name not in _HOMES:
        raise AttributeError(f"module 'translator' has no attribute {name!r}")
    found = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = found  # so that the next use, and who documents this module, finds it here
    return found
