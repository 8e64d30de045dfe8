"""`python -m translator bulk` as a person uses it, without a cluster."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.here_workers import HereWorkers
from translator.cli import bulk as cli
from translator.cli.main import main


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int | None]]:
    """Let the command do its work in this process; return what it asks of a cluster."""
    asked: list[tuple[str, int | None]] = []

    def workers(address: str, actors: int | None) -> HereWorkers:
        asked.append((address, actors))
        return HereWorkers()

    monkeypatch.setattr(cli, "RayWorkers", workers)
    return asked


def test_a_table_gets_columns(
    directory: str,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    started: list[tuple[str, int | None]],
) -> None:
    (tmp_path / "a.csv").write_text("id,satz,sprache\n1,Der Hund.,de\n2,The dog.,en\n3,Chien,fr\n")
    flags = ["--out", str(tmp_path / "out"), "--to", "en", "--column", "satz"]
    flags += ["--from-column", "sprache", "--into", "en", "--model", directory]
    flags += ["--address", "auto", "--actors", "3", "--beam-size", "1", "--keep", "Hund"]
    assert main(["bulk", str(tmp_path / "a.csv"), *flags]) == 0
    with (tmp_path / "out" / "part-000000.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["en_source"] for row in rows] == ["de", "en", "fr"]
    assert rows[1]["en"] == "The dog."
    assert rows[2]["en_error"].startswith("fr is not supported")
    assert started == [("auto", 3)]
    said = capfd.readouterr().out
    assert f"{tmp_path / 'out'}: 1 part" in said
    assert "rows: 3 in " in said
    assert "; 1 with an error; flags: " in said
    assert main(["bulk", str(tmp_path / "a.csv"), *flags]) == 0
    assert "1 part (1 of them were there before)" in capfd.readouterr().out


@pytest.mark.usefixtures("started")
def test_text_may_become_json(directory: str, tmp_path: Path) -> None:
    (tmp_path / "mono.de").write_text("Der Hund.\n\nDie Katze.\n")
    flags = ["--out", str(tmp_path / "out"), "--from", "de", "--to", "en", "--model", directory]
    flags += ["--input-format", "text", "--output-format", "jsonl", "--partition-rows", "2"]
    assert main(["bulk", str(tmp_path / "mono.de"), *flags]) == 0

    def rows() -> Iterator[dict[str, str]]:
        for path in sorted((tmp_path / "out").glob("part-*.jsonl")):
            yield from map(json.loads, path.read_text().splitlines())

    assert [row["text"] for row in rows()] == ["Der Hund.", "", "Die Katze."]
    assert len(list((tmp_path / "out").glob("part-*"))) == 2


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--to", "en"], "name the source language with --from (auto finds it) or --from-column"),
        (["--from", "de", "--to", "fr"], "--to fr: the models translate to de, en"),
        (["--from", "de", "--to", "en", "--threads", "0"], "--threads: must be 1 or more, got 0"),
        (["--from", "de", "--to", "en", "--column", "x"], "has no column 'x', but a, text"),
        (["--from", "de", "--to", "en", "--into", "a"], "has a column 'a' already"),
        (["--from", "de", "--to", "en", "--model", "/none"], "/none"),
    ],
)
@pytest.mark.usefixtures("started")
def test_mistakes_are_one_line(
    directory: str,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    flags: list[str],
    message: str,
) -> None:
    (tmp_path / "a.csv").write_text("a,text\n1,x\n")
    command = ["bulk", str(tmp_path / "a.csv"), "--out", str(tmp_path / "out")]
    assert (
        main([*command, *(["--model", directory] if "--model" not in flags else []), *flags]) == 1
    )
    [line] = capfd.readouterr().err.strip().splitlines()
    assert line.startswith("error: ")
    assert message in line
