"""A toy model directory."""

from __future__ import annotations

from pathlib import Path

import pytest

from translator.store.model_directory import LoadedModel, save_model_directory


@pytest.fixture
def directory(tmp_path: Path, loaded: LoadedModel) -> Path:
    weights = loaded.model.state_dict()
    save_model_directory(
        tmp_path / "model", loaded.description, loaded.tokenizer, weights, {"name": "toy"}
    )
    return tmp_path
