"""Streams of lines: in order, bounded, and continued as if nothing had happened."""

from __future__ import annotations

import gzip
import itertools
import threading
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import cast

import pytest

from tests.disk import small_disk
from tests.waiting import TIMEOUT_S
from translator.durable import NoRoomError
from translator.errors import InputError
from translator.files import read_lines
from translator.pipeline.streaming import (
    in_windows,
    partial_path,
    refuse_own_source,
    translate_file,
    translate_whole,
    write_whole,
)
from translator.pipeline.translation import Translation


def upper(lines: list[str]) -> list[Translation]:
    return [Translation(text=line.upper()) for line in lines]


@pytest.mark.parametrize("count", [0, 1, 4, 5, 23])
def test_order_is_kept(count: int) -> None:
    lines = [f"line {number}" for number in range(count)]
    answers = list(in_windows(upper, lines, len, window=5))
    assert [answer.text for answer in answers] == [line.upper() for line in lines]


def test_no_more_than_two_windows_are_held() -> None:
    taken = 0

    def lines() -> Iterator[str]:
        nonlocal taken
        while True:
            taken += 1
            yield "x"

    for done, _ in enumerate(itertools.islice(in_windows(upper, lines(), len, window=10), 200)):
        assert taken - done <= 30


def test_a_window_of_long_lines_ends_with_a_hundred_thousand_characters() -> None:
    sizes: list[int] = []

    def noting(lines: list[str]) -> list[Translation]:
        sizes.append(len(lines))
        return upper(lines)

    lines = ["x" * 40_000] * 9 + ["x" * 300_000, "y"]
    assert len(list(in_windows(noting, lines, len))) == 11
    assert sorted(sizes) == [1, 1, 3, 3, 3]


def test_two_windows_are_translated_at_the_same_time() -> None:
    both = threading.Barrier(2, timeout=TIMEOUT_S)

    def meeting(lines: list[str]) -> list[Translation]:
        both.wait()
        return upper(lines)

    assert len(list(in_windows(meeting, ["x"] * 4, len, window=2))) == 4


def test_who_stops_does_not_wait_for_what_is_in_hand() -> None:
    started, may_finish = threading.Event(), threading.Event()
    finished: list[str] = []

    def slow(lines: list[str]) -> list[Translation]:
        if "slow" in lines:
            started.set()
            may_finish.wait(timeout=1)
        finished.extend(lines)
        return upper(lines)

    answers = cast(Generator[Translation], in_windows(slow, ["a", "slow", "b"], len, window=1))
    assert next(answers).text == "A"
    assert started.wait(TIMEOUT_S)
    answers.close()
    assert "slow" not in finished
    may_finish.set()


def test_a_failure_is_passed_on() -> None:
    def failing(lines: list[str]) -> list[Translation]:
        if "bad" in lines:
            raise InputError("bad line")
        return upper(lines)

    with pytest.raises(InputError, match="bad line"):
        list(in_windows(failing, ["a", "b", "bad", "c"], len, window=1))


@pytest.mark.parametrize("name", ["out", "out.gz"])
@pytest.mark.parametrize("torn", ["", "LINE", "LINE 7\nLI"])
def test_an_interrupted_file_is_continued(tmp_path: Path, name: str, torn: str) -> None:
    lines = [f"line {number}" for number in range(40)]
    whole, resumed = tmp_path / "whole", tmp_path / name
    translate_file(upper, lines, whole)
    partial_path(resumed).write_text("".join(f"LINE {number}\n" for number in range(7)) + torn)
    seen: list[str] = []

    def noting(chunk: list[str]) -> list[Translation]:
        seen.extend(chunk)
        return upper(chunk)

    assert translate_file(noting, lines, resumed, total=40, resume=True) == 40
    assert seen == lines[7 + ("\n" in torn) :], "finished lines are not translated again"
    assert list(read_lines(resumed)) == list(read_lines(whole))
    assert not partial_path(resumed).exists()


