"""GET /spec and GET /docs."""

from __future__ import annotations

import re
from typing import Any

from flask.testing import FlaskClient

from service.specification.endpoint import Example, description_of
from tests.service.conftest import FakeTranslator, make_app

PAGES = {"/", "/docs", "/static/<path:filename>"}


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


def test_the_page_is_self_contained(client: FlaskClient) -> None:
    page = client.get("/docs")
    assert (page.status_code, page.mimetype) == (200, "text/html")
    assert page.headers["Content-Security-Policy"].startswith("default-src 'none'; ")
    for address in re.findall(r'(?:src|href|action)="([^"]*)"', page.text):
        assert re.match(r"[/#](?!/)", address)
        if address.startswith("/"):
            with client.get(address) as response:
                assert response.status_code == 200
        else:
            assert f'id="{address[1:]}"' in page.text
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script", page.text)


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


def test_the_examples_are_answered_with_what_they_show(client: FlaskClient) -> None:
    assert len(examples()) >= 6
    for address, method, example in examples():
        json: Any = {"json": dict(example.fields)} if method == "POST" else {}
        response = client.open(address, method=method, **json)
        assert response.status_code == 200, address
        assert shape(response.json) == shape(example.answer), address


def shape(value: Any) -> Any:
    """Return the keys and types of an answer; of an array, those of its first entry."""
    if isinstance(value, dict):
        return {key: shape(one) for key, one in value.items()}
    if isinstance(value, list):
        return [shape(value[0])] if value else []
    return type(value)
