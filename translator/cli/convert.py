"""`python -m translator convert`: a model for another system."""

from __future__ import annotations

import argparse
from pathlib import Path

from translator.cli.argos import write_packages
from translator.runtime.ctranslate2 import convert
from translator.store.model_directory import load_model_directory
from translator.store.names import TOKENIZER


def add_convert(parser: argparse.ArgumentParser) -> None:
    """Add the flags of this command."""
    parser.add_argument("model", type=Path, help="model directory")
    parser.add_argument("--format", choices=["ctranslate2", "argos"], required=True)
    parser.add_argument("--out", type=Path, required=True, help="folder to make")
    parser.add_argument(
        "--quantization", help="int8, int16, float16, bfloat16, int8_float32 …; float32 by default"
    )
    parser.set_defaults(execute=_convert)


def _convert(options: argparse.Namespace) -> None:
    if options.format == "argos":
        loaded = load_model_directory(options.model)
        for path in write_packages(loaded, options.out, options.quantization):
            print(f"{path}: an Argos package, and beside it the same unpacked")
        return
    convert(load_model_directory(options.model), options.out, options.quantization)
    print(f"{options.out}: a CTranslate2 model, with {TOKENIZER} beside it")
