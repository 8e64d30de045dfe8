"""Rate limits and bans, in memory and in a real Redis."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest
from flask.testing import FlaskClient

from service.config import ServiceConfig
from tests.service.conftest import FakeTranslator, make_app
from tests.service.redis_server import Redis
from tests.waiting import wait_until
from translator.errors import ConfigError

BODY = {"q": "a", "source": "de", "target": "en"}


def make_client(**settings: object) -> FlaskClient:
    config = ServiceConfig(**{"rate_limit": "2 per minute", **settings})  # type: ignore[arg-type]
    return make_app(FakeTranslator(), config).test_client()


def statuses(client: FlaskClient, count: int, address: str = "10.0.0.1") -> list[int]:
    environ = {"REMOTE_ADDR": address}
    return [
        client.post("/translate", json=BODY, environ_overrides=environ).status_code
        for _ in range(count)
    ]


def test_one_more_than_allowed_is_told_to_slow_down_and_when_to_come_back() -> None:
    client = make_client()
    assert statuses(client, 2) == [200, 200]
    answer = client.post("/translate", json=BODY, environ_overrides={"REMOTE_ADDR": "10.0.0.1"})
    said = {"error": "Slowdown: 2 per 1 minute", "code": "too_many_requests"}
    assert (answer.status_code, answer.json) == (429, said)
    assert 1 <= int(answer.headers["Retry-After"]) <= 61
    assert answer.headers["Access-Control-Allow-Origin"] == "*"


def test_all_addresses_have_a_limit_of_their_own() -> None:
    client = make_client()
    assert statuses(client, 3, "10.0.0.1") == [200, 200, 429]
    assert statuses(client, 3, "10.0.0.2") == [200, 200, 429]
    assert statuses(client, 2, "2001:db8::1") == [200, 200]
    assert statuses(client, 1, "2001:db8::2") == [429], "the same network"


def test_what_costs_nothing_is_not_counted() -> None:
    client = make_client()
    for path in ("/health", "/languages", "/"):
        assert [client.get(path).status_code for _ in range(4)] == [200] * 4
    assert client.options("/translate").status_code == 200
    assert statuses(client, 2, "127.0.0.1") == [200, 200]


def test_a_refused_request_is_not_parsed() -> None:
    client = make_client(rate_limit="1 per minute")
    client.post("/translate", json=BODY)
    answer = client.post("/translate", data="{", content_type="application/json")
    assert answer.status_code == 429


def test_several_limits_hold_together() -> None:
    client = make_client(rate_limit="5 per minute;3 per day")
    assert statuses(client, 4) == [200, 200, 200, 429]


def test_who_goes_on_after_refusals_is_banned() -> None:
    client = make_client(rate_limit="1 per second", ban_after=2)
    while 403 not in (found := statuses(client, 5)):
        assert set(found) <= {200, 429}
    client = make_client(rate_limit="1 per second", ban_after=10**6)
    assert 403 not in statuses(client, 20)


def test_a_ban_begins_with_the_refusal_that_is_one_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now_s = [1_000.0]
    monkeypatch.setattr(time, "time", lambda: now_s[0])
    client, found = make_client(rate_limit="1 per second", ban_after=3), list[list[int]]()
    for count in (2, 3, 2):  # in each second one is let through, unless its caller is banned
        found.append(statuses(client, count))
        now_s[0] += 1
    assert found[:2] == [[200, 429], [200, 429, 429]]
    assert found[2][0] == 403


def test_a_ban_is_told_and_the_rest_is_still_answered() -> None:
    client, answers = make_client(rate_limit="1 per second", ban_after=1), []

    def is_banned() -> bool:
        answers.append(client.post("/translate", json=BODY))
        return answers[-1].status_code == 403

    wait_until(is_banned)
    said = {"error": "Too many request limits violations", "code": "banned"}
    assert answers[-1].json == said
    assert client.get("/languages").status_code == 200


@pytest.mark.parametrize("url", ["nowhere", "nothing://localhost"])
def test_an_unknown_storage_ends_the_start(url: str) -> None:
    with pytest.raises(ConfigError, match=r"rate_limit_storage: .*; take memory:// or redis://"):
        make_client(rate_limit_storage=url)


@pytest.fixture
def clients(redis: Redis) -> Iterator[Callable[..., FlaskClient]]:
    """Make clients of applications that share the Redis, and close their connections to it."""
    made: list[FlaskClient] = []

    def make(**settings: object) -> FlaskClient:
        made.append(make_client(rate_limit_storage=redis.url, **settings))
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
