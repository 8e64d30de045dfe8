"""What the documentation says of Firefox's models, done with a registry of small ones."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from pathlib import Path

import pytest

from tests.checkout import ROOT
from tests.docs.pages import read
from tests.translator.store.imports.marian.binaries import WEIGHTS, small_folder
from translator.cli.main import main
from translator.store.installed import read_installed

PAGE = ROOT / "docs/use-the-models-you-have.md"
DIRECTIONS = (("de", "en", "Release"), ("en", "de", "Nightly"), ("da", "en", "Release Desktop"))


def script() -> str:
    """Return the example that fetches models."""
    [found] = re.findall(r"```python\n(import json\n.*?)```", read(PAGE), re.DOTALL)
    return str(found)


def registry(folder: Path) -> Path:
    """Write models as Mozilla publishes them, and the list of them."""
    models: dict[str, list[dict[str, object]]] = {}
    for source, target, status in DIRECTIONS:
        pair = f"{source}-{target}"
        small_folder(folder / "models" / pair)
        digest = hashlib.sha256((folder / "models" / pair / WEIGHTS).read_bytes()).hexdigest()
        files: dict[str, dict[str, str]] = {}
        for file in sorted((folder / "models" / pair).iterdir()):
            packed = file.with_name(f"{file.name}.gz")
            packed.write_bytes(gzip.compress(file.read_bytes()))
            kind = "model" if file.name == WEIGHTS else "vocab"
            files[kind] = {"path": packed.relative_to(folder).as_posix()}
            file.unlink()
        files["model"]["uncompressedHash"] = digest
        about = {"sourceLanguage": source, "targetLanguage": target, "releaseStatus": status}
        models[pair] = [about | {"architecture": "tiny", "files": files}]
    (folder / "db").mkdir()
    listed = folder / "db/models.json"
    listed.write_text(json.dumps({"baseUrl": folder.as_uri(), "models": models}))
    return listed


def test_models_of_the_registry_are_fetched_and_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    listed = registry(tmp_path / "mozilla")
    program, count = re.subn(
        r"REGISTRY = \(.*?\n\)", f"REGISTRY = {listed.as_uri()!r}", script(), flags=re.DOTALL
    )
    assert count == 1
    monkeypatch.chdir(tmp_path)
    exec(compile(program, str(PAGE), "exec"), {})
    assert capsys.readouterr().out == "firefox/de-en\n", "what is released, of what is wanted"
    assert main(["import", "--each", "firefox", "--out", "models", "--licence", "MPL-2.0"]) == 0
    found = read_installed(tmp_path / "models/de-en")
    assert found.description.directions == ("de-en",)
    assert found.card["licence"] == "MPL-2.0"
