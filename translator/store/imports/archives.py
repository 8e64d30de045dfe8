"""Zip files of models: Argos packages, and what OPUS-MT publishes."""

from __future__ import annotations

import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from translator.errors import ImportedModelError
from translator.store.imports.reading import SPARE_BYTES

MOST_GROWTH = 20
"""Times a zip file grows at most when it is unpacked; weights hardly do."""

ROOTS = ("metadata.json", "decoder.yml", "config.json", "model.bin", "*.npz")
"""What lies in the folder of the model, best first."""


@contextmanager
def unpacked(path: Path) -> Iterator[Path]:
    """Unpack a zip file for a while; a folder or an `.npz` is given back as it is.

    Raises:
        ImportedModelError: it is damaged, would grow beyond measure, or has a name that leads out
            of the folder.
    """
    if path.is_dir() or path.suffix == ".npz":
        yield path
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        try:
            with zipfile.ZipFile(path) as archive:
                _extract(archive, path, folder)
        except (zipfile.BadZipFile, OSError, EOFError, NotImplementedError, RuntimeError) as error:
            raise ImportedModelError(f"{path}: not a whole package ({error})") from error
        found = [file for name in ROOTS for file in sorted(folder.rglob(name))]
        if not found:
            raise ImportedModelError(f"{path}: not a package: has none of {', '.join(ROOTS)}")
        yield found[0].parent


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
