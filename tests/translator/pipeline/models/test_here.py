"""Which models are found, and which are used when nobody names one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_models import write_model
from translator.errors import UnsupportedLanguageError
from translator.pipeline.models.here import (
    choose_pair,
    default_paths,
    find_models,
    hops_here,
    model_of,
    routes_here,
)
from translator.store.home import DEFAULT_MODEL
from translator.store.names import CARD, WEIGHTS


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TRANSLATOR_HOME", str(tmp_path))
    return tmp_path / "models"


def test_without_downloads_the_shipped_model_is_all_there_is(folder: Path) -> None:
    assert default_paths() == (DEFAULT_MODEL,)
    assert model_of("de-en") == DEFAULT_MODEL


def test_downloaded_models_go_before_the_shipped_one(folder: Path) -> None:
    write_model(folder / "a", "de-en")
    write_model(folder / "b", "pt-BR-en", "en-fr")
    assert default_paths() == (folder, DEFAULT_MODEL)
    assert model_of("de-en") == folder / "a"
    assert model_of("en-de") == DEFAULT_MODEL
    assert model_of("pt-BR-en") == folder / "b"
    with pytest.raises(UnsupportedLanguageError, match=r"ModelSet.load\(\) goes through English"):
        model_of("de-fr")


def test_what_is_not_asked_for_is_as_without_downloads(folder: Path) -> None:
    write_model(folder / "a", "en-fr", "fr-en", "de-fr")
    routes = routes_here()
    assert choose_pair(routes, None, None) == ("de", "en")
    assert choose_pair(routes, "en", None) == ("en", "de")
    assert choose_pair(routes, "de", None) == ("de", "en")
    assert choose_pair(routes, None, "fr") == ("en", "fr")
    assert choose_pair(routes, "x", "y") == ("x", "y")
    assert [hop.model.name for hop in hops_here(routes, "de", "fr")] == ["a"]
    with pytest.raises(UnsupportedLanguageError, match=r"translates pt \(Portuguese\); to downl.*"):
        choose_pair(routes, "pt", None)
    with pytest.raises(UnsupportedLanguageError, match=r"run: python -m translator models get pt$"):
        hops_here(routes, "pt", "en")


def test_models_come_in_order_of_preference(tmp_path: Path) -> None:
    for name in ("b", "a"):
        write_model(tmp_path / "folder" / name, "de-en")
    last = write_model(tmp_path / "last", "en-fr")
    found = find_models([last, tmp_path / "folder"])
    assert [model.name for model in found.models] == ["last", "a", "b"]
    assert found.faults == ()
    found = find_models([tmp_path / "folder", last, tmp_path / "folder" / "a"])
    assert [model.name for model in found.models] == ["a", "b", "last"], "none comes twice"


def test_two_of_one_name_are_told_apart(tmp_path: Path) -> None:
    folders = [tmp_path / "x" / "model", tmp_path / "y" / "model"]
    for folder in folders:
        write_model(folder, "de-en")
    names = [model.name for model in find_models([tmp_path / "x", tmp_path / "y"]).models]
    assert names == ["model", str(folders[1])]


def test_what_is_damaged_is_named_and_takes_no_other_with_it(tmp_path: Path) -> None:
    for name in "abcd":
        write_model(tmp_path / name, "de-en")
    (tmp_path / "b" / CARD).write_text("{}")
    weights = (tmp_path / "c" / WEIGHTS).read_bytes()
    (tmp_path / "c" / WEIGHTS).write_bytes(weights[:-10])
    found = find_models([tmp_path])
    assert [model.name for model in found.models] == ["a", "d"]
    assert len(found.faults) == 2
    assert str(tmp_path / "b" / CARD) in found.faults[0]
    assert str(tmp_path / "c" / WEIGHTS) in found.faults[1]


def test_what_is_no_model_is_passed_over(tmp_path: Path) -> None:
    write_model(tmp_path / ".a.tmp", "de-en")  # as one that is being written
    (tmp_path / "notes").mkdir()
    (tmp_path / "README").write_text("models")
    found = find_models([tmp_path, tmp_path / "nowhere"])
    assert found.models == ()
    assert found.faults == (f"{tmp_path / 'nowhere'}: No such file or directory",)
