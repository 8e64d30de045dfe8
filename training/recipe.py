"""A training recipe: one TOML file, read strictly."""

from __future__ import annotations

import copy
import dataclasses
import difflib
import hashlib
import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from training.config import (
    ArchitectureConfig,
    DataConfig,
    ExportConfig,
    SubwordsConfig,
    TrainingConfig,
)
from training.data.cleaning import CleaningConfig
from translator.config import DecodingOptions
from translator.errors import ConfigError, ModelDirectoryError
from translator.files import read_text
from translator.store.installed import read_installed
from translator.strict import SHARE_BELOW_ONE, raise_if_wrong, read_dataclass

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

SHIPPED = Path(__file__).with_name("recipes")


@dataclass(frozen=True, kw_only=True, slots=True)
class Recipe:
    """Everything that decides what a run produces.

    Attributes:
        name: of the run and of its model.
        licence: what others may do with the weights; the first thing that the card says.
        seed: of initialisation, shuffling, dropout and subword sampling.
        base: model directory to start from, for fine-tuning: its vocabulary, its weights and what
            `decoding` does not say are taken over; `model` may then change nothing but dropouts.
        base_share: share of the base in the weights that are exported, beside the trained ones.
    """

    name: str
    data: DataConfig
    training: TrainingConfig
    licence: str = ""
    seed: int = 1
    base: str = ""
    base_share: float = 0.0
    cleaning: CleaningConfig = field(default_factory=CleaningConfig)
    subwords: SubwordsConfig = field(default_factory=SubwordsConfig)
    model: ArchitectureConfig = field(default_factory=ArchitectureConfig)
    decoding: DecodingOptions = field(default_factory=DecodingOptions)
    export: ExportConfig = field(default_factory=ExportConfig)

    def __post_init__(self) -> None:
        raise_if_wrong(self)

    def problems(self) -> list[str]:
        """Return one sentence per bad value."""
        faults = SHARE_BELOW_ONE.problems(self, "base_share")
        if self.base_share and not self.base:
            faults.append("base_share: is for a run that has a base")
        has_own = bool(self.base or self.subwords.model)
        if self.subwords.marked_share and self.subwords.placeholders < 2 and not has_own:
            faults.append(
                "subwords.marked_share: takes two placeholders; set subwords.placeholders"
            )
        samplers = {"unigram": "unigram_alpha", "bpe": "bpe_dropout"}
        return faults + [
            f"training.{name}: is for a {algorithm} vocabulary, and subwords.algorithm is "
            f"{self.subwords.algorithm}"
            for algorithm, name in samplers.items()
            if not has_own
            if getattr(self.training, name) and self.subwords.algorithm != algorithm
        ]

    @property
    def sections(self) -> dict[str, tuple[str, ...]]:
        """The sections that each stage of a run depends on.

        `checkpoints` are those that must stay the same as long as training continues from them.
        """
        prepared = ("name", "data", "cleaning")
        encoded = (*prepared, "subwords", "base")
        trained = (*encoded, "model", "training", "seed")
        averaged = (*trained, "base_share")
        scored = (*averaged, "decoding", "export")
        may_change = ("name", "training")
        return {
            "prepare": prepared,
            "subwords": encoded,
            "checkpoints": tuple(name for name in trained if name not in may_change),
            "train": trained,
            "average": averaged,
            "evaluate": scored,
            **dict.fromkeys(("export", "report"), (*scored, "licence")),
        }

    def fingerprint(self, *sections: str) -> str:
        """Return a short hash of some sections, to know whether a finished stage still holds.

        A key that has its default value does not count, so that a run goes on when a later version
        brings new keys.
        """
        settings = settings_of(self)
        chosen = {name: settings[name] for name in sections if name in settings}
        return hashlib.sha256(json.dumps(chosen, sort_keys=True).encode()).hexdigest()[:16]


def settings_of(config: DataclassInstance) -> dict[str, Any]:
    """Return the fields of a dataclass that differ from their defaults, those inside it too."""
    values = {f.name: getattr(config, f.name) for f in dataclasses.fields(config)}
    defaults = {
        f.name: f.default if f.default_factory is dataclasses.MISSING else f.default_factory()
        for f in dataclasses.fields(config)
    }
    changed = {name: value for name, value in values.items() if value != defaults[name]}
    return {name: _plain(value) for name, value in changed.items()}


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return settings_of(value)
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value


def recipe_path(name: str) -> Path:
    """Return the path of a recipe: of a file, or of a shipped recipe by its name, such as `de-en`.

    The names are for those who installed the package and have no `training/recipes/` at hand.
    """
    shipped = SHIPPED / f"{name}.toml"
    return shipped if shipped.is_file() and not Path(name).is_file() else Path(name)


