from __future__ import annotations

import logging
import shutil
from pathlib import Path

import pytest

from tests.small_models import write_model
from tests.translator.pipeline.models.test_residence import Loader
from translator.errors import ConfigError, ModelDirectoryError, UnsupportedLanguageError
from translator.pipeline.models.model_set import ModelSet
from translator.store.names import CARD


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("de-en", "en-fr"):
        write_model(tmp_path / name, name)
    return tmp_path


def names(models: ModelSet) -> list[str]:
    return [model.name for model in models.models()]


def lease(models: ModelSet, source: str, target: str) -> list[str]:
    with models.lease(source, target) as leases:
        return [str(getattr(lease.model, "name", "")) for lease in leases]


def test_the_models_of_a_way_are_lent_together(folder: Path) -> None:
    models = ModelSet([folder], Loader(), pivot="en")
    assert lease(models, "de", "en") == ["de-en"]
    assert lease(models, "de", "fr") == ["de-en", "en-fr"]
    assert lease(models, "de", "de") == []


def test_new_models_are_seen_and_removed_ones_leave(folder: Path) -> None:
    loader = Loader()
    models = ModelSet([folder], loader, pivot="en")
    lease(models, "de", "en")
    lease(models, "en", "fr")
    write_model(folder / "es-en", "es-en")
    shutil.rmtree(folder / "de-en")
    with models.lease("de", "en"):
        models.refresh()
        assert names(models) == ["en-fr", "es-en"]
        assert not loader.made[0].is_closed, "it is in use"
        with pytest.raises(UnsupportedLanguageError, match="de is not supported"):
            lease(models, "de", "en")
    assert [(one.name, one.is_closed) for one in loader.made] == [("de-en", True), ("en-fr", False)]
    assert lease(models, "es", "fr") == ["es-en", "en-fr"]
    assert loader.loads == {"de-en": 1, "en-fr": 1, "es-en": 1}, "what stays is not loaded again"


def test_a_model_that_was_replaced_is_loaded_anew(folder: Path) -> None:
    loader = Loader()
    models = ModelSet([folder], loader)
    lease(models, "de", "en")
    write_model(folder / "de-en", "de-en", seed=7)
    models.refresh()
    lease(models, "de", "en")
    assert [one.is_closed for one in loader.made] == [True, False]


def test_a_model_that_cannot_be_loaded_leaves_the_way_to_others(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write_model(folder / "en-de-and-back", "de-en", "en-de")
    loader = Loader()
    loader.errors["de-en"] = ConfigError(["activation: 'x' is unknown"], "engine")
    models = ModelSet([folder], loader)
    with caplog.at_level(logging.ERROR):
        assert lease(models, "de", "en") == ["en-de-and-back"]
    [record] = caplog.records
    assert "a model is left out: de-en: engine: activation: 'x' is unknown" in record.getMessage()
    assert names(models) == ["en-de-and-back", "en-fr"]
    del loader.errors["de-en"]
    models.refresh()
    assert lease(models, "de", "en") == ["de-en"], "the next refresh tries again"


def test_another_error_is_the_callers_and_the_model_stays(folder: Path) -> None:
    loader = Loader()
    loader.errors["de-en"] = MemoryError("none left")
    models = ModelSet([folder], loader)
    with pytest.raises(MemoryError, match="none left"):
        lease(models, "de", "en")
    assert names(models) == ["de-en", "en-fr"]


def test_damaged_models_are_named_at_once(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    (folder / "de-en" / CARD).unlink()
    with caplog.at_level(logging.ERROR):
        assert names(ModelSet([folder], Loader())) == ["en-fr"]
    assert f"{folder / 'de-en' / CARD}: is missing" in caplog.text


def test_without_any_model_nothing_changes(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    empty = tmp_path_factory.mktemp("empty")
    with pytest.raises(ModelDirectoryError, match=f"no model can be used: {empty}: no model"):
        ModelSet([empty], Loader())
    models = ModelSet([folder], Loader())
    for name in ("de-en", "en-fr"):
        shutil.rmtree(folder / name)
    with pytest.raises(ModelDirectoryError, match="no model can be used"):
        models.refresh()
    assert names(models) == ["de-en", "en-fr"]
