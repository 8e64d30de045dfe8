"""Training speed of a recipe: target tokens/s, against JoeyNMT and against the machine.

    python -m tests.benchmarks.training_speed [--data FOLDER] [--no-joeynmt] [--profile]

Prints two tables: the share of the machine's own matrix rate that a step reaches, and the ratio to
JoeyNMT (installed into an environment of its own) on the same pairs, sizes, batch budget and
threads, in turn, in one run. Tokens are real target pieces, end of sentence included, on both
sides. With `--data` the pairs are those of the recipe's corpora, else random pieces with lengths
like those of image captions. Each row runs in a process of its own.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from torch.profiler import profile

from tests.benchmarks import joeynmt_speed
from tests.benchmarks.arguments import print_header, print_row, results_parser
from tests.benchmarks.machine import matrix_gflops, median_seconds
from tests.benchmarks.results import results
from training.data.corpus import load_catalogue
from training.data.encoded import EncodedPair, TrainBatch, make_batch
from training.data.sampler import BatchSampler
from training.loop.optimizer import make_optimizers
from training.machine import has_bfloat16, keep_freed_memory
from training.objective.criterion import Criterion
from training.recipe import Recipe, load_recipe
from training.stages.preparation import Preparation
from translator.model.transformer import Transformer, make_model

RECIPE = Path(__file__).with_suffix(".toml")
SEED = 1
PRECISIONS = ("fp32", "bf16") if has_bfloat16(torch.device("cpu")) else ("fp32",)


def main() -> None:
    """Run this file once for every row of the tables."""
    parser = results_parser(__doc__)
    parser.add_argument("recipe", nargs="?", type=Path, default=RECIPE)
    parser.add_argument("--data", type=Path, help="folder with the recipe's corpora")
    parser.add_argument("--steps", type=int, default=12, help="measured steps a row")
    parser.add_argument("--rounds", type=int, default=2, help="turns of each side")
    parser.add_argument("--no-joeynmt", action="store_true")
    parser.add_argument("--profile", action="store_true", help="also show where the time goes")
    parser.add_argument("--row", nargs=3, metavar=("PAIRS", "THREADS", "PRECISION"))
    options = parser.parse_args()
    if options.row:
        pairs, threads, precision = options.row
        measure(options, Path(pairs), int(threads), precision)
        return
    recipe = load_recipe(options.recipe)
    with tempfile.TemporaryDirectory() as folder:
        path = write_pairs(recipe, options.data, Path(folder))
        with results(options.write, "training-speed"):
            print(f"{options.recipe.name}, {len(read_pairs(path)):,} pairs.\n")
            utilisation_table(options, path)
        if not options.no_joeynmt:
            print()
            with results(options.write, "training-speed-joeynmt"):
                joeynmt_table(options, recipe, path)


def utilisation_table(options: argparse.Namespace, path: Path) -> None:
    """Print speed and share of the matrix rate by threads and precision."""
    columns = "ms a step", "target tokens/s", "matrix rate", "share reached"
    print_header("threads", "precision", *columns)
    for threads in (1, 2):
        for precision in PRECISIONS:
            row = run_row(options, path, threads, precision)
            print_row(
                threads,
                precision,
                f"{row['ms']:.0f}",
                f"{row['tokens_per_s']:,.0f}",
                f"{row['gflops']:.0f} GFLOP/s",
                f"{row['share']:.0%}",
            )


def joeynmt_table(options: argparse.Namespace, recipe: Recipe, path: Path) -> None:
    """Print both sides' speed, measured in turn, and their ratio."""
    peer = joeynmt_speed.install()
    print(f"{joeynmt_speed.DESCRIPTION}\n")
    print_header("threads", f"this trainer, {PRECISIONS[-1]}", "JoeyNMT", "ratio")
    for threads in (1, 2):
        ours, theirs = [], []
        for _ in range(options.rounds):
            ours.append(run_row(options, path, threads, PRECISIONS[-1])["tokens_per_s"])
            theirs.append(joeynmt_speed.measure(peer, recipe, read_pairs(path), threads))
        mine, other = statistics.median(ours), statistics.median(theirs)
        print_row(threads, f"{mine:,.0f}", f"{other:,.0f}", f"{mine / other:.2f}")


