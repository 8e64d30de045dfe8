"""A model directory is read whole, or refused with the name of the file at fault."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from tests.disk import FragileDisk, small_disk
from translator.durable import NoRoomError, tidy, write_durably
from translator.errors import ConfigError, ModelDirectoryError
from translator.store.model_directory import (
    LoadedModel,
    add_table,
    load_model_directory,
    save_model_directory,
)
from translator.store.names import CARD, CHECKSUMS, CONFIG, TOKENIZER, WEIGHTS
from translator.tokens.lexicon import LEXICON, Lexicon

FILES = [CONFIG, TOKENIZER, WEIGHTS, CARD, CHECKSUMS]


@pytest.fixture
def directory(tmp_path: Path, loaded: LoadedModel) -> Path:
    path = tmp_path / "model"
    save(path, loaded)
    return path


def save(path: Path, loaded: LoadedModel) -> None:
    weights = loaded.model.state_dict()
    card = loaded.card or {"name": "toy"}
    save_model_directory(path, loaded.description, loaded.tokenizer, weights, card)


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
    assert again.tokenizer.files == loaded.tokenizer.files
    assert not again.model.training
    for name, tensor in loaded.model.state_dict().items():
        assert torch.equal(again.model.state_dict()[name], tensor.half().float()), name


def test_models_that_differ_have_different_checksums(directory: Path, loaded: LoadedModel) -> None:
    first, same = (load_model_directory(directory).checksum for _ in range(2))
    rewrite(directory, CARD, b'{"name": "other"}')
    assert first == same
    assert {len(first), len(load_model_directory(directory).checksum)} == {64}
    assert load_model_directory(directory).checksum != first
    assert loaded.checksum == ""


def test_a_lexicon_is_added_replaced_and_kept(directory: Path, tmp_path: Path) -> None:
    assert load_model_directory(directory).tokenizer.lexicon is None
    for meaning in ("wig", "hairpiece"):
        add_table(directory, LEXICON, Lexicon.of_words([("de", "en", "Perücke", meaning)]).content)
        found = load_model_directory(directory).tokenizer.lexicon
        assert found is not None
        assert found.translation("Perücke", "de", "en") == meaning
    save(tmp_path / "copy", load_model_directory(directory))
    assert (tmp_path / "copy" / LEXICON).read_text() == "de\ten\tPerücke\thairpiece\n"
    (directory / LEXICON).write_text("de\ten\tPerücke\tperuke\n")
    with pytest.raises(ModelDirectoryError, match=f"{LEXICON}: SHA-256 differs"):
        load_model_directory(directory)


def test_a_directory_is_whole_whenever_a_new_lexicon_is_cut_off(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = (
        Lexicon.of_words([("de", "en", "Perücke", meaning)]) for meaning in ("wig", "hairpiece")
    )
    add_table(directory, LEXICON, first.content)
    for count in range(3):
        calls = iter(range(count))

        def write(path: Path, content: bytes, calls: Iterator[int] = calls) -> None:
            if next(calls, None) is None:
                raise OSError("cut off")
            write_durably(path, content)

        monkeypatch.setattr("translator.store.model_directory.write_durably", write)
        with pytest.raises(OSError, match="cut off"):
            add_table(directory, LEXICON, second.content)
        load_model_directory(directory)


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
    culprit = name if damage != "flipped" or name != CHECKSUMS else "altered|damaged|is not JSON"
    with pytest.raises(ModelDirectoryError, match=culprit):
        load_model_directory(directory)


def test_a_file_that_is_whole_but_another_one_is_refused(directory: Path) -> None:
    (directory / CARD).write_text('{"name": "other"}')
    with pytest.raises(ModelDirectoryError, match=rf"{CARD}: SHA-256 differs from {CHECKSUMS}"):
        load_model_directory(directory)


def test_no_directory(tmp_path: Path) -> None:
    with pytest.raises(ModelDirectoryError, match="nowhere: no such model directory"):
        load_model_directory(tmp_path / "nowhere")
    with pytest.raises(
        ModelDirectoryError, match=r"has no checksums\.json: it is incomplete, or a"
    ):
        load_model_directory(tmp_path)


@pytest.mark.parametrize("device", ["", "foo", "meta", "hpu", "cuda:99"])
def test_a_device_that_cannot_be_used_is_refused(directory: Path, device: str) -> None:
    with pytest.raises(
        ConfigError, match=f"device: '{device}' cannot be used .*take cpu"
    ) as caught:
        load_model_directory(directory, device)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("section", "name", "value", "message"),
    [
        ("", "format_version", 2, r"format_version is 2.*reads 1; export.*again"),
        ("", "weights", "int4", r"config.json: weights: must be .*'int8', got"),
        ("model", "d_modell", 32, r"model.d_modell: unknown.*mean model.d_model\?"),
        ("model", "num_encoder_layers", 5, r"weights.safetensors: does not fit"),
        ("model", "vocab_size", 331, r"tokenizer.model: has 330 pieces.*331"),
        *(
            ("model", name, 10 ** (digits - 1), r"weights\.safetensors: .* of a larger model")
            for name in ("d_ff", "d_model", "num_encoder_layers", "num_decoder_layers")
            for digits in (10, 4001)
        ),
    ],
    ids=lambda value: str(value)[:20],
)
def test_a_configuration_of_another_model_is_refused_in_one_line(
    directory: Path, section: str, name: str, value: Any, message: str
) -> None:
    """Before memory is taken for the model."""
    table = json.loads((directory / CONFIG).read_text())
    (table[section] if section else table)[name] = value
    rewrite(directory, CONFIG, json.dumps(table).encode())
    with pytest.raises(ModelDirectoryError, match=message) as caught:
        load_model_directory(directory)
    assert "\n" not in str(caught.value)


def test_keys_that_earlier_versions_wrote_are_ignored_and_not_written_again(
    directory: Path, loaded: LoadedModel
) -> None:
    before = (directory / CONFIG).read_bytes()
    table = json.loads(before) | {"input_ranges": {"de": "1f"}, "output_pieces": {"de": "1f"}}
    table["decoding"]["reverse_weight"] = 0.4
    rewrite(directory, CONFIG, json.dumps(table).encode())
    again = load_model_directory(directory)
    assert again.description == loaded.description
    weights = again.model.state_dict()
    save_model_directory(directory, again.description, again.tokenizer, weights, again.card)
    assert (directory / CONFIG).read_bytes() == before


@pytest.mark.parametrize("name", [CONFIG, CARD, CHECKSUMS])
@pytest.mark.parametrize("content", [b"[" * 100_000, b"9" * 10_000])
def test_json_that_cannot_be_read_is_refused_by_name(
    directory: Path, name: str, content: bytes
) -> None:
    if name == CHECKSUMS:
        (directory / name).write_bytes(content)
    else:
        rewrite(directory, name, content)
    with pytest.raises(ModelDirectoryError, match=rf"{name}: is not JSON"):
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


@pytest.mark.parametrize("name", [CONFIG, CARD, TOKENIZER, WEIGHTS])
@pytest.mark.parametrize("content", [b"no such format", b"\xff\xfe\x00"])
def test_another_format_behind_a_fitting_checksum_is_refused_by_name(
    directory: Path, name: str, content: bytes
) -> None:
    rewrite(directory, name, content)
    with pytest.raises(ModelDirectoryError, match=re.escape(name)):
        load_model_directory(directory)


@pytest.mark.parametrize("content", [b"[]", b"null", b"3"])
def test_json_that_is_not_a_table_is_refused_by_name(directory: Path, content: bytes) -> None:
    rewrite(directory, CONFIG, content)
    with pytest.raises(ModelDirectoryError, match=r"config\.json: .*must be a table"):
        load_model_directory(directory)
    (directory / CHECKSUMS).write_bytes(content)
    with pytest.raises(ModelDirectoryError, match=r"checksums\.json: damaged"):
        load_model_directory(directory)


def test_half_precision_is_small_and_close_and_full_precision_exact(
    tmp_path: Path, loaded: LoadedModel
) -> None:
    weights = loaded.model.state_dict()
    sizes = {}
    for dtype in (np.float16, np.float32):
        path = tmp_path / dtype.__name__
        save_model_directory(path, loaded.description, loaded.tokenizer, weights, {}, dtype)
        sizes[dtype] = (path / WEIGHTS).stat().st_size
        again = load_model_directory(path).model.state_dict()
        assert {tensor.dtype for tensor in again.values()} == {torch.float32}
        for name, tensor in weights.items():
            atol, rtol = (1e-6, 1e-3) if dtype == np.float16 else (0.0, 0.0)
            torch.testing.assert_close(again[name], tensor, atol=atol, rtol=rtol)
    assert sizes[np.float16] < 0.6 * sizes[np.float32]


def test_a_folder_with_a_stranger_in_it_is_never_deleted(
    tmp_path: Path, loaded: LoadedModel
) -> None:
    project = tmp_path / "project"  # many kinds of project have a config.json
    project.mkdir()
    (project / CONFIG).write_text("{}")
    (project / "thesis.txt").write_text("three years of work")
    with pytest.raises(ModelDirectoryError, match="project: exists and is not a model directory"):
        save(project, loaded)
    assert (project / "thesis.txt").read_text() == "three years of work"


def test_a_kill_at_any_moment_leaves_the_old_model_or_the_new_one(
    tmp_path: Path, directory: Path, loaded: LoadedModel
) -> None:
    """The weights, which safetensors writes, are whole here: a kill comes before or behind them."""
    new = dataclasses.replace(loaded, card={"name": "new"})
    disk = FragileDisk()
    shutil.copytree(directory, tmp_path / "counted")
    with disk.spun_up():
        save(tmp_path / "counted", new)
    assert {"write", "fsync", "replace", "rmtree"} <= {*disk.calls}
    for number, call in enumerate(disk.calls):
        model = tmp_path / f"{number} {call}" / "model"
        shutil.copytree(directory, model)
        with FragileDisk(number).spun_up():
            save(model, new)
        tidy(model.parent)
        assert load_model_directory(model).card["name"] in ("toy", "new")
        assert [path.name for path in model.parent.iterdir()] == ["model"]


def test_a_full_disk_is_told_with_the_file_and_leaves_the_old_model(
    directory: Path, loaded: LoadedModel
) -> None:
    new = dataclasses.replace(loaded, card={"name": "new"})
    told = r"it takes 0\.\d MB.*weights\.safetensors"
    with pytest.raises(NoRoomError, match=told), small_disk(3000):
        save(directory, new)
    assert load_model_directory(directory).card == {"name": "toy"}
    assert [path.name for path in directory.parent.iterdir()] == ["model"]


def test_an_exchange_cut_off_half_way_is_mended(directory: Path, loaded: LoadedModel) -> None:
    former = directory.with_name(".model.old")
    directory.rename(former)
    save(directory, loaded)
    assert load_model_directory(directory).card == {"name": "toy"}
    assert not former.exists()


def test_a_refused_rename_leaves_the_old_model(
    directory: Path, loaded: LoadedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace = os.replace

    def refused(path: Path, target: Path) -> None:
        if Path(target) == directory and path.name.endswith(".tmp"):
            raise PermissionError("Operation not permitted")
        replace(path, target)

    monkeypatch.setattr(os, "replace", refused)
    with pytest.raises((PermissionError, ModelDirectoryError)):
        save(directory, loaded)
    assert load_model_directory(directory).card == {"name": "toy"}


@pytest.fixture
def in_int8(tmp_path: Path, loaded: LoadedModel) -> Path:
    path = tmp_path / "int8"
    description = dataclasses.replace(loaded.description, weights="int8")
    weights = loaded.model.state_dict()
    save_model_directory(path, description, loaded.tokenizer, weights, {"name": "toy"})
    return path


def test_weights_in_int8_are_said_in_the_configuration_and_stay_so(
    in_int8: Path, directory: Path
) -> None:
    again, floats = load_model_directory(in_int8), load_model_directory(directory)
    assert json.loads((in_int8 / CONFIG).read_text())["weights"] == "int8"
    assert "weights" not in json.loads((directory / CONFIG).read_text()), "earlier versions read it"
    assert again.description == dataclasses.replace(floats.description, weights="int8")
    assert again.card == {"name": "toy"}
    assert not floats.reference.weights.is_int8
    assert again.reference.weights.is_int8
    expected = again.reference.weights.model().state_dict()
    again.reference.let_go()
    assert again.reference.num_bytes == 0
    for name, tensor in again.model.state_dict().items():
        assert torch.equal(tensor, expected[name]), f"{name}, read again"
        torch.testing.assert_close(tensor, floats.model.state_dict()[name], atol=0.01, rtol=0)


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("damage", ["missing", "truncated", "flipped"])
def test_damage_to_a_model_in_int8_is_refused_by_name(
    in_int8: Path, name: str, damage: str
) -> None:
    test_damage_is_refused_by_name(in_int8, name, damage)


def test_a_file_that_changes_is_found_when_it_is_read_again(in_int8: Path) -> None:
    again = load_model_directory(in_int8)
    again.reference.let_go()
    (in_int8 / WEIGHTS).write_bytes((in_int8 / WEIGHTS).read_bytes()[:-1])
    with pytest.raises(ModelDirectoryError, match=r"weights\.safetensors: SHA-256 differs"):
        again.reference.get()
