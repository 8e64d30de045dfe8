"""Models are downloaded into a folder of model directories, and imported there when they are whole.

While a model is on its way, its files lie in the hidden folder `.fetching`, where an interrupted
download goes on. A lock keeps a second process waiting. What is there is visible only after all its
files have been checked and imported, by one renaming.
"""

from __future__ import annotations

import errno
import hashlib
import heapq
import logging
import math
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, NamedTuple

from translator.downloads.registry import Registry, Release, RemoteFile, looks_like_a_page
from translator.downloads.sources import Opened, Restart, Unreachable
from translator.durable import FULL
from translator.errors import DownloadError, ModelDirectoryError, TranslatorError
from translator.files import OPENERS
from translator.store.imports.archives import ERRORS
from translator.store.imports.importing import import_model
from translator.store.installed import InstalledModel, is_model_directory, read_installed

AT_ONCE = 3
"""Models whose files are downloaded at the same time."""

PAUSES_S = (1.0, 3.0, 9.0)
"""Before each further try of a model, while others go on."""

SLOWEST_BYTES, SLOWEST_AFTER_S = 1000, 30.0
"""Bytes a second; after so long, a file that comes more slowly counts as broken off."""

FETCHING, LOCK, PART = ".fetching", ".lock", ".part"
DOWNLOADED = "downloaded"
"""Of a card: where the model comes from, and the SHA-256 of its weights there."""

ROOM = 4
"""Times the size of its weights that a model takes on disk while it is being imported."""

MEGABYTE = 10**6
SPARE_BYTES = 64 * MEGABYTE

MAGIC = {".gz": b"\x1f\x8b", ".zst": b"\x28\xb5\x2f\xfd", ".xz": b"\xfd7zXZ"}
"""How packed files begin."""

log = logging.getLogger(__name__)


class Watcher:
    """Is told what happens, by several threads at once; does nothing with it."""

    def waits(self, why: str) -> None:
        """Another process has the folder."""

    def received(self, release: Release, done: int, total: int) -> None:
        """So many bytes of a model have come, of so many; 0 if that is not known yet."""

    def imports(self, release: Release) -> None:
        """All files of a model are there; it is being imported."""

    def tries_again(self, release: Release, why: str, pause_s: float) -> None:
        """A file could not be fetched, and will be tried again after a pause."""


class Fetched(NamedTuple):
    """What became of a release."""

    release: Release  # which one
    result: Path | TranslatorError  # the model directory made of it, or why there is none


@dataclass(frozen=True, kw_only=True, slots=True)
class Downloaded:
    """A model directory that came from a registry, and the SHA-256 of its weights there."""

    model: InstalledModel
    sha256: str


def downloaded_models(folder: Path) -> list[Downloaded]:
    """Return the models in a folder that came from a registry, but for damaged ones."""
    models = list[Downloaded]()
    for path in sorted(folder.iterdir()) if folder.is_dir() else []:
        if path.name.startswith(".") or not is_model_directory(path):
            continue
        try:
            model = read_installed(path)
        except ModelDirectoryError:
            continue
        origin = model.card.get(DOWNLOADED)
        if isinstance(origin, Mapping):
            models.append(Downloaded(model=model, sha256=str(origin.get("sha256", ""))))
    return models


def missing_in(folder: Path, releases: Sequence[Release]) -> list[Release]:
    """Return those releases that a folder does not have, or not in this version."""
    here = _versions(folder)
    return [release for release in releases if (release.pair, release.weights.sha256) not in here]


def downloaded_pairs(folder: Path) -> set[tuple[str, str]]:
    """Return the directions of the models in a folder that came from a registry."""
    return {pair for pair, _ in _versions(folder)}


def _versions(folder: Path) -> set[tuple[tuple[str, str], str]]:
    """Return these directions, with the SHA-256 of the weights."""
    found = downloaded_models(folder)
    return {(pair, one.sha256) for one in found for pair in one.model.description.pairs}


def newer_than(folder: Path, registry: Registry) -> list[Release]:
    """Return the releases that are other versions of models that a folder has downloaded."""
    here = downloaded_pairs(folder)
    return missing_in(folder, [release for release in registry.releases if release.pair in here])


