"""Who sends a request: where a key may stand, and what counts as one address."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from flask import Request
from werkzeug.test import EnvironBuilder

from service.access.callers import Caller, identify, network_of, presented_key
from service.access.keys import KeyStore


def request(**options: Any) -> Request:
    return Request(EnvironBuilder(method="POST", **options).get_environ())


@pytest.mark.parametrize("name", ["api_key", "apiKey", "auth_key", "token"])
def test_a_key_is_found_wherever_clients_put_it(name: str) -> None:
    fields = {"q": "x", name: "k"}
    assert presented_key(request(json=fields)) == "k"
    assert presented_key(request(data=fields)) == "k"
    assert presented_key(request(data=fields, content_type="multipart/form-data")) == "k"
    assert presented_key(request(query_string=fields)) == "k"
    for scheme in ("Bearer", "DeepL-Auth-Key"):
        assert presented_key(request(headers={"Authorization": f"{scheme} k"})) == "k"
    assert presented_key(request(headers={"Authorization": "Basic k"})) == ""


def test_a_header_of_one_word_is_a_key_if_there_is_no_other() -> None:
    headers = {"Authorization": "k"}
    assert presented_key(request(headers=headers, json={"q": "x"})) == "k"
    assert presented_key(request(headers=headers, json={"q": "x", "api_key": "l"})) == "l"
    assert presented_key(request(headers=headers, query_string={"token": "l"})) == "l"
    for empty in ("", " ", "Bearer", "bearer "):
        assert presented_key(request(headers={"Authorization": empty})) == ""


@pytest.mark.parametrize("value", [None, "", False, 0])
def test_an_empty_key_is_none(value: object) -> None:
    assert presented_key(request(json={"q": "x", "api_key": value})) == ""


@pytest.mark.parametrize(
    "body", ['{"api_key": "k"', '["api_key"]', "", '{"q": "\\"api_key\\": 5"}', "[" * 100_000]
)
def test_what_is_no_object_with_a_key_has_none(body: str) -> None:
    assert presented_key(request(data=body, content_type="application/json")) == ""


def test_a_value_of_another_type_is_a_bad_key_and_no_error() -> None:
    assert presented_key(request(json={"api_key": ["k"]})) == "['k']"


def test_the_body_can_still_be_read() -> None:
    form = request(data={"q": "x", "api_key": "k"})
    presented_key(form)
    assert form.get_data() == b"q=x&api_key=k"
    assert form.form["q"] == "x"


def test_json_without_the_name_is_not_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    def parse(_: object) -> None:
        raise AssertionError("the body was parsed")

    monkeypatch.setattr("flask.json.loads", parse)
    assert (
        presented_key(request(data=json.dumps({"q": "x"}), content_type="application/json")) == ""
    )
    with pytest.raises(AssertionError):
        presented_key(request(data='{"apiKey": 1}', content_type="application/json"))


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("10.0.0.1", "10.0.0.1"),
        ("2001:db8::1", "2001:db8::/64"),
        ("2001:db8::ffff:1", "2001:db8::/64"),
        ("2001:db8:0:1::1", "2001:db8:0:1::/64"),
        ("::ffff:10.0.0.1", "10.0.0.1"),
        ("unknown", "unknown"),
    ],
)
def test_a_network_of_ipv6_is_one_caller(address: str, network: str) -> None:
    assert network_of(address) == network


def test_a_caller_is_known_by_key_or_else_by_address(tmp_path: Path) -> None:
    store = KeyStore(tmp_path / "keys")
    key = store.add("a")
    known = identify(request(json={"api_key": key}), store)
    assert known.identity == f"key {key.partition('.')[0]}"
    wrong = identify(
        request(json={"api_key": "x"}, environ_base={"REMOTE_ADDR": "10.0.0.9"}), store
    )
    assert wrong == Caller(address="10.0.0.9", has_bad_key=True)
    assert wrong.identity == "address 10.0.0.9"
    assert not identify(request(json={"api_key": "x"}), None).has_bad_key
    store.close()
