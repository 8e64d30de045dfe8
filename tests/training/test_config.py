"""Recipes are read strictly, before any work is done."""

from __future__ import annotations

from pathlib import Path

import pytest

from training.config import load_recipe
from translator.errors import ConfigError

RECIPES = sorted((Path(__file__).parents[2] / "training" / "recipes").glob("*.toml"))
MINIMAL = """
name = "x"
[data]
corpora = ["multi30k"]
dev = "multi30k:val"
directions = ["de-en"]
[training]
max_steps = 10
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "recipe.toml"
    path.write_text(text)
    return path


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_committed_recipes_are_valid(path: Path) -> None:
    assert load_recipe(path).name == path.stem


def test_defaults_and_overrides(tmp_path: Path) -> None:
    path = write(tmp_path, MINIMAL)
    assert load_recipe(path).training.max_steps == 10
    overrides = ["training.max_steps=5", "name=y", "data.directions=['en-de']", "model.d_ff=64"]
    recipe = load_recipe(path, overrides)
    assert (recipe.training.max_steps, recipe.name, recipe.model.d_ff) == (5, "y", 64)
    assert recipe.data.directions == ("en-de",)


def test_all_problems_at_once(tmp_path: Path) -> None:
    text = MINIMAL.replace('"de-en"', '"de_en"').replace("max_steps = 10", "max_steps = 0\nx = 1")
    with pytest.raises(ConfigError) as caught:
        load_recipe(write(tmp_path, text))
    assert [problem.split(":")[0] for problem in caught.value.problems] == [
        "data.directions",
        "training.x",
    ]


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("training.max_steps", r"must look like section\.key=value"),
        ("training.max_step=3", r"training\.max_step: unknown key; did you mean .*max_steps\?"),
        ("training.max_steps=many", r"training\.max_steps: must be of type int, got 'many'"),
        ("name.x=1", "name.x: name is not a section"),
        ("training.average_checkpoints=9", r"must not exceed keep_checkpoints = 5, got 9"),
    ],
)
def test_bad_overrides(tmp_path: Path, override: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        load_recipe(write(tmp_path, MINIMAL), [override])


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="No such file"):
        load_recipe(tmp_path / "nowhere.toml")
    with pytest.raises(ConfigError, match=r"recipe\.toml: "):
        load_recipe(write(tmp_path, "name = "))


def test_fingerprints_change_with_what_they_cover(tmp_path: Path) -> None:
    path = write(tmp_path, MINIMAL)
    first, second = load_recipe(path), load_recipe(path, ["training.max_steps=11"])
    assert first.fingerprint("data", "model") == second.fingerprint("data", "model")
    assert first.fingerprint("training") != second.fingerprint("training")
