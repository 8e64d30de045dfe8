"""GET /spec and GET /docs."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

from flask.testing import FlaskClient

from service.app import create_app
from service.config import ServiceConfig
from service.specification.endpoint import Example, description_of
from tests.engines import CopyEngine
from tests.service.conftest import FakeTranslator, detector, make_app
from translator.engine.port import Engine
from translator.store.model_directory import LoadedModel
from translator.translate.translator import Translator

PAGES = {"/", "/docs", "/how-it-attends", "/static/<path:filename>"}


def test_every_address_is_described_but_those_of_pages() -> None:
    app = make_app(FakeTranslator())
    missing = {
        rule.rule
        for rule in app.url_map.iter_rules()
        if description_of(app.view_functions[rule.endpoint]) is None
    }
    assert missing == PAGES


def test_the_document_is_served(client: FlaskClient) -> None:
    response = client.get("/spec")
    assert (response.status_code, response.mimetype) == (200, "application/json")
    assert {*(response.json or {})["paths"]} >= {"/translate", "/detect", "/languages", "/spec"}


def test_the_page_shows_addresses_fields_and_examples(client: FlaskClient) -> None:
    page = client.get("/docs", headers={"Host": "example.org"}).text
    assert "<code>do_not_translate</code>" in page
    assert "curl http://example.org/translate" in page
    assert "&#34;translatedText&#34;: &#34;Good morning!&#34;" in page
    evil = client.get("/docs", headers={"Host": "a<script>"})
    assert "<script" not in evil.text


def examples() -> list[tuple[str, str, Example]]:
    app = make_app(FakeTranslator())
    found = []
    for rule in app.url_map.iter_rules():
        endpoint = description_of(app.view_functions[rule.endpoint])
        for example in endpoint.examples if endpoint else ():
            found.append((rule.rule, "POST" if "POST" in (rule.methods or ()) else "GET", example))
    return found


def test_the_examples_are_answered_with_what_they_show(loaded: LoadedModel, tmp_path: Path) -> None:
    config = ServiceConfig(suggestions_limit=1, database=str(tmp_path / "database"))
    faked = make_app(FakeTranslator(), config).test_client()
    attentive = Translator(loaded, cast(Engine, CopyEngine()))
    with_model = create_app(config, attentive, detector("de", "en")).test_client()
    assert len(examples()) >= 7
    for address, method, example in examples():
        client = with_model if address == "/attention" else faked
        said: Any = {"json" if method == "POST" else "query_string": dict(example.fields)}
        response = client.open(address, method=method, **said)
        assert response.status_code == 200, address
        assert shape(response.json) == shape(example.answer), address


def shape(value: Any) -> Any:
    """Return the keys and types of an answer; of an array, those of its first entry."""
    if isinstance(value, dict):
        return {key: shape(one) for key, one in value.items()}
    if isinstance(value, list):
        return [shape(value[0])] if value else []
    return type(value)
