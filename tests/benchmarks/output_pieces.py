"""What is lost by computing only the pieces that a language is written with, and what is won.

    python -m tests.benchmarks.output_pieces [MODEL] --src SENTENCES --ref TRANSLATIONS
        --from en --to de

Translates with the model's `output_pieces` and with all pieces, and prints BLEU and seconds:
of all sentences, and of those whose reference has pieces that were left out.
"""

from __future__ import annotations

import argparse
import dataclasses
import time
from pathlib import Path

from training.stages.evaluation import bleu_and_chrf
from translator.store.model_directory import load_model_directory
from translator.store.output_pieces import unpack
from translator.translate.translator import DEFAULT_MODEL, Translator


def main() -> None:
    """Print the comparison."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", nargs="?", type=Path, default=DEFAULT_MODEL)
    parser.add_argument("--src", type=Path, required=True)
    parser.add_argument("--ref", type=Path, required=True)
    parser.add_argument("--from", dest="source", default="de")
    parser.add_argument("--to", dest="target", default="en")
    options = parser.parse_args()
    sources, references = (
        path.read_text(encoding="utf-8").splitlines() for path in (options.src, options.ref)
    )
    loaded = load_model_directory(options.model)
    table = loaded.description.output_pieces
    if options.target not in table:
        parser.error(f"{options.model}: has no output_pieces for {options.target}")
    written = set(unpack(table[options.target]))
    rare = [n for n, text in enumerate(references) if set(loaded.tokenizer.encode(text)) - written]
    print(f"{len(written)} of {loaded.tokenizer.vocab_size} pieces, {len(rare)} rare sentences")
    found = {}
    for name, pieces in {"these pieces": table, "all pieces": {}}.items():
        description = dataclasses.replace(loaded.description, output_pieces=pieces)
        changed = dataclasses.replace(loaded, description=description)
        with Translator.from_model(changed, threads=1) as translator:
            translator.translate(sources[:20], source=options.source, target=options.target)
            started = time.perf_counter()
            answers = translator.translate(sources, source=options.source, target=options.target)
            seconds = time.perf_counter() - started
        found[name] = texts = [answer.text for answer in answers]
        for part, places in {"all": range(len(texts)), "rare": rare}.items():
            some = [texts[n] for n in places], [references[n] for n in places]
            scores = bleu_and_chrf(*some) if places else "none"
            print(f"{name}, {part}: {scores}")
        print(f"{name}: {seconds:.2f} s")
    others = [n for n, both in enumerate(zip(*found.values(), strict=True)) if both[0] != both[1]]
    print(f"{len(others)} of {len(sources)} translations differ")
    for n in sorted(set(others) & set(rare))[:5]:
        print(f"  {references[n]}")
        for name, texts in found.items():
            print(f"    {name}: {texts[n]}")


if __name__ == "__main__":
    main()
