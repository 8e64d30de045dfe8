"""Argos packages have what LibreTranslate looks for."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from translator.cli.exchange.argos import write_packages
from translator.errors import ModelDirectoryError
from translator.store.model_directory import LoadedModel
from translator.tokens.tokenizer import language_tag


def test_a_package_for_each_direction(loaded: LoadedModel, tmp_path: Path) -> None:
    paths = write_packages(loaded, tmp_path / "packages", None)
    assert len(paths) == len(loaded.description.directions)
    with zipfile.ZipFile(tmp_path / "packages/translate-de-en.argosmodel") as archive:
        top = "translate-de-en"
        about = json.loads(archive.read(f"{top}/metadata.json"))
        config = json.loads(archive.read(f"{top}/model/config.json"))
        assert {f"{top}/model/model.bin", f"{top}/sentencepiece.model"} <= {*archive.namelist()}
    assert (about["from_code"], about["to_code"], about["to_name"]) == ("de", "en", "English")
    assert config["add_source_bos"] is True
    assert config["bos_token"] == language_tag("en")


def test_an_existing_folder_is_left_alone(loaded: LoadedModel, tmp_path: Path) -> None:
    with pytest.raises(ModelDirectoryError, match="exists; name another"):
        write_packages(loaded, tmp_path, None)
