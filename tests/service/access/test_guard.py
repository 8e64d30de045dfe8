"""The door: who may not ask, in LibreTranslate's order and words."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.access.guard import config_of_caller, guard
from service.access.keys import KeyStore
from service.config import ServiceConfig
from service.errors import register_error_handlers
from service.specification.endpoint import Endpoint, describe, described
from tests.service.conftest import FakeTranslator, make_app

CHANGES = {"POST", "PUT", "PATCH", "DELETE"}
BODY = {"q": "a", "source": "de", "target": "en"}


@pytest.fixture
def store(tmp_path: Path) -> KeyStore:
    return KeyStore(tmp_path / "keys")


def make_client(tmp_path: Path, **settings: object) -> FlaskClient:
    values = {"database": str(tmp_path / "keys"), **settings}
    config = ServiceConfig(**values)  # type: ignore[arg-type]
    return make_app(FakeTranslator(), config).test_client()


def test_keys_are_ignored_unless_switched_on(client: FlaskClient) -> None:
    assert client.post("/translate", json={**BODY, "api_key": "x"}).status_code == 200


def test_a_wrong_key_is_refused(tmp_path: Path) -> None:
    client = make_client(tmp_path, api_keys="optional")
    answer = client.post("/translate", json={**BODY, "api_key": "x"})
    said = {"error": "Invalid API key", "code": "invalid_key"}
    assert (answer.status_code, answer.json) == (403, said)
    assert client.post("/translate", json={**BODY, "api_key": None}).status_code == 200


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("", "Please contact the server operator to get an API key"),
        ("https://x.example/keys", "Visit https://x.example/keys to get an API key"),
    ],
)
def test_without_a_needed_key_people_learn_where_to_get_one(
    tmp_path: Path, store: KeyStore, url: str, message: str
) -> None:
    client = make_client(tmp_path, api_keys="required", api_keys_url=url)
    answer = client.post("/translate", data="{", content_type="application/json")
    said = {"error": message, "code": "key_required"}
    assert (answer.status_code, answer.json) == (400, said)
    key = store.add("a")
    assert client.post("/translate", json={**BODY, "api_key": key}).status_code == 200
    assert client.get("/languages").status_code == 200
    assert client.options("/translate").status_code == 200


def test_too_many_requests_come_before_a_bad_key(tmp_path: Path) -> None:
    client = make_client(tmp_path, api_keys="required", rate_limit="1 per day")
    answers = [client.post("/translate", json={**BODY, "api_key": "x"}) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [403, 429]


def test_a_key_has_limits_of_its_own(tmp_path: Path, store: KeyStore) -> None:
    client = make_client(tmp_path, api_keys="optional", rate_limit="1 per day", char_limit=10)
    few = store.add("few", rate_limit="2 per day", char_limit=3)
    many = store.add("many", rate_limit="none", char_limit=20)

    def ask(key: str | None, text: str = "a") -> int:
        return client.post("/translate", json={**BODY, "q": text, "api_key": key}).status_code

    assert [ask(None), ask(None)] == [200, 429]
    assert [ask(few), ask(few), ask(few)] == [200, 200, 429]
    assert [ask(many) for _ in range(5)] == [200] * 5
    assert [ask(many, "a" * 20), ask(many, "a" * 21)] == [200, 400]


def test_settings_are_the_servers_own_outside_of_a_request_with_a_key() -> None:
    config = ServiceConfig()
    with make_app(FakeTranslator(), config).test_request_context():
        assert config_of_caller(config) is config


@pytest.mark.parametrize(
    ("proxies", "forwarded", "counted_together"),
    [
        (0, ("1.1.1.1", "2.2.2.2"), True),  # the header is ignored
        (1, ("1.1.1.1", "2.2.2.2"), False),
        (1, ("6.6.6.6, 1.1.1.1", "7.7.7.7, 1.1.1.1"), True),  # what a client claims of itself
        (2, ("1.1.1.1, 9.9.9.9", "2.2.2.2, 9.9.9.9"), False),
    ],
)
def test_as_many_proxies_are_believed_as_there_are(
    tmp_path: Path, proxies: int, forwarded: tuple[str, str], counted_together: bool
) -> None:
    client = make_client(tmp_path, rate_limit="1 per day", trusted_proxies=proxies)
    found = [
        client.post("/translate", json=BODY, headers={"X-Forwarded-For": value}).status_code
        for value in forwarded
    ]
    assert found == [200, 429 if counted_together else 200]


def test_addresses_need_a_key_and_are_counted_where_their_descriptions_say(tmp_path: Path) -> None:
    app = Flask("small")
    counted = Endpoint(summary="", tag="", answers={}, access="counted")
    keyed = Endpoint(summary="", tag="", answers={}, access="keyed")
    app.post("/work")(describe(counted)(lambda: ""))
    app.route("/ask", endpoint="ask", methods=["GET", "POST"])(describe(keyed)(lambda: ""))
    app.get("/open", endpoint="open")(lambda: "")
    config = ServiceConfig(
        api_keys="required", rate_limit="1 per minute", database=str(tmp_path / "keys")
    )
    guard(app, config)
    register_error_handlers(app)
    client, key = app.test_client(), KeyStore(tmp_path / "keys").add("a")
    assert [client.post("/work").status_code, client.get("/ask").status_code] == [400, 400]
    assert client.get("/open").status_code == client.options("/work").status_code == 200
    header = {"Authorization": f"Bearer {key}"}
    assert [client.post("/ask", headers=header).status_code for _ in range(3)] == [200] * 3
    assert [client.post("/work", headers=header).status_code for _ in range(2)] == [200, 429]
    assert client.get("/ask", headers=header).status_code == 200


def test_no_address_that_changes_or_works_is_without_a_door(client: FlaskClient) -> None:
    app = client.application
    doors = {rule.rule: endpoint.access for rule, _, endpoint in described(app)}
    every = [rule for rule in app.url_map.iter_rules() if (rule.methods or set()) & CHANGES]
    assert all(doors[rule.rule] != "open" for rule in every)
    working = [endpoint for _, _, endpoint in described(app) if endpoint.takes_place]
    assert len(working) == 10
    assert all(endpoint.access == "counted" for endpoint in working)
