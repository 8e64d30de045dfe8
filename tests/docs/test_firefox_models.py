"""What the documentation says of Firefox's models, done with a registry of small ones."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.checkout import ROOT
from tests.docs.pages import read
from tests.registry import Shelf
from tests.translator.store.imports.marian.binaries import small_folder
from translator.cli.main import main
from translator.store.installed import read_installed

PAGE = ROOT / "docs/use-the-models-you-have.md"


@pytest.fixture(autouse=True)
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    shelf = Shelf(tmp_path / "mozilla")
    for code in ("cs", "de", "es", "fr"):
        shelf.add_small(code, "en")
        shelf.add_small("en", code)
    shelf.add_small("da", "en")
    shelf.add_small("it", "en", releaseStatus="Nightly")
    monkeypatch.setenv("TRANSLATOR_REGISTRY", str(shelf.folder))
    monkeypatch.setenv("TRANSLATOR_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return shelf


def test_models_of_the_registry_are_fetched_and_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    commands = re.findall(r"(?m)^python -m translator (models [^#\n]+?)(?: +#.*)?$", read(PAGE))
    assert [main(command.split()) for command in commands[:2]] == [0, 0]
    here = {path.name for path in (tmp_path / "home/models").iterdir() if path.is_dir()}
    assert here == {f"{code}-en" for code in ("cs", "de", "es", "fr")} | {
        f"en-{code}" for code in ("cs", "de", "es", "fr")
    }, "what is released, of what is wanted"
    assert "it-en" not in capsys.readouterr().out


def test_the_python_of_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    [program] = re.findall(r"```python\n(from translator import ModelSet.*?)```", read(PAGE), re.S)
    exec(compile(program.replace("True)", 'True, precision="float32")'), str(PAGE), "exec"), {})
    assert len(capsys.readouterr().out.splitlines()) >= 2


def test_a_folder_of_models_is_imported_at_once(tmp_path: Path) -> None:
    small_folder(tmp_path / "firefox" / "de-en")
    assert main(["import", "--each", "firefox", "--out", "models", "--licence", "MPL-2.0"]) == 0
    found = read_installed(tmp_path / "models/de-en")
    assert found.description.directions == ("de-en",)
    assert found.card["licence"] == "MPL-2.0"
