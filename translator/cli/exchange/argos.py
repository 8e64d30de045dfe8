"""A model directory as packages of Argos Translate, which LibreTranslate decodes with CTranslate2.

What our models read first, the tag of the target language, CTranslate2 puts there as the beginning
of every source. Only the weights are the same: LibreTranslate searches with options of its own, and
sees nothing of placeholders or capitals.
"""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

from translator.durable import new_folder
from translator.errors import ConfigError, ModelDirectoryError
from translator.language_names import english_name
from translator.runtime.ctranslate2 import write_converted
from translator.store.model_directory import LoadedModel
from translator.tokens.tokenizer import Tokenizer, language_tag


def write_package(
    loaded: LoadedModel, direction: str, folder: Path, quantization: str | None
) -> None:
    """Write the package of one direction, unpacked, as LibreTranslate keeps it.

    Args:
        loaded: a model of this project.
        direction: such as `de-en`.
        folder: to make.
        quantization: see `convert`.

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