def announced(registry: Registry, releases: Sequence[Release]) -> str:
    """Return what to say before some releases of a registry are downloaded."""
    num_bytes = sum(release.weights.num_bytes for release in releases)
    models = "1 model" if len(releases) == 1 else f"{len(releases)} models"
    size = f"{num_bytes / MEGABYTE:.1f} MB"
    return f"downloading {models}, with weights of {size}, from {registry.source.address}"


def fetch_releases(
    registry: Registry,
    releases: Sequence[Release],
    folder: Path,
    watcher: Watcher | None = None,
    pauses_s: Sequence[float] = PAUSES_S,
) -> Iterator[Fetched]:
    """Download models that a folder does not have, and import each as soon as it is whole.

    Yield what became of each, in the order of their arrival; each fails by itself. Only a registry
    that cannot be reached at all is not asked anew for each. The folder is made if it does not
    exist; `pauses_s` are those before each further try of a model.

    Raises:
        DownloadError: the folder cannot be written to.
    """
    watcher = watcher or Watcher()
    with locked(folder, watcher.waits):
        for done in downloaded_models(folder):  # as after a process that was killed
            for rest in (folder / FETCHING).glob(f"*.{done.sha256[:12]}"):
                shutil.rmtree(rest, ignore_errors=True)
        run = _Run(registry, folder, watcher)
        try:
            downloads = [_Download(run, one, pauses_s) for one in missing_in(folder, releases)]
            yield from _fetched(downloads, run)
        finally:
            run.stop.set()
            run.pool.shutdown(cancel_futures=True)
            with suppress(OSError):  # it is not empty
                (folder / FETCHING).rmdir()


def _fetched(downloads: Iterable[_Download], run: _Run) -> Iterator[Fetched]:
    """Yield what became of downloads; those that are tried again come behind all others."""
    waiting = [(0.0, number, download) for number, download in enumerate(downloads)]
    running = dict[Future[Path], tuple[int, _Download]]()
    while waiting or running:
        now_s = time.monotonic()
        while waiting and waiting[0][0] <= now_s:
            _, number, download = heapq.heappop(waiting)
            running[run.pool.submit(download.run)] = number, download
        due_s = waiting[0][0] - now_s if waiting else None
        if not running:
            run.stop.wait(due_s)
        for work in wait(running, due_s, FIRST_COMPLETED).done:
            number, download = running.pop(work)
            pause_s = download.pause_after(work.exception())
            if pause_s is None:
                yield Fetched(download.release, download.made_of(work))
            else:
                heapq.heappush(waiting, (time.monotonic() + pause_s, number, download))


def place_for(folder: Path, name: str) -> Path:
    """Return where a downloaded model goes: never in the place of one that came otherwise."""
    place = folder / name
    if place.exists() and not any(
        downloaded.model.path == place for downloaded in downloaded_models(folder)
    ):
        return folder / f"{name}-{DOWNLOADED}"
    return place


@contextmanager
def locked(folder: Path, waits: Callable[[str], None]) -> Iterator[None]:
    """Be the only process that downloads into a folder; `waits` is called once if another one does.

    Raises:
        DownloadError: the folder cannot be written to.
    """
    from filelock import FileLock, Timeout

    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder / LOCK)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            waits(f"{folder}: another process is downloading into it; waiting for it to finish")
            lock.acquire()
    except OSError as error:
        raise _disk_error(error, folder) from error
    try:
        yield
    finally:
        lock.release()


def _disk_error(error: OSError, folder: Path) -> DownloadError:
    if error.errno in FULL:
        return DownloadError(f"{folder}: the disk is full; make room, and try again")
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return DownloadError(
            f"{folder}: may not be written to; name another folder with --folder or TRANSLATOR_HOME"
        )
    return DownloadError(f"{error.filename or folder}: {error.strerror or error}")


@dataclass(slots=True, eq=False)
class _Run:
    """What the downloads of one call share."""

    registry: Registry
    folder: Path  # of models
    watcher: Watcher
    stop: threading.Event = field(default_factory=threading.Event)
    pool: ThreadPoolExecutor = field(
        default_factory=lambda: ThreadPoolExecutor(AT_ONCE, thread_name_prefix="download")
    )
    away: Unreachable | None = None  # why the registry could not be reached just now
    again_s: float = 0.0  # when it is asked again