def test_without_resume_finished_lines_are_not_thrown_away(tmp_path: Path) -> None:
    kept = partial_path(tmp_path / "out")
    kept.write_text("OTHER\nTO")
    with pytest.raises(
        InputError, match=r"out\.partial: has 1 translated lines; continue with --resume"
    ):
        translate_file(upper, ["a"], tmp_path / "out")
    assert kept.read_text() == "OTHER\nTO"
    kept.write_text("TO")
    translate_file(upper, ["a"], tmp_path / "out")
    assert (tmp_path / "out").read_text() == "A\n"


@pytest.mark.parametrize("name", ["out", "out.gz"])
@pytest.mark.parametrize("exists", [True, False])
def test_a_link_is_written_through(tmp_path: Path, name: str, exists: bool) -> None:
    (tmp_path / "far").mkdir()
    link, target = tmp_path / name, tmp_path / "far" / name
    link.symlink_to(target)
    if exists:
        target.write_text("old")
    translate_file(upper, ["a"], link)
    assert link.is_symlink()
    assert list(read_lines(target)) == ["A"]
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["far", name, name]


@pytest.mark.parametrize("kind", ["same", "link", "hard link", "partial"])
def test_a_source_is_never_written_over(tmp_path: Path, kind: str) -> None:
    source, output = tmp_path / "text", tmp_path / "out"
    source.write_text("a\n")
    if kind == "same":
        output = tmp_path / "." / "text"
    elif kind == "link":
        output.symlink_to(source)
    elif kind == "hard link":
        output.hardlink_to(source)
    else:
        source = source.rename(partial_path(output))
    with pytest.raises(InputError, match="is the file to translate"):
        refuse_own_source(source, output)
    refuse_own_source(source, tmp_path / "another")
    refuse_own_source(Path("/dev/null"), Path("/dev/null"))


@pytest.mark.parametrize("total", [2, None])
def test_more_finished_lines_than_there_are_cannot_be(tmp_path: Path, total: int | None) -> None:
    kept = partial_path(tmp_path / "out")
    kept.write_text("A\nB\nC\nD")
    with pytest.raises(InputError, match=r"out\.partial: has 3 lines, and the source only 2"):
        translate_file(upper, ["a", "b"], tmp_path / "out", total=total, resume=True)
    assert kept.read_text() == "A\nB\nC\nD", "another file's lines are left as they were"


def test_a_line_for_a_line_whatever_the_translation_holds(tmp_path: Path) -> None:
    def two_lines(lines: list[str]) -> list[Translation]:
        return [Translation(text=f"{line}\n{line}") for line in lines]

    translate_file(two_lines, ["a", "b"], tmp_path / "out")
    assert (tmp_path / "out").read_text() == "a a\nb b\n"


def test_a_device_is_written_to_and_stays_one(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No space left on device"):
        translate_file(upper, ["a"] * 10_000, Path("/dev/full"))
    assert Path("/dev/full").is_char_device()
    translate_file(upper, ["a"], Path("/dev/null"))
    assert Path("/dev/null").is_char_device()


def test_a_full_disk_is_told_with_the_file_and_what_to_do(tmp_path: Path) -> None:
    output = tmp_path / "out.txt"
    again = "free some space, and run the same command again"
    with pytest.raises(NoRoomError) as caught, small_disk(10_000):
        translate_file(upper, (f"{n:99d}" for n in range(2000)), output)
    assert caught.value.filename == f"{output}.partial"
    assert str(caught.value.strerror).endswith(f"{again} with --resume")
    with pytest.raises(NoRoomError) as caught, small_disk(10_000):
        write_whole(bytes(20_000), output)
    assert caught.value.filename == str(output)
    assert str(caught.value.strerror).endswith(again)


def test_a_text_as_a_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "page.html.gz"

    def shout(texts: list[str]) -> list[Translation]:
        return [Translation(text=text.upper()) for text in texts]

    translate_whole(shout, "a\r\nb", str(output))
    assert gzip.decompress(output.read_bytes()) == b"A\r\nB"
    translate_whole(shout, "a\n", "-")
    assert capsys.readouterr().out == "A\n"
