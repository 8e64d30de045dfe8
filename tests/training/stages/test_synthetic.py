"""Text of one language becomes a parallel corpus."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from training.cli import main
from translator.pipeline.translation import Translation
from translator.pipeline.translator import Translator
from translator.store.model_directory import LoadedModel, save_model_directory

LINES = ["Der Hund schläft.", "Die Katze.", "Ein Hund.", "Eine Katze schläft.", "Hund!"]


@pytest.fixture
def arguments(tmp_path: Path, loaded: LoadedModel) -> list[str]:
    model, text = tmp_path / "model", tmp_path / "mono.de"
    weights = loaded.model.state_dict()
    save_model_directory(model, loaded.description, loaded.tokenizer, weights, {"name": "toy"})
    text.write_text("".join(line + "\n" for line in LINES))
    languages = ["--from", "de", "--to", "en", "--beam-size", "2"]
    out = ["--out", str(tmp_path / "out")]
    return ["translate-corpus", str(model), "--input", str(text), *languages, *out]


def sources(folder: Path, name: str) -> list[str]:
    entries = (folder / f"synthetic.{name}.jsonl").read_text().splitlines()
    return [json.loads(entry)["source"] for entry in entries]


def test_both_sides_are_written_and_described(tmp_path: Path, arguments: list[str]) -> None:
    assert main(arguments) == 0
    out = tmp_path / "out"
    assert sources(out, "0-of-1") == LINES
    sides = [(out / f"synthetic.0-of-1.{code}").read_text().splitlines() for code in ("de", "en")]
    about = json.loads((out / "synthetic.0-of-1.json").read_text())
    assert len(sides[0]) == len(sides[1]) == about["pairs"]
    assert (about["model"], about["direction"]) == ("toy", "de-en")
    assert 1 <= about["filtered"]["num_read"] <= 5, "what is flagged is left out"
    assert about["decoding"]["beam_size"] == 2
    assert set(sides[0]) <= set(LINES)


def test_shards_together_are_the_whole(tmp_path: Path, arguments: list[str]) -> None:
    for shard in ("0", "1"):
        assert main([*arguments, "--shards", "2", "--shard", shard]) == 0
    found = [sources(tmp_path / "out", f"{shard}-of-2") for shard in (0, 1)]
    assert found == [LINES[::2], LINES[1::2]]


def test_what_lost_a_placeholder_is_not_trained_on(
    tmp_path: Path, arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def translate(self: Translator, texts: list[str], **_: object) -> list[Translation]:
        return [
            Translation(text=text, flags=("placeholders", "retried") if "Hund" in text else ())
            for text in texts
        ]

    monkeypatch.setattr(Translator, "translate", translate)
    assert main(arguments) == 0
    entries = (tmp_path / "out" / "synthetic.0-of-1.jsonl").read_text().splitlines()
    kept = [entry["source"] for entry in map(json.loads, entries) if entry["translations"]]
    assert kept == ["Die Katze.", "Eine Katze schläft."]


def test_another_models_work_is_not_continued(
    tmp_path: Path, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 0
    assert main(arguments) == 0, "the same work is simply found done"
    (tmp_path / "mono.de").write_text("Etwas anderes.\n")
    assert main(arguments) == 1
    assert "made with other text_sha256; name another folder" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        (["--shard", "1"], "--shard 1: must be in 0..0"),
        (["--input", "nowhere.de"], "nowhere.de: no such file"),
        (["--to", "fr"], "fr is not supported"),
    ],
)
def test_mistakes_are_one_line(
    arguments: list[str], capsys: pytest.CaptureFixture[str], extra: list[str], message: str
) -> None:
    assert main([*arguments, *extra]) == 1
    assert message in capsys.readouterr().err.strip().splitlines()[-1]
