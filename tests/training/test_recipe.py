"""Recipes are read strictly, with their sections."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from training.config import ARCHITECTURE, ArchitectureConfig, DataConfig, MixConfig, TrainingConfig
from training.recipe import load_recipe, recipe_path, recipe_text
from translator.errors import ConfigError
from translator.text.characters import MAX_PLACEHOLDERS

RECIPES = sorted((Path(__file__).parents[2] / "training" / "recipes").glob("*.toml"))
FINGERPRINTS = {
    "prepare": "500629f2336d900e",
    "subwords": "ade54ef5423b70e7",
    "checkpoints": "cd244f6f6e3e86f5",
}
MINIMAL = """
name = "x"
[data]
corpora = ["multi30k"]
dev = ["multi30k:val"]
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
        ("training.max_steps=many", r"training\.max_steps: must be a whole number, got 'many'"),
        ("name.x=1", "name.x: name is not a section"),
    ],
)
def test_bad_overrides(tmp_path: Path, override: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        load_recipe(write(tmp_path, MINIMAL), [override])
    assert "--set" in str(caught.value), "the file is not to blame alone"


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="No such file"):
        load_recipe(tmp_path / "nowhere.toml")
    with pytest.raises(ConfigError, match=r"recipe\.toml: "):
        load_recipe(write(tmp_path, "name = "))
    with pytest.raises(ConfigError, match=r"eng: No such file.*; did you mean multi30k-de-en\?$"):
        load_recipe("multi30k-de-eng")
    with pytest.raises(ConfigError, match=r"; shipped ones: .*, multi30k-de-en"):
        load_recipe("zzz")


def test_a_shipped_recipe_is_found_by_its_name_unless_a_file_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert load_recipe(recipe_path("multi30k-de-en")).name == "multi30k-de-en"
    assert recipe_path("nowhere") == Path("nowhere")
    Path("multi30k-de-en").touch()
    assert recipe_path("multi30k-de-en") == Path("multi30k-de-en")


def test_a_recipe_can_extend_another(tmp_path: Path) -> None:
    (tmp_path / "first.toml").write_text(MINIMAL)
    text = 'extends = "first.toml"\nname = "y"\n[training]\nlearning_rate = 1e-4\n'
    recipe = load_recipe(write(tmp_path, text), ["model.d_ff=64"])
    assert (recipe.name, recipe.model.d_ff, recipe.data.corpora) == ("y", 64, ("multi30k",))
    assert (recipe.training.max_steps, recipe.training.learning_rate) == (10, 1e-4)
    kept = recipe_text(tmp_path / "recipe.toml")
    assert kept.startswith(text)
    assert '# first.toml:\n#\n# name = "x"\n' in kept


