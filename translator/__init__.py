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
    "DecodingOptions": "translator.config",
    "Glossary": "translator.text.glossary",
    "Language": "translator.pipeline.translation",
    "ModelSet": "translator.pipeline.models.model_set",
    "PairScore": "translator.pipeline.scoring",
    "Deadline": "translator.deadline",
    "SentenceTranslation": "translator.pipeline.translation",
    "Translation": "translator.pipeline.translation",
    "Translator": "translator.pipeline.translator",
    "TranslatorError": "translator.errors",
    "score_pairs": "translator.pipeline.scoring",
    # what the service takes beside these, so that it need not know where it stands
    **dict.fromkeys(["Detected", "Detector"], "translator.detection.detector"),
    **dict.fromkeys(["SourceFinder", "undetected"], "translator.detection.sources"),
    **dict.fromkeys(["NoRoomError", "write_durably"], "translator.durable"),
    **dict.fromkeys(["LOOK_EVERY_S", "NO_DEADLINE"], "translator.deadline"),
    **dict.fromkeys(["DEFAULT_MODEL", "models_folder"], "translator.store.home"),
    **dict.fromkeys(["raise_if_wrong"], "translator.strict"),
    **dict.fromkeys(["Formality"], "translator.rules.formality"),
    **dict.fromkeys(["Document", "as_many"], "translator.documents.document"),
    **dict.fromkeys(["TagOptions"], "translator.documents.markup.html_tokens"),
    **dict.fromkeys(["MarkedText"], "translator.text.marked"),
    **dict.fromkeys(["AttentionRecord", "record_alone"], "translator.alignment.record"),
    **dict.fromkeys(["Head"], "translator.alignment.vectors"),
    **dict.fromkeys(["translate_document"], "translator.pipeline.documents"),
    **dict.fromkeys(["AnyTranslator", "ModelState", "Pair"], "translator.pipeline.face"),
    **dict.fromkeys(["stand_in"], "translator.pipeline.models.here"),
    **dict.fromkeys(["TextFormat", "TextOptions"], "translator.pipeline.options"),
    **dict.fromkeys(["stream_texts", "translate_texts"], "translator.pipeline.texts"),
    **dict.fromkeys(["SentenceStream", "joined", "of_one_text"], "translator.pipeline.translation"),
    **dict.fromkeys(["PreparedModel"], "translator.pipeline.translator"),
}


def __getattr__(name: str) -> object:
    """Import a public name when it is first used: PyTorch and Numba take a second to import."""
    if name not in _HOMES:
        raise AttributeError(f"module 'translator' has no attribute {name!r}")
    found = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = found  # so that the next use, and who documents this module, finds it here
    return found
