"""What a student does in a fortnight, in three minutes, with a comparison at each end.

Raw text of three languages is trained on, killed, continued, finished in a copy, fine-tuned,
translated, scored, converted, imported and served.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import sacrebleu
import torch

from service.config import ServiceConfig
from service.start.app import create_app
from tests.checkout import ROOT
from training.cli import main as training
from training.loop.state import checkpoint_path, list_checkpoints, load_state
from translator.cli.main import main as translator_main
from translator.pipeline.translator import Translator

pytestmark = pytest.mark.slow

NUMBERS = [
    *(("un", "uno", "one"), ("deux", "dos", "two"), ("trois", "tres", "three")),
    *(("quatre", "cuatro", "four"), ("cinq", "cinco", "five"), ("six", "seis", "six")),
]
CODES = ("fr", "es", "en")
STEPS, KEPT = 240, 80
CATALOGUE = """
[fren]
description = "numbers"
licence = "ours"
files.train.fr.path = "fren.fr"
files.train.en.path = "fren.en"
files.dev.fr.path = "dev.fr"
files.dev.en.path = "dev.en"
files.test.fr.path = "test.fr"
files.test.en.path = "test.en"
[esen]
description = "numbers"
licence = "ours"
files.train.es.path = "esen.es"
files.train.en.path = "esen.en"
"""
DATA = """
[data]
corpora = ["fren", "esen"]
dev = ["fren:dev"]
test = ["fren:test"]
directions = ["fr-en", "es-en"]
[cleaning]
held_out = false
"""
TRAINING = f"""
max_batch_tokens = 1000
warmup_steps = 20
label_smoothing = 0.0
bf16 = false
checkpoint_every = {KEPT}
keep_checkpoints = 4
average_checkpoints = 1
dev_sentences = 2
"""
TRUNK = f"""
name = "trunk"
{DATA}
[subwords]
vocab_size = 295
[model]
d_model = 32
d_ff = 64
num_heads = 4
num_encoder_layers = 1
num_decoder_layers = 1
dropout = 0.1
[training]
max_steps = {STEPS}
learning_rate = 5e-3
schedule = "wsd"
decay_share = 0.0
{TRAINING}
[decoding]
beam_size = 3
"""
TUNED = """
name = "tuned"
base = "{base}"
{data}
[training]
max_steps = 20
learning_rate = 5e-4
{training}
[decoding]
beam_size = 3
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with text, a catalogue and a recipe: counting in three languages."""
    monkeypatch.setattr("training.stages.run.write_report", lambda folder: folder)  # no pictures
    rows = list(itertools.product(NUMBERS, repeat=3))
    random.Random(0).shuffle(rows)
    parts = {"test": rows[:20], "dev": rows[20:30], "fren": rows[30:], "esen": rows[:150]}
    for name, chosen in parts.items():
        for number, code in enumerate(CODES):
            lines = (f"{' '.join(words[number] for words in row)}.\n" for row in chosen)
            (tmp_path / f"{name}.{code}").write_text("".join(lines))
    (tmp_path / "catalogue.toml").write_text(CATALOGUE)
    (tmp_path / "trunk.toml").write_text(TRUNK)
    return tmp_path


def command(folder: Path, stage: str, recipe: str, out: str) -> list[str]:
    arguments = [stage, str(folder / recipe), "--out", str(folder / out), "--device", "cpu"]
    return [*arguments, "--data", str(folder), "--catalogue", str(folder / "catalogue.toml")]


def killed_run(folder: Path, out: str) -> None:
    """Train in a process of its own, and kill it behind its first checkpoint."""
    environment = {**os.environ, "OMP_NUM_THREADS": str(torch.get_num_threads())}
    # it would be done too soon after that checkpoint, so it gets a longer way
    arguments = [*command(folder, "train", "trunk.toml", out), "--set=training.max_steps=100000"]
    process = subprocess.Popen(
        [sys.executable, "-m", "training", *arguments],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    while not list_checkpoints(folder / out / "checkpoints"):
        assert process.poll() is None, process.communicate()[1].decode()
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.communicate()


def printed(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> list[str]:
    """Return the lines that a command of `python -m translator` prints."""
    capsys.readouterr()
    assert translator_main(arguments) == 0
    return capsys.readouterr().out.splitlines()


def trained(folder: Path) -> None:
    """Train a trunk twice, once killed and continued: both become the same to the last bit."""
    for out in ("whole", "trunk"):
        for stage in ("prepare", "subwords"):
            assert training(command(folder, stage, "trunk.toml", out)) == 0
    assert training(command(folder, "train", "trunk.toml", "whole")) == 0
    killed_run(folder, "trunk")
    assert training(command(folder, "train", "trunk.toml", "trunk")) == 0
    whole, continued = (
        load_state(checkpoint_path(folder / out / "checkpoints", STEPS)).model
        for out in ("whole", "trunk")
    )
    assert all(torch.equal(whole[name], continued[name]) for name in whole)


def finished_and_tuned(folder: Path) -> None:
    """Finish a copy of the trunk, and tune what comes of it: both translate the test set."""
    shutil.copytree(folder / "trunk", folder / "finished")
    falling = [f"--set=training.max_steps={STEPS * 5 // 4}", "--set=training.decay_share=0.2"]
    assert training([*command(folder, "run", "trunk.toml", "finished"), *falling]) == 0
    last = list_checkpoints(folder / "finished" / "checkpoints")[-1]
    assert last.name == f"step-{STEPS * 5 // 4:07d}"
    tuned = TUNED.format(base=folder / "finished" / "model", data=DATA, training=TRAINING)
    (folder / "tuned.toml").write_text(tuned)
    assert training(command(folder, "run", "tuned.toml", "tuned")) == 0
    for name in ("finished", "tuned"):
        card = json.loads((folder / name / "model" / "card.json").read_text())
        assert card["scores"]["fren.test.fr-en"]["bleu"] > 90
        hashes = {name: data["sha256"] for name, data in card["data"].items()}
        assert {name: {*found} for name, found in hashes.items()} == {
            "fren": {"fr", "en"},
            "esen": {"es", "en"},
        }, "a corpus may lack one of the languages"
        assert all(hashes["fren"].values())


def translations(folder: Path, model: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Return the translations of the test set, which are those of the n best and of `evaluate`."""
    ask = ["--model", str(model), "--from", "fr", "--to", "en"]
    text, reference = folder / "test.fr", folder / "test.en"
    plain = printed(capsys, ["translate", *ask, "--input", str(text)])
    lines = printed(capsys, ["translate", *ask, "--input", str(text), "--n-best", "3"])
    n_best = [json.loads(line) for line in lines]
    assert [candidates[0]["text"] for candidates in n_best] == plain
    for candidates in n_best:
        scores = [candidate["score"] for candidate in candidates]
        assert scores == sorted(scores, reverse=True)
    (folder / "own.en").write_text("".join(f"{line}\n" for line in plain))
    of_pairs = ["score", *ask, "--input", str(text), "--translations", str(folder / "own.en")]
    forced = [json.loads(line)["log_prob"] for line in printed(capsys, of_pairs)]
    found = [candidates[0]["log_prob"] for candidates in n_best]
    assert forced == pytest.approx(found, abs=0.05)
    evaluate = ["evaluate", str(model), "--input", str(text), "--reference", str(reference)]
    assert training([*evaluate, "--output", str(folder / "hypotheses")]) == 0
    assert (folder / "hypotheses").read_text().splitlines() == plain
    bleu = sacrebleu.BLEU().corpus_score(plain, [reference.read_text().splitlines()]).score
    assert f"BLEU         {bleu:6.2f} ± " in capsys.readouterr().out
    return plain


