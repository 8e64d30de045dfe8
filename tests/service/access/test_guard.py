"""The door: who asks, who may not ask, and how often."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask, Request
from flask.testing import FlaskClient
from werkzeug.test import EnvironBuilder

from service.access.guard import (
    Caller,
    config_of_caller,
    guard,
    identify,
    network_of,
    presented_key,
)
from service.access.keys import KeyStore
from service.config import ServiceConfig
from service.http.endpoint import Endpoint, describe, described
from service.http.errors import register_error_handlers
from tests.service.conftest import FakeTranslator, make_app
from tests.service.redis_server import Redis
from tests.waiting import wait_until
from translator.errors import ConfigError

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


def test_a_database_that_is_away_is_an_answer_that_says_when_to_come_back(
    tmp_path: Path, store: KeyStore
) -> None:
    client = make_client(tmp_path, api_keys="required", suggestions_limit=1)
    key = store.add("a")
    assert client.post("/translate", json={**BODY, "api_key": key}).status_code == 200
    assert (client.get("/ready").json or {})["missing"] == []
    (tmp_path / "keys").unlink()
    suggestion = {"q": "a", "s": "b", "source": "de", "target": "en"}
    assert client.post("/translate", json={**BODY, "api_key": key}).status_code == 200
    for path, body in (
        ("/translate", {**BODY, "api_key": "0a0a0a0a.x"}),
        ("/suggest", {**suggestion, "api_key": key}),
    ):
        answer = client.post(path, json=body)
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
        assert (answer.json or {})["code"] == "not_ready"
        assert str(tmp_path) not in answer.text
    assert (client.get("/ready").json or {})["missing"] == ["API keys"]


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
    working = [endpoint for _, _, endpoint in described(app) if endpoint.takes_slot]
    assert len(working) == 10
    assert all(endpoint.access == "counted" for endpoint in working)


NAMES = ("api_key", "apiKey", "auth_key", "token")
NO_OBJECTS = ('{"api_key": "k"', '["api_key"]', "", '{"q": "\\"api_key\\": 5"}', "[" * 100_000)


def request(**options: Any) -> Request:
    return Request(EnvironBuilder(method="POST", **options).get_environ())


K, L, JSON = {"api_key": "k"}, {"api_key": "l"}, "application/json"


def header(value: str) -> dict[str, dict[str, str]]:
    return {"headers": {"Authorization": value}}


@pytest.mark.parametrize(
    ("sent", "key"),
    [
        *(({"json": {"q": "x", name: "k"}}, "k") for name in NAMES),
        *(({"data": {"q": "x", name: "k"}}, "k") for name in NAMES),
        *(({"data": {name: "k"}, "content_type": "multipart/form-data"}, "k") for name in NAMES),
        *(({"query_string": {name: "k"}}, "k") for name in NAMES),
        *((header(f"{scheme} k"), "k") for scheme in ("Bearer", "DeepL-Auth-Key")),
        *((header(text), "") for text in ("Basic k", "", " ", "Bearer", "bearer ")),
        # a header of one word is a key if there is no other
        ({**header("k"), "json": {"q": "x"}}, "k"),
        ({**header("k"), "json": {"q": "x", **L}}, "l"),
        ({**header("k"), "query_string": {"token": "l"}}, "l"),
        # that of the header goes before that of the address, and this before the body
        ({**header("Bearer h"), "query_string": K, "json": L}, "h"),
        ({"query_string": K, "json": L}, "k"),
        *(({"json": {"q": "x", "api_key": empty}}, "") for empty in (None, "", False, 0)),
        ({"json": {"api_key": ["k"]}}, "['k']"),
        *(({"data": text, "content_type": JSON}, "") for text in NO_OBJECTS),
    ],
)
def test_a_key_is_found_wherever_clients_put_it(sent: dict[str, Any], key: str) -> None:
    assert presented_key(request(**sent)) == key


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
        ("7.7.7.7:1001", "7.7.7.7"),
        ("[2001:db8::1]:1001", "2001:db8::/64"),
        ("[2001:db8::1]", "2001:db8::/64"),
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


def make_limited(**settings: object) -> FlaskClient:
    config = ServiceConfig(**{"rate_limit": "2 per minute", **settings})  # type: ignore[arg-type]
    return make_app(FakeTranslator(), config).test_client()


def statuses(client: FlaskClient, count: int, address: str = "10.0.0.1") -> list[int]:
    environ = {"REMOTE_ADDR": address}
    return [
        client.post("/translate", json=BODY, environ_overrides=environ).status_code
        for _ in range(count)
    ]


def test_one_more_than_allowed_is_told_to_slow_down_and_when_to_come_back() -> None:
    client = make_limited()
    assert statuses(client, 2) == [200, 200]
    answer = client.post("/translate", json=BODY, environ_overrides={"REMOTE_ADDR": "10.0.0.1"})
    said = {"error": "Slowdown: 2 per 1 minute", "code": "too_many_requests"}
    assert (answer.status_code, answer.json) == (429, said)
    assert 1 <= int(answer.headers["Retry-After"]) <= 61
    assert answer.headers["Access-Control-Allow-Origin"] == "*"


def test_all_addresses_have_a_limit_of_their_own() -> None:
    client = make_limited()
    assert statuses(client, 3, "10.0.0.1") == [200, 200, 429]
    assert statuses(client, 3, "10.0.0.2") == [200, 200, 429]
    assert statuses(client, 2, "2001:db8::1") == [200, 200]
    assert statuses(client, 1, "2001:db8::2") == [429], "the same network"


def test_what_costs_nothing_is_not_counted() -> None:
    client = make_limited()
    for path in ("/health", "/languages", "/"):
        assert [client.get(path).status_code for _ in range(4)] == [200] * 4
    assert client.options("/translate").status_code == 200
    assert statuses(client, 2, "127.0.0.1") == [200, 200]


def test_a_refused_request_is_not_parsed() -> None:
    client = make_limited(rate_limit="1 per minute")
    client.post("/translate", json=BODY)
    answer = client.post("/translate", data="{", content_type="application/json")
    assert answer.status_code == 429


def test_several_limits_hold_together() -> None:
    client = make_limited(rate_limit="5 per minute;3 per day")
    assert statuses(client, 4) == [200, 200, 200, 429]


def test_who_goes_on_after_refusals_is_banned() -> None:
    client = make_limited(rate_limit="1 per second", ban_after=2)
    while 403 not in (found := statuses(client, 5)):
        assert set(found) <= {200, 429}
    client = make_limited(rate_limit="1 per second", ban_after=10**6)
    assert 403 not in statuses(client, 20)


def test_refusals_of_the_page_ban_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    now_s = [1_000.0]
    monkeypatch.setattr(time, "time", lambda: now_s[0])
    client = make_limited(rate_limit="1 per second", ban_after=1)
    client.environ_base["HTTP_TRANSLATOR_PAGE"] = "1"
    for _ in range(2):
        assert statuses(client, 3) == [200, 429, 429]
        now_s[0] += 1


def test_a_ban_begins_with_the_refusal_that_is_one_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now_s = [1_000.0]
    monkeypatch.setattr(time, "time", lambda: now_s[0])
    client, found = make_limited(rate_limit="1 per second", ban_after=3), list[list[int]]()
    for count in (2, 3, 2):  # in each second one is let through, unless its caller is banned
        found.append(statuses(client, count))
        now_s[0] += 1
    assert found[:2] == [[200, 429], [200, 429, 429]]
    assert found[2][0] == 403


def test_a_ban_lasts_as_long_as_the_settings_say(monkeypatch: pytest.MonkeyPatch) -> None:
    now_s = [1_000.0]
    monkeypatch.setattr(time, "time", lambda: now_s[0])
    client = make_limited(rate_limit="1 per second", ban_after=1, ban_s=50)
    assert statuses(client, 2) == [200, 429]
    for later_s, expected in ((1, 403), (48, 403), (2, 200)):
        now_s[0] += later_s
        assert statuses(client, 1) == [expected]


def test_the_refusal_that_bans_and_those_after_it_say_when_the_ban_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now_s = [1_000.0]
    monkeypatch.setattr(time, "time", lambda: now_s[0])
    client = make_limited(rate_limit="1 per 4 second", ban_after=2, ban_s=50)

    def told(path: str = "/translate", **body: object) -> tuple[int, str | None]:
        answer = client.post(path, json=body or BODY)
        return answer.status_code, answer.headers.get("Retry-After")

    assert [told(), told(), told()] == [(200, None), (429, "5"), (429, "50")]
    now_s[0] += 25
    assert told() == (403, "25")
    assert told() == (429, "25"), "a limit comes before a ban, and says when both are over"
    now_s[0] += 5
    assert (client.post("/translate", json=BODY).json or {})["error"].endswith("in 20 seconds")
    now_s[0] += 5
    assert told("/v2/translate", text=["a"], target_lang="EN") == (456, "15")
    now_s[0] += 15
    assert told()[0] == 200, "it was the truth"


def test_a_ban_is_told_and_the_rest_is_still_answered() -> None:
    client, answers = make_limited(rate_limit="1 per second", ban_after=1), []

    def is_banned() -> bool:
        answers.append(client.post("/translate", json=BODY))
        return answers[-1].status_code == 403

    wait_until(is_banned)
    said = answers[-1].json or {}
    assert re.fullmatch(
        r"Too many request limits violations; try again in \d+ seconds", said.pop("error")
    )
    assert said == {"code": "banned"}
    assert client.get("/languages").status_code == 200


@pytest.mark.parametrize("url", ["nowhere", "nothing://localhost"])
def test_an_unknown_storage_ends_the_start(url: str) -> None:
    with pytest.raises(
        ConfigError, match=r"TRANSLATOR_RATE_LIMIT_STORAGE: .*; take memory:// or redis://"
    ):
        make_limited(rate_limit_storage=url)


@pytest.fixture
def clients(redis: Redis) -> Iterator[Callable[..., FlaskClient]]:
    """Make clients of applications that share the Redis, and close their connections to it."""
    made: list[FlaskClient] = []

    def make(**settings: object) -> FlaskClient:
        made.append(make_limited(rate_limit_storage=redis.url, **settings))
        return made[-1]

    yield make
    for client in made:
        for limiter in client.application.extensions["limiter"]:
            limiter.storage.storage.connection_pool.disconnect()


@pytest.mark.slow
def test_workers_count_together_in_a_redis(clients: Callable[..., FlaskClient]) -> None:
    first, second = clients(), clients()
    assert statuses(first, 1) + statuses(second, 2) + statuses(first, 1) == [200, 200, 429, 429]


@pytest.mark.slow
def test_bans_hold_for_all_workers(clients: Callable[..., FlaskClient]) -> None:
    first, second = (clients(rate_limit="1 per second", ban_after=3) for _ in range(2))
    wait_until(lambda: 403 in statuses(first, 4))
    wait_until(lambda: statuses(second, 1) == [403])


@pytest.mark.slow
def test_without_its_redis_a_worker_still_answers_and_counts_by_itself(
    redis: Redis, clients: Callable[..., FlaskClient]
) -> None:
    client = clients(ban_after=100)
    assert statuses(client, 1) == [200]
    redis.stop()
    assert statuses(client, 3, "10.0.0.7") == [200, 200, 429]
    redis.start()
    wait_until(lambda: 200 in statuses(client, 1, "10.0.0.1"))
