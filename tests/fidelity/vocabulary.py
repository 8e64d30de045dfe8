"""A model read as imported ones are: with a vocabulary that has no placeholders."""

from __future__ import annotations

import dataclasses

from translator.store.model_directory import LoadedModel
from translator.tokens.tokenizer import Tokenizer


def without_placeholders(loaded: LoadedModel) -> LoadedModel:
    """Return the same model, which protects nothing."""
    tokenizer = Tokenizer(loaded.tokenizer.files["tokenizer.model"])
    tokenizer.num_placeholders = 0
    return dataclasses.replace(loaded, tokenizer=tokenizer)
