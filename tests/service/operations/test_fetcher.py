"""Models that are downloaded while the service serves."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest

from service.operations import download_process as apart
from service.operations import fetcher
from service.operations.download_process import download
from service.operations.fetcher import (
    STATE,
    DownloadOrder,
    Fetcher,
    Progress,
    State,
    read_state,
    want,
    write_state,
)
from tests.registry import Server, Shelf, served, status
from tests.waiting import wait_until
from translator import ModelSet, stand_in
from translator.downloads.fetching import Fetched, Watcher, fetch_releases
from translator.downloads.registry import Registry, Release
from translator.errors import DownloadError
from translator.store.home import models_folder


class Told(Fetcher):
    """Downloads nothing; notes what it would have."""

    def __init__(self, folder: Path, *codes: str, fails: int = 0) -> None:
        super().__init__(folder, codes, list)
        self.asked = list[tuple[tuple[str, ...], float]]()
        self.fails = fails

    def _fetch(self, codes: object) -> bool:
        self.asked.append((tuple(codes), time.monotonic()))  # type: ignore[arg-type]
        return len(self.asked) > self.fails


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetcher, "LOOK_EVERY_S", 0.01)
    monkeypatch.setattr(fetcher, "FIRST_PAUSE_S", 0.1)


def test_a_folder_that_cannot_be_written_to_is_told_without_a_traceback(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").touch()
    folder = tmp_path / "file" / "downloads"
    Told(folder, "fr").start()
    wait_until(lambda: bool(caplog.messages))
    assert caplog.messages == [
        f"{folder}: Not a directory; nothing is downloaded until the next start"
    ]


def test_one_of_two_workers_does_it_and_the_other_when_that_ends(tmp_path: Path) -> None:
    workers = [Told(tmp_path, "fr"), Told(tmp_path, "fr")]
    workers[0].start()
    wait_until(lambda: bool(workers[0].asked))
    workers[1].start()
    want(tmp_path, "pt")
    wait_until(lambda: len(workers[0].asked) == 2)
    assert [codes for codes, _ in workers[0].asked] == [("fr",), ("fr", "pt")]
    assert workers[1].asked == []
    workers[0].stop()
    wait_until(lambda: bool(workers[1].asked))
    workers[1].stop()


def test_what_fails_is_tried_again_with_growing_pauses(tmp_path: Path) -> None:
    worker = Told(tmp_path, "fr", fails=3)
    worker.start()
    wait_until(lambda: len(worker.asked) == 4)
    times_s = [asked_s for _, asked_s in worker.asked]
    pauses_s = [after - before for before, after in itertools.pairwise(times_s)]
    assert pauses_s[0] >= 0.1
    assert pauses_s[1] >= 0.2
    assert pauses_s[2] >= 0.4
    worker.stop()


def test_no_pause_is_longer_than_an_hour(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    now_s = [0.0]
    monkeypatch.setattr(fetcher, "time", SimpleNamespace(monotonic=lambda: now_s[0]))
    monkeypatch.setattr(fetcher, "FIRST_PAUSE_S", 2000.0)
    worker = Told(tmp_path, "fr", fails=9)
    worker.start()
    while len(caplog.messages) < 3:  # the clock stands still until a pause has begun
        now_s[0] += 3600 * (len(caplog.messages) == len(worker.asked))
        time.sleep(0.01)
    assert caplog.messages == [f"downloads are tried again in {s} s" for s in (2000, 3600, 3600)]
    worker.stop()


def test_a_process_downloads_and_says_what_it_could_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    shelf = Shelf(tmp_path / "registry")
    shelf.add_small("fi", "en")
    monkeypatch.setenv("TRANSLATOR_REGISTRY", str(shelf.folder))
    monkeypatch.setenv("TRANSLATOR_HOME", str(tmp_path / "home"))
    worker = Fetcher(tmp_path / "run", ["fi", "xx"], lambda: [("de", "en")])
    with caplog.at_level("INFO"):
        worker.start()
        wait_until(lambda: "downloads are tried again" in caplog.text)
    worker.stop()
    said = {record.getMessage(): record.levelname for record in caplog.records}
    [begun] = [line for line in said if line.startswith("downloading 1 model, with weights of 0.")]
    assert begun.endswith(f" MB, from {shelf.folder}")
    assert said["downloaded: fi-en, not stated"] == "INFO"
    why = "not downloaded: xx: the registry has no released model; it has en, fi"
    assert said[why] == "WARNING"
    assert read_state(tmp_path / "run").languages["fi"].state == "done"
    assert (tmp_path / "home/models/fi-en").is_dir()


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


def order(
    run: Path,
    *codes: str,
    have: Sequence[tuple[str, str]] = (("de", "en"), ("en", "de")),
    update: bool = False,
    offers: bool = False,
) -> DownloadOrder:
    return {"folder": str(run), "codes": codes, "have": have, "update": update, "offers": offers}


def test_only_what_is_missing_comes(server: Server, run: Path) -> None:
    assert download(order(run, "de", "en"))
    assert not server.asked, "the service has both directions of German"
    have = [("de", "en"), ("fr", "en")]
    assert download(order(run, "fr", "de", "en", have=have)), "the registry has no German"
    assert [path.name for path in models_folder().iterdir() if path.is_dir()] == ["en-fr"]
    state = read_state(run)
    assert (state.downloaded, state.failed, state.error) == (1, [], "")
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
    assert (state.languages["fi"].state, state.failed) == ("failed", ["fi-en"])
    assert "not downloaded: fi-en: http://127.0.0.1" in capsys.readouterr().err
    server.faults.clear()
    assert download(order(run, "fi"))
    assert read_state(run).languages["fi"].state == "done"
    server.faults["models.json"] = [status(404)]
    assert not download(order(run, "fr"))
    assert "is not there (the server answers 404)" in read_state(run).error


def test_each_language_waits_or_fails_while_the_registry_cannot_be_reached(
    server: Server, run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = list[dict[str, Progress]]()

    def away() -> Registry:
        seen.append(read_state(run).languages)
        raise DownloadError("no network")

    with monkeypatch.context() as patch:
        patch.setattr(apart, "read_registry", away)
        for _ in range(2):
            assert not download(order(run, "de", "en", "fi", "pt_BR"))
    failed = Progress("failed", error="no network")
    assert seen == [
        {code: at_that_time for code in ("fi", "pt_BR")} for at_that_time in (Progress(), failed)
    ]
    assert read_state(run).languages == {"fi": failed, "pt_BR": failed}
    assert download(order(run, "fi"))
    assert {code: here.state for code, here in read_state(run).languages.items()} == {"fi": "done"}


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


def test_what_is_written_is_read(tmp_path: Path) -> None:
    assert read_state(tmp_path) == State()
    state = State({"pt": Progress("downloading", 3, 9)}, ["de", "pt"], 1, ["fi-en"], "no network")
    write_state(tmp_path, state)
    assert read_state(tmp_path) == state
    (tmp_path / STATE).write_text("{")
    assert read_state(tmp_path) == State()


def test_a_file_is_counted_once_and_what_was_not_tried_comes_first(
    server: Server, run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[list[str]]()

    def noting(
        registry: Registry, releases: Sequence[Release], folder: Path, watcher: Watcher
    ) -> Iterator[Fetched]:
        asked.append([release.name for release in releases])
        return fetch_releases(registry, releases, folder, watcher, pauses_s=())

    monkeypatch.setattr(apart, "fetch_releases", noting)
    server.faults["vocab.deen.spm.gz"] = [status(404)]
    for _ in range(2):
        assert not download(order(run, "fr"))
    assert len(read_state(run).failed) == 2
    server.faults["vocab.deen.spm.gz"] = [status(404)]
    assert not download(order(run, "fr", "fi"))
    assert asked[0] == ["en-fr", "fr-en"]
    assert asked[-1][0] == "fi-en"
    assert sorted(read_state(run).failed) == ["en-fr", "fi-en", "fr-en"]
    assert "run the" not in str(read_state(run))


def test_german_comes_though_the_shipped_model_has_it(
    shelf: Shelf, server: Server, run: Path
) -> None:
    for pair in (("de", "en"), ("en", "de")):
        shelf.add_small(*pair)
    with ModelSet.load() as translator:
        have = {*translator.directions} - stand_in(translator)
    for codes in (["de"], ["all"]):
        assert download(order(run, *codes, have=[*have]))
    assert {path.name for path in models_folder().glob("*-*")} >= {"de-en", "en-de", "fi-en"}
