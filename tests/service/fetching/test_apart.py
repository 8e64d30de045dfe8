"""What the downloading process brings, and what it writes down."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from service.fetching.apart import download
from service.fetching.state import read_state
from tests.registry import Server, Shelf, served, status
from translator.store.home import models_folder


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    shelf = Shelf(tmp_path / "registry")
    for source, target in (("en", "fr"), ("fr", "en"), ("fi", "en")):
        shelf.add_small(source, target)
    return shelf


@pytest.fixture
def server(shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("TRANSLATOR_HOME", str(tmp_path / "home"))
    (tmp_path / "run").mkdir()
    with served(shelf.folder) as found:
        monkeypatch.setenv("TRANSLATOR_REGISTRY", found.address)
        yield found


@pytest.fixture
def run(server: Server, tmp_path: Path) -> Path:
    return tmp_path / "run"


def order(run: Path, *codes: str, **said: Any) -> dict[str, Any]:
    usual = {"folder": str(run), "codes": codes, "have": [("de", "en"), ("en", "de")]}
    return usual | {"update": False, "offers": False} | said


def test_only_what_is_missing_comes(server: Server, run: Path) -> None:
    assert download(order(run, "de", "en"))
    assert not server.asked, "the service has both directions of German"
    have = [("de", "en"), ("fr", "en")]
    assert download(order(run, "fr", "de", "en", have=have)), "the registry has no German"
    assert [path.name for path in models_folder().iterdir() if path.is_dir()] == ["en-fr"]
    state = read_state(run)
    assert (state.downloaded, state.failures, state.error) == (1, 0, "")
    progress = state.languages["fr"]
    assert progress.state == "done"
    assert progress.done == progress.total > 0


def test_a_language_that_is_not_there_keeps_no_other_from_coming(server: Server, run: Path) -> None:
    assert not download(order(run, "xx", "fi"))
    state = read_state(run)
    assert state.languages["fi"].state == "done"
    assert state.languages["xx"].state == "failed"
    assert "xx: the registry has no released model" in state.languages["xx"].error


def test_what_has_failed_is_written_down_and_comes_the_next_time(
    server: Server, run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server.faults["vocab.deen.spm.gz"] = [status(404)]
    assert not download(order(run, "fi"))
    state = read_state(run)
    assert (state.languages["fi"].state, state.failures) == ("failed", 1)
    assert "not downloaded: fi-en: http://127.0.0.1" in capsys.readouterr().err
    server.faults.clear()
    assert download(order(run, "fi"))
    assert read_state(run).languages["fi"].state == "done"
    server.faults["models.json"] = [status(404)]
    assert not download(order(run, "fr"))
    assert "is not there (the server answers 404)" in read_state(run).error


def test_newer_releases_and_all_languages(server: Server, shelf: Shelf, run: Path) -> None:
    assert download(order(run, "all"))
    assert {*read_state(run).languages} == {"fi", "fr"}
    assert download(order(run, update=True))
    assert read_state(run).downloaded == 3
    del shelf.models["fi-en"]
    shelf.add_small("fi", "en", version=1)
    assert download(order(run, update=True))
    assert read_state(run).downloaded == 4
    assert download(order(run, offers=True))
    assert read_state(run).available == ["en", "fi", "fr"]
