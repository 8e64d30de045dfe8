"""Whether a translation depends on what it was decoded with.

    python -m tests.benchmarks.company --input SENTENCES [--from de] [--count 2000]

Each sentence is decoded alone, in batches drawn at random, and by 32 submitters at once; what comes
out otherwise than alone is counted, and some of it shown on standard error.
"""

from __future__ import annotations

import argparse
import random
import sys
from concurrent.futures import ThreadPoolExecutor, wait

from tests.benchmarks.arguments import print_header, print_row, read_sentences, sentences_parser
from tests.benchmarks.decoding.subject import first_target
from tests.benchmarks.results import results
from translator.config import DecodingOptions
from translator.engine.port import Engine
from translator.engine.start import start_engine
from translator.store.model_directory import LoadedModel, load_model_directory
from translator.tokens.chunks import source_ids

SUBMITTERS = 32
LARGEST_BATCH = 64

Ids = tuple[int, ...]


def alone(engine: Engine, sources: list[list[int]], options: DecodingOptions) -> list[Ids]:
    """Decode one after the other."""
    return [engine.submit(ids, options).result()[0].ids for ids in sources]


def in_batches(engine: Engine, sources: list[list[int]], options: DecodingOptions) -> list[Ids]:
    """Decode batches of random sizes and members, each when the one before is done."""
    generator, answers = random.Random(0), dict[int, Ids]()
    order = generator.sample(range(len(sources)), len(sources))
    while order:
        size = generator.randint(2, LARGEST_BATCH)
        batch, order = order[:size], order[size:]
        futures = [engine.submit(sources[n], options, group_size=size) for n in batch]
        answers |= {n: future.result()[0].ids for n, future in zip(batch, futures, strict=True)}
    return [answers[n] for n in range(len(sources))]


def under_load(engine: Engine, sources: list[list[int]], options: DecodingOptions) -> list[Ids]:
    """Decode for many submitters, each of whom sends the next when the last is answered."""
    with ThreadPoolExecutor(SUBMITTERS) as pool:
        futures = [pool.submit(alone, engine, [ids], options) for ids in sources]
        wait(futures)
    return [future.result()[0] for future in futures]


def main() -> None:
    """Count and print."""
    parser = sentences_parser(__doc__)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--precision", choices=("auto", "float32", "int8"), default="auto")
    options = parser.parse_args()
    with results(options.write, "company"):
        print_header("beam", "decoded", "sentences", "otherwise than alone")
        compare(options, load_model_directory(options.model))


def compare(options: argparse.Namespace, loaded: LoadedModel) -> None:
    """Print a row for each beam size and way of decoding."""
    target = first_target(loaded.description, options.source_language)
    lines = read_sentences(options.input)[: options.count]
    sources = source_ids(lines, loaded.tokenizer, target, loaded.description.max_source_ids)
    for beam_size in (1, loaded.description.decoding.beam_size):
        decoding = DecodingOptions(beam_size=beam_size)
        engine = start_engine(loaded, options.threads, options.precision)
        expected = alone(engine, sources, decoding)
        ways = {"in random batches": in_batches, f"by {SUBMITTERS} submitters": under_load}
        for name, decode in ways.items():
            found = decode(engine, sources, decoding)
            others = [n for n, ids in enumerate(expected) if found[n] != ids]
            print_row(beam_size, name, len(sources), len(others))
            for n in others[:5]:
                for ids in (expected[n], found[n]):
                    print(f"  {loaded.tokenizer.decode(list(ids))}", file=sys.stderr)
        engine.close()


if __name__ == "__main__":
    main()
