"""Two corpora of three languages become one model, which is served in both directions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from service.app import create_app
from service.config import ServiceConfig
from training.cli import main
from translator.translate.translator import Translator

NUMBERS = [
    *(("un", "uno", "one"), ("deux", "dos", "two"), ("trois", "tres", "three")),
    *(("quatre", "cuatro", "four"), ("cinq", "cinco", "five"), ("six", "seis", "six")),
]
CATALOGUE = """
[fren]
description = "numbers"
licence = "ours"
files.train.fr.path = "fren.fr"
files.train.en.path = "fren.en"
files.dev.fr.path = "dev.fr"
files.dev.en.path = "dev.en"
[esen]
description = "numbers"
licence = "ours"
files.train.es.path = "esen.es"
files.train.en.path = "esen.en"
"""
RECIPE = """
name = "three"
[data]
corpora = ["fren", "esen"]
dev = ["fren:dev"]
test = ["fren:dev"]
directions = ["fr-en", "es-en"]
[cleaning]
held_out = false
[subwords]
vocab_size = 295
[model]
d_model = 32
d_ff = 64
num_heads = 4
num_encoder_layers = 1
num_decoder_layers = 1
dropout = 0.0
[training]
max_steps = 250
max_batch_tokens = 1000
learning_rate = 5e-3
warmup_steps = 20
label_smoothing = 0.0
bf16 = false
checkpoint_every = 250
average_checkpoints = 1
dev_sentences = 2
[decoding]
beam_size = 1
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a recipe, a catalogue and its corpora: counting in three languages."""
    pairs = [(first, second) for first in NUMBERS for second in NUMBERS]
    for name, numbers in (("fren", (0, 2)), ("esen", (1, 2))):
        for number, code in zip(numbers, (name[:2], "en"), strict=True):
            lines = (f"{first[number]} {second[number]}.\n" for first, second in pairs)
            (tmp_path / f"{name}.{code}").write_text("".join(lines))
    for code in ("fr", "en"):
        text = (tmp_path / f"fren.{code}").read_text()
        (tmp_path / f"dev.{code}").write_text("".join(text.splitlines(keepends=True)[:4]))
    (tmp_path / "catalogue.toml").write_text(CATALOGUE)
    (tmp_path / "recipe.toml").write_text(RECIPE)
    return tmp_path


def test_a_corpus_may_lack_one_of_the_languages(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("training.stages.run.write_report", lambda folder: folder)  # no pictures
    command = ["run", str(folder / "recipe.toml"), "--out", str(folder / "run")]
    command += ["--data", str(folder), "--catalogue", str(folder / "catalogue.toml")]
    assert main(command) == 0
    card = json.loads((folder / "run" / "model" / "card.json").read_text())
    assert {name: {*data["sha256"]} for name, data in card["data"].items()} == {
        "fren": {"fr", "en"},
        "esen": {"es", "en"},
    }
    with Translator.load(folder / "run" / "model", threads=1) as translator:
        client = create_app(ServiceConfig(), translator).test_client()
        for source, text in (("fr", "deux cinq."), ("es", "dos cinco.")):
            request = {"q": text, "source": source, "target": "en"}
            assert client.post("/translate", json=request).json == {"translatedText": "two five."}
