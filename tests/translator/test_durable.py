"""Files and folders are whole at any moment, whatever happens to the process or the disk."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.disk import FragileDisk, Synced, small_disk
from translator.durable import (
    NoRoomError,
    new_folder,
    remove_folder,
    replacing,
    tidy,
    write_durably,
)

OLD, NEW = b"old" * 100, b"new" * 200


def write_file(folder: Path) -> None:
    write_durably(folder / "deep" / "file", NEW)


def write_folder(folder: Path) -> None:
    with new_folder(folder / "deep") as made:
        for name in ("file", "other"):
            write_durably(made / name, NEW)


def stream_file(folder: Path) -> None:
    with replacing(folder / "deep" / "file") as stream:
        for start in range(0, len(NEW), 100):
            stream.write(NEW[start : start + 100])


def seen(folder: Path) -> dict[str, bytes]:
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "file").write_bytes(OLD)
    return tmp_path


def made(folder: Path, name: str) -> Path:
    place = folder / name
    (place / "deep").mkdir(parents=True)
    (place / "deep" / "file").write_bytes(OLD)
    return place


@pytest.mark.parametrize("work", [write_file, write_folder, stream_file])
def test_a_power_cut_at_any_call_leaves_the_old_or_the_new(
    tmp_path: Path, work: Callable[[Path], None]
) -> None:
    disk, whole = FragileDisk(), made(tmp_path, "whole")
    before = seen(whole)
    with disk.spun_up():
        work(whole)
    after = seen(whole)
    assert after != before
    for number, call in enumerate(disk.calls):
        cut = made(tmp_path, f"{number} {call}")
        with FragileDisk(number).spun_up():
            work(cut)
        tidy(cut)
        assert seen(cut) in (before, after), f"{number}: {call}"
        work(cut)
        assert seen(cut) == after


def test_a_folder_is_removed_at_once_or_not_at_all(tmp_path: Path) -> None:
    def remove(folder: Path) -> None:
        remove_folder(folder / "deep")

    disk, whole = FragileDisk(), made(tmp_path, "whole")
    with disk.spun_up():
        remove(whole)
    assert seen(whole) == {}
    for number, call in enumerate(disk.calls):
        cut = made(tmp_path, f"{number} {call}")
        with FragileDisk(number).spun_up():
            remove(cut)
        tidy(cut)
        assert seen(cut) in ({}, {"deep/file": OLD})


def test_the_disk_has_a_file_and_its_name(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced = Synced(monkeypatch)
    write_file(folder)
    assert folder / "deep" / "file" in synced
    assert folder / "deep" in synced


def test_what_is_equal_is_not_written_again(folder: Path) -> None:
    before = (folder / "deep" / "file").stat()
    write_durably(folder / "deep" / "file", OLD)
    after = (folder / "deep" / "file").stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


def test_a_link_stays_one_and_a_pipe_is_written_as_it_comes(folder: Path) -> None:
    (folder / "link").symlink_to(folder / "deep" / "file")
    write_durably(folder / "link", NEW)
    assert (folder / "link").is_symlink()
    assert (folder / "deep" / "file").read_bytes() == NEW
    write_durably(Path("/dev/null"), NEW)
    assert Path("/dev/null").is_char_device()


@pytest.mark.parametrize("work", [write_file, write_folder, stream_file])
def test_a_full_disk_is_told_with_the_file_and_leaves_the_old_one(
    folder: Path, work: Callable[[Path], None]
) -> None:
    with pytest.raises(NoRoomError) as caught, small_disk(250):
        work(folder)
    assert caught.value.filename is not None
    assert str(folder) in caught.value.filename
    assert "MB are free); free some space, and run the same command again" in str(caught.value)
    if work is not stream_file:
        assert "(it takes 0.0 MB, and " in str(caught.value)
    assert seen(folder) == {"deep/file": OLD}
    assert not [path for path in folder.rglob("*") if path.suffix == ".tmp"]


def test_an_error_without_a_name_gets_that_of_the_file(folder: Path) -> None:
    def fail() -> None:
        with replacing(folder / "deep" / "file") as stream:
            stream.write(NEW)
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    with pytest.raises(OSError, match="Input/output error") as caught:
        fail()
    assert caught.value.filename == str(folder / "deep" / "file")
    assert seen(folder) == {"deep/file": OLD}


def test_what_killed_processes_have_left_is_put_in_order(folder: Path) -> None:
    (folder / ".a.tmp").mkdir()
    (folder / ".a.tmp" / ".b.tmp").write_bytes(NEW)
    (folder / "deep" / ".c.gone").mkdir()
    (folder / "deep").rename(folder / ".deep.old")
    (folder / ".kept").write_bytes(OLD)
    tidy(folder)
    assert seen(folder) == {"deep/file": OLD, ".kept": OLD}
    assert sorted(path.name for path in folder.iterdir()) == [".kept", "deep"]