def load_recipe(path: str | Path, overrides: Sequence[str] = ()) -> Recipe:
    """Read a recipe file.

    Args:
        path: a TOML file; with `extends = "other.toml"`, what it does not say is as in that one.
        overrides: `section.key=value` settings that win over the file; values are TOML.

    Raises:
        ConfigError: the file is missing, is not TOML, or has wrong keys or values (all listed).
    """
    table: dict[str, Any] = {}
    for _, _, settings in reversed(_chain(Path(path))):
        table = _merged(table, settings)
    return read_recipe(table, overrides, f"{path}, --set" if overrides else str(path))


def read_recipe(settings: Mapping[str, Any], overrides: Sequence[str], source: str) -> Recipe:
    """Return the recipe of plain settings, as TOML or JSON hold them; `source` is for the message.

    Raises:
        ConfigError: keys or values are wrong (all listed).
    """
    table = copy.deepcopy(dict(settings))
    for override in overrides:
        _apply(table, override)
    base, decoding = table.get("base"), table.get("decoding", {})
    if isinstance(base, str) and base and isinstance(decoding, dict):
        table["decoding"] = _decoding_of(base) | decoding
    return read_dataclass(Recipe, table, source)


def _decoding_of(base: str) -> dict[str, Any]:
    """Return the settings of the search of a model directory; none if it cannot be read.

    Whoever uses the model says what is wrong with it.
    """
    try:
        return settings_of(read_installed(Path(base)).description.decoding)
    except ModelDirectoryError:
        return {}


OVERRIDES = "# overrides: "


def recipe_text(path: Path, overrides: Sequence[str] = ()) -> str:
    """Return a recipe as it was written; the one that it extends and overrides are comments.

    Overrides that an earlier sitting noted there are left out: they hold no longer.

    Raises:
        ConfigError: as `load_recipe` does for files that cannot be read.
    """
    *extending, (name, whole, _) = _chain(path)
    for next_name, text, _ in reversed(extending):
        quoted = (f"# {line}".rstrip() for line in whole.splitlines())
        name, whole = next_name, "\n".join([text, f"# {name}:", *quoted, ""])
    lines = [line for line in whole.splitlines() if not line.startswith(OVERRIDES)]
    whole = "\n".join(lines).rstrip("\n") + "\n"
    return whole + (f"\n{OVERRIDES}{' '.join(overrides)}\n" if overrides else "")


def _chain(path: Path) -> list[tuple[str, str, dict[str, Any]]]:
    """Return name, text and settings of a file, of the one that it extends, and so on."""
    name, chain, seen = path.name, [], {path.resolve()}
    while True:
        try:
            text = read_text(path)
            table = tomllib.loads(text)
        except OSError as error:
            problem = (error.strerror or str(error)) + _nearest_shipped(path)
            raise ConfigError([problem], str(path)) from error
        except tomllib.TOMLDecodeError as error:
            raise ConfigError([str(error)], str(path)) from error
        extended = table.pop("extends", None)
        chain.append((name, text, table))
        if extended is None:
            return chain
        if not isinstance(extended, str) or (path.parent / extended).resolve() in seen:
            problem = f"extends: must name another recipe, beside this one, got {extended!r}"
            raise ConfigError([problem], str(path))
        name, path = extended, path.parent / extended
        seen.add(path.resolve())


def _nearest_shipped(path: Path) -> str:
    """Return which recipe may be meant by a path that is none; empty if it is not by a name."""
    if path.exists() or path.parent != Path():
        return ""
    names = sorted(recipe.stem for recipe in SHIPPED.glob("*.toml"))
    nearest = difflib.get_close_matches(path.stem, names, n=1)
    return f"; did you mean {nearest[0]}?" if nearest else f"; shipped ones: {', '.join(names)}"


def _merged(base: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """Return the settings of `base` with `changes`; sections change key by key."""
    merged = dict(base)
    for key, value in changes.items():
        both = isinstance(value, dict) and isinstance(base.get(key), dict)
        merged[key] = _merged(base[key], value) if both else value
    return merged


def _apply(table: dict[str, Any], override: str) -> None:
    key, equals, text = override.partition("=")
    if not equals:
        raise ConfigError([f"{override!r}: must look like section.key=value"], "--set")
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        value = text
    *sections, last = key.strip().split(".")
    for section in sections:
        table = table.setdefault(section, {})
        if not isinstance(table, dict):
            raise ConfigError([f"{key}: {section} is not a section"], "--set")
    table[last] = value
