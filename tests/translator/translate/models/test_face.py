"""Translators of one model and of many have the same face."""

from __future__ import annotations

import inspect

import pytest

from translator.translate.models.face import AnyTranslator, idle
from translator.translate.models.model_set import ModelSet
from translator.translate.translator import Translator

PUBLIC = sorted(name for name in vars(AnyTranslator) if not name.startswith("_"))
METHODS = [name for name in PUBLIC if callable(getattr(AnyTranslator, name))]


def test_the_face_is_small() -> None:
    assert [
        *(
            "aligner",
            "cards",
            "close",
            "engines",
            "fingerprint",
            "held",
            "legs",
            "models",
            "statistics",
        ),
        *("stream_prepared", "translate_prepared"),
    ] == METHODS
    assert {*PUBLIC} - {*METHODS} == {"directions", "is_alive", "languages"}


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("translator", [Translator, ModelSet])
def test_translators_take_what_the_face_takes(translator: type, name: str) -> None:
    expected, found = (
        inspect.signature(getattr(one, name)).parameters for one in (AnyTranslator, translator)
    )
    assert list(found.values()) == list(expected.values())


def test_they_are_translators() -> None:
    one: type[AnyTranslator] = Translator  # mypy compares them
    many: type[AnyTranslator] = ModelSet
    assert one is not many
    idle()
