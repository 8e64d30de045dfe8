"""Models that travel: the same files arrive, once on each machine."""

from __future__ import annotations

from pathlib import Path

from translator.bulk.model_files import ModelFiles


def test_files_arrive_as_they_were(tmp_path: Path) -> None:
    for name in ("a/config.json", "b/x/weights", "b/y/weights"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(name.encode())
    files = ModelFiles.of([tmp_path / "a", tmp_path / "b"])
    home = tmp_path / "home"
    first, second = files.unpacked(home)
    assert (first / "config.json").read_bytes() == b"a/config.json"
    assert (second / "y" / "weights").read_bytes() == b"b/y/weights"
    marker = first / "config.json"
    before = marker.stat().st_mtime_ns
    assert files.unpacked(home) == (first, second)
    assert marker.stat().st_mtime_ns == before, "not written again"
    assert [path.name for path in home.iterdir()] == [files.digest]


def test_other_contents_have_another_place(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    digests = set()
    for content in ("1", "2"):
        (tmp_path / "a" / "config.json").write_text(content)
        digests.add(ModelFiles.of([tmp_path / "a"]).digest)
    assert len(digests) == 2
