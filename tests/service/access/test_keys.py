from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.access.keys import KeyStore


@pytest.fixture
def store(tmp_path: Path) -> Iterator[KeyStore]:
    store = KeyStore(tmp_path / "keys")
    yield store
    store.close()


def test_a_key_is_found_with_its_limits(store: KeyStore) -> None:
    key = store.add("weblate", rate_limit="9 per minute", char_limit=7)
    found = store.find(key)
    assert found is not None
    assert (found.name, found.rate_limit, found.char_limit) == ("weblate", "9 per minute", 7)
    assert store.list() == [found]


def test_the_file_has_no_key(store: KeyStore, tmp_path: Path) -> None:
    key_id, _, secret = store.add("a").partition(".")
    content = (tmp_path / "keys").read_bytes()
    assert key_id.encode() in content
    assert secret.encode() not in content
    assert len(secret) == 43  # 32 bytes


@pytest.mark.parametrize("wrong", ["", ".", "x", "zzzzzzzz.zzz", "\ud800", "ü" * 10_000])
def test_anything_else_is_not_found(store: KeyStore, wrong: str) -> None:
    store.add("a")
    assert store.find(wrong) is None


def test_a_key_with_another_secret_is_not_found(store: KeyStore) -> None:
    first, second = store.add("a"), store.add("b")
    assert store.find(first.partition(".")[0] + "." + second.partition(".")[2]) is None
    assert store.find(first.partition(".")[0]) is None


def test_an_expired_key_is_not_found(store: KeyStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time", lambda: 1_000.0)
    assert store.find(store.add("over", expires_at=1_000)) is None
    assert store.find(store.add("not yet", expires_at=1_001)) is not None


def test_a_removed_key_is_not_found_by_another_process_either(
    store: KeyStore, tmp_path: Path
) -> None:
    key = store.add("a")
    server = KeyStore(tmp_path / "keys")
    assert server.find(key) is not None
    store.remove("a")
    assert server.find(key) is None
    server.close()


def test_limits_can_be_changed(store: KeyStore) -> None:
    key = store.add("a", rate_limit="1 per minute", char_limit=5)
    store.limit("a", rate_limit="", char_limit=None)
    found = store.find(key)
    assert found is not None
    assert (found.rate_limit, found.char_limit) == ("", None)


def test_names_are_unique_and_must_exist(store: KeyStore) -> None:
    store.add("a")
    with pytest.raises(ValueError, match="there is a key named 'a' already; remove it first"):
        store.add("a")
    with pytest.raises(ValueError, match="there is no key named 'b'; `keys list` shows all"):
        store.remove("b")
    with pytest.raises(ValueError, match="no key named 'b'"):
        store.limit("b", rate_limit="", char_limit=None)
