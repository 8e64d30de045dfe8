"""API keys: those in a database and those in a Redis behave alike; the command that makes them."""

from __future__ import annotations

import argparse
import errno
import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from service.access import keys
from service.access.commands import main, make_parser
from service.access.keys import Keys, KeyStore, SharedKeys, open_keys
from service.config import ServiceConfig
from service.http.errors import NotReady
from tests.checkout import ROOT
from tests.docs.pages import code_spans, read
from tests.service.conftest import FakeTranslator, make_app
from tests.service.redis_server import Redis
from translator.errors import ConfigError

BODY = {"q": "a", "source": "de", "target": "en"}


Opened = Callable[[], SharedKeys]


@pytest.fixture
def opened(redis: Redis, monkeypatch: pytest.MonkeyPatch) -> Iterator[Opened]:
    """Open the keys of one Redis, as often as wanted."""
    monkeypatch.setattr(keys, "TIMEOUT_S", 0.05)
    stores = []

    def make() -> SharedKeys:
        stores.append(SharedKeys(redis.url))
        return stores[-1]

    yield make
    for store in stores:
        store.close()


@pytest.fixture(params=["database", "redis"])
def both(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Keys, Keys]]:
    """Two processes' stores of the same keys."""
    if request.param == "redis":
        make = request.getfixturevalue("opened")
        yield make(), make()
        return
    stores = KeyStore(tmp_path / "keys"), KeyStore(tmp_path / "keys")
    yield stores
    for store in stores:
        store.close()


def test_the_database_is_the_default(tmp_path: Path) -> None:
    store = open_keys(ServiceConfig(database=str(tmp_path / "keys")))
    assert isinstance(store, KeyStore)
    store.close()


def test_a_url_that_is_none_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"TRANSLATOR_KEYS_STORAGE: .*; take redis://HOST:PORT"):
        SharedKeys("redis://localhost:port")


def test_a_key_is_found_by_all_with_its_limits_until_it_is_removed(both: tuple[Keys, Keys]) -> None:
    first, second = both
    key = first.add("weblate", rate_limit="9 per minute", char_limit=7)
    known = second.find(key)
    assert known is not None
    assert (known.name, known.rate_limit, known.char_limit) == ("weblate", "9 per minute", 7)
    first.change("weblate", {"rate_limit": ""})
    changed = second.find(key)
    assert changed is not None
    assert (changed.rate_limit, changed.char_limit) == ("", 7), "the other limit stays"
    first.change("weblate", {"char_limit": None, "expires_at": 10**10})
    changed = second.find(key)
    assert changed is not None
    assert (changed.char_limit, changed.expires_at) == (None, 10**10)
    other = first.add("mastodon")
    assert [known.name for known in second.list()] == ["mastodon", "weblate"]
    second.remove("weblate")
    assert first.find(key) is None
    assert first.find(other) is not None


def test_no_secret_is_kept(tmp_path: Path, opened: Opened) -> None:
    shared = opened()
    key_id, _, secret = KeyStore(tmp_path / "keys").add("a").partition(".")
    content = (tmp_path / "keys").read_bytes()
    assert key_id.encode() in content
    assert secret.encode() not in content
    assert len(secret) == 43  # 32 bytes
    key_id, _, secret = shared.add("a").partition(".")
    text = shared._redis.hget(keys.KEYS, key_id)
    assert key_id in text
    assert secret not in text


@pytest.mark.parametrize("wrong", ["", ".", "x", "zzzzzzzz.zzz", "\ud800", "ü" * 10_000])
def test_anything_else_is_not_found(both: tuple[Keys, Keys], wrong: str) -> None:
    store = both[0]
    first, second = store.add("a"), store.add("b")
    assert store.find(wrong) is None
    assert store.find(first.partition(".")[0] + "." + second.partition(".")[2]) is None
    assert store.find(first.partition(".")[0]) is None


def test_an_expired_key_is_not_found(
    both: tuple[Keys, Keys], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "time", lambda: 1_000.0)
    assert both[0].find(both[0].add("over", expires_at=1_000)) is None
    assert both[0].find(both[0].add("not yet", expires_at=1_001)) is not None


def test_names_are_unique_and_must_exist(both: tuple[Keys, Keys]) -> None:
    store = both[0]
    store.add("a")
    with pytest.raises(ValueError, match="there is a key named 'a' already; remove it first"):
        store.add("a")
    with pytest.raises(ValueError, match="there is no key named 'b'; `keys list` shows all"):
        store.remove("b")
    with pytest.raises(ValueError, match="no key named 'b'"):
        store.change("b", {"rate_limit": ""})


def test_names_and_keys_stay_one_to_one_whoever_changes_them_at_once(opened: Opened) -> None:
    def change(store: SharedKeys) -> None:
        for _ in range(20):
            with suppress(ValueError):
                store.add("a")
            with suppress(ValueError):
                store.change("a", {"rate_limit": "9 per minute"})
            with suppress(ValueError):
                store.remove("a")

    stores = [opened() for _ in range(4)]
    with ThreadPoolExecutor(len(stores)) as threads:
        list(threads.map(change, stores))
    names: dict[str, str] = stores[0]._redis.hgetall(keys.NAMES)
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
    time.sleep(2 * keys.TIMEOUT_S)
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


