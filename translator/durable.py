"""Files and folders that appear whole or not at all, and that stay after a power cut.

Each is written under a temporary name, waited for until the disk has it, and renamed; then the
folder around it is waited for. A process that is killed leaves at most temporary names behind,
which `tidy` puts in order.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

TEMPORARY, FORMER, LEAVING = ".tmp", ".old", ".gone"
"""Endings of hidden names: what is not whole yet, what is being replaced, what is being deleted."""

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class NoRoomError(OSError):
    """A disk is full; the message says how much a file needs."""


def write_durably(path: Path, content: bytes) -> None:
    """Write a file, and wait until the disk has it; at any moment it is the old one or the new one.

    A file that has this content already is left alone.

    Raises:
        OSError: the disk refuses; the error names the file, and the old file is as it was.
    """
    if path.is_file() and path.stat().st_size == len(content) and path.read_bytes() == content:
        return
    with replacing(path, len(content)) as stream:
        stream.write(content)


@contextmanager
def replacing(path: Path, num_bytes: int = 0, temporary: Path | None = None) -> Iterator[IO[bytes]]:
    """Give a stream whose content becomes that of a file at the end, as `write_durably` does.

    What is no ordinary file, such as `/dev/stdout`, is written as it comes. The size is 0 if no one
    knows. At first the file is written as `temporary`, by default a hidden name beside it.

    Raises:
        OSError: the disk refuses; the error names the file, and the old file is as it was.
    """
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file():
        with path.open("wb") as stream:
            yield stream
        return
    temporary = temporary or _hidden(path, TEMPORARY)
    with telling(path, num_bytes):
        try:
            with _created(temporary) as stream:
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
            os.replace(temporary, path)
        except Exception:
            temporary.unlink(missing_ok=True)
            raise
        _sync(path.parent)


@contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """Give an empty folder to fill, which takes the place of `folder` at the end.

    Raises:
        OSError: the disk refuses; the error names the file, and the old folder is as it was.
    """
    _restore(folder)
    temporary, former = _hidden(folder, TEMPORARY), _hidden(folder, FORMER)
    shutil.rmtree(temporary, ignore_errors=True)
    with telling(folder):
        try:
            temporary.mkdir(parents=True)
            yield temporary
            for path in (*sorted(temporary.rglob("*")), temporary):
                _sync(path)
            if folder.exists():
                os.replace(folder, former)
            try:
                os.replace(temporary, folder)
            except OSError:
                _restore(folder)
                raise
        except Exception:
            shutil.rmtree(temporary, ignore_errors=True)
            raise
        _sync(folder.parent)
    shutil.rmtree(former, ignore_errors=True)


def remove_folder(folder: Path) -> None:
    """Delete a folder; at any moment all of it is there, or none of it under its name."""
    leaving = _hidden(folder, LEAVING)
    shutil.rmtree(leaving, ignore_errors=True)
    os.replace(folder, leaving)
    shutil.rmtree(leaving)


def tidy(folder: Path) -> None:
    """Put in order what processes that were killed have left in a folder, and in those inside it.

    No other process may be writing there.
    """
    for path in sorted(folder.rglob(".*")):
        if not path.exists():
            continue  # it lay in a folder that has been removed by now
        if path.suffix == FORMER:
            _restore(path.with_name(path.name[1 : -len(FORMER)]))
        elif path.suffix in (TEMPORARY, LEAVING):
            shutil.rmtree(path) if path.is_dir() else path.unlink()


@contextmanager
def telling(path: Path, num_bytes: int = 0, flag: str = "") -> Iterator[None]:
    """Let an error of the disk name the file, and say what it needs if there is no room.

    The size is 0 if no one knows. With `flag`, the command goes on where it was.
    """
    try:
        yield
    except NoRoomError:
        raise
    except OSError as error:
        reason = error.strerror or str(error)
        if error.errno in FULL:
            needed = f"it takes {_megabytes(num_bytes)}, and " if num_bytes else ""
            free = _megabytes(shutil.disk_usage(_nearest(path)).free)
            again = f"again with {flag}" if flag else "again"
            reason += (
                f" ({needed}{free} are free); free some space, and run the same command {again}"
            )
            raise NoRoomError(error.errno, reason, str(path)) from error
        if error.filename is None and error.errno is not None:
            raise OSError(error.errno, reason, str(path)) from error
        raise


def _created(path: Path) -> IO[bytes]:
    return path.open("wb")


def _sync(path: Path) -> None:
    """Wait until the disk has a file, or the names in a folder."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _restore(folder: Path) -> None:
    """Put a folder back whose exchange was cut off half-way; remove what has been replaced."""
    former = _hidden(folder, FORMER)
    if former.exists() and not folder.exists():
        os.replace(former, folder)
    shutil.rmtree(former, ignore_errors=True)


def _hidden(path: Path, ending: str) -> Path:
    return path.with_name(f".{path.name}{ending}")


def _megabytes(num_bytes: int) -> str:
    return f"{num_bytes / 1e6:,.1f} MB"


def _nearest(path: Path) -> Path:
    """Return the innermost folder around a path that is there."""
    return next(folder for folder in path.absolute().parents if folder.is_dir())