class NotTried(DownloadError):
    """The registry could not be reached a moment ago."""


class _Download:
    def __init__(self, run: _Run, release: Release, pauses_s: Sequence[float]) -> None:
        self.release, self._run, self._pauses_s = release, run, iter(pauses_s)
        self._watcher, self._models = run.watcher, run.folder
        self._folder = run.folder / FETCHING / f"{release.name}.{release.weights.sha256[:12]}"
        self._counts = dict[str, tuple[int, int]]()  # bytes that have come, of how many, by file

    def made_of(self, work: Future[Path]) -> Path | TranslatorError:
        """Import what has been downloaded; return the model directory, or why there is none."""
        try:
            files = work.result()
            self._watcher.imports(self.release)
            return self._import(files)
        except TranslatorError as error:
            return error
        except OSError as error:
            return _disk_error(error, self._models)

    def pause_after(self, error: BaseException | None) -> float | None:
        """Return how long to wait before the next try; None if there is none."""
        run, now_s = self._run, time.monotonic()
        if isinstance(error, NotTried):
            return None if run.again_s == math.inf else max(0.0, run.again_s - now_s)
        if not isinstance(error, DownloadError) or not error.is_passing:
            return None
        pause_s = next(self._pauses_s, None)
        if isinstance(error, Unreachable) and error.host == run.registry.source.host:
            is_given_up = pause_s is None and run.away is not None  # nobody has had an answer since
            run.away, run.again_s = error, math.inf if is_given_up else now_s + (pause_s or 0)
        if pause_s is not None:
            self._watcher.tries_again(self.release, str(error), pause_s)
        return pause_s

    def _import(self, files: Path) -> Path:
        """Make a model directory of files, and delete them; whole ones and damaged ones."""
        release, address = self.release, self._run.registry.source.address
        place, weights = place_for(self._models, release.name), release.weights
        origin = {"registry": address, "path": weights.path, "sha256": weights.sha256}
        about = {**origin, "kind": release.kind, "flores200": {release.name: {**release.scores}}}
        card = {"origin": f"{address}/{weights.path}", DOWNLOADED: about}
        try:
            import_model(
                str(files), place, languages=release.pair, licence=release.licence, card=card
            )
        finally:
            shutil.rmtree(files, ignore_errors=True)
        return place

    def run(self) -> Path:
        """Fetch all files, unpacked and checked; return the folder that they are in.

        Raises:
            DownloadError: one of them cannot be had, or is not what was promised.
        """
        try:
            if (away := self._run.away) and time.monotonic() < self._run.again_s:
                raise NotTried(f"not tried yet; {away}", is_passing=True)
            self._folder.mkdir(parents=True, exist_ok=True)
            for former in self._folder.parent.glob(f"{self.release.name}.*"):
                if former != self._folder:
                    shutil.rmtree(former, ignore_errors=True)
            self._check_room()
            for file in (self.release.weights, *self.release.others):
                self._fetch(file)
        except OSError as error:
            if error.errno == errno.ENOSPC:
                shutil.rmtree(self._folder, ignore_errors=True)  # gives room back
            raise _disk_error(error, self._models) from error
        return self._folder

    def _check_room(self) -> None:
        needed = ROOM * self.release.weights.num_bytes + SPARE_BYTES
        free = shutil.disk_usage(self._folder).free
        if free < needed:
            raise DownloadError(
                f"{self._models}: {needed // MEGABYTE} MB are needed for {self.release.name}, and "
                f"{free // MEGABYTE} MB are free; make room, and try again"
            )

    def _fetch(self, file: RemoteFile) -> None:
        """Fetch a file that is not there yet; continue what has broken off."""
        place = self._folder / _unpacked_name(file)
        if place.exists():
            return  # it was checked before it got this name
        part = self._folder / (file.path.rpartition("/")[2] + PART)
        was_resumed = part.exists()
        try:
            self._receive(file, part)
            _unpack(file, part, place)
        except (Damaged, Restart):
            part.unlink(missing_ok=True)
            if not was_resumed:
                raise
            self._fetch(file)  # its beginning may be of another version

    def _receive(self, file: RemoteFile, part: Path) -> None:
        start = part.stat().st_size if part.exists() else 0
        with self._run.registry.source.open(file.path, start) as opened:
            self._run.away = None
            if opened.start != start:
                start = 0
            if opened.total > file.most_bytes + SPARE_BYTES:
                raise DownloadError(
                    f"{file.path}: {opened.total} bytes instead of {file.most_bytes} at most; "
                    "refused"
                )
            with part.open("r+b" if start else "wb") as sink:
                sink.truncate(start)
                sink.seek(start)
                self._copy(opened, file, sink, start)

    def _copy(self, opened: Opened, file: RemoteFile, sink: IO[bytes], start: int) -> None:
        done, begun_s = start, time.monotonic()
        self._note(file, done, opened.total)
        for block in opened.blocks:
            if self._run.stop.is_set():
                raise DownloadError(f"{file.path}: was interrupted", is_passing=True)
            sink.write(block)
            done += len(block)
            if done > file.most_bytes + SPARE_BYTES:
                raise DownloadError(f"{file.path}: more bytes than promised; refused")
            self._note(file, done, opened.total)
            passed_s = time.monotonic() - begun_s
            if passed_s > SLOWEST_AFTER_S and done - start < SLOWEST_BYTES * passed_s:
                raise DownloadError(f"{file.path}: comes too slowly", is_passing=True)
        if opened.total and done < opened.total:
            raise DownloadError(f"{file.path}: the connection broke off", is_passing=True)

    def _note(self, file: RemoteFile, done: int, total: int) -> None:
        self._counts[file.path] = done, total
        done, total = (sum(counts) for counts in zip(*self._counts.values(), strict=True))
        self._watcher.received(self.release, done, total)


