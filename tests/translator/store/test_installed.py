from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.small_models import small_tokenizer, write_model
from translator.errors import ModelDirectoryError
from translator.store.installed import is_model_directory, read_installed
from translator.store.model_directory import load_model_directory
from translator.store.names import CARD, CHECKSUMS, CONFIG, WEIGHTS


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_model(tmp_path / "de-en", "de-en")


def test_it_says_what_loading_says(folder: Path) -> None:
    found, loaded = read_installed(folder), load_model_directory(folder)
    assert found.path == folder
    assert found.name == "de-en"
    assert (found.description, found.card) == (loaded.description, loaded.card)
    assert found.checksum == loaded.checksum
    assert found.num_bytes == 4 * sum(one.numel() for one in loaded.model.parameters())
    assert found.description.model.vocab_size == small_tokenizer().vocab_size


def test_what_is_a_model_directory(folder: Path) -> None:
    assert is_model_directory(folder)
    assert not is_model_directory(folder.parent)
    (folder / CHECKSUMS).unlink()
    assert is_model_directory(folder), "although a damaged one"


@pytest.mark.parametrize("name", [CONFIG, CARD])
def test_an_altered_file_is_named(folder: Path, name: str) -> None:
    (folder / name).write_text((folder / name).read_text() + " ")
    with pytest.raises(ModelDirectoryError, match=f"{name}: SHA-256 differs"):
        read_installed(folder)


@pytest.mark.parametrize("name", [CONFIG, CARD, WEIGHTS, "tokenizer.model"])
def test_a_missing_file_is_named(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(ModelDirectoryError, match=f"{name}: is missing; copy"):
        read_installed(folder)


def test_truncated_weights_are_seen_without_reading_them(folder: Path) -> None:
    weights = (folder / WEIGHTS).read_bytes()
    (folder / WEIGHTS).write_bytes(weights[:-1])
    with pytest.raises(ModelDirectoryError, match=f"{WEIGHTS}: is not whole .*; copy"):
        read_installed(folder)


@pytest.mark.parametrize(
    "content", [b"", b"\xff" * 100, b"\x02" + bytes(7) + b"[]", b"\x08" + bytes(7) + b'{"a": 7}']
)
def test_weights_that_are_none(folder: Path, content: bytes) -> None:
    (folder / WEIGHTS).write_bytes(content)
    with pytest.raises(ModelDirectoryError, match=f"{WEIGHTS}: is not whole safetensors"):
        read_installed(folder)


def test_damaged_checksums(folder: Path) -> None:
    (folder / CHECKSUMS).write_text(json.dumps(["config.json"]))
    with pytest.raises(ModelDirectoryError, match=f"{CHECKSUMS}: damaged: it must name"):
        read_installed(folder)
    (folder / CHECKSUMS).unlink()
    with pytest.raises(ModelDirectoryError, match=f"has no {CHECKSUMS}: it is incomplete, or a"):
        read_installed(folder)
