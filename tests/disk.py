"""What has been written for good: a disk has it, even if the power fails."""

from __future__ import annotations

import os
import resource
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import pytest

from translator import durable


class Synced:
    """Remembers the files and folders that someone has waited for."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._seen: list[tuple[int, int]] = []
        sync = os.fsync

        def remember(descriptor: int) -> None:
            sync(descriptor)
            about = os.fstat(descriptor)
            self._seen.append((about.st_dev, about.st_ino))

        monkeypatch.setattr(os, "fsync", remember)

    def __contains__(self, path: Path) -> bool:
        """Return whether the disk has what lies at a path now."""
        about = path.stat()
        return (about.st_dev, about.st_ino) in self._seen


@contextmanager
def small_disk(most_bytes: int) -> Iterator[None]:
    """Let no file grow beyond a size, as on a disk that is full; not for what pytest itself writes.

    Python gets the error "File too large", as it would get "No space left on device".
    """
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


class PowerCut(BaseException):
    """Ends everything at once, as a power cut would: no one cleans up."""


class FragileDisk:
    """Counts what is done to the disk, and cuts the power at one of these calls.

    What nobody has waited for by then is lost: half of a file's content, and new names.
    """

    def __init__(self, at: int | None = None) -> None:
        self.at, self.calls = at, list[str]()
        self._unsynced: dict[int, int] = {}  # inode → descriptor
        self._renamed: list[tuple[Path, Path, bytes | None]] = []

    def _count(self, name: str, half: Callable[[], object] = lambda: None) -> None:
        """Note a call, or cut the power in its middle; nothing works any more after that."""
        if self.at is not None and len(self.calls) >= self.at:
            if len(self.calls) == self.at:
                self.calls.append(name)
                half()
            raise PowerCut
        self.calls.append(name)

    @contextmanager
    def spun_up(self) -> Iterator[None]:
        """Let this disk be the one that is written to; with a cut, that is awaited."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(durable, "_created", self._created)
            patch.setattr(os, "fsync", self._wrapped(os.fsync, self._synced))
            patch.setattr(os, "replace", self._replaced(os.replace))
            patch.setattr(Path, "mkdir", self._wrapped(Path.mkdir))
            patch.setattr(Path, "unlink", self._wrapped(Path.unlink))
            patch.setattr(shutil, "rmtree", self._wrapped(shutil.rmtree, half=half_removed))
            if self.at is None:
                yield
            else:
                with pytest.raises(PowerCut):
                    yield
        if self.at is not None:
            self._lose()

    def _wrapped(
        self,
        function: Callable[..., Any],
        before: Callable[..., object] = lambda *_: None,
        half: Callable[..., object] = lambda *_: None,
    ) -> Callable[..., Any]:
        def call(*arguments: Any, **settings: Any) -> Any:
            self._count(function.__name__, lambda: half(*arguments))
            before(*arguments)
            return function(*arguments, **settings)

        return call

    def _created(self, path: Path) -> IO[bytes]:
        self._count("open")
        stream = path.open("wb")
        self._unsynced[os.fstat(stream.fileno()).st_ino] = os.dup(stream.fileno())
        write = stream.write

        class Stream:
            def __enter__(self) -> Any:
                return self

            def __exit__(self, *_: object) -> None:
                stream.close()

            def __getattr__(self, name: str) -> Any:
                return getattr(stream, name)

            def write(_, content: bytes) -> int:
                self._count("write", lambda: write(content[: len(content) // 2]))
                return write(content)

        return Stream()  # type: ignore[return-value]

    def _synced(self, descriptor: int) -> None:
        about = os.fstat(descriptor)
        if about.st_ino in self._unsynced:
            os.close(self._unsynced.pop(about.st_ino))
        self._renamed = [
            (old, new, content)
            for old, new, content in self._renamed
            if os.stat(new.parent).st_ino != about.st_ino
        ]

    def _replaced(self, replace: Callable[..., None]) -> Callable[..., None]:
        def call(old: Path, new: Path) -> None:
            self._count("replace")
            content = new.read_bytes() if new.is_file() else None
            replace(old, new)
            self._renamed.append((Path(old), Path(new), content))

        return call

    def _lose(self) -> None:
        for descriptor in self._unsynced.values():
            os.ftruncate(descriptor, os.fstat(descriptor).st_size // 2)
            os.close(descriptor)
        for old, new, content in reversed(self._renamed):
            if new.exists() and not old.exists():
                new.rename(old)
                if content is not None:
                    new.write_bytes(content)


def half_removed(folder: Path, **_: object) -> None:
    """Delete one file of a folder."""
    for path in sorted(Path(folder).rglob("*"))[:1]:
        if path.is_file():
            os.remove(path)
