"""Serving from a GPU: sentences a second, how long a lone one takes, BLEU, launches of a step.

The engine is given ids; the translator is given texts, which Python cuts into sentences and pieces
and puts together again. All sentences are translated once before they are measured: that captures
the steps. BLEU is measured beside float32 on the same device, if there are references: nothing is
compiled for the CPU, and the tests hold the search of a device to that of the CPU.
"""

from __future__ import annotations

import argparse
import statistics
import time
from concurrent.futures import wait
from pathlib import Path

import sacrebleu
import torch
from torch.profiler import ProfilerActivity, profile

from tests.benchmarks.arguments import percentile, print_header, print_row, read_sentences
from tests.benchmarks.decoding.subject import first_target, source_ids
from tests.launches import launches
from translator.config import DecodingOptions
from translator.engine.native import NativeEngine
from translator.engine.start import device_engine
from translator.pipeline.streaming import in_windows
from translator.pipeline.translation import Translation
from translator.pipeline.translator import DEFAULT_MODEL, Translator
from translator.runtime.arrange import arrange
from translator.runtime.device.batch import DeviceBatch
from translator.runtime.device.model import DeviceRuntime
from translator.store.model_directory import load_model_directory
from translator.tokens.port import SpecialIds

BLEU_SENTENCES = 1000
"""That are translated in float32 as well."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what this part is told."""
    parser.add_argument("--input", type=Path, help="sentences, one a line; training needs none")
    parser.add_argument("--reference", type=Path, help="their translations, line by line")
    parser.add_argument("--from", dest="source_language", default="de", help="of --input")
    parser.add_argument("--model", type=Path, default=DEFAULT_MODEL)
    parser.add_argument("--sentences", type=int, default=3000, help="at most so many")
    parser.add_argument("--lone", type=int, default=60, help="sentences one after the other")
    parser.add_argument("--beam-size", type=int, default=4)


def run(options: argparse.Namespace) -> None:
    """Measure, and print tables."""
    if options.input is None:
        raise SystemExit("error: --input: serving needs sentences; or take --only training")
    lines = read_sentences(options.input)[: options.sentences]
    started_s = time.perf_counter()
    loaded = load_model_directory(options.model, options.device)
    target = first_target(loaded.description, options.source_language)
    decoding = DecodingOptions(beam_size=options.beam_size)
    special_ids = SpecialIds.of(loaded.tokenizer)
    plan = arrange(loaded.model, special_ids.forbidden_ids, loaded.tokenizer.shortlist)
    engine = device_engine(special_ids, plan, options.device, threads=1)
    print(f"ready after {time.perf_counter() - started_s:.1f} s", flush=True)
    longest = loaded.description.max_source_ids
    ids = source_ids(lines, loaded.tokenizer, target, longest)
    with Translator(loaded, engine) as translator:
        print_header("", "first", "measured")
        rates = [_engine_rate(engine, ids, decoding) for _ in range(2)]
        print_row("engine: sentences a second", *(f"{rate:.0f}" for rate in rates))
        texts: list[str] = []
        rates = []
        for _ in range(2):
            began_s, texts = time.perf_counter(), _texts(translator, lines, options, target)
            rates.append(len(lines) / (time.perf_counter() - began_s))
        print_row("translator: sentences a second", *(f"{rate:.0f}" for rate in rates))
        some = ids[: options.lone]
        for number in range(2):
            lone_ms = [1000 * _lone_s(engine, one, decoding) for one in some]
            name = "first time" if number == 0 else "again"
            median, worst = statistics.median(lone_ms), percentile(lone_ms, 95)
            print_row(
                f"a lone sentence, {name}: median, p95", f"{median:.1f} ms", f"{worst:.1f} ms"
            )
    _print_steps(DeviceRuntime(plan, options.device), ids, decoding, special_ids)
    if options.reference:
        exact = device_engine(special_ids, plan, options.device, threads=1, dtype=torch.float32)
        with Translator(loaded, exact) as translator:
            _print_bleu(texts, lines, options, translator, target)


def _engine_rate(engine: NativeEngine, ids: list[list[int]], decoding: DecodingOptions) -> float:
    started_s = time.perf_counter()
    futures = [engine.submit(one, decoding, group_size=len(ids)) for one in ids]
    wait(futures)
    for future in futures:
        future.result()  # raises if it failed
    return len(ids) / (time.perf_counter() - started_s)


def _lone_s(engine: NativeEngine, ids: list[int], decoding: DecodingOptions) -> float:
    started_s = time.perf_counter()
    engine.submit(ids, decoding).result()
    return time.perf_counter() - started_s


def _texts(
    translator: Translator, lines: list[str], options: argparse.Namespace, target: str
) -> list[str]:
    decoding = DecodingOptions(beam_size=options.beam_size)

    def translate(some: list[str]) -> list[Translation]:
        return translator.translate(
            some, source=options.source_language, target=target, options=decoding
        )

    return [answer.text for answer in in_windows(translate, lines, len)]


def _print_steps(
    model: DeviceRuntime, ids: list[list[int]], decoding: DecodingOptions, special_ids: SpecialIds
) -> None:
    """Print what single steps launch and take, for few and for many sentences."""
    print()
    print_header("sentences", "launches a step", "ms a step, with asking and reading")
    for count in (1, 32, 512):
        if count > len(ids):
            break
        batch = model.batch(decoding.beam_size, special_ids.bos_id, special_ids.eos_id)
        some = sorted(ids[:count], key=len, reverse=True)
        batch.admit(some, [64] * count, [decoding] * count, [()] * count)
        batch.step(1, waits=True)
        took_s = []
        for _ in range(6):
            started_s, before = time.perf_counter(), max(one.age for one in batch._sentences)
            batch.step(1, waits=True)
            steps = max(one.age for one in batch._sentences) - before
            if steps:
                took_s.append((time.perf_counter() - started_s) / steps)
        took = f"{1000 * statistics.median(took_s):.2f}" if took_s else "-"
        print_row(count, _launches(batch), took)


def _launches(batch: DeviceBatch) -> int:
    """Return how many kernels a step launches: on a GPU as seen there, else as counted here."""
    bucket = batch._bucket(batch._sentences)
    with batch._graphs.at_work():
        if batch._network.device.type != "cuda":
            return len(launches(lambda: batch._step(bucket)))
        with profile(activities=[ProfilerActivity.CUDA], acc_events=True) as found:
            batch._step(bucket)
            torch.cuda.synchronize()
    events = found.events() or []
    return sum(event.device_type.name == "CUDA" for event in events)


def _print_bleu(
    texts: list[str], lines: list[str], options: argparse.Namespace, exact: Translator, target: str
) -> None:
    """Print BLEU of what the device has translated, and of what `exact` translates in float32."""
    references = read_sentences(options.reference)[: min(len(lines), BLEU_SENTENCES)]
    print()
    print_header("", "BLEU")
    found = texts[: len(references)]
    in_floats = _texts(exact, lines[: len(references)], options, target)
    for name, own in (("as served", found), ("float32", in_floats)):
        print_row(name, f"{sacrebleu.corpus_bleu(own, [references]).score:.2f}")
    same = sum(one == other for one, other in zip(found, in_floats, strict=True))
    print(f"\n{same} of {len(references)} texts are the same")
