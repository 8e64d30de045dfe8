"""Whether a translation depends on what it was decoded with.

    python -m tests.benchmarks.company --src SENTENCES [--from de] [--count 2000]

Each sentence is decoded alone, in batches drawn at random, and by 32 submitters at once; what comes
out otherwise than alone is counted and shown.
"""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor, wait

from tests.benchmarks.arguments import sentences_parser
from translator.benchmark.subject import first_target
from translator.config import DecodingOptions
from translator.engine.port import Engine
from translator.engine.start import start_engine
from translator.store.model_directory import load_model_directory
from translator.tokens.parts import source_ids

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
    loaded = load_model_directory(options.model)
    target = first_target(loaded.description, options.source_language)
    lines = options.src.read_text(encoding="utf-8").splitlines()[: options.count]
    sources = source_ids(lines, loaded.tokenizer, target, loaded.description.max_source_ids)
    for beam_size in (1, loaded.description.decoding.beam_size):
        decoding = DecodingOptions(beam_size=beam_size)
        engine = start_engine(loaded, options.threads, options.precision, "torch")
        expected = alone(engine, sources, decoding)
        for name, decode in {"random batches": in_batches, "32 submitters": under_load}.items():
            found = decode(engine, sources, decoding)
            others = [n for n, ids in enumerate(expected) if found[n] != ids]
            print(f"beam {beam_size}, {name}: {len(others)} of {len(sources)} otherwise than alone")
            for n in others[:5]:
                print(f"  {loaded.tokenizer.decode(list(expected[n]))}")
                print(f"  {loaded.tokenizer.decode(list(found[n]))}")
        engine.close()


if __name__ == "__main__":
    main()
