"""Bulk translation: its speed beside plain commands, and its memory over many rows.

    python -m tests.benchmarks.bulk speed --input sentences.txt [--processes 2] [--beam-size 1]
    python -m tests.benchmarks.bulk memory [--rows 200000] [--partition-rows 5000]

`speed` deals a text out to processes of `translate --threads 1`, which run at the same time, then
translates all of it with `bulk`, and compares the texts byte by byte. `memory` makes a table of
Parquet and a small random model, and prints the memory of all processes while it is translated.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks.arguments import print_header, print_row, read_sentences
from tests.small_models import write_model
from tests.toy import toy_pairs
from translator.translate.translator import DEFAULT_MODEL

COMMAND = [sys.executable, "-m", "translator"]
LOOK_EVERY_S = 10.0


def main() -> None:
    """Run one of the two."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    kinds = parser.add_subparsers(dest="kind", required=True)
    speed = kinds.add_parser("speed")
    speed.add_argument("--input", type=Path, required=True, help="sentences, one a line")
    speed.add_argument("--model", type=Path, default=DEFAULT_MODEL)
    speed.add_argument("--processes", type=int, default=2)
    speed.add_argument("--beam-size", type=int, default=1)
    speed.add_argument("--partition-rows", type=int, default=1500)
    memory = kinds.add_parser("memory")
    memory.add_argument("--rows", type=int, default=200_000)
    memory.add_argument("--actors", type=int, default=2)
    memory.add_argument("--partition-rows", type=int, default=5000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if options.kind == "speed":
            measure_speed(options, Path(folder))
        else:
            measure_memory(options, Path(folder))


def measure_speed(options: argparse.Namespace, folder: Path) -> None:
    """Print rows a second of plain commands and of one in bulk, and whether the texts agree."""
    lines = read_sentences(options.input)
    flags = ["--from", "de", "--to", "en", "--model", str(options.model)]
    flags += ["--beam-size", str(options.beam_size)]
    shares = [lines[number :: options.processes] for number in range(options.processes)]
    for number, share in enumerate(shares):
        write_lines(folder / f"{number}.txt", share)
    write_lines(folder / "all.txt", lines)

    def plain(number: int) -> subprocess.Popen[bytes]:
        files = ["--input", str(folder / f"{number}.txt"), "--output", str(folder / f"{number}.en")]
        return start("translate", *flags, *files, "--threads", "1")

    started_s = time.perf_counter()
    wait_for([plain(number) for number in range(options.processes)])
    plain_s = time.perf_counter() - started_s
    started_s = time.perf_counter()
    parts = ["--partition-rows", str(options.partition_rows), "--actors", str(options.processes)]
    wait_for([start("bulk", str(folder / "all.txt"), "--out", str(folder / "out"), *flags, *parts)])
    bulk_s = time.perf_counter() - started_s
    translated = [(folder / f"{number}.en").read_bytes() for number in range(options.processes)]
    every = [text.split(b"\n")[:-1] for text in translated]
    expected = [every[n % options.processes][n // options.processes] for n in range(len(lines))]
    found = b"".join(path.read_bytes() for path in sorted((folder / "out").glob("part-*")))
    print_header("rows", "plain rows/s", "bulk rows/s", "ratio", "same text")
    print_row(
        len(lines),
        f"{len(lines) / plain_s:.1f}",
        f"{len(lines) / bulk_s:.1f}",
        f"{plain_s / bulk_s:.3f}",
        found == b"".join(line + b"\n" for line in expected),
    )


def measure_memory(options: argparse.Namespace, folder: Path) -> None:
    """Print the memory of the job's processes while it runs."""
    from pyarrow import parquet, table

    model = write_model(folder / "model", "de-en")
    rng = random.Random(0)
    texts = [german for german, _ in toy_pairs(options.rows, rng)]
    parquet.write_table(table({"id": range(options.rows), "text": texts}), folder / "in.parquet")
    flags = ["--from", "de", "--to", "en", "--model", str(model), "--beam-size", "1"]
    flags += ["--partition-rows", str(options.partition_rows), "--actors", str(options.actors)]
    job = start("bulk", str(folder / "in.parquet"), "--out", str(folder / "out"), *flags)
    print_header("seconds", "parts", "driver MB", "largest actor MB", "all processes MB")
    started_s = time.perf_counter()
    while job.poll() is None:
        time.sleep(LOOK_EVERY_S)
        if job.poll() is not None:
            break
        own = resident_mb(job.pid)
        others = [(resident_mb(one), is_actor(one)) for one in descendants(job.pid)]
        print_row(
            f"{time.perf_counter() - started_s:.0f}",
            len(list((folder / "out").glob("part-*"))),
            f"{own:.0f}",
            f"{max((size for size, actor in others if actor), default=0):.0f}",
            f"{own + sum(size for size, _ in others):.0f}",
        )
    wait_for([job])
    rows = sum(
        parquet.read_metadata(path).num_rows for path in (folder / "out").glob("part-*.parquet")
    )
    print(f"{rows} of {options.rows} rows are there")


def start(*arguments: str) -> subprocess.Popen[bytes]:
    """Start a command of this project, without its progress."""
    return subprocess.Popen([*COMMAND, *arguments], stderr=subprocess.DEVNULL)


def wait_for(processes: list[subprocess.Popen[bytes]]) -> None:
    """Wait for processes that must not fail."""
    codes = [process.wait() for process in processes]
    if any(codes):
        raise SystemExit(f"error: a command ended with code {max(codes)}")


def write_lines(path: Path, lines: list[str]) -> None:
    """Write a file of lines."""
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")


def descendants(process: int) -> Iterator[int]:
    """Yield the processes that one has started, and theirs."""
    path = Path(f"/proc/{process}/task/{process}/children")
    for child in path.read_text().split() if path.exists() else ():
        yield int(child)
        yield from descendants(int(child))


def is_actor(process: int) -> bool:
    """Return whether a process translates."""
    path = Path(f"/proc/{process}/cmdline")
    return path.exists() and path.read_bytes().startswith(b"ray::MapWorker")


def resident_mb(process: int) -> float:
    """Return the memory of a process, without what it shares with files and others."""
    try:
        fields = Path(f"/proc/{process}/statm").read_text().split()
    except OSError:
        return 0.0
    return (int(fields[1]) - int(fields[2])) * os.sysconf("SC_PAGE_SIZE") / 1e6


if __name__ == "__main__":
    main()
