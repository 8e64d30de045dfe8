"""A model of another project in memory, and how it becomes a model directory."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from translator.config import DecodingOptions, ModelConfig, ModelDescription
from translator.errors import ImportedModelError
from translator.model.int8 import HIGHEST, Int8Matrix
from translator.model.weights import matrix_names
from translator.store.imports.reading import check_weights
from translator.store.model_directory import save_model_directory
from translator.tokens.port import Vocabulary


@dataclass(frozen=True, kw_only=True, slots=True)
class ImportedModel:
    """What a reader has found."""

    description: ModelDescription  # becomes `config.json`
    vocabulary: Vocabulary  # becomes `tokenizer.model`, and more files if it is of another project
    weights: Mapping[str, NDArray[Any]]  # under the names of `Transformer`
    source: str  # file of the weights, for messages and the card
    kind: str  # of the other project's model
    card: Mapping[str, Any] = field(default_factory=dict)  # what else the card is to say
    # for each matrix that is stored in 8 bits, what makes whole numbers of it
    multipliers: Mapping[str, float] = field(default_factory=dict)

    def save(self, directory: Path, card: Mapping[str, Any]) -> None:
        """Write a model directory.

        Weights stay in half precision if they all are, and are float32 otherwise. If all matrices
        are stored in 8 bits, they stay what they are.

        Raises:
            ImportedModelError: the weights do not fit the configuration.
            ModelDirectoryError: `directory` exists and is something else.
        """
        check_weights(self.weights, self.description.model, self.source)
        are_half = all(array.dtype == np.float16 for array in self.weights.values())
        dtype = np.float16 if are_half else np.float32
        origin = {
            "name": directory.name,
            "languages": list(self.description.languages),
            "directions": list(self.description.directions),
            "imported": {"kind": self.kind, "weights": file_digest(Path(self.source))},
        }
        full = origin | dict(self.card) | dict(card)
        description, weights = self.description, dict[str, Any](self.weights)
        if self._is_int8():
            description = dataclasses.replace(description, weights="int8")
            weights |= {name: self._levels(name) for name in self.multipliers}
        save_model_directory(directory, description, self.vocabulary, weights, full, dtype)

    def _is_int8(self) -> bool:
        """Return whether all matrices are stored in 8 bits, in levels that ours can have."""
        names = matrix_names(self.description.model)
        if names != self.multipliers.keys():
            return False
        return all(int(self._levels(name).levels.min()) >= -HIGHEST for name in names)

    def _levels(self, name: str) -> Int8Matrix:
        weight, multiplier = self.weights[name], self.multipliers[name]
        levels = np.rint(weight * np.float32(multiplier)).astype(np.int8)
        return Int8Matrix(levels, np.full(len(weight), 1 / multiplier, np.float32))


def described(
    model: ModelConfig, pairs: Iterable[tuple[str, str]], decoding: DecodingOptions, **others: Any
) -> ModelDescription:
    """Return the description of a model for some pairs of languages."""
    pairs = [*pairs]
    return ModelDescription(
        model=model,
        languages=tuple(sorted({code for pair in pairs for code in pair})),
        directions=tuple(map("-".join, pairs)),
        decoding=decoding,
        **others,
    )


def no_languages(folder: Path) -> ImportedModelError:
    """Return what to say of a model whose files and names tell no languages."""
    return ImportedModelError(f"{folder}: does not tell its languages; give --from and --to")


def file_digest(path: Path) -> dict[str, str]:
    """Return the name and the SHA-256 of a file."""
    with path.open("rb") as stream:
        return {"file": path.name, "sha256": hashlib.file_digest(stream, "sha256").hexdigest()}
