"""Models come whole or not at all, whatever goes wrong on the way."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.checkout import ROOT
from tests.registry import (
    Fault,
    Handler,
    Server,
    Shelf,
    altered,
    corrupted,
    page,
    served,
    short,
    status,
    truncated,
    well,
)
from tests.small_models import write_model
from tests.translator.store.imports.marian.binaries import WEIGHTS
from tests.waiting import wait_until
from translator.downloads import fetching
from translator.downloads.fetching import (
    FETCHING,
    Watcher,
    downloaded_models,
    fetch_releases,
    locked,
    missing_in,
    newer_than,
)
from translator.downloads.registry import read_registry
from translator.errors import DownloadError, TranslatorError
from translator.pipeline.models.here import find_models
from translator.store.installed import read_installed

PACKED = f"{WEIGHTS}.gz"


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    shelf = Shelf(tmp_path / "registry")
    shelf.add_small("de", "en")
    return shelf


@pytest.fixture
def server(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with served(shelf.folder) as found:
        yield found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "home" / "models"


class Notes(Watcher):
    """Notes what it is told."""

    def __init__(self) -> None:
        self.said = list[str]()

    def waits(self, why: str) -> None:
        self.said.append(why)

    def tries_again(self, release: object, why: str, pause_s: float) -> None:
        self.said.append(f"{why}, in {pause_s} s")


def fetch(
    address: str, folder: Path, *codes: str, watcher: Watcher | None = None
) -> dict[str, Path | TranslatorError]:
    registry = read_registry(address)
    releases = registry.among(codes or ["all"])
    found = fetch_releases(registry, releases, folder, watcher, pauses_s=(0.01, 0.02))
    return {one.release.name: one.result for one in found}


def visible(folder: Path) -> list[str]:
    """Return what there is to see in a folder of models."""
    found = find_models([folder])
    assert found.faults == ()
    return [model.name for model in found.models]


def nothing_is_left(folder: Path) -> bool:
    return {path.name for path in folder.iterdir() if path.is_dir()} <= {*visible(folder)}


def test_a_model_is_fetched_imported_and_knows_where_it_is_from(
    server: Server, folder: Path
) -> None:
    assert fetch(server.address, folder) == {"de-en": folder / "de-en"}
    found = read_installed(folder / "de-en")
    assert found.description.directions == ("de-en",)
    assert found.card["licence"] == "not stated"
    assert found.card["origin"] == f"{server.address}/models/de-en/base/{PACKED}"
    assert found.card["downloaded"]["registry"] == server.address
    assert nothing_is_left(folder), "what was downloaded is deleted"
    assert fetch(server.address, folder) == {}, "it is there already"
    assert server.asked[PACKED] == 1


def test_a_folder_serves_as_well(shelf: Shelf, folder: Path) -> None:
    assert fetch(str(shelf.folder), folder) == {"de-en": folder / "de-en"}


@pytest.mark.parametrize("fault", [status(500), status(503), truncated, corrupted, altered, short])
def test_what_goes_wrong_once_is_tried_again(server: Server, folder: Path, fault: Fault) -> None:
    server.faults[PACKED] = [fault, well]
    notes = Notes()
    assert fetch(server.address, folder, watcher=notes) == {"de-en": folder / "de-en"}
    assert server.asked[PACKED] == 2
    assert len(notes.said) == 1
    assert notes.said[0].endswith(", in 0.01 s")


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (status(500), "the server answers 500; try again later"),
        (status(404), "is not there (the server answers 404); check the registry"),
        (page, "a web page came in its place, perhaps from a proxy; check HTTPS_PROXY"),
        (truncated, "the connection broke off"),
        (short, "is damaged"),
        (corrupted, "is damaged"),
        (altered, "has another SHA-256 than the registry says"),
    ],
)
@pytest.mark.parametrize("name", [PACKED, "vocab.deen.spm.gz"])
def test_what_goes_wrong_always_leaves_nothing_and_is_said_in_one_line(
    shelf: Shelf, server: Server, folder: Path, fault: Fault, reason: str, name: str
) -> None:
    if name != PACKED and fault is altered:
        return  # the registry names no SHA-256 of vocabularies; what is packed well is believed
    shelf.add_small("da", "en")
    for record in shelf.models["da-en"]:  # has other names, so that it does not fail
        for file in record["files"].values():
            path = shelf.folder / file["path"]
            file["path"] = file["path"].replace("deen", "daen")
            path.rename(shelf.folder / file["path"])
    shelf.write()
    server.faults[name] = [fault]
    found = fetch(server.address, folder)
    assert found["da-en"] == folder / "da-en", "the other one comes"
    assert isinstance(found["de-en"], DownloadError)
    assert reason in str(found["de-en"])
    assert "\n" not in str(found["de-en"])
    assert visible(folder) == ["da-en"]
    server.faults.clear()
    assert fetch(server.address, folder) == {"de-en": folder / "de-en"}


def test_a_vocabulary_that_is_none_is_not_let_in(server: Server, folder: Path) -> None:
    server.faults["vocab.deen.spm.gz"] = [altered]
    found = fetch(server.address, folder)
    assert isinstance(found["de-en"], TranslatorError)
    assert visible(folder) == []
    server.faults.clear()
    assert fetch(server.address, folder) == {"de-en": folder / "de-en"}


def test_more_bytes_than_promised_are_refused(
    server: Server, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching, "SPARE_BYTES", 0)

    def endless(handler: Handler, _: bytes) -> None:
        handler.send_response(200)
        handler.end_headers()
        handler.wfile.write(bytes(1 << 20))

    def announced(handler: Handler, _: bytes) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", str(10**10))
        handler.end_headers()

    for fault, reason in ((endless, "more bytes than promised"), (announced, "10000000000 bytes")):
        server.faults[PACKED] = [fault]
        found = fetch(server.address, folder)
        assert reason in str(found["de-en"])
        assert visible(folder) == []


def test_an_interrupted_file_is_continued(server: Server, folder: Path) -> None:
    server.faults[PACKED] = [truncated]
    assert isinstance(fetch(server.address, folder)["de-en"], DownloadError)
    [part] = (folder / FETCHING).rglob("*.part")
    kept = part.stat().st_size
    assert kept > 0
    server.faults[PACKED] = [well]
    server.continued.clear()
    assert fetch(server.address, folder) == {"de-en": folder / "de-en"}
    assert server.continued == [kept]


def test_a_beginning_of_another_version_is_not_continued(server: Server, folder: Path) -> None:
    server.faults[PACKED] = [truncated]
    fetch(server.address, folder)
    [part] = (folder / FETCHING).rglob("*.part")
    part.write_bytes(b"\x1f\x8b" + bytes(part.stat().st_size - 2))
    server.faults[PACKED] = [well]
    assert fetch(server.address, folder) == {"de-en": folder / "de-en"}


def test_without_a_network_not_every_model_is_tried(
    shelf: Shelf, server: Server, folder: Path
) -> None:
    for code in ("da", "fi", "fr", "it", "nl", "pl"):
        shelf.add_small(code, "en")
    registry = read_registry(server.address)
    server.shutdown()
    server.server_close()
    found = [*fetch_releases(registry, registry.releases, folder, pauses_s=(0.01,))]
    reasons = [str(one.result) for one in found]
    assert len(reasons) == 7
    assert "cannot be reached; check the network" in reasons[0]
    assert visible(folder) == []


def test_a_full_disk_is_said_before_and_while_it_fills(
    server: Server, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(folder.parents[1])
    with monkeypatch.context() as patch:
        patch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=5_000_000))
        said = str(fetch(server.address, folder)["de-en"])
    assert said.startswith(f"{folder}: 64 MB are needed for de-en, and 5 MB are free; make room")

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    for place in ("_unpack", "import_model"):
        with monkeypatch.context() as patch:
            patch.setattr(fetching, place, full)
            said = str(fetch(server.address, folder)["de-en"])
        assert said == f"{folder}: the disk is full; make room, and try again"
        assert visible(folder) == []
    assert fetch(server.address, folder) == {"de-en": folder / "de-en"}


@pytest.mark.skipif(os.geteuid() == 0 and not shutil.which("setpriv"), reason="needs setpriv")
def test_a_folder_that_may_not_be_written_to_is_named(server: Server, tmp_path: Path) -> None:
    place = tmp_path / "closed"
    place.mkdir()
    place.chmod(0o555)
    code = (
        "from pathlib import Path\nfrom translator.downloads.fetching import *\n"
        "from translator.downloads.registry import *\n"
        f"registry = read_registry({server.address!r})\n"
        f"try: [*fetch_releases(registry, registry.releases, Path({str(place)!r}, 'models'))]\n"
        "except Exception as error: print(type(error).__name__, error)\n"
    )
    command = [sys.executable, "-c", code]
    if os.geteuid() == 0:
        command = ["setpriv", "--bounding-set=-all", "--inh-caps=-all", *command]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == (
        f"DownloadError {place / 'models'}: may not be written to; name another folder with "
        "--folder or TRANSLATOR_HOME\n"
    )


def test_two_at_once_fetch_once(server: Server, folder: Path) -> None:
    notes, results = Notes(), list[object]()
    over = threading.Event()

    def late(handler: Handler, content: bytes) -> None:
        over.wait(60)
        handler.answer(content)

    server.faults[PACKED] = [late]
    threads = [
        threading.Thread(
            target=lambda: results.append(fetch(server.address, folder, watcher=notes))
        )
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    wait_until(lambda: bool(notes.said))
    assert "another process is downloading into it; waiting for it to finish" in notes.said[0]
    over.set()
    for thread in threads:
        thread.join()
    assert results == [{"de-en": folder / "de-en"}, {}]
    assert server.asked[PACKED] == 1


def test_kill_9_in_the_middle_leaves_a_lock_for_nobody_and_a_part_to_continue(
    server: Server, folder: Path
) -> None:
    over = threading.Event()

    def slow(handler: Handler, content: bytes) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        handler.wfile.write(content[:-10])
        handler.wfile.flush()
        over.wait(60)

    server.faults[PACKED] = [slow, well]
    code = (
        "from pathlib import Path\nfrom translator.downloads.fetching import *\n"
        "from translator.downloads.registry import *\n"
        f"registry = read_registry({server.address!r})\n"
        f"[*fetch_releases(registry, registry.releases, Path({str(folder)!r}))]\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT)
    wait_until(lambda: any(path.stat().st_size for path in folder.rglob("*.part")))
    assert visible(folder) == []
    process.send_signal(signal.SIGKILL)
    process.wait()
    over.set()
    with locked(folder, lambda why: pytest.fail(why)):
        pass
    assert fetch(server.address, folder) == {"de-en": folder / "de-en"}
    assert server.continued != []


def test_newer_releases_take_the_place_of_older_ones(
    shelf: Shelf, server: Server, folder: Path
) -> None:
    shelf.add_small("en", "fr")
    fetch(server.address, folder, "de")
    before = read_installed(folder / "de-en").checksum
    assert newer_than(folder, read_registry(server.address)) == []
    del shelf.models["de-en"]
    shelf.add_small("de", "en", version=1, architecture="base-new")
    registry = read_registry(server.address)
    newer = newer_than(folder, registry)
    assert [release.name for release in newer] == ["de-en"], "not what was never downloaded"
    [found] = fetch_releases(registry, newer, folder)
    assert found.result == folder / "de-en"
    assert read_installed(folder / "de-en").checksum != before
    assert visible(folder) == ["de-en"]
    assert missing_in(folder, newer) == []


def test_a_model_that_came_otherwise_is_never_replaced(server: Server, folder: Path) -> None:
    own = write_model(folder / "de-en", "de-en")
    checksum = read_installed(own).checksum
    assert fetch(server.address, folder) == {"de-en": folder / "de-en-downloaded"}
    assert read_installed(own).checksum == checksum
    assert [one.model.name for one in downloaded_models(folder)] == ["de-en-downloaded"]
