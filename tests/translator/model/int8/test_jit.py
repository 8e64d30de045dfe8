"""Where compiled code is kept."""

from __future__ import annotations

import stat
import tempfile
from pathlib import Path

import numba
import pytest

from translator.model.int8 import jit


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()


def test_it_is_in_the_users_cache_folder_under_the_name_of_the_sources(tmp_path: Path) -> None:
    folder = jit.cache_folder()
    assert folder.parent == tmp_path / "cache" / "translator"
    assert folder.name.startswith("compiled-")
    assert not stat.S_IMODE(folder.parent.stat().st_mode) & 0o077
    assert jit.cache_folder() == folder


def test_numbas_own_setting_comes_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "own"))
    assert jit.cache_folder().parent == tmp_path / "own"


def test_without_a_folder_to_write_to_it_is_a_temporary_one(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file, not a folder")
    folder = jit.cache_folder()
    assert folder.parent.parent == tmp_path / "temporary"


@pytest.mark.parametrize("place", ["cache/translator", "both"])
def test_where_others_may_write_nothing_is_kept(tmp_path: Path, place: str) -> None:
    open_folder = tmp_path / "cache" / "translator"
    open_folder.mkdir(parents=True)
    open_folder.chmod(0o777)
    first = jit.cache_folder()
    assert first.parent.parent == tmp_path / "temporary"
    if place == "both":
        first.parent.chmod(0o777)
        other = jit.cache_folder()
        assert other != first
        assert not stat.S_IMODE(other.stat().st_mode) & 0o077
