"""A translation says of each of its sentences what it says of the whole."""

from __future__ import annotations

from tests.engines import CopyEngine
from translator.store.model_directory import LoadedModel
from translator.translate.translation import SentenceTranslation
from translator.translate.translator import Translator


def test_a_translation_has_its_sentences(loaded: LoadedModel) -> None:
    translator = Translator(loaded, CopyEngine())
    [answer] = translator.translate(["- Der Hund.\n  Die Katze.\n"], source="de", target="en")
    assert answer.sentences == tuple(
        SentenceTranslation(
            separator=separator, source=text, text=text, score=-1.0, finish_reasons=("eos",)
        )
        for separator, text in (("- ", "Der Hund."), ("\n  ", "Die Katze."))
    )
