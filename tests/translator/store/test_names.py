"""A model directory has the files that are named, and no others."""

from __future__ import annotations

from pathlib import Path

from translator.store.model_directory import LoadedModel, save_model_directory
from translator.store.names import CARD, CHECKSUMS, CONFIG, OPTIONAL, TOKENIZER, WEIGHTS


def test_files_of_a_model_directory(tmp_path: Path, loaded: LoadedModel) -> None:
    weights = loaded.model.state_dict()
    save_model_directory(tmp_path / "model", loaded.description, loaded.tokenizer, weights, {})
    names = {path.name for path in (tmp_path / "model").iterdir()}
    assert names == {CARD, CHECKSUMS, CONFIG, TOKENIZER, WEIGHTS}
    assert not names & {*OPTIONAL}
