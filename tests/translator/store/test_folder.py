from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.small_models import write_model
from tests.translator.store.imports.foreign import marian_folder
from translator.errors import InputError, ModelDirectoryError, TranslatorError
from translator.store.folder import add_model, files_of, place_of, remove_model
from translator.store.installed import read_installed
from translator.store.names import CARD, CHECKSUMS, TOKENIZER, WEIGHTS


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return write_model(tmp_path / "source" / "de-en", "de-en")


def test_a_model_is_copied_whole(source: Path, tmp_path: Path) -> None:
    (source / "notes.txt").write_text("mine")
    folder = tmp_path / "new" / "models"
    target = add_model(folder, source)
    assert target == folder / "de-en"
    assert read_installed(target).checksum == read_installed(source).checksum
    assert not (target / "notes.txt").exists()
    assert add_model(folder, source, "other") == folder / "other"
    assert sorted(path.name for path in folder.iterdir()) == ["de-en", "other"]


def test_a_name_that_is_taken_or_leads_elsewhere(source: Path, tmp_path: Path) -> None:
    add_model(tmp_path / "models", source)
    with pytest.raises(InputError, match="de-en: exists; remove it first, or give another --name"):
        add_model(tmp_path / "models", source)
    for name in ("../x", "a/b", ".hidden", "/tmp/x"):
        with pytest.raises(InputError, match="a name of a model has no /"):
            place_of(tmp_path, name)


def test_a_damaged_model_is_not_copied(source: Path, tmp_path: Path) -> None:
    weights = bytearray((source / WEIGHTS).read_bytes())
    weights[-1] ^= 1
    (source / WEIGHTS).write_bytes(weights)
    with pytest.raises(ModelDirectoryError, match=f"{WEIGHTS}: SHA-256 differs"):
        add_model(tmp_path / "models", source)
    with pytest.raises(TranslatorError, match="nowhere"):
        add_model(tmp_path / "models", tmp_path / "nowhere")
    assert not (tmp_path / "models").exists()


def test_a_model_of_another_project_is_imported(tmp_path: Path) -> None:
    marian_folder(tmp_path / "opus-mt-de-en")
    target = add_model(tmp_path / "models", tmp_path / "opus-mt-de-en", "opus")
    assert target == tmp_path / "models" / "opus"
    assert read_installed(target).description.pairs == (("de", "en"),)


def test_a_model_is_removed(source: Path) -> None:
    folder = source.parent
    with pytest.raises(InputError, match="nothing: no such model directory"):
        remove_model(folder, "nothing")
    remove_model(folder, "de-en")
    assert list(folder.iterdir()) == []


def test_a_link_is_removed_and_not_what_it_leads_to(source: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(source)
    remove_model(tmp_path, "link")
    assert not (tmp_path / "link").exists()
    assert read_installed(source)


def test_files_that_are_not_of_the_model_are_not_deleted(source: Path) -> None:
    (source / "thesis.tex").write_text("years of work")
    with pytest.raises(InputError, match=r"has thesis.tex, which is no part of a model"):
        remove_model(source.parent, "de-en")
    (source / "thesis.tex").unlink()
    (source / CHECKSUMS).write_text("[]")
    with pytest.raises(InputError, match=r"damaged: it must name .*; delete it by hand"):
        remove_model(source.parent, "de-en")
    assert (source / CARD).exists()


def test_the_files_of_a_model(source: Path) -> None:
    assert {CARD, TOKENIZER, WEIGHTS, CHECKSUMS} <= {*files_of(source)}
    listed = json.loads((source / CHECKSUMS).read_text())
    (source / CHECKSUMS).write_text(json.dumps(listed | {"../x": "0"}))
    assert "../x" not in files_of(source)
