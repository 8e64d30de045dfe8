"""Files by path or URL; those that are written appear as a whole."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import fsspec
import pytest

from tests.disk import Synced
from tests.ftp import ftp_server
from translator.bulk.storage import OutputFolder, find_files, own_folder, reading
from translator.errors import InputError


@pytest.fixture(params=["path", "file://", "memory://", "ftp://"])
def root(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Return a folder, local or not."""
    if request.param == "ftp://":
        with ftp_server(tmp_path) as url:
            yield url
    elif request.param == "memory://":
        yield f"memory://bulk{tmp_path}"
        fsspec.filesystem("memory").rm(f"/bulk{tmp_path}", recursive=True)
    else:
        yield str(tmp_path) if request.param == "path" else f"file://{tmp_path}"


def fill(root: str, *names: str) -> None:
    for name in names:
        with OutputFolder(root).writing(name) as stream:
            stream.write(name.encode())


def read(url: str) -> bytes:
    with reading(url) as stream:
        return stream.read()


def test_files_folders_and_patterns(root: str) -> None:
    fill(root, "a.txt", "sub/b.txt", "sub/c.csv", "_hidden/d.txt", "sub/.e.txt")
    OutputFolder(root).clear_unfinished()
    for place, names in (
        (f"{root}/a.txt", ["a.txt"]),
        (root, ["a.txt", "sub/b.txt", "sub/c.csv"]),
        (f"{root}/sub/*.txt", ["sub/b.txt"]),
        (f"{root}/**/*.txt", ["_hidden/d.txt", "a.txt", "sub/b.txt"]),
    ):
        found = [file for file in find_files(place) if ".e." not in file.url]
        assert [read(file.url).decode() for file in found] == names, place
        assert [file.num_bytes for file in found] == [len(name) for name in names]


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("/nowhere", "/nowhere: no such file or folder"),
        ("/nowhere/*.csv", "/nowhere/.*: no files found"),
        ("nonsense://x", "nonsense://x: cannot be opened: Protocol not known"),
    ],
)
def test_what_is_not_there_is_named(place: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        find_files(place)


def test_a_file_appears_as_a_whole(root: str) -> None:
    out = OutputFolder(f"{root}/new")
    assert out.names() == set()
    with pytest.raises(TypeError), out.writing("a.txt") as stream:
        stream.write("half of it is no bytes")  # type: ignore[call-overload]
    assert not out.has("a.txt")
    with out.writing("a.txt") as stream:
        stream.write(b"first")
        assert not out.has("a.txt")
        with out.writing("a.txt") as other:
            other.write(b"another")
    assert out.has("a.txt")
    assert read(f"{root}/new/a.txt") == b"first"
    out.clear_unfinished()
    assert out.names() == {"a.txt"}


def test_a_local_file_is_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced = Synced(monkeypatch)
    fill(str(tmp_path), "a.txt")
    assert tmp_path / "a.txt" in synced


def test_json(root: str) -> None:
    out = OutputFolder(root)
    assert out.read_json("a.json") is None
    out.write_json("a.json", {"ä": 1})
    assert out.read_json("a.json") == {"ä": 1}
    fill(root, "b.json")
    with pytest.raises(InputError, match=r"b\.json: is damaged"):
        out.read_json("b.json")


def test_a_folder_of_somebody_else_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    path = own_folder("mine")
    assert own_folder("mine") == path
    assert path.stat().st_mode & 0o777 == 0o700
    path.rename(tmp_path / "theirs")
    path.symlink_to(tmp_path / "theirs")
    with pytest.raises(PermissionError, match="is somebody else's; set TMPDIR"):
        own_folder("mine")
