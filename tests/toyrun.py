"""A whole run on the toy language, from files on disk to a model directory."""

from __future__ import annotations

import random
from pathlib import Path

from tests.toy import toy_pairs
from training.data.corpus import Catalogue, Corpus, CorpusFile
from training.recipe import Recipe, load_recipe
from training.stages.run import Run

RECIPE = """
name = "toy"
[data]
corpora = ["toy"]
dev = ["toy:dev"]
test = ["toy:test"]
directions = ["de-en", "en-de"]
[subwords]
vocab_size = 320
[model]
d_model = 64
d_ff = 128
num_heads = 4
num_encoder_layers = 2
num_decoder_layers = 1
dropout = 0.0
[training]
max_steps = 400
max_batch_tokens = 1000
learning_rate = 3e-3
warmup_steps = 40
label_smoothing = 0.0
bf16 = false
checkpoint_every = 200
keep_checkpoints = 2
average_checkpoints = 1
[decoding]
beam_size = 2
"""


def write_corpus(folder: Path, train: int = 400) -> Catalogue:
    """Write a toy corpus into `folder` and return a catalogue that names it."""
    pairs = list(dict.fromkeys(toy_pairs(train + 200, random.Random(3))))
    parts = {"train": pairs[:-40], "dev": pairs[-40:-20], "test": pairs[-20:]}
    files: dict[str, dict[str, CorpusFile]] = {}
    for part, rows in parts.items():
        files[part] = {}
        for place, language in enumerate(("de", "en")):
            path = f"{part}.{language}"
            (folder / path).write_text("".join(row[place] + "\n" for row in rows))
            files[part][language] = CorpusFile(path=path)
    corpus = Corpus(description="toy", licence="public domain", files=files)
    return Catalogue(corpora={"toy": corpus})


def toy_recipe(folder: Path, *overrides: str) -> Recipe:
    """Write the toy recipe into `folder` and read it."""
    path = folder / "toy.toml"
    path.write_text(RECIPE)
    return load_recipe(path, overrides)


def toy_run(folder: Path, *overrides: str) -> Run:
    """Return a run of the toy recipe in `folder / "run"`."""
    data = folder / "raw"
    data.mkdir(exist_ok=True)
    catalogue = write_corpus(data)
    recipe = toy_recipe(folder, *overrides)
    return Run(recipe, RECIPE, folder / "run", data, "cpu", catalogue)


def run_until(run: Run, last: str) -> None:
    """Do all stages up to `last`; the pictures of the report take longer than a toy's training."""
    for name in run.stages():
        run.run(only=name)
        if name == last:
            return
