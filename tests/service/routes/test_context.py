"""Places for running translations."""

from __future__ import annotations

from typing import cast

import pytest

from service.config import ServiceConfig
from service.routes.context import Context
from tests.service.conftest import FakeTranslator, detector
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
