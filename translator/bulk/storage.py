"""Files by path or `fsspec` URL: those to read, and a folder in which files appear as a whole."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple

import fsspec
from fsspec.implementations.local import LocalFileSystem

from translator.durable import replacing
from translator.errors import InputError

UNFINISHED = "_unfinished"
"""Files whose names begin with `_` or `.` are left out by those who read a folder of tables."""


class InputFile(NamedTuple):
    """A file to be translated."""

    url: str  # its path, or URL for `fsspec`
    num_bytes: int  # its size
    version: str  # what changes when its contents do: a tag, or the time of the last change


def find_files(place: str) -> list[InputFile]:
    """Return the files of a path or URL, by name: one, all below a folder, or those of a pattern.

    A pattern may have `*`, `?`, `[` and `**`. Below a folder, names that begin with `_` or `.` do
    not count.

    Raises:
        InputError: there are none, or no package for this kind of URL is installed.
    """
    files, path = _filesystem(place)
    if any(sign in path for sign in "*?["):
        entries = files.glob(path, detail=True)
    elif files.isdir(path):
        entries = {
            name: about
            for name, about in files.find(path, detail=True).items()
            if not any(part.startswith(("_", ".")) for part in name.removeprefix(path).split("/"))
        }
    elif files.isfile(path):
        entries = {path: files.info(path)}
    else:
        raise InputError(f"{place}: no such file or folder")
    about_files = {
        name: about for name, about in entries.items() if about.get("type") != "directory"
    }
    if not about_files:
        raise InputError(f"{place}: no files found")
    return [
        InputFile(
            url=name if _is_local(files) else _url_of(name, files, place.rstrip("/"), path),
            num_bytes=int(about.get("size") or 0),
            version=_version(about),
        )
        for name, about in sorted(about_files.items())
    ]


@contextmanager
def reading(url: str) -> Iterator[IO[bytes]]:
    """Open a file for reading."""
    files, path = _filesystem(url)
    files.invalidate_cache()  # it may remember a folder as it was
    with files.open(path, "rb") as stream:
        yield stream


class OutputFolder:
    """A folder whose files appear as a whole, under their final names, or not at all.

    What is being written lies in a folder of its own, under a name that no other writer has. Two
    writers of the same file do no harm to each other: the last one wins.
    """

    def __init__(self, url: str) -> None:
        self._files, self._path = _filesystem(url)
        self.url = self._path if _is_local(self._files) else url.rstrip("/")

    def names(self) -> set[str]:
        """Return the names of the files in it; none if there is no such folder."""
        self._files.invalidate_cache()
        try:
            paths = self._files.ls(self._path, detail=False)
        except FileNotFoundError:
            return set()
        return {name.rstrip("/").rpartition("/")[2] for name in paths}

    def has(self, name: str) -> bool:
        """Return whether a file is there."""
        self._files.invalidate_cache()
        return bool(self._files.exists(f"{self._path}/{name}"))

    @contextmanager
    def writing(self, name: str) -> Iterator[IO[bytes]]:
        """Write a file; it appears when the context ends without an error.

        Raises:
            OSError: it cannot be written.
        """
        final = f"{self._path}/{name}"
        temporary = f"{self._path}/{UNFINISHED}/{uuid.uuid4().hex}-{name.replace('/', '-')}"
        for path in (temporary, final):
            self._files.makedirs(path.rpartition("/")[0], exist_ok=True)
        if _is_local(self._files):
            with replacing(Path(final), temporary=Path(temporary)) as stream:
                yield stream
            return
        try:
            with self._files.open(temporary, "wb") as stream:
                yield stream
            self._files.mv(temporary, final)
        except BaseException:
            with contextlib.suppress(Exception):
                self._files.rm_file(temporary)
            raise

    def read_json(self, name: str) -> Any:
        """Return what a file of JSON holds; None if there is no such file.

        Raises:
            InputError: it is damaged.
        """
        self._files.invalidate_cache()
        try:
            with self._files.open(f"{self._path}/{name}", "rb") as stream:
                return json.loads(stream.read())
        except FileNotFoundError:
            return None
        except ValueError as error:
            raise InputError(
                f"{self.url}/{name}: is damaged ({error}); name another folder with --out"
            ) from error

    def write_json(self, name: str, value: object) -> None:
        """Write a file of JSON."""
        with self.writing(name) as stream:
            stream.write(json.dumps(value, ensure_ascii=False).encode())

    def clear_unfinished(self) -> None:
        """Delete what writers have left after who were killed."""
        with contextlib.suppress(OSError):
            self._files.rm(f"{self._path}/{UNFINISHED}", recursive=True)


def own_folder(name: str) -> Path:
    """Return a folder of this user's below that for temporary files; make it if need be.

    Raises:
        PermissionError: somebody else has made it.
    """
    path = Path(tempfile.gettempdir()) / f"{name}-{os.getuid()}"
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    if path.is_symlink() or path.stat().st_uid != os.getuid():
        raise PermissionError(f"{path}: is somebody else's; set TMPDIR to another folder")
    return path


def _filesystem(url: str) -> tuple[Any, str]:
    """Return the file system of a URL, and the path within it."""
    try:
        files, path = fsspec.core.url_to_fs(url)
    except (ImportError, ValueError) as error:
        raise InputError(f"{url}: cannot be opened: {error}") from error
    return files, str(path).rstrip("/") or "/"


def _url_of(name: str, files: Any, place: str, path: str) -> str:
    """Return the URL of a name that was found by another one; it may have a host and a user."""
    if path == "/" or place.endswith(path):
        return place.removesuffix(path) + name
    return str(files.unstrip_protocol(name))


def _is_local(files: Any) -> bool:
    return isinstance(files, LocalFileSystem)


def _version(about: dict[str, Any]) -> str:
    """Return what tells two states of a file apart, as far as its file system knows."""
    names = ("ETag", "etag", "mtime", "LastModified", "last_modified", "modify", "created")
    return next((str(about[name]) for name in names if about.get(name)), "")