@pytest.mark.parametrize(
    ("extends", "message"),
    [('"nowhere.toml"', "No such file"), ('"recipe.toml"', "another recipe"), ("3", "got 3")],
)
def test_a_recipe_extends_a_file_other_than_itself(
    tmp_path: Path, extends: str, message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        load_recipe(write(tmp_path, f"extends = {extends}\n" + MINIMAL))


def test_a_key_that_has_its_default_changes_no_fingerprint(tmp_path: Path) -> None:
    """A checkpoint that was written before there was such a key continues."""
    path = write(tmp_path, MINIMAL)
    silent = load_recipe(path)
    said = load_recipe(path, ["training.max_skipped=20", "data.temperature=1.0", "seed=1"])
    for sections in silent.sections.values():
        assert silent.fingerprint(*sections) == said.fingerprint(*sections)


def test_fingerprints_are_those_of_runs_that_have_begun() -> None:
    """Their checkpoints would be refused otherwise."""
    recipe = load_recipe(RECIPES[0].with_name("de-en-general.toml"))
    found = {name: recipe.fingerprint(*recipe.sections[name]) for name in FINGERPRINTS}
    assert found == FINGERPRINTS


def test_overrides_are_noted_once(tmp_path: Path) -> None:
    path = write(tmp_path, MINIMAL)
    once = recipe_text(path, ["seed=2", "name=y"])
    assert once.endswith("\n\n# overrides: seed=2 name=y\n")
    path.write_text(once)
    assert recipe_text(path, ["seed=3"]).count("# overrides: ") == 1
    assert recipe_text(path).strip() == MINIMAL.strip()


def test_fingerprints_change_with_what_they_cover(tmp_path: Path) -> None:
    path = write(tmp_path, MINIMAL)
    first, second = load_recipe(path), load_recipe(path, ["training.max_steps=11"])
    assert first.fingerprint("data", "model") == second.fingerprint("data", "model")
    assert first.fingerprint("training") != second.fingerprint("training")


BAD_VALUES = {
    "data.directions=['de-de']": """data.directions: must look like "de-en", got 'de-de'""",
    "data.directions=['de-en-fr']": """must look like "de-en", got 'de-en-fr'""",
    "data.directions=['de-']": """must look like "de-en", got 'de-'""",
    "data.directions=[]": 'data.directions: name at least one, such as "de-en"',
    "data.corpora=[]": "data.corpora: name at least one corpus",
    "data.dev=[]": 'data.dev: name at least one part, such as "multi30k:val"',
    "data.test=['a']": """data.test: must look like "corpus:part", got 'a'""",
    "data.temperature=0.9": "data.temperature: must be at least 1, got 0.9",
    "data.varied_share=1.5": "data.varied_share: must be in [0, 1], got 1.5",
    "data.mix.c.weight=1": "data.mix.c: not one of the corpora",
    "data.mix.multi30k.directions=['fr-en']": "'fr-en' is not one of the recipe's directions",
    "data.mix.multi30k.weight=0": "data.mix.multi30k.weight: must be positive, got 0.0",
    "data.mix.multi30k.tag='a b'": "data.mix.multi30k.tag: must be letters, got 'a b'",
    "cleaning.max_words=0": "cleaning.max_words: must be at least 1, got 0",
    "cleaning.max_length_ratio=0.5": "cleaning.max_length_ratio: must be at least 1, got 0.5",
    "cleaning.deduplicate=1": "cleaning.deduplicate: must be one of 'exact', 'near', 'none', got 1",
    "cleaning.min_letters=-0.1": "cleaning.min_letters: must be in [0, 1], got -0.1",
    "cleaning.improbable_share=1.0": "cleaning.improbable_share: must be in [0, 1), got 1.0",
    "subwords.algorithm='word'": "must be one of 'unigram', 'bpe', got 'word'",
    "subwords.placeholders=-1": f"placeholders: must be in 0..{MAX_PLACEHOLDERS}, got -1",
    "subwords.marked_share=1.5": "subwords.marked_share: must be in [0, 1], got 1.5",
    "subwords.vocab_size=0": "subwords.vocab_size: must be in 1..65536, got 0",
    "subwords.vocab_size=65537": "subwords.vocab_size: must be in 1..65536, got 65537",
    "subwords.character_coverage=0.0": "character_coverage: must be in (0, 1], got 0.0",
    "subwords.model='a' & subwords.vocab_size=300": "vocab_size: a vocabulary that comes from",
    "subwords.model='a' & subwords.algorithm='bpe'": "algorithm: a vocabulary that comes from",
    "model.norm='mid'": "model.norm: must be one of 'pre', 'post', got 'mid'",
    "model.num_heads=3": "model.num_heads: must divide d_model = 256, got 3",
    "training.bpe_dropout=0.1": "training.bpe_dropout: is for a bpe vocabulary, and",
    "training.dev_metric='ter'": "dev_metric: must be one of 'chrf', 'bleu', got 'ter'",
    "training.time_budget='25'": "time_budget: must look like 25m or 1h30m, got '25'",
    "training.save_every='often'": "save_every: must look like 25m or 1h30m, got 'often'",
    "training.workers=-1": "training.workers: must not be negative, got -1",
    "training.label_smoothing=1.0": "training.label_smoothing: must be in [0, 1), got 1.0",
    "training.clip_norm=-1.0": "training.clip_norm: must not be negative, got -1",
    "training.learning_rate=0.0": "training.learning_rate: must be positive, got 0.0",
    "training.accumulate=0": "training.accumulate: must be at least 1, got 0",
    "training.max_steps=-1": "max_steps: must be at least 1, or 0 for no end, got -1",
    "training.average_checkpoints=9": "must not exceed keep_checkpoints = 5, got 9",
    "decoding.beam_size=0": "decoding.beam_size: must be in 1..64, got 0",
    "base_share=1.0 & base='a'": "base_share: must be in [0, 1), got 1.0",
}


@pytest.mark.parametrize("overrides", BAD_VALUES)
def test_bad_values_are_named(tmp_path: Path, overrides: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_recipe(write(tmp_path, MINIMAL), overrides.split(" & "))
    [problem] = caught.value.problems
    assert BAD_VALUES[overrides] in problem


@pytest.mark.parametrize(
    "name", ["learning_rate", "weight_decay", "muon_weight_decay", "clip_norm"]
)
@pytest.mark.parametrize("value", ["nan", "inf"])
def test_numbers_that_are_none_are_refused(tmp_path: Path, name: str, value: str) -> None:
    with pytest.raises(ConfigError, match=rf"training\.{name}: .*got {value}"):
        load_recipe(write(tmp_path, MINIMAL), [f"training.{name}={value}"])


def test_a_vocabulary_may_have_as_many_pieces_as_sixteen_bits_tell_apart(tmp_path: Path) -> None:
    assert load_recipe(write(tmp_path, MINIMAL), ["subwords.vocab_size=65536"])


@pytest.mark.parametrize(
    ("budget", "seconds"), [("", 0), ("25m", 1500), ("1h30m", 5400), ("90s", 90), ("2h5s", 7205)]
)
def test_time_budgets_are_read(budget: str, seconds: float) -> None:
    assert TrainingConfig(max_steps=1, time_budget=budget).time_budget_s == seconds
    assert TrainingConfig(max_steps=1, save_every=budget).save_every_s == seconds


def test_a_run_without_an_end_has_a_constant_rate() -> None:
    endless: dict[str, Any] = {"max_steps": 0, "schedule": "wsd", "decay_share": 0.0}
    assert TrainingConfig(**endless).max_steps == 0
    others: list[dict[str, Any]] = [
        {"schedule": "linear"},
        {"schedule": "inverse_sqrt"},
        {"decay_share": 0.2},
    ]
    for other in others:
        with pytest.raises(ConfigError, match=r'set schedule = "wsd" and decay_share = 0\.0'):
            TrainingConfig(**(endless | other))


def test_what_an_architecture_does_not_say_has_defaults() -> None:
    config = ArchitectureConfig(d_ff=64)
    assert config.given == {"d_ff": 64}
    whole = config.with_vocabulary(100, 0)
    assert (whole.d_ff, whole.d_model, whole.vocab_size) == (64, ARCHITECTURE["d_model"], 100)


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
