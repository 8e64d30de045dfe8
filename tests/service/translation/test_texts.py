"""Texts as the library translates them."""

from __future__ import annotations

from typing import Any, cast

from service.config import ServiceConfig
from service.schemas.translate.request import TranslateRequest
from service.translation.texts import stream_texts, terms_of, translate_texts
from tests.service.conftest import LANGUAGES, FakeTranslator
from translator.translate.translation import Translation
from translator.translate.translator import Translator

FIELDS = {"q": ["a"], "source": "de", "target": "en", "alternatives": 1}


def options() -> dict[str, Any]:
    request = TranslateRequest.read(FIELDS, LANGUAGES, ServiceConfig())
    return {"source": "de", "request": request, "timeout_s": 3.0, "while_waiting": lambda: None}


def test_what_a_request_wants_reaches_the_translator() -> None:
    fake = FakeTranslator()
    [translation] = translate_texts(cast(Translator, fake), ["a"], **options())
    assert translation.text == "A"
    assert fake.calls == [(("a",), "de", "en", 1)]
    assert fake.timeout_s == 3.0


def test_closing_a_stream_closes_the_translators() -> None:
    fake = FakeTranslator()
    stream = stream_texts(cast(Translator, fake), ["a\nb", "c"], **options())
    number, sentence = next(stream)
    assert (number, sentence.text, fake.num_open_streams) == (0, "A", 1)
    stream.close()
    assert fake.num_open_streams == 0


def test_terms() -> None:
    assert terms_of(Translation(text="A")) == ()
