"""Places for running translations."""

from __future__ import annotations

from typing import cast

import pytest

from service.config import ServiceConfig
from service.routes.context import Context
from tests.service.conftest import LANGUAGES, FakeTranslator, detector
from translator.errors import EngineOverloadedError
from translator.translate.translator import Translator


def test_a_place_more_than_there_are_is_refused_and_comes_free_again() -> None:
    context = Context(
        ServiceConfig(concurrency_limit=1), cast(Translator, FakeTranslator()), detector()
    )
    with (
        context.place(),
        pytest.raises(EngineOverloadedError, match="busy with 1 translations"),
        context.place(),
    ):
        pass
    with context.place():
        pass


def test_the_detector_tells_the_languages_that_there_are_now() -> None:
    fake = FakeTranslator()
    context = Context(ServiceConfig(), cast(Translator, fake), detector())
    assert context.detector is detector()
    fake.languages = LANGUAGES[:2]
    assert context.detector.languages == ("de", "en")
    assert context.detector is context.detector
    assert context.detector.detect("Das ist ein deutscher Satz.")[0].language == "de"
