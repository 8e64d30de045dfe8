"""Names of models on the hub, and what is said when one cannot be had."""

from __future__ import annotations

import sys
import types
from pathlib import Path
from typing import Any

import pytest

from translator.errors import ConfigError, ImportedModelError
from translator.store.imports.hub import WANTED, download, is_hub_name


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("Helsinki-NLP/opus-mt-de-en", True),
        ("facebook/m2m100_418M", True),
        ("opus-mt-de-en", False),
        ("./models/de-en", False),
        ("/models/de", False),
        ("a/b/c", False),
    ],
)
def test_what_may_be_a_name_on_the_hub(source: str, expected: bool) -> None:
    assert is_hub_name(source) is expected


def fake_hub(monkeypatch: pytest.MonkeyPatch, folder: Path, error: Exception | None) -> list[Any]:
    calls: list[Any] = []

    class HfApi:
        def model_info(self, name: str, revision: str | None) -> Any:
            calls.append((name, revision))
            if error:
                raise error
            card = types.SimpleNamespace(license="apache-2.0")
            return types.SimpleNamespace(sha="abc123", card_data=card)

    def snapshot_download(name: str, **given: Any) -> str:
        calls.append((name, given["revision"], given["allow_patterns"]))
        return str(folder)

    hub: Any = types.ModuleType("huggingface_hub")
    hub.HfApi, hub.snapshot_download = HfApi, snapshot_download
    monkeypatch.setitem(sys.modules, "huggingface_hub", hub)
    return calls


def test_the_revision_is_pinned_and_the_licence_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    calls = fake_hub(monkeypatch, tmp_path, None)
    assert download("a/b", "main") == (tmp_path, {"revision": "abc123", "licence": "apache-2.0"})
    assert calls == [("a/b", "main"), ("a/b", "abc123", WANTED)]


def test_a_failure_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fake_hub(monkeypatch, tmp_path, OSError("no\nnetwork"))
    with pytest.raises(ImportedModelError, match=r"^a/b: cannot be downloaded \(no network\)$"):
        download("a/b")


def test_the_package_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(ConfigError, match="run `pip install huggingface_hub`"):
        download("a/b")
