"""The door: who may not ask, in LibreTranslate's order and words."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Blueprint, Flask
from flask.testing import FlaskClient

from service.access.guard import GUARDED, config_of_caller, guard
from service.access.keys import KeyStore
from service.config import ServiceConfig
from service.dialects.table import DIALECTS
from service.errors import register_error_handlers
from service.worker.traffic import GUARDED as WORKERS_OWN
from tests.service.conftest import FakeTranslator, make_app

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


def test_further_blueprints_need_a_key_and_are_counted_where_they_say(tmp_path: Path) -> None:
    app = Flask("small")
    routes = Blueprint("own", __name__)
    for address in ("/work", "/ask"):
        routes.add_url_rule(address, address[1:], lambda: "", methods=["GET", "POST"])
    config = ServiceConfig(
        api_keys="required", rate_limit="1 per minute", database=str(tmp_path / "keys")
    )
    guard(app, config, {"own": {"/work"}})
    app.register_blueprint(routes)
    register_error_handlers(app)
    client, key = app.test_client(), KeyStore(tmp_path / "keys").add("a")
    assert [client.get(address).status_code for address in ("/work", "/ask")] == [400, 400]
    keyed = {"Authorization": f"Bearer {key}"}
    asked = [client.post("/ask", headers=keyed).status_code for _ in range(3)]
    assert asked == [200, 200, 200]
    assert [client.post("/work", headers=keyed).status_code for _ in range(2)] == [200, 429]
    assert client.get("/work", headers=keyed).status_code == 200
    assert client.options("/work").status_code == 200


def test_what_the_worker_guards_is_guarded_here(client: FlaskClient) -> None:
    assert any(path.startswith(WORKERS_OWN) for path in GUARDED)
    dialects = {dialect.name for dialect in DIALECTS}
    posts = {
        rule.rule
        for rule in client.application.url_map.iter_rules()
        if "POST" in (rule.methods or ()) and rule.endpoint.partition(".")[0] not in dialects
    }
    assert posts <= GUARDED, "an address that takes POST has no door"