def brought_back(folder: Path, model: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Write a model for CTranslate2, import that, and return its translations of the test set."""
    other, back = str(folder / "ctranslate2"), str(folder / "back")
    printed(capsys, ["convert", str(model), "--format", "ctranslate2", "--out", other])
    printed(capsys, ["import", other, "--out", back])
    ask = ["--model", back, "--from", "fr", "--to", "en", "--input", str(folder / "test.fr")]
    return printed(capsys, ["translate", *ask])


def test_a_fortnight(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trained(folder)
    assert training(["evaluate", str(folder / "trunk"), "--alphas", "0.5", "1.0"]) == 0
    assert f"trunk at step {STEPS}, means of fren:dev fr-en" in capsys.readouterr().out
    snapshot = ["snapshot", str(folder / "trunk"), "--step", str(KEPT)]
    assert training([*snapshot, "--out", str(folder / "early")]) == 0
    finished_and_tuned(folder)
    model = folder / "tuned" / "model"
    plain = translations(folder, model, capsys)
    assert brought_back(folder, model, capsys) == plain
    sources = (folder / "test.fr").read_text().splitlines()
    with Translator.load(model) as translator:
        client = create_app(ServiceConfig(), translator).test_client()
        request = {"q": sources, "source": "fr", "target": "en"}
        assert client.post("/translate", json=request).json == {"translatedText": plain}
        spanish = {"q": "dos cinco tres.", "source": "es", "target": "en"}
        assert client.post("/translate", json=spanish).json == {"translatedText": "two five three."}
    with Translator.load(folder / "early") as translator:
        answers = translator.translate(sources, source="fr", target="en")
        assert sum(answer.text == line for answer, line in zip(answers, plain, strict=True)) < 20
