"""`python -m translator convert`: a model for another system, or the same one stored in int8."""

from __future__ import annotations

import argparse
import dataclasses
from pathlib import Path

from translator.cli.exchange.argos import write_packages
from translator.errors import ConfigError, ModelDirectoryError
from translator.runtime.ctranslate2 import convert
from translator.store.model_directory import load_model_directory, save_model_directory


def add_convert(parser: argparse.ArgumentParser) -> None:
    """Add the flags of this command."""
    parser.add_argument("model", type=Path, help="model directory")
    forms = parser.add_mutually_exclusive_group(required=True)
    forms.add_argument(
        "--format", choices=["ctranslate2", "argos"], help="write the model for another system"
    )
    forms.add_argument(
        "--weights", choices=["int8"], help="write a model directory with its weights in int8"
    )
    parser.add_argument("--out", type=Path, required=True, help="folder to make")
    parser.add_argument(
        "--quantization",
        help="with --format, how numbers are stored: int8, int16, float16, bfloat16, int8_float32 "
        "…; float32 by default",
    )
    parser.set_defaults(execute=_convert)


def _convert(options: argparse.Namespace) -> None:
    if options.weights:
        if options.quantization:
            raise ConfigError(["--quantization: goes with --format, not with --weights"], "convert")
        store_in_int8(options.model, options.out)
        print(f"{options.out}: a model directory with its weights in int8")
        return
    if options.format == "argos":
        loaded = load_model_directory(options.model)
        for path in write_packages(loaded, options.out, options.quantization):
            print(f"{path}: an Argos package, and beside it the same unpacked")
        return
    convert(load_model_directory(options.model), options.out, options.quantization)
    print(f"{options.out}: a CTranslate2 model; its README.md says which tokens it reads")


def store_in_int8(model: Path, out: Path) -> None:
    """Write a model directory like another one, but with its weights in int8.

    Raises:
        ModelDirectoryError: the model is damaged, or `out` exists.
        ConfigError: its weights are in int8 already, or cannot be.
    """
    if out.exists():
        raise ModelDirectoryError(f"{out}: exists; name another")
    loaded = load_model_directory(model)
    if loaded.description.weights == "int8":
        raise ConfigError([f"--weights: {model} has int8 weights already; copy it"], "convert")
    description = dataclasses.replace(loaded.description, weights="int8")
    weights = loaded.reference.weights.arrays
    save_model_directory(out, description, loaded.tokenizer, weights, loaded.card)
