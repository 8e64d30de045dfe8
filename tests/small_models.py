"""Small random models, and model directories of them for tests of sets of models."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import torch

from tests.toy import toy_lines
from training.config import SubwordsConfig
from training.data.subwords import train_tokenizer
from translator.config import DecodingOptions, ModelConfig, ModelDescription
from translator.model.transformer import make_model
from translator.store.model_directory import save_model_directory
from translator.tokens.tokenizer import Tokenizer

CODES = ("de", "en", "es", "fr", "it", "pl", "pt-BR")


@functools.cache
def small_tokenizer() -> Tokenizer:
    """Return a tokenizer with the tags of all `CODES`."""
    return train_tokenizer(toy_lines(300), CODES, SubwordsConfig(vocab_size=330))


def small_config(tokenizer: Tokenizer, width: int = 32, **others: Any) -> ModelConfig:
    """Return a model of one layer a side without dropout, but for what is said otherwise."""
    sizes = {"d_model": width, "d_ff": 2 * width}
    layers = {"num_encoder_layers": 1, "num_decoder_layers": 1, "dropout": 0.0}
    ids = {"vocab_size": tokenizer.vocab_size, "pad_id": tokenizer.pad_id}
    return ModelConfig(**{**sizes, **layers, **ids, **others})


def write_model(folder: Path, *directions: str, seed: int = 0, width: int = 32) -> Path:
    """Write a model directory; random weights are small enough to be told apart by their seed.

    Args:
        folder: to make.
        directions: such as `de-en`.
        seed: of the weights.
        width: of the model; four times as much is sixteen times the memory.
    """
    tokenizer = small_tokenizer()
    config = small_config(tokenizer, width)
    torch.manual_seed(seed)
    known = {f"{one}-{other}": (one, other) for one in CODES for other in CODES}
    codes = {code for direction in directions for code in known[direction]}
    description = ModelDescription(
        model=config,
        languages=tuple(sorted(codes)),
        directions=directions,
        max_source_ids=60,
        decoding=DecodingOptions(beam_size=2, max_length_factor=1.0, max_length_offset=4),
    )
    card = {"name": folder.name, "commit": f"seed {seed}"}
    weights = make_model(config).state_dict()
    save_model_directory(folder, description, tokenizer, weights, card)
    return folder
