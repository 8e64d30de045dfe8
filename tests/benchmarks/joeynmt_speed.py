"""Training speed of JoeyNMT (Kreutzer et al. 2019), in an environment of its own."""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from tqdm import tqdm

from training.data.encoded import EncodedPair
from training.recipe import Recipe

JOEYNMT = "2.3.0"
ENVIRONMENT = Path(".benchmarks") / f"joeynmt-{JOEYNMT}"
DESCRIPTION = (
    f"JoeyNMT {JOEYNMT} on the same torch: float32 (it has no bfloat16 on a CPU), token batches of "
    "the same padded budget (it does not sort by length), the same pieces and tied embeddings."
)
STEPS_PER_LINE, LINES = 5, 3  # its log has one line a so many steps; the first is warm-up
CONFIG = """
name: "speed"
joeynmt_version: "2.3.0"
model_dir: "{folder}/model"
use_cuda: False
random_seed: 1
data:
    train: "{folder}/train"
    dev: "{folder}/dev"
    dataset_type: "plain"
    src: {{lang: "src", level: "word", voc_file: "{folder}/vocabulary", max_length: 1000}}
    trg: {{lang: "trg", level: "word", voc_file: "{folder}/vocabulary", max_length: 1000}}
testing:
    beam_size: 1
training:
    optimizer: "adamw"
    adam_betas: [0.9, 0.98]
    learning_rate: 0.001
    scheduling: "warmupinversesquareroot"
    learning_rate_warmup: 600
    label_smoothing: {smoothing}
    loss: "crossentropy"
    normalization: "tokens"
    clip_grad_norm: 1.0
    batch_type: "token"
    batch_size: {budget}
    updates: {updates}
    epochs: 1000
    logging_freq: {every}
    validation_freq: 1000000
    overwrite: True
    shuffle: True
model:
    initializer: "xavier_uniform"
    tied_embeddings: True
    tied_softmax: True
    encoder:
        type: "transformer"
        num_layers: {encoder_layers}
        num_heads: {heads}
        hidden_size: {d_model}
        ff_size: {d_ff}
        dropout: {dropout}
        layer_norm: "pre"
        embeddings: {{embedding_dim: {d_model}, scale: True, dropout: {dropout}}}
    decoder:
        type: "transformer"
        num_layers: {decoder_layers}
        num_heads: {heads}
        hidden_size: {d_model}
        ff_size: {d_ff}
        dropout: {dropout}
        layer_norm: "pre"
        embeddings: {{embedding_dim: {d_model}, scale: True, dropout: {dropout}}}
"""


def install() -> Path:
    """Make the environment if it is not there; return its Python."""
    python = ENVIRONMENT / "bin" / "python"
    done = ENVIRONMENT / "installed"
    if not done.exists():
        tqdm.write(f"installing JoeyNMT into {ENVIRONMENT} …")
        subprocess.run([sys.executable, "-m", "venv", str(ENVIRONMENT)], check=True)
        torch = f"torch=={version('torch').split('+')[0]}"
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        # it needs importlib-metadata without saying so
        subprocess.run([*pip, f"joeynmt=={JOEYNMT}", torch, "importlib-metadata"], check=True)
        done.touch()
    return python


def measure(python: Path, recipe: Recipe, pairs: Sequence[EncodedPair], threads: int) -> float:
    """Return target tokens/s: the median of its own log lines but the first.

    Raises:
        RuntimeError: JoeyNMT failed; the message ends with its output.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _write(folder, recipe, pairs)
        command = [str(python.absolute()), "-m", "joeynmt", "train", str(folder / "config.yaml")]
        environment = os.environ | {"OMP_NUM_THREADS": str(threads), "OMP_WAIT_POLICY": "PASSIVE"}
        answer = subprocess.run(
            [*command, "--skip-test"], capture_output=True, text=True, cwd=folder, env=environment
        )
        output = answer.stdout
        log = folder / "model" / "train.log"
        output += log.read_text(encoding="utf-8") if log.exists() else ""
        output += answer.stderr
    found = [float(rate) for rate in re.findall(r"Tokens per Sec:\s+(\d+)", output)]
    if answer.returncode or len(found) < LINES:
        raise RuntimeError(f"JoeyNMT failed:\n{output[-2000:]}")
    return statistics.median(found[1:LINES])


def _write(folder: Path, recipe: Recipe, pairs: Sequence[EncodedPair]) -> None:
    """Write configuration and pieces; end of sentence is JoeyNMT's own affair."""
    sides = {"src": [pair.src[:-1] for pair in pairs], "trg": [pair.tgt[:-1] for pair in pairs]}
    for side, sentences in sides.items():
        lines = [" ".join(f"p{piece}" for piece in sentence) + "\n" for sentence in sentences]
        (folder / f"train.{side}").write_text("".join(lines))
        (folder / f"dev.{side}").write_text("".join(lines[:10]))
    special = ["<unk>", "<pad>", "<s>", "</s>"]
    pieces = [f"p{piece}" for piece in range(recipe.subwords.vocab_size)]
    (folder / "vocabulary").write_text("\n".join([*special, *pieces[: -len(special)]]) + "\n")
    model = recipe.model.with_vocabulary(recipe.subwords.vocab_size, pad_id=0)
    training = recipe.training
    text = CONFIG.format(
        folder=folder,
        smoothing=training.label_smoothing,
        budget=training.max_batch_tokens,
        updates=STEPS_PER_LINE * LINES,
        every=STEPS_PER_LINE,
        encoder_layers=model.num_encoder_layers,
        decoder_layers=model.num_decoder_layers,
        heads=model.num_heads,
        d_model=model.d_model,
        d_ff=model.d_ff,
        dropout=model.dropout,
    )
    (folder / "config.yaml").write_text(text)