def run_row(
    options: argparse.Namespace, path: Path, threads: int, precision: str
) -> dict[str, float]:
    """Measure in a process of its own."""
    environment = os.environ | {"OMP_NUM_THREADS": str(threads), "OMP_WAIT_POLICY": "PASSIVE"}
    command = [sys.executable, "-m", "tests.benchmarks.training_speed", str(options.recipe)]
    command += ["--steps", str(options.steps), *(["--profile"] if options.profile else [])]
    row = ["--row", str(path), str(threads), precision]
    answer = subprocess.run(
        [*command, *row], env=environment, check=True, stdout=subprocess.PIPE, text=True
    )
    *shown, last = answer.stdout.strip().splitlines()
    print("\n".join(shown), end="\n" if shown else "", file=sys.stderr)
    found: dict[str, float] = json.loads(last)
    return found


def write_pairs(recipe: Recipe, corpora: Path | None, folder: Path) -> Path:
    """Write the ids of all pairs as JSON lines; return the file."""
    path = folder / "pairs.jsonl"
    pairs = random_pairs(recipe.subwords.vocab_size)
    if corpora:
        preparation = Preparation(recipe, folder / "data", corpora, load_catalogue())
        preparation.prepare()
        preparation.subwords()
        corpus, _ = preparation.train_corpus()
        pairs = (corpus[index] for index in range(len(corpus)))
    with path.open("w") as stream:
        for pair in pairs:
            stream.write(json.dumps([list(pair.src), list(pair.tgt)]) + "\n")
    return path


def random_pairs(vocab_size: int) -> Iterator[EncodedPair]:
    """Yield random pieces in sentences as long as captions: about 17."""
    generator = np.random.default_rng(SEED)
    lengths = np.clip(generator.gamma(9.0, 1.9, (20_000, 2)).astype(np.int64), 4, 60)
    for pair in lengths:
        yield EncodedPair(*(generator.integers(6, vocab_size, n).tolist() for n in pair))


def read_pairs(path: Path) -> list[EncodedPair]:
    """Read what `write_pairs` wrote."""
    with path.open() as stream:
        return [EncodedPair(*json.loads(line)) for line in stream]


def model_flops(model: Transformer, batch: TrainBatch) -> float:
    """Return FLOPs of forward and backward: 6 a weight and token, attention's products besides."""
    width = model.config.d_model
    source, target = batch.src.numel(), batch.tgt_in.numel()
    encoder = sum(p.numel() for p in model.encoder_layers.parameters() if p.dim() == 2)
    decoder = sum(p.numel() for p in model.decoder_layers.parameters() if p.dim() == 2)
    weights = encoder * source + decoder * target
    weights += model.embedding.weight.numel() * batch.num_targets
    attention = 2 * width * source * batch.src.size(1) * len(model.encoder_layers)
    attention += 2 * width * target * batch.tgt_in.size(1) * len(model.decoder_layers)
    attention += 2 * width * target * batch.src.size(1) * len(model.decoder_layers)
    return 6.0 * (weights + attention)


def measure(options: argparse.Namespace, path: Path, threads: int, precision: str) -> None:
    """Print one row as JSON."""
    torch.set_num_threads(threads)
    keep_freed_memory()
    recipe = load_recipe(options.recipe)
    config = dataclasses.replace(recipe.training, bf16=precision == "bf16")
    vocab_size = recipe.subwords.vocab_size
    model = make_model(recipe.model.with_vocabulary(vocab_size, pad_id=0))
    criterion, optimizers = Criterion(model, config), make_optimizers(model, config)
    batches = first_batches(read_pairs(path), config.max_batch_tokens, options.steps)

    def steps() -> None:
        for batch in batches:
            loss = criterion(batch).smoothed / batch.num_targets
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizers.step()

    seconds = median_seconds(steps, 3)
    rate = matrix_gflops(torch.bfloat16 if config.bf16 else torch.float32)
    if options.profile:
        with profile() as recorded:
            steps()
        print(recorded.key_averages().table(sort_by="self_cpu_time_total", row_limit=15))
    flops = sum(model_flops(model, batch) for batch in batches)
    row = {
        "ms": seconds / len(batches) * 1e3,
        "tokens_per_s": sum(batch.num_targets for batch in batches) / seconds,
        "gflops": rate,
        "share": flops / seconds / rate / 1e9,
    }
    print(json.dumps(row))


def first_batches(pairs: list[EncodedPair], max_batch_tokens: int, count: int) -> list[TrainBatch]:
    """Return the first batches that training would see."""
    lengths = np.array([[len(pair.src) for pair in pairs], [len(pair.tgt) for pair in pairs]])
    sampler = iter(BatchSampler(lengths, max_batch_tokens, SEED))
    return [make_batch([pairs[i] for i in next(sampler)], pad_id=0, bos_id=2) for _ in range(count)]


if __name__ == "__main__":
    main()
