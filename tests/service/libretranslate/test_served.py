"""The translator as requests reach it: what is counted, and what the cache gives again."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from service.config import ServiceConfig
from service.http.context import ServedTranslator, TranslationCache
from tests.service.conftest import FakeTranslator, make_app
from translator.config import DecodingOptions
from translator.deadline import NO_DEADLINE
from translator.documents.kinds import read_file
from translator.errors import EngineOverloadedError
from translator.pipeline.options import TextOptions
from translator.text.glossary import Glossary

DE_EN: dict[str, Any] = {"source": "de", "target": "en"}


def served(fake: FakeTranslator, max_bytes: int = 10**6) -> ServedTranslator:
    cache = TranslationCache(max_bytes) if max_bytes else None
    return ServedTranslator(fake, cache)


def texts(translator: ServedTranslator, *wanted: str, **options: Any) -> list[str]:
    found = translator.translate(wanted, TextOptions(**{**DE_EN, **options}), NO_DEADLINE)
    return [translation.text for translation in found]


def test_only_what_is_new_is_translated_and_all_comes_back_in_order() -> None:
    fake = FakeTranslator()
    translator = served(fake)
    texts(translator, "b")
    assert texts(translator, "a", "b", "c", "a") == ["A", "B", "C", "A"]
    assert texts(translator, "c", "a") == ["C", "A"]
    assert [call[0] for call in fake.calls] == [("b",), ("a", "c")]


@pytest.mark.parametrize(
    "other",
    [
        {"target": "pt-BR"},
        {"source": "en"},
        {"num_alternatives": 1},
        {"formality": "formal"},
        {"decoding": DecodingOptions(beam_size=4)},
        {"glossary": Glossary(pairs={"a": "y"})},
    ],
)
def test_whatever_changes_a_translation_is_in_the_key(other: dict[str, Any]) -> None:
    fake = FakeTranslator()
    translator = served(fake)
    for options in ({}, other, {}, other):
        texts(translator, "a", **options)
    assert len(fake.calls) == 2


def test_other_models_of_a_pair_translate_anew() -> None:
    fake = FakeTranslator()
    translator = served(fake)
    for checksum in ("first", "first", "second"):
        fake.checksum = checksum
        texts(translator, "a")
    assert len(fake.calls) == 2


def test_texts_with_separators_of_any_kind_do_not_collide() -> None:
    translator = served(FakeTranslator())
    for text in ("a|b", "a", "a\0b", "a,b"):
        assert texts(translator, text) == [text.upper()]


def test_an_error_is_not_kept() -> None:
    fake = FakeTranslator()
    translator = served(fake)
    fake.error = EngineOverloadedError("full")
    with pytest.raises(EngineOverloadedError):
        texts(translator, "a")
    fake.error = None
    assert texts(translator, "a") == ["A"]


def test_without_a_cache_everything_is_translated() -> None:
    fake = FakeTranslator()
    translator = served(fake, max_bytes=0)
    assert texts(translator, "a") == texts(translator, "a") == ["A"]
    assert len(fake.calls) == 2


@pytest.mark.parametrize(
    ("name", "content", "translation"),
    [
        ("a.txt", "\ufeffGuten Tag.\r\n\tUnd\n", "\ufeffGUTEN TAG.\r\n\tUND\n"),
        ("a.json", '{"a": "Hallo", "b": 1}', '{"a": "HALLO", "b": 1}'),
        ("a.txt", "Ein Hut.", "EIN hat."),
    ],
)
def test_a_document_comes_back_with_all_that_is_no_sentence(
    name: str, content: str, translation: str
) -> None:
    document = read_file(name, content.encode(), "en")
    options = TextOptions(**DE_EN, glossary=Glossary(pairs={"Hut": "hat"}))
    done = served(FakeTranslator()).translate_document(document, options, NO_DEADLINE)
    assert done.decode() == translation


def figure(client: FlaskClient, name: str) -> float:
    lines = client.get("/metrics").get_data(as_text=True).splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith(name + " "))


@pytest.mark.parametrize("cache_bytes", [0, 10**6])
def test_texts_are_counted_as_they_came(cache_bytes: int) -> None:
    config = ServiceConfig(metrics="on", cache_bytes=cache_bytes)
    client = make_app(FakeTranslator(), config).test_client()
    page = "<p>Ein <b>Hut</b>.</p><p>Zwei Hüte.</p><img alt='Hut'>"
    for text_format, accept in (("text", "*/*"), ("html", "*/*"), ("html", "text/event-stream")):
        body, headers = {"q": page, **DE_EN, "format": text_format}, {"Accept": accept}
        client.post("/translate", json=body, headers=headers, buffered=True)
    assert figure(client, "translator_texts_total") == 3
    assert figure(client, "translator_characters_total") == 3 * len(page)


def test_paragraphs_of_a_page_and_of_a_file_are_kept_each_by_itself() -> None:
    fake = FakeTranslator()
    translator = served(fake)
    texts(translator, "<p>Ein Hut.</p><p>Zwei.</p>", text_format="html")
    texts(translator, "<p>Zwei.</p><p>Drei.</p>", text_format="html")
    document = read_file("a.json", b'{"a": "Drei.", "b": "Vier."}', "en")
    translator.translate_document(document, TextOptions(**DE_EN), NO_DEADLINE)
    assert [call[0] for call in fake.calls] == [("Ein Hut.", "Zwei."), ("Drei.",), ("Vier.",)]
