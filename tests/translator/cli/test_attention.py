"""Attention drawn by the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from translator.cli.main import main


def test_attention_is_drawn(
    directory: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "map.png"
    arguments = ["attention", "--model", directory, "Der", "Hund.", "--output", str(out)]
    assert main([*arguments, "--target-text", "The dog."]) == 0
    assert out.read_bytes()[:4] == b"\x89PNG"
    assert "Der Hund. → The dog." in capsys.readouterr().out
    assert main(["attention", "--model", directory, " ", "--output", str(out)]) == 1
    assert "error: the text is empty; give a sentence" in capsys.readouterr().err
    assert main([*arguments, "--layer", "9"]) == 1
    assert "has layers 1 to 2" in capsys.readouterr().err
