"""Run the comparison and print its tables.

Engines take turns within one process, so that a change of the machine's speed meets both alike.
Each number of threads has a process of its own.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence

import torch

from tests.benchmarks.decoding.contenders import Contender, CTranslate2Contender, TorchContender
from tests.benchmarks.decoding.subject import FORMS, TRAINED, Subject, random_subject, read_subject
from tests.benchmarks.machine import int8_gops, matrix_gflops, read_gigabytes_per_s, resident_mb
from translator.cli.info import describe
from translator.errors import EngineError, InputError
from translator.model.reference import give_back_freed_memory
from translator.runtime.plan import Plan, step_work
from translator.search.rows import Array

KINDS: tuple[type[Contender], ...] = (TorchContender, CTranslate2Contender)
BATCH_SIZES = (1, 8, 32, 64)
BEAM_SIZES = (1, 5)
CORPUS_SENTENCES = 500
PEERS_HELD_TO = {
    name: {
        "CT2_FORCE_CPU_ISA": peer,
        "ATEN_CPU_CAPABILITY": aten,
        "ONEDNN_MAX_CPU_ISA": onednn,
        "MKL_ENABLE_INSTRUCTIONS": mkl,
    }
    for name, peer, aten, onednn, mkl in (
        ("avx512-vnni", "AVX512", "avx512", "AVX512_CORE_VNNI", "AVX512_E1"),
        ("avx512", "AVX512", "avx512", "AVX512_CORE", "AVX512"),
        ("avx-vnni", "AVX2", "avx2", "AVX2_VNNI", "AVX2_E1"),
        ("avx2", "AVX2", "avx2", "AVX2", "AVX2"),
        ("generic", "GENERIC", "default", "SSE41", "SSE4_2"),
    )
}
"""What holds CTranslate2, PyTorch, oneDNN and MKL to the instructions of each vector unit.

