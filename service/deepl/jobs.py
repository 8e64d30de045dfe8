"""Files that are being translated, for all workers in one folder: each is a small file of JSON.

A worker holds a lock of the system on the job that it works on. So everyone can tell that a worker
has gone, and its job with it.
"""

from __future__ import annotations

import dataclasses
import fcntl
import hashlib
import hmac
import json
import os
import re
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from service.storage import lock
from translator import write_durably

ID_BYTES, KEY_BYTES = 16, 32
ID = re.compile(r"[0-9A-F]{32}")
PRIVATE = 0o700
GONE = "The server was restarted before the document was translated; send it again"
Status = Literal["working", "done", "failed"]


@dataclass(frozen=True, kw_only=True, slots=True)
class FileJobState:
    """What has become of a job.

    Attributes:
        status: `working`, `done` or `failed`.
        digest: of the key by which it is asked for.
        num_characters: that were to be translated.
        stored: what the translated file is fetched by, once it is done.
        error: why it has failed.
    """

    status: Status
    digest: str
    num_characters: int = 0
    stored: str = ""
    error: str = ""


class FileJob:
    """A job in hand, of one process.

    Attributes:
        id: by which it is asked for.
        key: that must come with the ID.
    """

    def __init__(self, folder: Path, num_characters: int) -> None:
        self.id = secrets.token_hex(ID_BYTES).upper()
        self.key = secrets.token_hex(KEY_BYTES).upper()
        self._path = folder / f"{self.id}.json"
        self._state = FileJobState(
            status="working", digest=_digest(self.key), num_characters=num_characters
        )
        self._lock = os.open(_lock_of(self._path), os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        self._write(self._state)

    def finish(self, stored: str) -> None:
        """Say that the translated file is kept."""
        self._end(dataclasses.replace(self._state, status="done", stored=stored))

    def fail(self, error: str) -> None:
        """Say that there will be no translated file, and why."""
        self._end(dataclasses.replace(self._state, status="failed", error=error))

    def _end(self, state: FileJobState) -> None:
        self._write(state)
        os.close(self._lock)
        _lock_of(self._path).unlink(missing_ok=True)

    def _write(self, state: FileJobState) -> None:
        write_durably(self._path, json.dumps(dataclasses.asdict(state)).encode())


class FileJobs:
    """The jobs of all workers, each until it is too old."""

    def __init__(
        self,
        folder: Path,
        *,
        max_jobs: int,
        keep_s: float,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Use a folder, which need not be there yet.

        Args:
            folder: that other processes may use as well.
            max_jobs: kept at once, but for those that are worked on.
            keep_s: how long what has become of a job is kept.
            clock: as `time.time`.
        """
        self._folder, self._clock = folder, clock
        self._max_jobs, self._keep_s = max_jobs, keep_s

    def begin(self, num_characters: int) -> FileJob:
        """Return a new job, and forget those that are too old or too many."""
        self._folder.mkdir(PRIVATE, parents=True, exist_ok=True)
        ages_s = sorted((self._age_s(path), path) for path in self._folder.glob("*.json"))
        for number, (age_s, path) in enumerate(ages_s, start=1):
            is_too_much = number >= self._max_jobs or age_s >= self._keep_s
            if is_too_much and not _is_held(path):
                path.unlink(missing_ok=True)
                _lock_of(path).unlink(missing_ok=True)
        return FileJob(self._folder, num_characters)

    def find(self, job_id: str, key: str) -> FileJobState | None:
        """Return what has become of a job; None if there is none, or the key is another one's."""
        if not ID.fullmatch(job_id):
            return None
        path = self._folder / f"{job_id}.json"
        is_held = _is_held(path)  # before the state: what ends in between has ended well
        try:
            state = FileJobState(**json.loads(path.read_text()))
        except OSError:
            return None
        if not hmac.compare_digest(state.digest, _digest(key)):
            return None
        if state.status == "working" and not is_held:
            return dataclasses.replace(state, status="failed", error=GONE)
        return state

    def _age_s(self, path: Path) -> float:
        """Return how long ago a job has changed; another process may just have deleted it."""
        try:
            return self._clock() - path.stat().st_mtime
        except OSError:
            return 0.0


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8", "backslashreplace")).hexdigest()


def _lock_of(path: Path) -> Path:
    return path.with_suffix(".lock")


def _is_held(path: Path) -> bool:
    """Whether a living process works on a job."""
    try:
        descriptor = os.open(_lock_of(path), os.O_RDWR)
    except OSError:
        return False
    try:
        return not lock(descriptor)
    finally:
        os.close(descriptor)
