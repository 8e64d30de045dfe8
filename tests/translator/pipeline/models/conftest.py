"""A folder of five small models, and what single ones of them answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.small_models import write_model
from translator.pipeline.models.model_set import ModelSet
from translator.pipeline.translator import Translator
from translator.store.installed import InstalledModel

DIRECTIONS = {
    "de-en": ("de-en", "en-de"),
    "en-fr": ("en-fr",),
    "es-en": ("es-en", "en-es"),
    "it-en": ("it-en",),
    "pt-en": ("pt-BR-en",),
}


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of models that no test changes."""
    folder = tmp_path_factory.mktemp("models")
    for seed, (name, directions) in enumerate(DIRECTIONS.items()):
        write_model(folder / name, *directions, seed=seed)
    return folder


@pytest.fixture
def load_set() -> Iterator[Callable[..., ModelSet]]:
    sets: list[ModelSet] = []

    def load(*paths: Path, **options: object) -> ModelSet:
        sets.append(ModelSet.load(paths, precision="auto", **options))  # type: ignore[arg-type]
        return sets[-1]

    yield load
    for one in sets:
        one.close()


@pytest.fixture(scope="session")
def single(folder: Path) -> Iterator[dict[str, Translator]]:
    """Return each model of the folder by itself."""
    found = {name: Translator.load(folder / name, precision="auto") for name in DIRECTIONS}
    yield found
    for translator in found.values():
        translator.close()


def load_one(model: InstalledModel) -> Translator:
    """Load a model of a set by itself."""
    return Translator.load(model.path, precision="auto")
