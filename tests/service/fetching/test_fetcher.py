"""One worker of all has downloads made, again and again if they fail."""

from __future__ import annotations

import itertools
import time
from pathlib import Path

import pytest

from service.fetching import fetcher
from service.fetching.fetcher import Fetcher
from service.fetching.state import read_state, want
from tests.registry import Shelf
from tests.waiting import wait_until


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
