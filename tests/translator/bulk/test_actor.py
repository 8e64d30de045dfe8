"""What travels between a job and its actors arrives as it was."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from translator.bulk.actor import ModelFiles, Tally, as_outcome, as_part, as_row, as_table
from translator.bulk.formats.rows import Span
from translator.bulk.job import Outcome
from translator.bulk.parts import Counts
from translator.bulk.plan import Part


def test_a_part_travels_as_a_row() -> None:
    part = Part(number=3, url="s3://a/b.csv", span=Span(5, 99, 7))
    assert as_part(as_row(part, "part-000003.csv")) == (part, "part-000003.csv")


def test_an_outcome_travels_as_a_row() -> None:
    counts = Counts(rows=7, errors=1, flags=Counter({"numbers": 2}))
    for outcome in (
        Outcome(number=3, counts=counts),
        Outcome(number=4, counts=Counts(), error="no"),
    ):
        assert as_outcome(as_table(outcome, is_fatal=True)) == (outcome, True)


def test_a_tally_tells_what_is_new() -> None:
    tally = Tally()
    tally.tell(1, 10)
    tally.tell(1, 20)
    assert tally.read() == {1: 20}
    assert tally.read() == {}
    assert [tally.begin(1), tally.begin(1), tally.begin(2)] == [1, 2, 1]


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
