"""Training speed of a recipe: target tokens/s, and the share of the machine's matrix rate reached.

    python -m tests.benchmarks.train_speed [RECIPE] [--steps 8] [--profile]

Prints Markdown. Batches have the recipe's token budget and random pieces; lengths are drawn as in
image captions (about 17 pieces). Each row runs in a process of its own, with the threads it names.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import torch
from torch.profiler import profile

from tests.benchmarks.machine import describe, matrix_gflops, median_seconds
from training.criterion import Criterion
from training.data import EncodedPair, TrainBatch, make_batch
from training.memory import keep_freed_memory
from training.optimizer import make_optimizers
from training.recipe import Recipe, load_recipe
from training.sampler import length_buckets
from translator.config import ModelConfig
from translator.model.transformer import Transformer, make_model

RECIPE = Path(__file__).parents[2] / "training" / "recipes" / "multi30k-de-en.toml"


def main() -> None:
    """Run this file once for every row of the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("recipe", nargs="?", type=Path, default=RECIPE)
    parser.add_argument("--steps", type=int, default=8, help="measured steps a row")
    parser.add_argument("--profile", action="store_true", help="also show where the time goes")
    parser.add_argument("--row", nargs=2, metavar=("THREADS", "PRECISION"))
    options = parser.parse_args()
    if options.row:
        report(options, int(options.row[0]), options.row[1])
        return
    print(f"{describe()}; {options.recipe.name}\n")
    print("| threads | precision | ms a step | target tokens/s | matrix rate | share reached |")
    print("|---|---|---|---|---|---|", flush=True)
    for threads in ("1", "2"):
        for precision in ("fp32", "bf16"):
            environment = os.environ | {"OMP_NUM_THREADS": threads, "OMP_WAIT_POLICY": "PASSIVE"}
            command = [sys.executable, "-m", "tests.benchmarks.train_speed", *sys.argv[1:]]
            subprocess.run([*command, "--row", threads, precision], env=environment, check=True)


def random_batches(recipe: Recipe, vocab_size: int, count: int) -> list[TrainBatch]:
    """Return batches of random pieces with lengths like those of captions."""
    generator = np.random.default_rng(0)
    lengths = np.clip(generator.gamma(9.0, 1.9, (2, 6000)).astype(np.int64), 4, 60)
    buckets = length_buckets(lengths, recipe.training.max_batch_tokens, np.arange(6000))
    generator.shuffle(buckets)
    return [
        make_batch(
            [
                EncodedPair(*(generator.integers(6, vocab_size, n).tolist() for n in pair))
                for pair in lengths[:, bucket].T
            ],
            pad_id=0,
            bos_id=2,
        )
        for bucket in buckets[:count]
    ]


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


def report(options: argparse.Namespace, threads: int, precision: str) -> None:
    """Print one row."""
    torch.set_num_threads(threads)
    keep_freed_memory()
    recipe = load_recipe(options.recipe)
    config = dataclasses.replace(recipe.training, bf16=precision == "bf16")
    vocab_size = recipe.subwords.vocab_size
    model = make_model(ModelConfig(vocab_size=vocab_size, **dataclasses.asdict(recipe.model)))
    model.train()
    criterion, optimizers = Criterion(model, config, unk_id=1), make_optimizers(model, config)
    batches = random_batches(recipe, vocab_size, options.steps)

    def epoch() -> None:
        for batch in batches:
            loss = criterion(batch).smoothed / batch.num_targets
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizers.step()

    seconds = median_seconds(epoch, 3)
    rate = matrix_gflops(torch.bfloat16 if config.bf16 else torch.float32)
    share = sum(model_flops(model, batch) for batch in batches) / seconds / rate / 1e9
    tokens = sum(batch.num_targets for batch in batches)
    print(
        f"| {threads} | {precision} | {seconds / len(batches) * 1e3:.0f} | {tokens / seconds:,.0f} "
        f"| {rate:.0f} GFLOP/s | {share:.0%} |",
        flush=True,
    )
    if options.profile:
        with profile() as recorded:
            epoch()
        print(recorded.key_averages().table(sort_by="self_cpu_time_total", row_limit=15))


if __name__ == "__main__":
    main()
