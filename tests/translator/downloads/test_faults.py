"""Of up to fifty languages three are sick: whatever ails those, all others come."""

from __future__ import annotations

import dataclasses
import errno
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.checkout import ROOT
from tests.registry import (
    Fault,
    Handler,
    Server,
    Shelf,
    altered,
    page,
    redirected,
    served,
    short,
    status,
    truncated,
)
from tests.translator.store.imports.marian.binaries import small_folder
from tests.waiting import wait_until
from translator.downloads import fetching, sources
from translator.downloads.fetching import FETCHING, Watcher, fetch_releases
from translator.downloads.registry import Registry, RemoteFile, read_registry
from translator.errors import TranslatorError
from translator.pipeline.models.here import find_models
from translator.store.imports.pieces import own_code

CODES = [f"x{first}{second}" for first in "abcdef" for second in "abcdefghik"]
CODES = [code for code in CODES if own_code(code) == code][:50]  # some are other names of others
SICK = CODES[:3]
"""As many as are downloaded at once, and the first: they stand in the way of all others."""


@pytest.fixture(
    scope="module", params=[8, pytest.param(len(CODES), marks=pytest.mark.slow)], ids=str
)
def shelf(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    """Return a registry of small models, whose files have names of their own."""
    folder = tmp_path_factory.mktemp("shelf")
    small_folder(folder / "made")
    shelf = Shelf(folder / "registry")
    for code in CODES[: request.param]:
        place = folder / code
        place.mkdir()
        for file in (folder / "made").iterdir():
            shutil.copy(file, place / file.name.replace("deen", f"{code}en"))
        shelf.add(code, "en", place)
    return shelf


@dataclasses.dataclass
class World:
    """A registry behind a server, and a folder for its models."""

    server: Server
    codes: list[str]
    folder: Path
    patch: pytest.MonkeyPatch
    healed: bool = False  # whether a row has made the sick ones well again

    def registry(self) -> Registry:
        return read_registry(self.server.address)

    def fetch(self, registry: Registry | None = None) -> dict[str, object]:
        registry = registry or self.registry()
        rows = fetch_releases(
            registry, registry.releases, self.folder, Watcher(), pauses_s=(0.02, 0.05)
        )
        return {row.release.name: row.result for row in rows}

    def visible(self) -> list[str]:
        found = find_models([self.folder])
        assert found.faults == ()
        return [model.name for model in found.models]

    def weights(self, code: str) -> str:
        [file] = self.server.folder.glob(f"models/{code}-en/base/model.*")
        return file.name

    def spoil(self, fault: Fault) -> None:
        for code in SICK:
            self.server.faults[self.weights(code)] = [fault]


@pytest.fixture
def world(shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(sources, "TIMEOUT_S", (0.5, 0.3))
    monkeypatch.setattr(fetching, "SLOWEST_AFTER_S", 0.3)
    with served(shelf.folder) as server:
        codes = sorted(key.partition("-")[0] for key in shelf.models)
        yield World(server, codes, tmp_path / "models", monkeypatch)


def file(fault: Fault) -> Callable[[World], object]:
    """Return a row: files of the sick ones are answered in this way."""
    return lambda world: world.spoil(fault)


def slow(handler: Handler, content: bytes) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", str(len(content)))
    handler.end_headers()
    for start in range(0, len(content), len(content) // 5 + 1):
        handler.wfile.write(content[start : start + len(content) // 5 + 1])
        time.sleep(0.05)


def trickling(handler: Handler, content: bytes) -> None:
    handler.send_response(200)
    handler.end_headers()
    for number in range(40):
        handler.wfile.write(content[number : number + 1])
        time.sleep(0.05)


def hanging(handler: Handler, _: bytes) -> None:
    time.sleep(1)
    handler.close_connection = True


def silent(handler: Handler, _: bytes) -> None:
    handler.close_connection = True


def other_size(world: World) -> None:
    """Let the list say another size of the sick ones."""
    registry = world.registry()
    sick = {f"{code}-en" for code in SICK}
    releases = [
        dataclasses.replace(one, weights=dataclasses.replace(one.weights, num_bytes=17))
        if one.name in sick
        else one
        for one in registry.releases
    ]
    world.fetch(dataclasses.replace(registry, releases=tuple(releases)))
    world.healed = True


def changed_list(world: World) -> None:
    """Let what the list says be out of date when the files are asked for."""
    registry = world.registry()
    world.spoil(altered)
    world.fetch(registry)
    world.server.faults.clear()
    world.healed = True


def redirect_loop(world: World) -> None:
    """Let files of the sick ones lead to themselves."""
    for code in SICK:
        [itself] = world.server.folder.glob(f"models/{code}-en/base/model.*")
        address = f"{world.server.address}/{itself.relative_to(world.server.folder)}"
        world.server.faults[itself.name] = [redirected(address)]


def full_disk(world: World) -> None:
    """Let there be no room for the sick ones."""
    whole = fetching._unpack

    def unpack(file: RemoteFile, part: Path, place: Path) -> None:
        if any(f"{code}-en." in str(place) for code in SICK):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        whole(file, part, place)

    world.patch.setattr(fetching, "_unpack", unpack)


def two_servers(world: World) -> None:
    """Let another server fetch the same at the same time."""
    world.spoil(status(404))
    other = threading.Thread(target=world.fetch)
    other.start()
    world.fetch()
    other.join()
    asked = [world.server.asked[world.weights(code)] for code in world.codes[3:]]
    assert asked == [1] * len(asked)


def ended_by(number: signal.Signals) -> Callable[[World], object]:
    """Return a row: the process that downloads ends in the middle."""

    def row(world: World) -> None:
        world.spoil(hanging)
        code = (
            "from pathlib import Path\nfrom translator.downloads.fetching import *\n"
            "from translator.downloads.registry import *\n"
            f"registry = read_registry({world.server.address!r})\n"
            f"[*fetch_releases(registry, registry.releases, Path({str(world.folder)!r}))]\n"
        )
        process = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT)
        wait_until(lambda: len([*world.folder.glob("*-en")]) > 2)
        process.send_signal(number)
        process.wait()
        world.server.faults.clear()
        world.healed = True

    return row


ROWS: dict[str, Callable[[World], object]] = {
    "slow": file(slow),
    "cut off": file(truncated),
    "wrong sum": file(altered),
    "short": file(short),
    "wrong size": other_size,
    "404": file(status(404)),
    "500": file(status(500)),
    "a redirect loop": redirect_loop,
    "an HTML page": file(page),
    "no listener": file(redirected("http://127.0.0.1:1/weights")),
    "no address": file(redirected("http://[")),
    "no answer": file(silent),
    "hanging": file(hanging),
    "trickling": file(trickling),
    "a list that changes": changed_list,
    "a full disk": full_disk,
    "two servers in one folder": two_servers,
    "a restart in the middle": ended_by(signal.SIGTERM),
    "kill -9": ended_by(signal.SIGKILL),
}


@pytest.mark.parametrize("name", ROWS)
def test_every_healthy_language_comes(world: World, name: str) -> None:
    ROWS[name](world)
    failed = world.fetch()
    visible = world.visible()
    assert {f"{code}-en" for code in world.codes[3:]} <= {*visible}
    are_sick_here = not world.healed and name != "slow"
    sick = [f"{code}-en" for code in SICK]
    assert [code for code in sick if code in visible] == ([] if are_sick_here else sick)
    if are_sick_here:
        reasons = [failed[code] for code in sick]
        assert all(isinstance(reason, TranslatorError) for reason in reasons)
        assert not any("run the" in str(reason) for reason in reasons)
    world.patch.undo()
    world.server.faults.clear()
    world.patch.setenv("NO_PROXY", "127.0.0.1")
    world.fetch()
    assert len(world.visible()) == len(world.codes)
    assert not (world.folder / FETCHING).exists()
