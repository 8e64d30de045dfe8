"""The strict reader: all problems at once, with key paths."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, field

import pytest

from translator.config import DecodingOptions, ModelConfig
from translator.errors import ConfigError
from translator.strict import read_dataclass


@dataclass(frozen=True, kw_only=True)
class Outer:
    name: str
    model: ModelConfig
    decoding: DecodingOptions = field(default_factory=DecodingOptions)
    tags: tuple[str, ...] = ()
    sizes: dict[str, int] | None = None


def problems(table: object) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        read_dataclass(Outer, table, "file.toml")  # type: ignore[arg-type]
    assert str(caught.value).startswith("file.toml: ")
    return list(caught.value.problems)


def test_reads_nested_tables() -> None:
    table = {
        "name": "x",
        "model": {"vocab_size": 10, "dropout": 0},
        "tags": ["a", "b"],
        "sizes": {"a": 1},
    }
    outer = read_dataclass(Outer, table)
    assert outer.model.vocab_size == 10
    assert isinstance(outer.model.dropout, float)
    assert outer.tags == ("a", "b")
    assert outer.sizes == {"a": 1}
    assert outer.decoding == DecodingOptions()


def test_all_problems_are_reported_at_once() -> None:
    found = problems(
        {
            "nmae": "x",
            "model": {"vocab_size": "many", "norm": "mid", "dropuot": 0.1},
            "decoding": {"beam_size": True},
            "tags": "a",
        }
    )
    assert found == [
        "nmae: unknown key; did you mean name?",
        "name: missing",
        "model.dropuot: unknown key; did you mean model.dropout?",
        "model.vocab_size: must be a whole number, got 'many'",
        "model.norm: must be one of 'pre', 'post', got 'mid'",
        "decoding.beam_size: must be a whole number, got True",
        "tags: must be a list, got 'a'",
    ]


def test_bad_values_carry_their_path() -> None:
    found = problems({"name": "x", "model": {"vocab_size": 10, "num_heads": 3, "dropout": 1.0}})
    assert found == [
        "model.num_heads: must divide d_model = 256, got 3",
        "model.dropout: must be in [0, 1), got 1.0",
    ]


def test_a_table_is_needed() -> None:
    assert problems([]) == ["Outer: must be a table, got []"]


def test_config_errors_can_be_pickled() -> None:
    error = pickle.loads(pickle.dumps(ConfigError(["a: b"], "f")))
    assert (error.problems, str(error)) == (("a: b",), "f: a: b")


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        ({"vocab_size": True}, "model.vocab_size: must be a whole number, got True"),
        ({"vocab_size": 10.0}, "model.vocab_size: must be a whole number, got 10.0"),
        ({"vocab_size": None}, "model.vocab_size: must be a whole number, got None"),
        ({"vocab_size": 10, "dropout": "0.1"}, "model.dropout: must be a number, got '0.1'"),
        ({"vocab_size": 10, "dropout": False}, "model.dropout: must be a number, got False"),
        (
            {"vocab_size": 10, "dropout": float("nan")},
            "model.dropout: must be a finite number, got nan",
        ),
        (
            {"vocab_size": 10, "dropout": 10**309},
            f"model.dropout: must be a finite number, got {10**309}",
        ),
        ({"vocab_size": 0}, "model.vocab_size: must be at least 1, got 0"),
        (
            {"vocab_size": 10, "pad_id": 10},
            "model.pad_id: must be an id below vocab_size = 10, got 10",
        ),
        ("small", "model: must be a table, got 'small'"),
    ],
)
def test_wrong_types_and_values_are_named(table: object, problem: str) -> None:
    assert problem in problems({"name": "x", "model": table})


def test_items_of_lists_and_tables_carry_their_place() -> None:
    table = {
        "name": "x",
        "model": {"vocab_size": 10},
        "tags": ["a", 3, "c", None],
        "sizes": {"a": 1, "b": "two"},
    }
    assert problems(table) == [
        "tags[1]: must be a text in quotes, got 3",
        "tags[3]: must be a text in quotes, got None",
        "sizes.b: must be a whole number, got 'two'",
    ]


def test_a_key_like_no_other_is_answered_with_all() -> None:
    assert problems({"name": "x", "model": {"vocab_size": 10}, "zzzzzz": 1}) == [
        "zzzzzz: unknown key; known keys: name, model, decoding, tags, sizes"
    ]


def test_optional_values_may_be_none_or_absent() -> None:
    table = {"name": "x", "model": {"vocab_size": 10}}
    assert read_dataclass(Outer, table | {"sizes": None}).sizes is None
    assert read_dataclass(Outer, table).sizes is None
    assert problems(table | {"sizes": 3}) == ["sizes: must be a table, got 3"]
