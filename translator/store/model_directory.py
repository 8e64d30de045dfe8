"""Read and write a model directory: configuration, tokenizer, weights, card and their checksums."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from translator.config import ModelDescription
from translator.durable import new_folder, write_durably
from translator.errors import ConfigError, ModelDirectoryError
from translator.model.reference import Reference
from translator.model.weights import Weights
from translator.store.names import CARD, CHECKSUMS, CONFIG, OPTIONAL, TOKENIZER, WEIGHTS
from translator.store.weights import (
    check_digest,
    float_arrays,
    int8_arrays,
    read_weights,
    write_weights,
)
from translator.strict import read_dataclass
from translator.tokens.imported import FORM, ImportedVocabulary
from translator.tokens.lexicon import LEXICON, Lexicon
from translator.tokens.port import Vocabulary
from translator.tokens.rewrites import REWRITES, Rewrites
from translator.tokens.tokenizer import Tokenizer

if TYPE_CHECKING:
    from translator.model.transformer import Transformer

FORMAT_VERSION = 1

FORMER_KEYS = {"": ("input_ranges", "output_pieces"), "decoding": ("reverse_weight",)}
"""Keys that earlier versions wrote, by section of the configuration; they are ignored."""


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """The parts of a model directory, ready for use, and the checksum of all of them."""

    description: ModelDescription
    tokenizer: Vocabulary
    reference: Reference
    card: dict[str, Any]
    checksum: str = ""

    @property
    def model(self) -> Transformer:
        """The model in evaluation mode; see `Reference.get`."""
        return self.reference.get()


def load_model_directory(directory: str | Path, device: str = "cpu") -> LoadedModel:
    """Read and verify a model directory.

    Weights may be stored in half precision; they are computed with in float32. Those that are
    stored in int8 stay so on the CPU until someone asks for floats.

    Raises:
        ConfigError: there is no such device.
        ModelDirectoryError: a file is missing, truncated, altered or of another format; the
            message names it.
    """
    folder = Path(directory)
    check_device(device)
    if not folder.is_dir():
        raise ModelDirectoryError(f"{folder}: no such model directory")
    contents, digests = _verified_contents(folder)
    description = read_description(contents[CONFIG], folder / CONFIG)
    card = parse_json(contents[CARD], folder / CARD)
    tokenizer = read_vocabulary(contents, description, folder)
    are_int8 = description.weights == "int8"

    def read() -> Weights:
        return read_weights(folder / WEIGHTS, digests[WEIGHTS], description.model, are_int8)

    checksum = hashlib.sha256(contents[CHECKSUMS]).hexdigest()
    return LoadedModel(description, tokenizer, Reference(read, device), card, checksum)


def checksum_of(directory: str | Path) -> str:
    """Return the checksum of a model directory, without looking at its other files.

    Raises:
        ModelDirectoryError: it is none.
    """
    return hashlib.sha256(read_file(Path(directory) / CHECKSUMS)).hexdigest()


def read_description(content: bytes, path: Path) -> ModelDescription:
    """Return what a configuration says; `path` is for messages.

    Raises:
        ModelDirectoryError: it is damaged, or of another format.
    """
    table = parse_json(content, path)
    if isinstance(table, dict) and table.get("format_version") != FORMAT_VERSION:
        raise ModelDirectoryError(
            f"{path}: format_version is {table.get('format_version')!r}, this "
            f"version reads {FORMAT_VERSION}; export the model again"
        )
    if isinstance(table, dict):
        for section, keys in FORMER_KEYS.items():
            former: Any = table.get(section) if section else table
            for key in keys if isinstance(former, dict) else ():
                former.pop(key, None)
    try:
        return read_dataclass(ModelDescription, table, str(path))
    except ConfigError as error:
        raise ModelDirectoryError(str(error)) from error


def read_vocabulary(
    contents: Mapping[str, bytes], description: ModelDescription, folder: Path
) -> Vocabulary:
    """Return the vocabulary in the files of a folder, by name.

    Raises:
        ModelDirectoryError: one of them is damaged, or it is not of the model's size.
    """
    vocabulary: Vocabulary
    name = FORM if FORM in contents else TOKENIZER
    if FORM in contents:
        vocabulary = ImportedVocabulary.of_files(contents)
    else:
        vocabulary = Tokenizer(contents[TOKENIZER])
    if LEXICON in contents:
        vocabulary.lexicon = Lexicon(contents[LEXICON])
    if REWRITES in contents:
        vocabulary.rewrites = Rewrites(contents[REWRITES])
    model = description.model
    for field, count, expected in (
        ("vocab_size", vocabulary.vocab_size, model.vocab_size),
        ("source_vocab_size", vocabulary.source_vocab_size, model.num_source_pieces),
    ):
        if count != expected:
            raise ModelDirectoryError(
                f"{folder / name}: has {count} pieces but {CONFIG} says {field} = {expected}"
            )
    return vocabulary


def check_device(device: str) -> None:
    """Try whether anything can be computed on `device`; on `meta` it cannot.

    Raises:
        ConfigError: it cannot.
    """
    if device == "cpu":
        return  # which takes no PyTorch
    import torch

    try:
        torch.zeros(1, device=device).item()
    except (RuntimeError, AssertionError, ImportError) as error:
        reason = str(error).partition("\n")[0]
        problem = f"device: {device!r} cannot be used ({reason}); take cpu, or cuda with a GPU"
        raise ConfigError([problem], "engine") from error


def save_model_directory(
    directory: str | Path,
    description: ModelDescription,
    tokenizer: Vocabulary,
    weights: Mapping[str, Any],
    card: Mapping[str, Any],
    dtype: Any = np.float16,
) -> None:
    """Write a model directory, or replace one; it appears whole or not at all.

    The description's `weights` say whether matrices are stored in int8; then they may be
    `Int8Matrix`. What is stored in floats is of the dtype.

    Raises:
        ModelDirectoryError: `directory` exists and is something else.
        ConfigError: weights are not finite, which int8 has no numbers for.
        OSError: the disk refuses; the error names the file, and an old model is as it was.
    """
    folder = Path(directory)
    if folder.exists() and not _is_model_directory(folder):
        raise ModelDirectoryError(f"{folder}: exists and is not a model directory; name another")
    if description.weights == "int8":
        arrays = int8_arrays(weights, description.model, dtype)
    else:
        arrays = float_arrays(weights, dtype)
    contents = {
        CONFIG: _json(description_table(description)),
        **tokenizer.files,
        CARD: _json(dict(card)),
    }
    checksums = {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()}
    with new_folder(folder) as made:
        checksums[WEIGHTS] = write_weights(made / WEIGHTS, arrays)
        contents[CHECKSUMS] = _json(checksums)
        for name, content in contents.items():
            write_durably(made / name, content)


def add_table(directory: str | Path, name: str, content: bytes) -> None:
    """Write `lexicon.tsv` or `rewrites.tsv` into a model directory, or in the place of one there.

    At any moment the directory can be loaded: with the old table, with none, or with the new one.

    Raises:
        ModelDirectoryError: there is no model directory, or it is damaged.
        OSError: the disk refuses; the error names the file.
    """
    folder = Path(directory)
    _, listed = _verified_contents(folder)
    checksums = {file: sha for file, sha in listed.items() if file != name}
    write_durably(folder / CHECKSUMS, _json(checksums))
    write_durably(folder / name, content)
    checksums[name] = hashlib.sha256(content).hexdigest()
    write_durably(folder / CHECKSUMS, _json(checksums))


def _is_model_directory(folder: Path) -> bool:
    """Whether `folder` holds a model directory's files and nothing else."""
    names = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    usual = {CONFIG, TOKENIZER, WEIGHTS, CARD, CHECKSUMS, *OPTIONAL}
    return CONFIG in names and names <= usual


