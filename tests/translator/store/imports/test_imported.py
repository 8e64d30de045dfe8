"""An imported model becomes a model directory, whose weights must fit."""

from __future__ import annotations

import dataclasses
import hashlib
from pathlib import Path

import pytest

from tests.translator.store.imports.foreign import marian_folder
from translator.errors import ImportedModelError
from translator.store.imports.imported import file_digest
from translator.store.imports.importing import import_model
from translator.store.model_directory import load_model_directory


def test_the_card_says_where_the_weights_are_from(tmp_path: Path) -> None:
    marian_folder(tmp_path / "theirs")
    found = import_model(str(tmp_path / "theirs"), tmp_path / "model", languages=("de", "en"))
    card = load_model_directory(tmp_path / "model").card
    assert card["imported"] == {"kind": "marian", "weights": file_digest(Path(found.source))}
    assert (card["name"], card["directions"]) == ("model", ["de-en"])


def test_weights_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    marian_folder(tmp_path / "theirs")
    found = import_model(str(tmp_path / "theirs"), tmp_path / "model", languages=("de", "en"))
    name = next(iter(found.weights))
    others = {key: tensor for key, tensor in found.weights.items() if key != name}
    wrong = dataclasses.replace(found, weights=others)
    with pytest.raises(ImportedModelError, match=name):
        wrong.save(tmp_path / "other", {})
    assert not (tmp_path / "other").exists()


def test_a_digest_is_of_the_whole_file(tmp_path: Path) -> None:
    (tmp_path / "w.bin").write_bytes(b"weights")
    expected = {"file": "w.bin", "sha256": hashlib.sha256(b"weights").hexdigest()}
    assert file_digest(tmp_path / "w.bin") == expected
