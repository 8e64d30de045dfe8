"""Decoding speed of a model directory: batch sizes, beams and threads, on real sentences.

    python -m tests.benchmarks.decode_speed [MODEL] [--src FILE] [--quick]

Prints Markdown. `floor` is how many times longer a batch takes than its multiply-adds would at the
fp32 matrix rate measured in the same run. Each thread count runs in a process of its own.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import subprocess
import sys
import time
from pathlib import Path

import torch

from tests.benchmarks.machine import (
    describe,
    matrix_gflops,
    median_seconds,
    read_gigabytes_per_s,
)
from tests.toy import toy_pairs
from translator.config import DecodingOptions
from translator.decoding.torch_engine import SpecialIds, decode_batch
from translator.model.transformer import Transformer
from translator.pipeline import DEFAULT_MODEL, Translator


def main() -> None:
    """Run this file once for every number of threads."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", nargs="?", default=str(DEFAULT_MODEL))
    parser.add_argument("--src", help="sentences, one a line; toy sentences if not given")
    parser.add_argument("--language", default="de", help="of --src")
    parser.add_argument("--threads", type=int, help="only this many, in this process")
    parser.add_argument("--quick", action="store_true", help="fewer rows and repeats")
    options = parser.parse_args()
    if options.threads:
        torch.set_num_threads(options.threads)
        report(options)
        return
    print(describe(), flush=True)
    for threads in (1, 2):
        environment = os.environ | {"OMP_NUM_THREADS": str(threads), "OMP_WAIT_POLICY": "PASSIVE"}
        command = [sys.executable, "-m", "tests.benchmarks.decode_speed", *sys.argv[1:]]
        subprocess.run([*command, "--threads", str(threads)], env=environment, check=True)


def sentences(options: argparse.Namespace) -> list[str]:
    """Return the text to translate, in random order."""
    if options.src:
        lines = Path(options.src).read_text(encoding="utf-8").splitlines()
    else:
        lines = [pair[0] for pair in toy_pairs(500, random.Random(0))]
    random.Random(0).shuffle(lines)
    return lines[:200] if options.quick else lines


def multiply_adds(model: Transformer, source_ids: int, target_ids: int, beam_size: int) -> float:
    """Return the multiply-adds in matrix products with weights for one sentence."""
    encoder = sum(p.numel() for p in model.encoder_layers.parameters() if p.dim() == 2)
    decoder = sum(p.numel() for p in model.decoder_layers.parameters() if p.dim() == 2)
    output = model.embedding.weight.numel()
    return encoder * source_ids + (decoder + output) * target_ids * beam_size


def report(options: argparse.Namespace) -> None:
    """Print one table."""
    lines = sentences(options)
    translator = Translator.load(options.model, threads=options.threads)
    tokenizer, model = translator.tokenizer, translator.model
    special_ids = SpecialIds.of(tokenizer)
    source = options.language
    target = next(code for code in translator.description.languages if code != source)
    encoded = [tokenizer.encode_source(line, target) for line in lines]
    fp32, bandwidth = matrix_gflops(torch.float32), read_gigabytes_per_s()
    print(
        f"\n### {options.threads} thread(s): fp32 {fp32:.0f} GFLOP/s, read {bandwidth:.1f} GB/s\n"
    )
    print("| beam | batch | ms a batch | target tokens/s | sentences/s | floor |")
    print("|---|---|---|---|---|---|")
    for beam_size in (1, 5):
        decoding = DecodingOptions(beam_size=beam_size)
        for size in (1, 32) if options.quick else (1, 8, 32, 64):
            batches = [encoded[start : start + size] for start in range(0, size * 4, size)]
            counts = []
            for batch in batches:
                answers = decode_batch(model, batch, decoding, special_ids)
                counts.append(sum(len(found[0].ids) + 1 for found in answers))

            def work(
                batches: list[list[list[int]]] = batches, o: DecodingOptions = decoding
            ) -> None:
                for batch in batches:
                    decode_batch(model, batch, o, special_ids)

            seconds = median_seconds(work, 2 if options.quick else 5) / len(batches)
            tokens = sum(counts) / len(batches)
            read = sum(len(ids) for batch in batches for ids in batch) / len(batches)
            floor = 2 * multiply_adds(model, int(read), int(tokens), beam_size) / fp32 / 1e9
            print(
                f"| {beam_size} | {size} | {seconds * 1e3:.1f} | {tokens / seconds:,.0f} "
                f"| {size / seconds:.1f} | {seconds / floor:.1f}× |"
            )
    started = time.perf_counter()
    translations = translator.translate(lines, source=source, target=target)
    seconds = time.perf_counter() - started
    words = sum(len(translation.text.split()) for translation in translations)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"\n{len(lines)} sentences through `Translator.translate`, its defaults: {seconds:.1f} s, "
        f"{len(lines) / seconds:.1f} sentences/s, {words / seconds:,.0f} target words/s; "
        f"peak memory {memory:.0f} MB",
        flush=True,
    )
    translator.close()


if __name__ == "__main__":
    main()
