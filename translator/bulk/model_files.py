"""Model directories that travel with a job, to machines that do not have them."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from translator.bulk.storage import own_folder


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """The files of model directories.

    Attributes:
        contents: of each path given, by relative names.
        digest: of all of them.
    """

    contents: tuple[dict[str, bytes], ...]
    digest: str

    @classmethod
    def of(cls, paths: Sequence[Path]) -> ModelFiles:
        """Read model directories, or folders of them."""
        contents = tuple(
            {
                file.relative_to(path).as_posix(): file.read_bytes()
                for file in sorted(path.rglob("*"))
                if file.is_file()
            }
            for path in paths
        )
        digest = hashlib.sha256()
        for number, files in enumerate(contents):
            for name, content in files.items():
                digest.update(f"{number} {name} {len(content)}\n".encode())
                digest.update(content)
        return cls(contents, digest.hexdigest()[:16])

    def unpacked(self, folder: Path | None = None) -> tuple[Path, ...]:
        """Write them to this machine, unless another process has done so; return their paths.

        Args:
            folder: for the models of all jobs; one for this user by default.
        """
        home = folder or own_folder("translator-models")
        place = home / self.digest
        if not place.is_dir():
            home.mkdir(parents=True, exist_ok=True)
            own = Path(tempfile.mkdtemp(dir=home, prefix="."))
            for number, files in enumerate(self.contents):
                for name, content in files.items():
                    path = own / str(number) / name
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(content)
            try:
                own.rename(place)
            except OSError:  # another process was quicker
                shutil.rmtree(own, ignore_errors=True)
        return tuple(place / str(number) for number in range(len(self.contents)))
