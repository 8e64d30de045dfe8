from __future__ import annotations

from pathlib import Path

from tests.small_models import write_model
from translator.pipeline.models.here import find_models
from translator.store.names import CARD, WEIGHTS


def test_models_come_in_order_of_preference(tmp_path: Path) -> None:
    for name in ("b", "a"):
        write_model(tmp_path / "folder" / name, "de-en")
    last = write_model(tmp_path / "last", "en-fr")
    found = find_models([last, tmp_path / "folder"])
    assert [model.name for model in found.models] == ["last", "a", "b"]
    assert found.faults == ()
    found = find_models([tmp_path / "folder", last, tmp_path / "folder" / "a"])
    assert [model.name for model in found.models] == ["a", "b", "last"], "none comes twice"


def test_two_of_one_name_are_told_apart(tmp_path: Path) -> None:
    folders = [tmp_path / "x" / "model", tmp_path / "y" / "model"]
    for folder in folders:
        write_model(folder, "de-en")
    names = [model.name for model in find_models([tmp_path / "x", tmp_path / "y"]).models]
    assert names == ["model", str(folders[1])]


def test_what_is_damaged_is_named_and_takes_no_other_with_it(tmp_path: Path) -> None:
    for name in "abcd":
        write_model(tmp_path / name, "de-en")
    (tmp_path / "b" / CARD).write_text("{}")
    weights = (tmp_path / "c" / WEIGHTS).read_bytes()
    (tmp_path / "c" / WEIGHTS).write_bytes(weights[:-10])
    found = find_models([tmp_path])
    assert [model.name for model in found.models] == ["a", "d"]
    assert len(found.faults) == 2
    assert str(tmp_path / "b" / CARD) in found.faults[0]
    assert str(tmp_path / "c" / WEIGHTS) in found.faults[1]


def test_what_is_no_model_is_passed_over(tmp_path: Path) -> None:
    write_model(tmp_path / ".a.tmp", "de-en")  # as one that is being written
    (tmp_path / "notes").mkdir()
    (tmp_path / "README").write_text("models")
    found = find_models([tmp_path, tmp_path / "nowhere"])
    assert found.models == ()
    assert found.faults == (f"{tmp_path / 'nowhere'}: No such file or directory",)