class Damaged(DownloadError):
    """What came is not what the registry promised."""


def _unpacked_name(file: RemoteFile) -> str:
    name = file.path.rpartition("/")[2]
    stem, dot, ending = name.rpartition(".")
    return stem if f"{dot}{ending}" in OPENERS else name


def _unpack(file: RemoteFile, part: Path, place: Path) -> None:
    """Unpack a file that is whole, compare it with the registry, and give it its name.

    Raises:
        Damaged: it is cut off, altered, or something else.
    """
    ending = file.path[file.path.rfind(".") :]
    fresh = place.with_name(f"{place.name}.new")
    _check_beginning(file, part, ending)
    digest, num_bytes = hashlib.sha256(), 0
    try:
        with OPENERS.get(ending, open)(part, "rb") as source, fresh.open("wb") as sink:
            while block := source.read(1 << 20):
                num_bytes += len(block)
                if num_bytes > file.most_bytes:
                    raise Damaged(f"{file.path}: grows beyond {file.most_bytes} bytes; refused")
                digest.update(block)
                sink.write(block)
            sink.flush()
            os.fsync(sink.fileno())
    except ERRORS as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise Damaged(
            f"{file.path}: is damaged ({error}); fetched again", is_passing=True
        ) from error
    if file.num_bytes and num_bytes != file.num_bytes:
        raise Damaged(f"{file.path}: has {num_bytes} bytes, not {file.num_bytes}", is_passing=True)
    if file.sha256 and digest.hexdigest() != file.sha256:
        raise Damaged(
            f"{file.path}: has another SHA-256 than the registry says; the file is altered, or the "
            "registry is out of date",
            is_passing=True,
        )
    fresh.replace(place)
    part.unlink()


def _check_beginning(file: RemoteFile, part: Path, ending: str) -> None:
    with part.open("rb") as stream:
        begins = stream.read(64)
    magic = MAGIC.get(ending, b"")
    if begins.startswith(magic) and (magic or not looks_like_a_page(begins)):
        return
    if looks_like_a_page(begins):
        raise Damaged(
            f"{file.path}: a web page came in its place, perhaps from a proxy; check HTTPS_PROXY"
        )
    raise Damaged(f"{file.path}: is damaged, or no {ending} file", is_passing=True)
