"""A model directory for the commands."""

from __future__ import annotations

from pathlib import Path

import pytest

from translator.store.model_directory import LoadedModel, save_model_directory


@pytest.fixture
def directory(tmp_path: Path, loaded: LoadedModel) -> str:
    path = tmp_path / "model"
    weights = loaded.model.state_dict()
    save_model_directory(path, loaded.description, loaded.tokenizer, weights, {})
    return str(path)
