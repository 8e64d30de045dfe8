"""Where models are looked for, and which is preferred."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_models import write_model
from translator.errors import InputError
from translator.pipeline.models.here import find_models
from translator.store.home import PREFERENCE, home, models_folder, prefer, preferred


def test_the_home_is_as_the_environment_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("TRANSLATOR_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert home() == tmp_path / ".local/share/translator"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert models_folder() == tmp_path / "data/translator/models"
    monkeypatch.setenv("TRANSLATOR_HOME", str(tmp_path / "own"))
    assert models_folder() == tmp_path / "own/models"


def test_without_a_home_there_are_no_models(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("TRANSLATOR_HOME", "XDG_DATA_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("pwd.getpwuid", {}.__getitem__)
    assert not models_folder().exists()


def test_the_preferred_model_comes_first(tmp_path: Path) -> None:
    folder, elsewhere = tmp_path / "models", tmp_path / "elsewhere" / "own"
    for name in ("a", "b", "c"):
        write_model(folder / name, "de-en")
    write_model(elsewhere, "de-en")
    assert preferred(folder) == []
    prefer(folder, "c")
    assert [model.name for model in find_models([folder]).models] == ["c", "a", "b"]
    prefer(folder, "b")
    prefer(folder, str(elsewhere))
    found = [model.name for model in find_models([folder, elsewhere]).models]
    assert found == ["own", "b", "c", "a"], "each once"
    with (folder / PREFERENCE).open("a") as stream:
        stream.write("\n  gone \n")
    assert [model.name for model in find_models([folder]).models] == found
    with pytest.raises(InputError, match="no such model directory; see `models list`"):
        prefer(folder, "nothing")
