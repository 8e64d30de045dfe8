"""Values that a model, its decoding or its description cannot have."""

from __future__ import annotations

from typing import Any

import pytest

from translator.config import DecodingOptions, ModelConfig, ModelDescription
from translator.errors import ConfigError


def test_options_refuse_more_hypotheses_than_beams() -> None:
    with pytest.raises(ConfigError, match=r"num_hypotheses: must be in 1..beam_size = 2, got 3"):
        DecodingOptions(beam_size=2, num_hypotheses=3)


@pytest.mark.parametrize(
    ("beam_size", "ngram_size", "problem"), [(2, -1, "must be 0 or more"), (1, 3, "needs a beam")]
)
def test_options_refuse_ngram_sizes_that_cannot_be(
    beam_size: int, ngram_size: int, problem: str
) -> None:
    with pytest.raises(ConfigError, match=f"no_repeat_ngram_size: {problem}"):
        DecodingOptions(beam_size=beam_size, no_repeat_ngram_size=ngram_size)


def test_limits_depend_on_the_sentence() -> None:
    options = DecodingOptions(max_length_factor=1.5, max_length_offset=10)
    assert [options.max_length(n) for n in (0, 1, 20)] == [10, 11, 40]


@pytest.mark.parametrize("pair", ["deen", "de-en-fr", "de-fr", "", "de-"])
def test_a_direction_is_a_pair_of_languages(pair: str) -> None:
    with pytest.raises(ConfigError, match=f"directions: must be two of de, en .*got '{pair}'"):
        description(directions=("de-en", pair))


@pytest.mark.parametrize("number", [3, 0, -1])
def test_a_source_has_room_for_tag_end_and_pieces(number: int) -> None:
    with pytest.raises(ConfigError, match=f"max_source_ids: must be at least 4, got {number}"):
        description(max_source_ids=number)
    description(max_source_ids=4)


def description(**changed: Any) -> ModelDescription:
    languages = {"languages": ("de", "en"), "directions": ("de-en",)}
    return ModelDescription(model=ModelConfig(vocab_size=10), **languages | changed)


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"positions": "learned"}, "max_positions: must be beyond position_offset"),
        ({"max_positions": 9}, "max_positions: must be beyond .* got 9 for sinusoidal"),
        ({"position_offset": -1}, "position_offset: must be at least 0, got -1"),
        ({"source_vocab_size": 8}, "source_vocab_size: .* cannot be tied to the target; .* got 8"),
        (
            {"source_vocab_size": 3, "tied": "target", "pad_id": 9},
            "pad_id: must be an id below source_vocab_size = 3, got 9",
        ),
    ],
)
def test_forms_of_other_projects_fit_together(changed: dict[str, Any], problem: str) -> None:
    with pytest.raises(ConfigError, match=problem):
        ModelConfig(vocab_size=10, **changed)


def test_a_source_may_have_pieces_of_its_own() -> None:
    assert ModelConfig(vocab_size=10).num_source_pieces == 10
    config = ModelConfig(vocab_size=10, source_vocab_size=12, tied="target")
    assert config.num_source_pieces == 12
