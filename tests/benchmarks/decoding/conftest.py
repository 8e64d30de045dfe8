"""A toy model directory, and files of sentences that are right or wrong."""

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
    (tmp_path / "a.de").write_text("\n \nDer Hund.\n")
    (tmp_path / "empty").touch()
    (tmp_path / "blank").write_text("\n\n")
    (tmp_path / "latin-1").write_bytes(b"a\n\xff\n")
    return tmp_path
