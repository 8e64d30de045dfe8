"""One command for all sources, and names on the hub (here a made-up one)."""

from __future__ import annotations

import sys
import types
from pathlib import Path
from typing import Any

import huggingface_hub
import pytest

from tests.translator.store.imports.foreign import marian_folder
from translator.cli.main import main
from translator.errors import ConfigError, ImportedModelError, InputError
from translator.store.imports.importing import WANTED, download, import_model, is_hub_name
from translator.store.model_directory import load_model_directory


def test_a_name_on_the_hub_is_downloaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    marian_folder(tmp_path / "snapshot")
    asked: list[Any] = []

    class Api:
        def model_info(self, name: str, revision: str | None) -> Any:
            asked.append((name, revision))
            card = types.SimpleNamespace(license="cc-by-4.0")
            return types.SimpleNamespace(sha="c0ffee", card_data=card)

    def snapshot_download(name: str, *, allow_patterns: object, **given: Any) -> str:
        asked.append((name, given["revision"], allow_patterns))
        return str(tmp_path / "snapshot")

    monkeypatch.setattr(huggingface_hub, "HfApi", Api)
    monkeypatch.setattr(huggingface_hub, "snapshot_download", snapshot_download)
    import_model("some-one/opus-mt-de-en", tmp_path / "model", revision="main")
    card = load_model_directory(tmp_path / "model").card
    assert card["origin"] == "some-one/opus-mt-de-en"
    assert (card["revision"], card["licence"]) == ("c0ffee", "cc-by-4.0")
    assert asked == [
        ("some-one/opus-mt-de-en", "main"),
        ("some-one/opus-mt-de-en", "c0ffee", WANTED),
    ]


def test_a_hub_that_cannot_be_reached_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Api:
        def model_info(self, name: str, revision: str | None) -> Any:
            raise OSError("no\nroute")

    monkeypatch.setattr(huggingface_hub, "HfApi", Api)
    with pytest.raises(ImportedModelError, match=r"a/b: cannot be downloaded \(no route\)"):
        import_model("a/b", tmp_path / "model")


def test_what_is_nowhere_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such directory, and no name of the form owner/model"):
        import_model(str(tmp_path / "nothing"), tmp_path / "model")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ImportedModelError, match="not a directory of MarianMT, M2M100 or NLLB"):
        import_model(str(tmp_path / "empty"), tmp_path / "model")


def test_the_command_says_what_it_has_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    marian_folder(tmp_path / "theirs", tags=("fra", "eng"))
    arguments = ["import", str(tmp_path / "theirs"), "--out", str(tmp_path / "model")]
    assert main(arguments) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'model'}: marian, de-fr, de-en\n"


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


def test_the_package_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(ConfigError, match="run `pip install huggingface_hub`"):
        download("a/b")