CTranslate2 takes int8 products from MKL on CPUs of Intel, and from oneDNN on others. MKL heeds the
variable on CPUs of Intel only."""

HEADER = """\
| beam | sentences | {names} | ratio | tokens/s | of the floor |
|---|---|---|---|---|---|---|"""


def run_benchmark(options: argparse.Namespace) -> None:
    """Print the comparison for each number of threads, each measured in a process of its own.

    Args:
        options: of the command line.

    Raises:
        InputError: there is nothing to translate, or an option is wrong.
        ModelDirectoryError: the model cannot be used.
        EngineError: a measurement has failed; it has said why.
    """
    if options.unit and options.unit not in PEERS_HELD_TO:
        raise InputError(f"--unit: choose one of {', '.join(PEERS_HELD_TO)}, got {options.unit}")
    for form in options.form:
        if form not in (TRAINED, *FORMS):
            raise InputError(f"--form: choose from {TRAINED}, {', '.join(FORMS)}, got {form}")
    if min(options.threads) < 1:
        raise InputError(f"--threads: must be 1 or more, got {min(options.threads)}")
    # say what is wrong before anything is measured
    read_subject(options.model, options.input, options.source_language)
    print(describe(), flush=True)
    for count in options.threads:
        environment = os.environ | {
            "OMP_NUM_THREADS": str(count),
            "OMP_WAIT_POLICY": "PASSIVE",
            **(PEERS_HELD_TO[options.unit] if options.unit else {}),
        }
        command = [sys.executable, "-m", "tests.benchmarks.decoding", *sys.argv[1:]]
        command += ["--threads", str(count), "--here"]
        if subprocess.run(command, env=environment).returncode:
            raise EngineError(f"the measurement with {count} threads has failed")


def report(options: argparse.Namespace) -> None:
    """Print all tables for one number of threads, measured in this process."""
    [threads] = options.threads
    torch.set_num_threads(threads)
    int8, bandwidth = int8_gops(), read_gigabytes_per_s()
    print(
        f"\n## {threads} thread(s): int8 {int8:.0f} GOP/s, "
        f"fp32 {matrix_gflops(torch.float32):.0f} GFLOP/s, reads {bandwidth:.1f} GB/s",
        flush=True,
    )
    count = 100 if options.quick else CORPUS_SENTENCES
    for form in options.form:
        if form == TRAINED:
            subject = read_subject(options.model, options.input, options.source_language)
        else:
            subject = random_subject(form, count)
        print(f"\n### {subject.name}\n")
        contenders = [loaded_contender(kind, subject, threads, count) for kind in KINDS]
        print()
        print(HEADER.format(names=" ms | ".join(c.name for c in contenders) + " ms"))
        for beam_size in BEAM_SIZES:
            for batch_size in BATCH_SIZES:
                print_row(
                    subject, contenders, beam_size, batch_size, int8, 2 if options.quick else 7
                )
            print_corpus(subject, contenders, beam_size, subject.sources[:count], int8)


def loaded_contender(
    kind: type[Contender], subject: Subject, threads: int, count: int
) -> Contender:
    """Load an engine, let it translate a corpus, and print how much memory that took."""
    give_back_freed_memory()
    before = resident_mb()
    contender = kind(subject, threads)
    loaded = resident_mb()
    contender.translate_corpus(subject.sources[:count], max(BEAM_SIZES))
    print(
        f"{contender.name}: {loaded - before:.0f} MB loaded, {resident_mb() - before:.0f} MB after "
        f"{count} sentences with beam {max(BEAM_SIZES)}",
        flush=True,
    )
    return contender


def print_row(
    subject: Subject,
    contenders: Sequence[Contender],
    beam_size: int,
    batch_size: int,
    int8: float,
    repeats: int,
) -> None:
    """Measure batches of one size, of neighbours in length, and print a row."""
    by_length = sorted(subject.sources, key=len)
    starts = [int(len(by_length) * share) for share in (0.1, 0.3, 0.5, 0.7, 0.9)]
    batches = [by_length[max(0, start - batch_size) :][:batch_size] for start in starts]

    def work(contender: Contender) -> int:
        return sum(contender.translate_batch(batch, beam_size) for batch in batches)

    num_ids = sum(len(ids) for batch in batches for ids in batch)
    label = f"{batch_size}"
    seconds, tokens = alternate(contenders, work, repeats)
    print_line(subject, beam_size, label, seconds, tokens, num_ids, int8, len(batches))


def print_corpus(
    subject: Subject,
    contenders: Sequence[Contender],
    beam_size: int,
    corpus: Sequence[Sequence[int]],
    int8: float,
) -> None:
    """Measure a corpus in random order and print a row."""
    num_ids = sum(map(len, corpus))
    seconds, tokens = alternate(contenders, lambda c: c.translate_corpus(corpus, beam_size), 3)
    label = f"corpus of {len(corpus)}"
    print_line(subject, beam_size, label, seconds, tokens, num_ids, int8, 1)


def alternate(
    contenders: Sequence[Contender], work: Callable[[Contender], int], repeats: int
) -> tuple[list[float], int]:
    """Let contenders take turns; return median seconds of each, and the first one's tokens."""
    tokens = [work(contender) for contender in contenders]
    times: list[list[float]] = [[] for _ in contenders]
    for _ in range(repeats):
        for place, contender in enumerate(contenders):
            started = time.perf_counter()
            work(contender)
            times[place].append(time.perf_counter() - started)
    return [statistics.median(measured) for measured in times], tokens[0]


def source_work(plan: Plan[Array]) -> int:
    """Return the multiply-adds in products with weights for an id of a source."""
    networks = [layer.feed_forward for layer in plan.encoder]
    layers = [one for layer in plan.encoder for one in (layer.qkv, layer.attention_out)]
    layers += [one for network in networks for one in (network.inner, network.out)]
    layers += [layer.memory for layer in plan.decoder]
    return sum(layer.weight.size for layer in layers)


def print_line(
    subject: Subject,
    beam_size: int,
    label: str,
    seconds: Sequence[float],
    tokens: int,
    num_source_ids: int,
    int8: float,
    num_batches: int,
) -> None:
    """Print one row: milliseconds a batch, ratio, tokens/s, and the distance from the limit."""
    plan = subject.plan
    num_products = num_source_ids * source_work(plan) + tokens * beam_size * step_work(plan)
    floor = 2 * num_products / int8 / 1e9
    cells = [
        str(beam_size),
        label,
        *(f"{one / num_batches * 1e3:.1f}" for one in seconds),
        f"{seconds[1] / seconds[0]:.2f}×",
        f"{tokens / seconds[0]:,.0f}",
        f"{seconds[0] / floor:.1f}×",
    ]
    print("| " + " | ".join(cells) + " |", flush=True)
