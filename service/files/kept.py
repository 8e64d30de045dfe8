"""Translated files that wait to be fetched, for all workers in one folder."""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Callable
from pathlib import Path

from werkzeug.utils import secure_filename

from service.http.context import Context
from translator import write_durably

UNNAMED = "file"
MAX_NAME = 100
PRIVATE = 0o700
SWEEP_EVERY_S = 30.0


class Downloads:
    """Files under names that no one can guess, each until it is too old."""

    def __init__(
        self,
        folder: Path,
        *,
        max_files: int,
        max_bytes: int,
        keep_s: float,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Use a folder, which need not be there yet; other processes may use it as well.

        Each file is kept for `keep_s`; the oldest ones make room if there are more than `max_files`
        or `max_bytes`.
        """
        self._folder = folder
        self._max_files, self._max_bytes, self._keep_s = max_files, max_bytes, keep_s
        self._clock = clock
        self._swept_s = 0.0

    def add(self, name: str, content: bytes) -> str:
        """Keep a file and return what it is fetched by: something random, a dot, its name.

        The oldest others go until it has room; a file larger than all room is kept alone.
        """
        self._folder.mkdir(PRIVATE, parents=True, exist_ok=True)
        sane = secure_filename(name)[-MAX_NAME:].lstrip("._")  # cut in front: the ending stays
        stored = f"{uuid.uuid4()}.{sane or UNNAMED}"
        path, now_s = self._folder / stored, self._clock()
        write_durably(path, content)
        os.utime(path, (now_s, now_s))
        self.sweep(newest=path)
        return stored

    def find(self, stored: str) -> tuple[Path, str] | None:
        """Return the path and the name of a file; None if there is none, or no more."""
        random, dot, name = stored.partition(".")
        if not (random and dot and name) or secure_filename(stored) != stored:
            return None
        path = self._folder / stored
        try:
            is_young = self._clock() - path.stat().st_mtime < self._keep_s
        except OSError:
            return None
        return (path, name) if is_young else None

    def sweep_now_and_then(self) -> None:
        """Delete what is too old, if that was not done just now."""
        if self._clock() - self._swept_s >= SWEEP_EVERY_S:
            self.sweep()

    def sweep(self, newest: Path | None = None) -> None:
        """Delete what is too old or too much, the oldest first; `newest` stays in any case."""
        now_s = self._swept_s = self._clock()
        num_bytes = 0
        for num_files, (changed_s, size, path) in enumerate(sorted(self._all(), reverse=True), 1):
            num_bytes += size
            is_old = now_s - changed_s >= self._keep_s
            is_much = num_files > self._max_files or num_bytes > self._max_bytes
            if path != newest and (is_old or is_much):
                path.unlink(missing_ok=True)

    def _all(self) -> list[tuple[float, int, Path]]:
        """Return time, size and path of every file; another process may just have deleted one."""
        files = []
        paths = list(self._folder.iterdir()) if self._folder.is_dir() else []
        for path in paths:
            try:
                status = path.stat()
            except OSError:
                continue
            files.append((status.st_mtime, status.st_size, path))
        return files


def kept_files(context: Context) -> Downloads:
    """Return the translated files of an application."""
    config = context.config
    return Downloads(
        context.folder / "files",
        max_files=config.files_limit,
        max_bytes=config.files_bytes,
        keep_s=config.files_keep_s,
    )