def parse_json(content: bytes, path: Path) -> Any:
    """Return what a file of JSON holds."""
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise ModelDirectoryError(f"{path}: is not JSON ({error})") from error


def description_table(description: ModelDescription) -> dict[str, Any]:
    """Return a configuration as `read_description` reads it, in JSON.

    What says the usual is left out for earlier versions.
    """
    table = dataclasses.asdict(description)
    if description.weights == "floats":
        del table["weights"]
    if not description.formality:
        del table["formality"]
    return table


def _json(value: object) -> bytes:
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()


def _verified_contents(folder: Path) -> tuple[dict[str, bytes], dict[str, str]]:
    """Read the files named in `checksums.json`, all but the weights, and compare their SHA-256.

    Return what they hold, and all SHA-256.
    """
    listed, digests = read_checksums(folder)
    contents = {CHECKSUMS: listed}
    for name, digest in digests.items():
        if name != WEIGHTS:
            contents[name] = read_file(folder / name)
            check_digest(folder / name, hashlib.sha256(contents[name]).hexdigest(), digest)
    return contents, digests


def read_checksums(folder: Path) -> tuple[bytes, dict[str, str]]:
    """Return the `checksums.json` of a model directory, and the SHA-256 of each of its files.

    Raises:
        ModelDirectoryError: there is none, or it is damaged.
    """
    path = folder / CHECKSUMS
    if not path.is_file():
        raise ModelDirectoryError(
            f"{folder}: has no {CHECKSUMS}: it is incomplete, or a model of another project, which "
            "must be imported first"
        )
    listed = read_file(path)
    digests = parse_json(listed, path)
    needed = [CONFIG, TOKENIZER, WEIGHTS, CARD]
    if not isinstance(digests, dict) or not digests.keys() >= {*needed}:
        raise ModelDirectoryError(f"{path}: damaged: it must name {', '.join(needed)}")
    return listed, {name: str(digests[name]) for name in (*needed, *OPTIONAL) if name in digests}


def read_file(path: Path) -> bytes:
    """Return what a file of a model directory holds.

    Raises:
        ModelDirectoryError: it cannot be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise ModelDirectoryError(f"{path}: {error.strerror}") from error
