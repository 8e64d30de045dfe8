"""From a finished run to a model directory, with a card that says how it came about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from training.corpus import Catalogue
from training.provenance import commit, versions
from training.recipe import Recipe
from translator.config import ModelConfig, ModelDescription


def describe(
    recipe: Recipe,
    model: ModelConfig,
    max_source_ids: int,
    input_ranges: Mapping[str, tuple[float, ...]],
) -> ModelDescription:
    """Return what a model directory says of itself.

    Args:
        recipe: gives languages, directions and decoding defaults.
        model: sizes, the vocabulary's included.
        max_source_ids: longest source that training has made familiar.
        input_ranges: of every linear layer, by name; empty if they were not measured.
    """
    return ModelDescription(
        model=model,
        languages=recipe.data.languages,
        directions=recipe.data.directions,
        max_source_ids=max_source_ids,
        decoding=recipe.decoding,
        input_ranges=dict(input_ranges),
    )


def model_card(
    recipe: Recipe,
    recipe_text: str,
    catalogue: Catalogue,
    training: Mapping[str, Any],
    scores: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the contents of `card.json`.

    Args:
        recipe: what was run.
        recipe_text: the recipe file as it was.
        catalogue: gives licences and hashes of the data (plain text, as read).
        training: steps, hours, tokens, parameters.
        scores: by test set and direction, with signatures.
    """
    data = {}
    for name in recipe.data.corpora:
        corpus = catalogue.corpora[name]
        data[name] = {
            "description": corpus.description,
            "licence": corpus.licence,
            "homepage": corpus.homepage,
            "sha256": {
                language: corpus.files["train"][language].sha256
                for language in recipe.data.languages
            },
        }
    return {
        "name": recipe.name,
        "languages": recipe.data.languages,
        "directions": recipe.data.directions,
        "data": data,
        "training": dict(training),
        "scores": dict(scores),
        "recipe": recipe_text,
        "commit": commit(),
        "versions": versions(),
    }