@pytest.fixture(autouse=True)
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "keys"
    monkeypatch.setenv("TRANSLATOR_DATABASE", str(path))
    return path


@pytest.mark.parametrize("command", [["list"], ["remove", "a"], ["limit", "a", "--rate", "none"]])
def test_no_command_but_add_makes_a_database(
    database: Path, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    assert main(command) == 1
    assert f"environment: TRANSLATOR_DATABASE: {database}: no such file" in capsys.readouterr().err
    assert not database.exists()


def test_keys_of_a_file_that_cannot_be_written_can_be_listed(
    database: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    main(["add", "weblate"])
    before = database.stat().st_mtime_ns

    def refuse(*_: object) -> None:  # root may write to any file
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(Path, "touch", refuse)
    assert main(["list"]) == 0
    assert "weblate" in capsys.readouterr().out
    assert database.stat().st_mtime_ns == before
    assert main(["remove", "weblate"]) == 1
    assert "TRANSLATOR_DATABASE: " in capsys.readouterr().err


@pytest.mark.parametrize("command", [["list"], ["add", "a"]])
def test_a_parameter_that_redis_does_not_know_is_told_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    monkeypatch.setenv("TRANSLATOR_KEYS_STORAGE", "redis://localhost:1?bogus=1")
    assert main(command) == 1
    assert "TRANSLATOR_KEYS_STORAGE: " in capsys.readouterr().err


def test_an_added_key_is_printed_once_and_listed_without_its_secret(
    database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--days", "3", "--rate", "60 per minute", "--characters", "9"]
    assert main(["add", "mastodon", *options]) == 0
    key = capsys.readouterr().out.strip()
    store = KeyStore(database)
    assert store.find(key) is not None
    store.close()
    assert main(["list"]) == 0
    listed = capsys.readouterr().out
    assert re.fullmatch(
        r"mastodon\t[0-9a-f]{8}\texpires 2\d{3}-\d\d-\d\d \d\d:\d\d UTC\t60 per minute, "
        r"9 characters a text\n",
        listed,
    )
    assert key.partition(".")[2] not in listed


def test_limits_are_changed_and_keys_removed(capsys: pytest.CaptureFixture[str]) -> None:
    main(["add", "a"])
    assert main(["limit", "a", "--rate", "none"]) == 0
    capsys.readouterr()
    main(["list"])
    assert capsys.readouterr().out.endswith("\tnever expires\tno rate limit\n")
    assert main(["remove", "a"]) == 0
    main(["list"])
    assert capsys.readouterr().out == ""


def test_an_error_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    main(["add", "a"])
    assert main(["remove", "nobody"]) == 1
    assert capsys.readouterr().err == (
        "error: there is no key named 'nobody'; `keys list` shows all\n"
    )


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (["--rate", "often"], "must be like '6 per minute' or .*, or 'none'; got 'often'"),
        (["--rate", "0 per minute"], "must be like '6 per minute' or .*got '0 per minute'"),
        (["--days", "0"], "must be a whole number from 1 to 36500, got '0'"),
        (["--days", "99999999999"], "must be a whole number from 1 to 36500"),
        (["--characters", "x"], "must be a whole number from 1 to 1000000000, got 'x'"),
        (["--characters", "99999999999999999999"], "must be a whole number from 1 to"),
    ],
)
def test_wrong_options_say_what_is_right(
    option: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["add", "a", *option])
    assert re.search(message, capsys.readouterr().err)


@pytest.mark.parametrize("name", ["", " ", "a\nb", "a\tb", "a\x1b[2J", "a" * 101])
def test_a_name_that_would_forge_a_line_of_the_list_is_refused(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["add", name])
    assert "must be 1 to 100 characters that can be printed" in capsys.readouterr().err


def test_help_names_what_options_take(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["add", "--help"])
    said = capsys.readouterr().out
    for option in ("--days DAYS", "--rate LIMIT", "--characters NUMBER"):
        assert option in said


def test_only_what_is_said_is_changed(capsys: pytest.CaptureFixture[str]) -> None:
    main(["add", "a", "--rate", "none", "--characters", "9", "--days", "3"])
    assert main(["limit", "a"]) == 1
    assert "nothing to change; add --rate, --characters or --days" in capsys.readouterr().err
    main(["limit", "a", "--days", "never"])
    main(["list"])
    assert capsys.readouterr().out.endswith("never expires\tno rate limit, 9 characters a text\n")
    main(["limit", "a", "--rate", "server", "--characters", "server"])
    main(["list"])
    assert capsys.readouterr().out.endswith("never expires\tthe server's rate limit\n")


def test_every_command_and_flag_is_described() -> None:
    [commands] = [a for a in make_parser()._actions if isinstance(a, argparse._SubParsersAction)]
    spans = " ".join(code_spans(read(ROOT / "docs" / "reference.md")))
    wanted = {f"keys {name}" for name in commands.choices}
    for parser in commands.choices.values():
        wanted |= {flag for a in parser._actions for flag in a.option_strings if flag[:2] == "--"}
    assert {name for name in wanted - {"--help"} if name not in spans} == set()
