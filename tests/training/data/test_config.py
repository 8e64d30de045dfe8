"""The settings of text refuse what cannot work, and say what would."""

from __future__ import annotations

from typing import Any

import pytest

from training.data.config import DataConfig, MixConfig, SubwordsConfig
from translator.errors import ConfigError
from translator.text.placeholders import MAX_PLACEHOLDERS


def data(**settings: Any) -> DataConfig:
    said = {"corpora": ("a", "b"), "dev": ("a:dev",), "directions": ("de-en", "en-de")}
    return DataConfig(**(said | settings))


def test_languages_and_tags_are_gathered_from_directions_and_mix() -> None:
    mix = {"a": MixConfig(tag="synthetic"), "b": MixConfig(weight=2.0)}
    config = data(directions=("fr-en", "en-de"), mix=mix)
    assert config.languages == ("de", "en", "fr")
    assert config.tags == ("synthetic",)
    assert config.mix_of("b").weight == 2.0
    assert config.mix_of("c") == MixConfig()


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"corpora": ()}, "corpora: name at least one corpus"),
        ({"dev": ()}, 'dev: name at least one part, such as "multi30k:val"'),
        ({"directions": ()}, 'directions: name at least one, such as "de-en"'),
        ({"directions": ("de-en-fr",)}, """must look like "de-en", got 'de-en-fr'"""),
        ({"directions": ("de-",)}, """must look like "de-en", got 'de-'"""),
        ({"test": ("a",)}, """test: must look like "corpus:part", got 'a'"""),
        ({"temperature": 0.9}, "temperature: must be at least 1, got 0.9"),
        ({"varied_share": 1.5}, "varied_share: must be in [0, 1], got 1.5"),
        ({"mix": {"c": MixConfig()}}, "mix.c: not one of the corpora"),
        (
            {"mix": {"a": MixConfig(directions=("fr-en",))}},
            "mix.a.directions: 'fr-en' is not one of the recipe's directions",
        ),
    ],
)
def test_text_that_cannot_be_used(settings: dict[str, Any], problem: str) -> None:
    with pytest.raises(ConfigError) as caught:
        data(**settings)
    assert len(caught.value.problems) == 1
    assert problem in caught.value.problems[0]


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"placeholders": -1}, f"placeholders: must be in 0..{MAX_PLACEHOLDERS}, got -1"),
        ({"marked_share": 1.5}, "marked_share: must be in [0, 1], got 1.5"),
        ({"vocab_size": 0}, "vocab_size: must be in 1..65536, got 0"),
        ({"character_coverage": 0.0}, "character_coverage: must be in (0, 1], got 0.0"),
        (
            {"model": "a.model", "vocab_size": 300},
            "vocab_size: a vocabulary that comes from a file",
        ),
        (
            {"model": "a.model", "algorithm": "bpe"},
            "algorithm: a vocabulary that comes from a file",
        ),
    ],
)
def test_vocabularies_that_cannot_be(settings: dict[str, Any], problem: str) -> None:
    with pytest.raises(ConfigError) as caught:
        SubwordsConfig(**settings)
    assert problem in str(caught.value)
