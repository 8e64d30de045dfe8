"""Directories of `transformers`: MarianMT (OPUS-MT), M2M100 and NLLB."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from torch import Tensor

from translator.config import ALL_DIRECTIONS, DecodingOptions, ModelDescription
from translator.errors import ConfigError, ImportedModelError
from translator.store.imports.huggingface.configuration import MARIAN, model_config
from translator.store.imports.huggingface.vocabulary import (
    CONFIG,
    GENERATION,
    fairseq_vocabulary,
    marian_vocabulary,
)
from translator.store.imports.huggingface.weights import own_weights
from translator.store.imports.imported import ImportedModel
from translator.store.imports.reading import read_table, read_tensors

WEIGHTS = ("model.safetensors", "pytorch_model.bin")


def read_huggingface(folder: Path, languages: tuple[str, str] | None = None) -> ImportedModel:
    """Read a directory of `transformers`.

    Args:
        folder: with `config.json`.
        languages: source and target of a model for one direction, where its names do not tell.

    Raises:
        ImportedModelError: the directory is damaged, or of a model that ours cannot be.
    """
    table = read_table(folder / CONFIG)
    config = model_config(table)
    generation = read_table(folder / GENERATION) if (folder / GENERATION).exists() else table
    path = next((folder / name for name in WEIGHTS if (folder / name).exists()), None)
    if path is None:
        raise ImportedModelError(f"{folder}: has neither {' nor '.join(WEIGHTS)}")
    if table["model_type"] == MARIAN:
        vocabulary, pairs = marian_vocabulary(folder, config, table, generation, languages)
    else:
        vocabulary, pairs = fairseq_vocabulary(folder, config), (ALL_DIRECTIONS,)
    codes = sorted({code for pair in pairs for code in pair} if pairs != (ALL_DIRECTIONS,) else ())
    tensors: dict[str, Tensor] = read_tensors(path)
    return ImportedModel(
        description=ModelDescription(
            model=config,
            languages=tuple(codes or sorted(vocabulary.form.languages)),
            directions=tuple("-".join(pair) if len(pair) > 1 else pair for pair in pairs),
            decoding=_decoding(generation),
        ),
        vocabulary=vocabulary,
        weights=own_weights(tensors, config),
        source=str(path),
        kind=str(table["model_type"]),
    )


def _decoding(generation: Mapping[str, Any]) -> DecodingOptions:
    """Return the search that the model's authors recommend."""
    beams, alpha = generation.get("num_beams", 4), generation.get("length_penalty", 1.0)
    try:
        return DecodingOptions(beam_size=int(beams), length_penalty="average", alpha=float(alpha))
    except (ConfigError, TypeError, ValueError) as error:
        raise ImportedModelError(f"{GENERATION}: {error}") from error
