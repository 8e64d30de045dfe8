"""Memory and time of models with large vocabularies: the forms of M2M100 418M and NLLB 600M.

    python -m tests.benchmarks.large_models [--layers 12] [--form nllb-600m]

The weights are random, and so are the pieces; sizes, files and languages are as many as
those of the published models. Each row is a process of its own: the import of a directory of
`transformers`, or a load and a few sentences in one precision. The kernels have been compiled
before.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import struct
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import safetensors.torch
import torch
from torch import Tensor

from tests.benchmarks.arguments import print_header, print_row, results_parser
from tests.benchmarks.machine import resident_mb
from tests.benchmarks.results import results
from tests.translator.store.imports.foreign import piece_model, pieces_of
from translator.config import DecodingOptions, ModelConfig, Precision
from translator.model.transformer import make_model
from translator.store.imports.huggingface.vocabulary import M2M100_LANGUAGES
from translator.store.imports.huggingface.weights import ATTENTION, SUBLAYERS
from translator.store.imports.importing import import_model
from translator.translate.translator import Translator

FORMS = {"m2m100-418m": 128_112, "nllb-600m": 256_206}
"""Pieces of each."""

D_MODEL, D_FF, HEADS = 1024, 4096, 16
TEXT = "bade kilo muna peri sotu waxi bade kilo muna peri."
LENGTH = 20
"""Ids of a translation."""

REPEATS = 5
GREEDY = DecodingOptions(
    beam_size=1, search_again=False, max_length_factor=1e-9, max_length_offset=LENGTH
)
WHAT: tuple[Literal["import", "int8", "float32"], ...] = ("import", "int8", "float32")

NLLB_LANGUAGES = [f"{a}{b}{c}_Latn" for a in "abcdefgh" for b in "abcde" for c in "abcdef"][:202]


def sentencepieces(count: int) -> bytes:
    """Return a SentencePiece model of so many pieces: a small one, and others that no text has.

    Its file is a message whose first field is repeated, so more of them can be put behind it.
    """
    small = piece_model()
    missing = count - len(pieces_of(small)) - 3
    added = bytearray()
    for number in range(missing):
        name = f"▁q{number:x}".encode()
        piece = b"\x0a" + bytes([len(name)]) + name + b"\x15" + struct.pack("<f", -20.0)
        added += b"\x0a" + bytes([len(piece)]) + piece
    return small + bytes(added)


def their_names(config: ModelConfig) -> Iterator[tuple[str, list[int]]]:
    """Yield the names that `transformers` gives the weights, and their shapes."""
    parts = {own: theirs for theirs, own in (SUBLAYERS | ATTENTION).items()}
    with torch.device("meta"):
        own = {name: [*tensor.shape] for name, tensor in make_model(config).state_dict().items()}
    for name, shape in own.items():
        if name == "embedding.weight":
            yield "model.shared.weight", shape
        elif "_norm." in name and "layers" not in name:
            yield f"model.{name.replace('_norm.', '.layer_norm.')}", shape
        else:
            place, number, rest = name.split(".", 2)
            inner, kind = rest.rsplit(".", 1)
            head, _, last = inner.partition(".")
            attention = {"self_attention": "self_attn", "cross_attention": "encoder_attn"}.get(head)
            theirs = f"{attention}.{parts.get(last, last)}" if attention else parts[inner]
            yield f"model.{place.removesuffix('_layers')}.layers.{number}.{theirs}.{kind}", shape


def write_directory(folder: Path, form: str, num_layers: int) -> None:
    """Write a random model as it is published."""
    folder.mkdir()
    vocab_size, is_nllb = FORMS[form], form.startswith("nllb")
    languages = NLLB_LANGUAGES if is_nllb else [f"__{code}__" for code in M2M100_LANGUAGES]
    own = vocab_size - len(languages) - (3 if is_nllb else 8)
    model = sentencepieces(own - 1)
    (folder / "sentencepiece.bpe.model").write_bytes(model)
    tokens: dict[str, list[str]] = {"additional_special_tokens": languages}
    (folder / "special_tokens_map.json").write_text(json.dumps(tokens))
    if not is_nllb:
        pieces = ["<s>", "<pad>", "</s>", "<unk>", *pieces_of(model)]
        listed = {piece: number for number, piece in enumerate(pieces)}
        (folder / "vocab.json").write_text(json.dumps(listed))
    table = {
        "model_type": "m2m_100",
        "activation_function": "relu",
        "d_model": D_MODEL,
        "vocab_size": vocab_size,
        "pad_token_id": 1,
        **{f"{side}_ffn_dim": D_FF for side in ("encoder", "decoder")},
        **{f"{side}_attention_heads": HEADS for side in ("encoder", "decoder")},
        **{f"{side}_layers": num_layers for side in ("encoder", "decoder")},
    }
    (folder / "config.json").write_text(json.dumps(table))
    config = ModelConfig(
        vocab_size=vocab_size,
        d_model=D_MODEL,
        d_ff=D_FF,
        num_heads=HEADS,
        num_encoder_layers=num_layers,
        num_decoder_layers=num_layers,
    )
    drawn: dict[str, Tensor] = {}
    for name, shape in their_names(config):
        drawn[name] = torch.empty(shape).normal_(std=0.02)
        if name.endswith("norm.weight"):
            drawn[name] += 1
    safetensors.torch.save_file(drawn, folder / "model.safetensors")


def importing(folder: Path) -> dict[str, str]:
    """Import the directory; return what it took."""
    started_s = time.perf_counter()
    import_model(str(folder / "theirs"), folder / "model")
    return {"seconds": f"{time.perf_counter() - started_s:.0f}"}


def loading(folder: Path, precision: Precision) -> dict[str, str]:
    """Load the model and translate; return what it took."""
    started_s = time.perf_counter()
    with Translator.load(folder / "model", precision=precision) as translator:
        loaded_s = time.perf_counter() - started_s
        source, target = translator.directions[0]
        taken_s = []
        for _ in range(REPEATS):
            started_s = time.perf_counter()
            translator.translate([TEXT], source=source, target=target, options=GREEDY)
            taken_s.append(time.perf_counter() - started_s)
        return {
            "seconds": f"{loaded_s:.0f}",
            "then": f"{resident_mb() / 1000:.1f}",
            "sentence": f"{1000 * min(taken_s):.0f}",
        }


def measured(folder: Path, what: Literal["import", "int8", "float32"]) -> dict[str, str]:
    """Do one thing in this process; return what it took."""
    found = importing(folder) if what == "import" else loading(folder, what)
    peak_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return found | {"peak": f"{peak_kb / 1e6:.1f}"}


def main() -> None:
    """Measure and print."""
    parser = results_parser(__doc__)
    parser.add_argument("--form", choices=FORMS, nargs="+", default=[*FORMS])
    parser.add_argument("--layers", type=int, default=12, help="of the encoder, and of the decoder")
    options = parser.parse_args()
    with results(options.write, "large-models"):
        print_table(options)


def print_table(options: argparse.Namespace) -> None:
    """Print rows for each form."""
    columns = "seconds", "peak GB", "then GB", f"ms for {LENGTH} pieces"
    print_header("form", "layers", "what", *columns)
    context = multiprocessing.get_context("spawn")
    for form in options.form:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            write_directory(folder / "theirs", form, options.layers)
            for what in WHAT:
                with context.Pool(1) as pool:
                    found = pool.apply(measured, (folder, what))
                own = [found.get(key, "") for key in ("seconds", "peak", "then", "sentence")]
                print_row(form, f"{options.layers}+{options.layers}", what, *own)


if __name__ == "__main__":
    main()
