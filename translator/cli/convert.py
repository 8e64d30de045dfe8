"""`python -m translator convert`: a model for another system, or the same one stored in int8."""

from __future__ import annotations

import argparse
import dataclasses
import json
import zipfile
from pathlib import Path

from translator.durable import new_folder
from translator.errors import ConfigError, ModelDirectoryError
from translator.language_names import english_name
from translator.runtime.ctranslate2 import convert, write_converted
from translator.store.model_directory import LoadedModel, load_model_directory, save_model_directory
from translator.tokens.tokenizer import Tokenizer, language_tag


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


def write_package(
    loaded: LoadedModel, direction: str, folder: Path, quantization: str | None
) -> None:
    """Write the package of Argos Translate for one direction, unpacked, as LibreTranslate keeps it.

    LibreTranslate decodes it with CTranslate2, which puts what our models read first, the tag of
    the target language, at the beginning of every source. Only the weights are the same:
    LibreTranslate searches with options of its own, and sees nothing of placeholders or capitals.

    Raises:
        ConfigError: the model is an imported one, or CTranslate2 is not installed.
    """
    if not isinstance(loaded.tokenizer, Tokenizer):
        raise ConfigError(
            ["--format: only models of this project can become Argos packages"], "convert"
        )
    source, target = direction.split("-")
    folder.mkdir(parents=True)
    with write_converted(loaded, folder / "model", quantization):
        (folder / "sentencepiece.model").write_bytes(loaded.tokenizer.serialized)
    path = folder / "model" / "config.json"
    config = json.loads(path.read_text(encoding="utf-8"))
    config |= {"bos_token": language_tag(target), "add_source_bos": True, "add_source_eos": True}
    path.write_text(json.dumps(config), encoding="utf-8")
    about = {
        "package_version": "1.0",
        "argos_version": "1.9",
        "from_code": source,
        "from_name": english_name(source),
        "to_code": target,
        "to_name": english_name(target),
    }
    (folder / "metadata.json").write_text(json.dumps(about), encoding="utf-8")


def write_packages(loaded: LoadedModel, folder: Path, quantization: str | None) -> list[Path]:
    """Write an `.argosmodel` file for each direction of a model; return their paths.

    Raises:
        ConfigError: see `write_package`.
        ModelDirectoryError: `folder` exists.
        OSError: the disk refuses; the error names the file, and nothing is left of the folder.
    """
    if folder.exists():
        raise ModelDirectoryError(f"{folder}: exists; name another")
    names = [f"translate-{direction}" for direction in loaded.description.directions]
    with new_folder(folder) as made:
        for name, direction in zip(names, loaded.description.directions, strict=True):
            unpacked = made / direction
            write_package(loaded, direction, unpacked, quantization)
            path = made / f"{name}.argosmodel"
            with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
                for file in sorted(unpacked.rglob("*")):
                    if file.is_file():
                        archive.write(file, f"{name}/{file.relative_to(unpacked)}")
    return [folder / f"{name}.argosmodel" for name in names]
