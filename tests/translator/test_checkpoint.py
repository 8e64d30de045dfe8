"""A model directory is read whole, or refused with the name of the file at fault."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
import torch

from translator.checkpoint import (
    CARD,
    CHECKSUMS,
    CONFIG,
    TOKENIZER,
    WEIGHTS,
    LoadedModel,
    load_model_directory,
    save_model_directory,
)
from translator.errors import ModelDirectoryError

FILES = [CONFIG, TOKENIZER, WEIGHTS, CARD, CHECKSUMS]


@pytest.fixture
def directory(tmp_path: Path, loaded: LoadedModel) -> Path:
    path = tmp_path / "model"
    save(path, loaded)
    return path


def save(path: Path, loaded: LoadedModel) -> None:
    weights = loaded.model.state_dict()
    save_model_directory(path, loaded.description, loaded.tokenizer, weights, {"name": "toy"})


def rewrite(directory: Path, name: str, content: bytes) -> None:
    """Replace a file and make its checksum fit, as a careless editor would."""
    (directory / name).write_bytes(content)
    checksums = json.loads((directory / CHECKSUMS).read_text())
    checksums[name] = hashlib.sha256(content).hexdigest()
    (directory / CHECKSUMS).write_text(json.dumps(checksums))


def test_what_is_saved_is_loaded(directory: Path, loaded: LoadedModel) -> None:
    again = load_model_directory(directory)
    assert again.description == loaded.description
    assert again.card == {"name": "toy"}
    assert again.tokenizer.serialized == loaded.tokenizer.serialized
    assert not again.model.training
    for name, tensor in loaded.model.state_dict().items():
        assert torch.equal(again.model.state_dict()[name], tensor.half().float()), name


def test_the_tie_survives(directory: Path) -> None:
    again = load_model_directory(directory).model
    state = torch.randn(1, again.config.d_model)
    assert torch.equal(again.logits(state), state @ again.embedding.weight.T)


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("damage", ["missing", "truncated", "flipped", "empty"])
def test_damage_is_refused_by_name(directory: Path, name: str, damage: str) -> None:
    path = directory / name
    content = bytearray(path.read_bytes())
    if damage == "missing":
        path.unlink()
    elif damage == "truncated":
        path.write_bytes(content[: len(content) // 2])
    elif damage == "empty":
        path.write_bytes(b"")
    else:
        content[len(content) // 2] ^= 1
        path.write_bytes(content)
    culprit = name if damage != "flipped" or name != CHECKSUMS else "altered|damaged"
    with pytest.raises(ModelDirectoryError, match=culprit):
        load_model_directory(directory)


def test_no_directory(tmp_path: Path) -> None:
    with pytest.raises(ModelDirectoryError, match="nowhere: no such model directory"):
        load_model_directory(tmp_path / "nowhere")


def test_another_format_version_is_refused(directory: Path) -> None:
    table = json.loads((directory / CONFIG).read_text()) | {"format_version": 2}
    rewrite(directory, CONFIG, json.dumps(table).encode())
    with pytest.raises(ModelDirectoryError, match=r"format_version is 2.*reads 1; export.*again"):
        load_model_directory(directory)


def test_unknown_keys_are_refused(directory: Path) -> None:
    table = json.loads((directory / CONFIG).read_text())
    table["model"]["d_modell"] = table["model"].pop("d_model")
    rewrite(directory, CONFIG, json.dumps(table).encode())
    with pytest.raises(ModelDirectoryError, match=r"model.d_modell: unknown.*mean model.d_model\?"):
        load_model_directory(directory)


def test_weights_of_another_shape_are_refused(directory: Path) -> None:
    table = json.loads((directory / CONFIG).read_text())
    table["model"]["num_encoder_layers"] = 5
    rewrite(directory, CONFIG, json.dumps(table).encode())
    with pytest.raises(ModelDirectoryError, match=r"weights.safetensors: does not fit"):
        load_model_directory(directory)


def test_a_tokenizer_of_another_size_is_refused(directory: Path) -> None:
    table = json.loads((directory / CONFIG).read_text())
    table["model"]["vocab_size"] += 1
    rewrite(directory, CONFIG, json.dumps(table).encode())
    with pytest.raises(ModelDirectoryError, match=r"tokenizer.model: has 330 pieces.*331"):
        load_model_directory(directory)


def test_saving_replaces_a_model_but_nothing_else(
    directory: Path, loaded: LoadedModel, tmp_path: Path
) -> None:
    save(directory, loaded)
    assert load_model_directory(directory).card == {"name": "toy"}
    (tmp_path / "photos").mkdir()
    with pytest.raises(ModelDirectoryError, match="photos: exists and is not a model directory"):
        save(tmp_path / "photos", loaded)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model", "photos"]
