"""Keys in a Redis, which servers on several machines share."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from service.access import shared_keys
from service.access.commands import main
from service.access.keys import KeyStore
from service.access.shared_keys import SharedKeys, open_keys
from service.config import ServiceConfig
from service.errors import NotReady
from tests.service.conftest import FakeTranslator, make_app
from tests.service.redis_server import Redis
from translator.errors import ConfigError

BODY = {"q": "a", "source": "de", "target": "en"}

Opened = Callable[[], SharedKeys]


@pytest.fixture
def opened(redis: Redis, monkeypatch: pytest.MonkeyPatch) -> Iterator[Opened]:
    """Open the keys of one Redis, as often as wanted."""
    monkeypatch.setattr(shared_keys, "PATIENCE_S", 0.05)
    stores = []

    def make() -> SharedKeys:
        stores.append(SharedKeys(redis.url))
        return stores[-1]

    yield make
    for store in stores:
        store.close()


def test_the_database_is_the_default(tmp_path: Path) -> None:
    store = open_keys(ServiceConfig(database=str(tmp_path / "keys")))
    assert isinstance(store, KeyStore)
    store.close()


def test_a_url_that_is_none_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"keys_storage: .*; take redis://HOST:PORT"):
        SharedKeys("redis://localhost:port")


def test_a_key_is_found_by_all_with_its_limits(opened: Opened) -> None:
    first, second = opened(), opened()
    key = first.add("weblate", rate_limit="9 per minute", char_limit=7)
    found = second.find(key)
    assert found is not None
    assert (found.name, found.rate_limit, found.char_limit) == ("weblate", "9 per minute", 7)
    first.limit("weblate", rate_limit="", char_limit=None)
    changed = second.find(key)
    assert changed is not None
    assert (changed.rate_limit, changed.char_limit) == ("", None)
    other = first.add("mastodon")
    assert [known.name for known in second.list()] == ["mastodon", "weblate"]
    second.remove("weblate")
    assert first.find(key) is None
    assert first.find(other) is not None


def test_the_redis_has_no_key(opened: Opened) -> None:
    store = opened()
    key_id, _, secret = store.add("a").partition(".")
    text = store._redis.hget(shared_keys.KEYS, key_id)
    assert key_id in text
    assert secret not in text


@pytest.mark.parametrize("wrong", ["", ".", "x", "zzzzzzzz.zzz", "\ud800", "ü" * 10_000])
def test_anything_else_is_not_found(opened: Opened, wrong: str) -> None:
    store = opened()
    first, second = store.add("a"), store.add("b")
    assert store.find(wrong) is None
    assert store.find(first.partition(".")[0] + "." + second.partition(".")[2]) is None
    assert store.find(first.partition(".")[0]) is None


def test_an_expired_key_is_not_found(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    store = opened()
    monkeypatch.setattr(time, "time", lambda: 1_000.0)
    assert store.find(store.add("over", expires_at=1_000)) is None
    assert store.find(store.add("not yet", expires_at=1_001)) is not None


def test_a_name_is_given_once(opened: Opened) -> None:
    store = opened()
    store.add("a")
    with pytest.raises(ValueError, match="there is a key named 'a' already; remove it first"):
        store.add("a")
    with pytest.raises(ValueError, match="there is no key named 'b'; `keys list` shows all"):
        store.remove("b")
    with pytest.raises(ValueError, match="there is no key named 'b'"):
        store.limit("b", rate_limit="", char_limit=None)


def test_names_and_keys_stay_one_to_one_whoever_changes_them_at_once(opened: Opened) -> None:
    def change(store: SharedKeys) -> None:
        for _ in range(20):
            with suppress(ValueError):
                store.add("a")
            with suppress(ValueError):
                store.limit("a", rate_limit="9 per minute", char_limit=None)
            with suppress(ValueError):
                store.remove("a")

    stores = [opened() for _ in range(4)]
    with ThreadPoolExecutor(len(stores)) as threads:
        list(threads.map(change, stores))
    names: dict[str, str] = stores[0]._redis.hgetall(shared_keys.NAMES)
    assert {key.name: key.id for key in stores[0].list()} == names


def test_without_its_redis_keys_that_were_seen_are_good_and_others_come_back(
    redis: Redis, opened: Opened
) -> None:
    store = opened()
    seen, unseen = store.add("a"), store.add("b")
    assert store.find(seen) is not None
    redis.stop()
    found = store.find(seen)
    assert found is not None
    assert found.name == "a"
    assert store.find(seen[:-1] + "_") is None
    with pytest.raises(NotReady, match="API keys cannot be looked up now"):
        store.find(unseen)
    redis.start()  # which has forgotten everything
    time.sleep(2 * shared_keys.PATIENCE_S)
    assert store.find(seen) is None


def test_who_has_an_unseen_key_meanwhile_is_told_to_come_back(redis: Redis) -> None:
    config = ServiceConfig(api_keys="required", keys_storage=redis.url)
    client = make_app(FakeTranslator(), config).test_client()
    redis.stop()
    answer = client.post("/translate", json={**BODY, "api_key": "0a0a0a0a.x"})
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert answer.json is not None
    assert answer.json["code"] == "not_ready"
    redis.start()


def test_the_command_makes_keys_there(
    redis: Redis,
    opened: Opened,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("TRANSLATOR_KEYS_STORAGE", redis.url)
    assert main(["add", "mastodon"]) == 0
    assert opened().find(capsys.readouterr().out.strip()) is not None
    redis.stop()
    assert main(["list"]) == 1
    assert "error: " in capsys.readouterr().err
    redis.start()
