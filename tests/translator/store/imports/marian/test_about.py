"""Languages and licences are found where the projects write them."""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from tests.translator.store.imports.marian.binaries import WEIGHTS, small_folder
from translator.errors import ImportedModelError
from translator.store.imports.importing import import_model
from translator.store.imports.marian.about import check_digest, model_card, model_pair


@pytest.mark.parametrize(
    ("name", "table", "pair"),
    [
        ("metadata.json", {"sourceLanguage": "cs", "targetLanguage": "en"}, ("cs", "en")),
        ("metadata.json", {"fromLang": "zh-Hans", "toLang": "en"}, ("zh-Hans", "en")),
        ("model_info.json", {"srcTags": {"de": "German"}, "trgTag": "fr"}, ("de", "fr")),
        ("model_info.json", {"shortName": "en-pt-tiny"}, ("en", "pt")),
        ("modelMeta.json", {"shortName": "nb-en"}, ("nb", "en")),
    ],
)
def test_tables_tell_the_languages(
    name: str, table: dict[str, Any], pair: tuple[str, str], tmp_path: Path
) -> None:
    (tmp_path / name).write_text(json.dumps(table))
    assert model_pair(tmp_path, "model.xxyy.bin") == pair


@pytest.mark.parametrize(
    ("folder", "weights", "pair"),
    [
        ("data", "model.csen.intgemm8.bin", ("cs", "en")),
        ("opus-mt-de-fi", "a.npz", ("de", "fi")),
        ("de-en-tiny", "a.npz", ("de", "en")),
        ("downloads", "model.enja.intgemm.alphas.bin", ("en", "ja")),
        ("downloads", "model.enja.bin", ("en", "ja")),
    ],
)
def test_names_tell_them_otherwise(
    folder: str, weights: str, pair: tuple[str, str], tmp_path: Path
) -> None:
    (tmp_path / folder).mkdir()
    (tmp_path / folder / "modelMeta.json").write_text('{"modelUrl": ""}')
    assert model_pair(tmp_path / folder, weights) == pair


def test_who_tells_nothing_is_asked(tmp_path: Path) -> None:
    (tmp_path / "downloads").mkdir()
    with pytest.raises(ImportedModelError, match="does not tell its languages; give --from and"):
        model_pair(tmp_path / "downloads", "model.intgemm8.bin")


def test_the_card_has_licence_and_version(tmp_path: Path) -> None:
    assert model_card(tmp_path) == {}
    (tmp_path / "metadata.json").write_text('{"license": "MPL-2.0", "version": 2.1}')
    assert model_card(tmp_path) == {"licence": "MPL-2.0", "package_version": "2.1"}


def test_weights_must_have_the_digest_that_mozilla_says(tmp_path: Path) -> None:
    small_folder(tmp_path / "theirs")
    weights, about = tmp_path / "theirs" / WEIGHTS, tmp_path / "theirs/metadata.json"
    content = weights.read_bytes()
    table = {"sourceLanguage": "cs", "targetLanguage": "en"}
    about.write_text(json.dumps(table | {"hash": hashlib.sha256(content).hexdigest()}))
    weights.with_name(f"{WEIGHTS}.gz").write_bytes(gzip.compress(content))
    weights.unlink()
    import_model(str(tmp_path / "theirs"), tmp_path / "ours")  # the digest is of what is unpacked
    about.write_text(json.dumps(table | {"hash": hashlib.sha256(b"another").hexdigest()}))
    with pytest.raises(ImportedModelError, match=r"or another model's: has the SHA-256 \w+…, meta"):
        import_model(str(tmp_path / "theirs"), tmp_path / "others")


@pytest.mark.parametrize("told", ["{}", '{"hash": 7}', '{"hash": "abc"}'])
def test_without_a_digest_none_is_compared(told: str, tmp_path: Path) -> None:
    check_digest(tmp_path / "model.bin", b"1")
    (tmp_path / "metadata.json").write_text(told)
    check_digest(tmp_path / "model.bin", b"1")
