"""A CTranslate2 directory that `convert` has made becomes a model directory again."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import torch

from translator.config import ModelConfig
from translator.errors import ImportedModelError
from translator.store.imports.imported import ImportedModel
from translator.store.imports.opennmt.binary import read_variables
from translator.store.imports.opennmt.weights import own_form
from translator.store.imports.reading import read_table
from translator.store.model_directory import read_description, read_vocabulary
from translator.store.names import CONVERTED, OPTIONAL, TOKENIZER

SAME = (
    *("vocab_size", "source_vocab_size", "d_model", "d_ff", "num_heads", "num_encoder_layers"),
    *("num_decoder_layers", "activation", "norm"),
)
"""What the weights and the notes must agree in."""

OF_TRAINING = ("dropout", "attention_dropout", "activation_dropout")
WEIGHTS = "model.bin"


def read_converted(folder: Path) -> ImportedModel:
    """Read a CTranslate2 directory with `translator.json`: same vocabulary, search and card.

    Raises:
        ImportedModelError: it is damaged, or its files do not belong together.
        ModelDirectoryError: its configuration or its vocabulary is damaged.
    """
    path = folder / CONVERTED
    told = read_table(path)
    if not isinstance(told.get("card"), dict):
        raise ImportedModelError(f"{path}: damaged: it has no card")
    description = read_description(json.dumps(told.get("description")).encode(), path)
    names = (name for name in (TOKENIZER, *OPTIONAL) if (folder / name).is_file())
    contents = {name: (folder / name).read_bytes() for name in names}
    if TOKENIZER not in contents:
        raise ImportedModelError(f"{folder}: lacks {TOKENIZER}")
    vocabulary = read_vocabulary(contents, description, folder)
    config, weights = own_form(read_variables(folder / WEIGHTS), vocabulary.pad_id)
    _compare(config, description.model, path)
    changes = {name: getattr(description.model, name) for name in OF_TRAINING}
    if not description.model.output_bias:
        weights.pop("output_bias", None)  # it only says which pieces are never produced
        changes["output_bias"] = False
    if all(torch.equal(tensor.half().float(), tensor) for tensor in weights.values()):
        weights = {name: tensor.half() for name, tensor in weights.items()}  # as before
    return ImportedModel(
        description=dataclasses.replace(
            description, model=dataclasses.replace(config, **changes), weights="floats"
        ),
        vocabulary=vocabulary,
        weights=weights,
        source=str(folder / WEIGHTS),
        kind="CTranslate2",
        card=told["card"],
    )


def _compare(found: ModelConfig, told: ModelConfig, path: Path) -> None:
    for name in SAME:
        ours, theirs = getattr(found, name), getattr(told, name)
        if ours != theirs:
            raise ImportedModelError(
                f"{path}: says {name} = {theirs}, and {WEIGHTS} has {ours}; they do not belong "
                "together: convert the model again"
            )
