"""Packed models: zip files of Argos and OPUS-MT, tar files, and `.gz` and `.zst` of Mozilla."""

from __future__ import annotations

import gzip
import lzma
import shutil
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from translator.errors import ImportedModelError
from translator.files import OPENERS, zstd
from translator.store.imports.reading import SPARE_BYTES

MOST_GROWTH = 20
"""Times a file grows at most when it is unpacked; weights hardly do."""

ROOTS = ("metadata.json", "decoder.yml", "config.json", "model.bin", "*.npz", "model.*.bin")
"""What lies in the folder of the model, best first."""

AS_THEY_ARE = (".npz", ".bin")
TAR_FILES = (".tar.gz", ".tgz", ".tar")
PORTION = 1 << 20
POINTER = b"version https://git-lfs"
"""How a file begins that Git LFS has left in the place of a large one."""

ERRORS = (
    *(zipfile.BadZipFile, tarfile.TarError, zlib.error, gzip.BadGzipFile),
    *(lzma.LZMAError, zstd.ZstdError),
    *(OSError, EOFError, NotImplementedError, RuntimeError),
)
"""What reading a damaged file raises."""


@contextmanager
def unpacked(path: Path) -> Iterator[Path]:
    """Unpack a file, or the packed files of a folder, for a while; give others back as they are.

    Raises:
        ImportedModelError: it is damaged, would grow beyond measure, or has a name that leads out
            of the folder.
    """
    if path.suffix in AS_THEY_ARE or (path.is_dir() and not any(map(_is_packed, path.iterdir()))):
        yield path
        return
    with tempfile.TemporaryDirectory() as temporary:
        try:
            model = _unpack(path, Path(temporary))
        except ERRORS as error:
            raise ImportedModelError(f"{path}: not a whole package ({error})") from error
        yield model


def _unpack(path: Path, folder: Path) -> Path:
    if path.is_dir():
        return _inflated(path, folder)
    if _is_packed(path):
        return _inflated(path.parent, folder) / path.stem
    if path.name.endswith(TAR_FILES):
        _extract_tar(path, folder)
    else:
        with zipfile.ZipFile(path) as archive:
            _extract(archive, path, folder)
    roots = [file for name in ROOTS for file in sorted(folder.rglob(name))]
    if not roots:
        raise ImportedModelError(f"{path}: not a package: has none of {', '.join(ROOTS)}")
    return roots[0].parent


def _is_packed(path: Path) -> bool:
    return path.suffix in OPENERS and not path.name.endswith(TAR_FILES)


def _inflated(folder: Path, temporary: Path) -> Path:
    """Return a folder of the same name, which has the files of another one unpacked."""
    inflated = temporary / folder.resolve().name
    inflated.mkdir()
    for file in sorted(folder.iterdir()):
        if _is_packed(file):
            _inflate(file, inflated / file.stem)
        elif file.is_file():
            (inflated / file.name).symlink_to(file.resolve())
    return inflated


def _inflate(file: Path, to: Path) -> None:
    with file.open("rb") as packed:
        if packed.read(len(POINTER)) == POINTER:
            raise ImportedModelError(f"{file}: only a pointer of Git LFS; run `git lfs pull` there")
    left = MOST_GROWTH * file.stat().st_size + SPARE_BYTES
    with OPENERS[file.suffix](file) as source, to.open("wb") as sink:
        while portion := source.read(PORTION):
            left -= len(portion)
            if left < 0:
                raise ImportedModelError(f"{file}: grows beyond {MOST_GROWTH} times; refused")
            sink.write(portion)


def _extract_tar(path: Path, folder: Path) -> None:
    """Write the files of a tar file; nothing outside of `folder`, and no links."""
    left = MOST_GROWTH * path.stat().st_size + SPARE_BYTES
    with tarfile.open(path) as archive:
        for entry in archive:
            left -= entry.size
            if left < 0:
                raise ImportedModelError(f"{path}: grows beyond {MOST_GROWTH} times; refused")
            if entry.isfile():
                archive.extract(entry, folder, set_attrs=False, filter="data")


def _extract(archive: zipfile.ZipFile, path: Path, folder: Path) -> None:
    """Write the files of a package; only what is needed, and nothing outside of `folder`."""
    entries = [entry for entry in archive.infolist() if not entry.is_dir()]
    total, most = sum(e.file_size for e in entries), MOST_GROWTH * path.stat().st_size + SPARE_BYTES
    if total > most:
        raise ImportedModelError(f"{path}: would grow to {total} bytes, {most} at most; refused")
    for entry in entries:
        name = PurePosixPath(entry.filename.replace("\\", "/"))
        if name.is_absolute() or ".." in name.parts or ":" in entry.filename:
            raise ImportedModelError(
                f"{path}: {entry.filename!r} leads out of the package; refused"
            )
        if "stanza" in name.parts:  # pickles, for splitting sentences, which is done here
            continue
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        with archive.open(entry) as source, target.open("wb") as sink:
            shutil.copyfileobj(source, sink)
