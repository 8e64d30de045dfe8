"""A model converted by the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from translator.cli.main import main


def test_a_model_is_converted(
    directory: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "converted"
    assert main(["convert", directory, "--out", str(out), "--format", "ctranslate2"]) == 0
    assert {"model.bin", "tokenizer.model"} <= {path.name for path in out.iterdir()}
    assert f"{out}: a CTranslate2 model" in capsys.readouterr().out
