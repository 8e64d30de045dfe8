from __future__ import annotations

import logging
import shutil
from pathlib import Path

import pytest

from tests.small_models import write_model
from tests.translator.translate.models.test_residence import Loader
from translator.errors import ConfigError, ModelDirectoryError, UnsupportedLanguageError
from translator.store.names import CARD
from translator.translate.models.fleet import Fleet


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("de-en", "en-fr"):
        write_model(tmp_path / name, name)
    return tmp_path


def names(fleet: Fleet) -> list[str]:
    return [model.name for model in fleet.routes.models]


def lent(fleet: Fleet, source: str, target: str) -> list[str]:
    with fleet.lent(source, target, None, lambda: None) as translators:
        return [str(getattr(one, "name", "")) for one in translators]


def test_the_models_of_a_way_are_lent_together(folder: Path) -> None:
    fleet = Fleet([folder], Loader(), pivot="en")
    assert lent(fleet, "de", "en") == ["de-en"]
    assert lent(fleet, "de", "fr") == ["de-en", "en-fr"]
    assert lent(fleet, "de", "de") == []


def test_new_models_are_seen_and_removed_ones_leave(folder: Path) -> None:
    loader = Loader()
    fleet = Fleet([folder], loader, pivot="en")
    lent(fleet, "de", "en")
    lent(fleet, "en", "fr")
    write_model(folder / "es-en", "es-en")
    shutil.rmtree(folder / "de-en")
    with fleet.lent("de", "en", None, lambda: None) as [translator]:
        fleet.refresh()
        assert names(fleet) == ["en-fr", "es-en"]
        assert translator.is_alive, "it is in use"
        with pytest.raises(UnsupportedLanguageError, match="de is not supported"):
            lent(fleet, "de", "en")
    assert [(one.name, one.is_closed) for one in loader.made] == [("de-en", True), ("en-fr", False)]
    assert lent(fleet, "es", "fr") == ["es-en", "en-fr"]
    assert loader.loads == {"de-en": 1, "en-fr": 1, "es-en": 1}, "what stays is not loaded again"


def test_a_model_that_was_replaced_is_loaded_anew(folder: Path) -> None:
    loader = Loader()
    fleet = Fleet([folder], loader)
    lent(fleet, "de", "en")
    write_model(folder / "de-en", "de-en", seed=7)
    fleet.refresh()
    lent(fleet, "de", "en")
    assert [one.is_closed for one in loader.made] == [True, False]


def test_a_model_that_cannot_be_loaded_leaves_the_way_to_others(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write_model(folder / "en-de-and-back", "de-en", "en-de")
    loader = Loader()
    loader.errors["de-en"] = ConfigError(["activation: 'x' is unknown"], "engine")
    fleet = Fleet([folder], loader)
    with caplog.at_level(logging.ERROR):
        assert lent(fleet, "de", "en") == ["en-de-and-back"]
    [record] = caplog.records
    assert "a model is left out: de-en: engine: activation: 'x' is unknown" in record.getMessage()
    assert names(fleet) == ["en-de-and-back", "en-fr"]
    del loader.errors["de-en"]
    fleet.refresh()
    assert lent(fleet, "de", "en") == ["de-en"], "the next refresh tries again"


def test_another_error_is_the_callers_and_the_model_stays(folder: Path) -> None:
    loader = Loader()
    loader.errors["de-en"] = MemoryError("none left")
    fleet = Fleet([folder], loader)
    with pytest.raises(MemoryError, match="none left"):
        lent(fleet, "de", "en")
    assert names(fleet) == ["de-en", "en-fr"]


def test_damaged_models_are_named_at_once(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    (folder / "de-en" / CARD).unlink()
    with caplog.at_level(logging.ERROR):
        assert names(Fleet([folder], Loader())) == ["en-fr"]
    assert f"{folder / 'de-en' / CARD}: is missing" in caplog.text


def test_without_any_model_nothing_changes(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    empty = tmp_path_factory.mktemp("empty")
    with pytest.raises(ModelDirectoryError, match=f"no model can be used: {empty}: no model"):
        Fleet([empty], Loader())
    fleet = Fleet([folder], Loader())
    for name in ("de-en", "en-fr"):
        shutil.rmtree(folder / name)
    with pytest.raises(ModelDirectoryError, match="no model can be used"):
        fleet.refresh()
    assert names(fleet) == ["de-en", "en-fr"]
