"""One worker of all has a thread for downloads, the one that holds a lock.

It starts `python -m service.operations.download_process`, which downloads into the user's folder of
models. If something fails, it is tried again, with growing pauses. How far it is, it writes into a
file that all workers read.
"""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypedDict

from filelock import FileLock, Timeout

from translator import write_durably

if TYPE_CHECKING:
    from translator import Pair


STATE, WANTED = "downloads.json", "wanted"
FAILED = "not downloaded"
"""How a line of the downloading process begins that is a warning."""


class DownloadOrder(TypedDict):
    """What the downloading process is told: see `Fetcher`; `have` are the pairs that are here."""

    folder: str
    codes: Sequence[str]
    have: Sequence[Pair]
    update: bool
    offers: bool


@dataclass(slots=True)
class Progress:
    """How far a language is.

    Attributes:
        done: bytes that have come.
        total: bytes of the files that are known so far.
        error: why it has failed; it is tried again.
    """

    state: Literal["waiting", "downloading", "importing", "done", "failed"] = "waiting"
    done: int = 0
    total: int = 0
    error: str = ""


@dataclass(slots=True)
class State:
    """What has been downloaded since the server started, and what is being downloaded.

    Attributes:
        languages: that are wanted, by code.
        available: all languages that could be downloaded.
        downloaded: models that have come.
        failed: names of models that could not be downloaded, and of the list of models, each once.
        error: why nothing can be downloaded at all.
    """

    languages: dict[str, Progress] = field(default_factory=dict)
    available: list[str] = field(default_factory=list)
    downloaded: int = 0
    failed: list[str] = field(default_factory=list)
    error: str = ""

    def count_failure(self, name: str) -> None:
        """Note what could not be downloaded, once."""
        if name not in self.failed:
            self.failed.append(name)


def read_state(folder: Path) -> State:
    """Return what the downloading process has written down last."""
    try:
        fields = json.loads((folder / STATE).read_text(encoding="utf-8"))
        fields["languages"] = {
            code: Progress(**progress) for code, progress in fields["languages"].items()
        }
        return State(**fields)
    except (OSError, ValueError, TypeError):  # TypeError: another version has written it
        return State()


def write_state(folder: Path, state: State) -> None:
    """Write it down, for whoever reads at any time."""
    write_durably(folder / STATE, json.dumps(asdict(state)).encode())


def want(folder: Path, code: str) -> None:
    """Let a language be downloaded."""
    (folder / WANTED).mkdir(parents=True, exist_ok=True)
    (folder / WANTED / code).touch()


log = logging.getLogger("service.start.models")
LEADER = "downloads.lock"
LOOK_EVERY_S = 0.5
FIRST_PAUSE_S, LONGEST_PAUSE_S = 5.0, 3600.0
_ROOT = Path(__file__).parents[2]


class Fetcher:
    """Has models downloaded, in one worker of all."""

    def __init__(
        self,
        folder: Path,
        codes: Sequence[str],
        directions: Callable[[], Iterable[Pair]],
        *,
        update: bool = False,
        offers: bool = False,
    ) -> None:
        """Prepare; `start` begins.

        The codes are wanted from the beginning, and `directions` returns the pairs that there are
        models for. With `update`, newer releases of downloaded models are wanted; with `offers`, it
        finds out what else could be had.
        """
        self._folder, self._codes, self._directions = folder, tuple(codes), directions
        self._update, self._offers = update, offers
        self._is_over = threading.Event()
        self._process: subprocess.Popen[str] | None = None
        self._thread = threading.Thread(target=self._run, name="service-downloads", daemon=True)

    def start(self) -> None:
        """Begin, or wait for the worker that has begun to end."""
        self._thread.start()

    def stop(self) -> None:
        """End the downloading process; what it has is kept, to be continued."""
        self._is_over.set()
        if self._process is not None:
            self._process.terminate()

    def _run(self) -> None:
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._take_turns(FileLock(self._folder / LEADER))
        except OSError as error:
            reason = error.strerror or error
            log.error("%s: %s; nothing is downloaded until the next start", self._folder, reason)

    def _take_turns(self, lock: FileLock) -> None:
        while not self._is_over.is_set():
            with suppress(Timeout), lock.acquire(timeout=0):
                self._lead()
            self._is_over.wait(LOOK_EVERY_S)

    def _lead(self) -> None:
        done, failed, retry_at_s, pause_s = None, None, 0.0, FIRST_PAUSE_S
        while not self._is_over.wait(LOOK_EVERY_S if done or failed else 0):
            codes = self._wanted()
            if codes == done or (codes == failed and time.monotonic() < retry_at_s):
                continue
            if self._fetch(codes):
                done, failed, pause_s = codes, None, FIRST_PAUSE_S
            elif not self._is_over.is_set():
                pause_s = min(2 * pause_s, LONGEST_PAUSE_S) if failed == codes else FIRST_PAUSE_S
                done, failed, retry_at_s = None, codes, time.monotonic() + pause_s
                log.warning("downloads are tried again in %.0f s", pause_s)

    def _wanted(self) -> tuple[str, ...]:
        with suppress(OSError):
            added = sorted(path.name for path in (self._folder / WANTED).iterdir())
            return (*self._codes, *(code for code in added if code not in self._codes))
        return self._codes

    def _fetch(self, codes: Sequence[str]) -> bool:
        """Download what is missing; return whether all has come."""
        order: DownloadOrder = {
            "folder": str(self._folder),
            "codes": codes,
            "have": [*self._directions()],
            "update": self._update,
            "offers": self._offers,
        }
        self._process = subprocess.Popen(
            [sys.executable, "-m", "service.operations.download_process"],
            cwd=_ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        stdin, log_lines = self._process.stdin, self._process.stderr
        assert stdin
        assert log_lines
        with suppress(BrokenPipeError), stdin:  # it may have been ended meanwhile
            stdin.write(json.dumps(order))
        with log_lines:
            for line in log_lines:
                level = logging.WARNING if line.startswith(FAILED) else logging.INFO
                log.log(level, "%s", line.rstrip())
        return self._process.wait() == 0
