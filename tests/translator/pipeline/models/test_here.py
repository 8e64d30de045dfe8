"""Which models are used when nobody names one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_models import write_model
from translator.errors import UnsupportedLanguageError
from translator.pipeline.models.here import (
    choose_pair,
    default_paths,
    hops_here,
    model_of,
    routes_here,
)
from translator.store.home import DEFAULT_MODEL


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
