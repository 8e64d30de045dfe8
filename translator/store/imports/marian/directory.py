"""Directories of Marian's, as OPUS-MT publishes them in zip files.

They have the weights (`….npz.best-perplexity.npz` or another `.npz`), the vocabularies
(`….vocab.yml`), `source.spm` and `target.spm`, `README.md`, and `decoder.yml`, which names the
first two.
"""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath
from typing import Any

from translator.config import DecodingOptions, LengthPenalty, ModelDescription
from translator.errors import ConfigError, ImportedModelError
from translator.store.imports.imported import ImportedModel
from translator.store.imports.marian.configuration import CONFIG, model_form, number
from translator.store.imports.marian.flat_yaml import Table, read_table
from translator.store.imports.marian.npz import Arrays, read_npz
from translator.store.imports.marian.vocabulary import marian_vocabulary
from translator.store.imports.marian.weights import own_weights
from translator.store.imports.reading import read_bytes

DECODER, README = "decoder.yml", "README.md"
NO_MODELS = re.compile(r".*\.(optimizer|orig|progress)\.npz")
"""What Marian's training leaves beside a model."""

USUAL = {"beam-size": 6, "normalize": 1}
"""Of OPUS-MT's `decoder.yml`."""

_LANGUAGES = re.compile(r"^\* (source|target) language\(s\):[ \t]*(\S.*)$", re.MULTILINE)
_PAIR = re.compile(r"(?:^|[/_])(?:opus-mt-)?([a-z]{2,3})-([a-z]{2,3})(?:$|[/_])")


def is_marian(path: Path) -> bool:
    """Return whether a path is an `.npz`, or a folder with one or with a `decoder.yml`."""
    if path.is_file():
        return path.suffix == ".npz"
    return (path / DECODER).exists() or any(path.glob("*.npz"))


def read_marian(path: Path, languages: tuple[str, str] | None = None) -> ImportedModel:
    """Read a model in Marian's own form.

    Args:
        path: of the folder, or of the `.npz` in it.
        languages: source and target, where `README.md` does not tell.

    Raises:
        ImportedModelError: the folder is damaged, or of a model that ours cannot be.
    """
    folder = path.parent if path.is_file() else path
    decoder = _yaml(folder / DECODER) if (folder / DECODER).exists() else Table()
    weights = path if path.is_file() else _weights(folder, decoder)
    arrays = read_npz(weights)
    own = _own_yaml(arrays, weights)
    config, tensors = own_weights(arrays, model_form(own))
    vocabulary, pairs = marian_vocabulary(
        _vocabularies(folder, decoder),
        config,
        languages or _pair(folder),
        decoder.get("allow-unk") == "true",
    )
    return ImportedModel(
        description=ModelDescription(
            model=config,
            languages=tuple(sorted({code for pair in pairs for code in pair})),
            directions=tuple("-".join(pair) for pair in pairs),
            decoding=_decoding(decoder),
        ),
        vocabulary=vocabulary,
        weights=tensors,
        source=str(weights),
        kind="Marian",
    )


def _yaml(path: Path) -> Table:
    return read_table(_text(read_bytes(path), str(path)), path.name)


def _own_yaml(arrays: Arrays, path: Path) -> Table:
    """Return the settings inside the weights: bytes, with a zero at their end."""
    if CONFIG not in arrays:
        raise ImportedModelError(f"{path}: has no {CONFIG}; it is not a model of Marian's")
    return read_table(_text(arrays[CONFIG].tobytes().rstrip(b"\0"), f"{path}: {CONFIG}"), CONFIG)


def _text(content: bytes, name: str) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise ImportedModelError(f"{name}: is not UTF-8") from error


def _named(folder: Path, decoder: Table, key: str) -> list[Path]:
    """Return the files that `decoder.yml` names; only their last parts count."""
    listed: Any = decoder.get(key) or []
    names = [listed] if isinstance(listed, str) else listed
    if any("\0" in name for name in names):
        raise ImportedModelError(f"{folder / DECODER}: {key} has a name that no file can have")
    return [folder / PurePosixPath(name).name for name in names if PurePosixPath(name).name]


def _weights(folder: Path, decoder: Table) -> Path:
    found = _named(folder, decoder, "models")
    if not found:
        found = [p for p in sorted(folder.glob("*.npz")) if not NO_MODELS.fullmatch(p.name)]
    if len(found) != 1:
        names = ", ".join(path.name for path in found) or "none"
        raise ImportedModelError(
            f"{folder}: must have one model, has {names}; give the .npz wanted"
        )
    return found[0]


def _vocabularies(folder: Path, decoder: Table) -> list[Path]:
    """Return the vocabularies of source and target, which may be one."""
    found = _named(folder, decoder, "vocabs")
    if not found:
        listed = sorted(p for p in folder.iterdir() if re.search(r"vocab[^/]*$", p.name))
        sources = [p for p in listed if re.search(r"\bsrc\b", p.name)]
        targets = [p for p in listed if re.search(r"\b(trg|tgt)\b", p.name)]
        found = [*sources, *targets] or listed
    if not 1 <= len(found) <= 2:
        names = ", ".join(path.name for path in found) or "none"
        raise ImportedModelError(
            f"{folder}: must have one vocabulary or two, has {names}; name them in {DECODER}"
        )
    return [found[0], found[-1]]


def _pair(folder: Path) -> tuple[str, str]:
    """Return the languages that `README.md` tells first, or the folder's name."""
    if (folder / README).exists():
        text = read_bytes(folder / README).decode(errors="replace")
        told = {
            side: "+".join(re.split(r"[\s,]+", codes.strip()))
            for side, codes in reversed(_LANGUAGES.findall(text))
        }
        if len(told) == 2:
            return told["source"], told["target"]
    found = _PAIR.search(folder.name)
    if not found:
        raise ImportedModelError(f"{folder}: does not tell its languages; give --from and --to")
    return found[1], found[2]


def _decoding(decoder: Table) -> DecodingOptions:
    """Return the search that `decoder.yml` asks for."""
    beam, alpha = (
        number(decoder, name, DECODER) if decoder.get(name) else float(usual)
        for name, usual in USUAL.items()
    )
    penalty: LengthPenalty = "average" if alpha else "none"
    try:
        return DecodingOptions(beam_size=int(beam), length_penalty=penalty, alpha=alpha)
    except ConfigError as error:
        raise ImportedModelError(f"{DECODER}: {'; '.join(error.problems)}") from error
