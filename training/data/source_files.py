"""Which files the text of a run was made from, so that a change is noticed before it does harm."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from translator.durable import write_durably
from translator.errors import ConfigError
from translator.files import sha256
from translator.strict import read_dataclass

RECORD = "text.json"


@dataclass(frozen=True, kw_only=True, slots=True)
class SourceFile:
    """One side of one part of a corpus, as it was read.

    Attributes:
        path: where it lies.
        num_bytes: its size there, packed or not.
        changed_ns: when it was last changed.
        sha256: of its contents, decompressed.
    """

    path: str
    num_bytes: int
    changed_ns: int
    sha256: str

    @classmethod
    def of(cls, path: Path, noted: SourceFile | None = None) -> SourceFile:
        """Return what is to be noted of a file; it is read only if it does not look as `known`."""
        about = path.stat()
        looks = {"path": str(path), "num_bytes": about.st_size, "changed_ns": about.st_mtime_ns}
        if noted is not None and all(getattr(noted, key) == of for key, of in looks.items()):
            return noted
        return cls(
            path=str(path),
            num_bytes=about.st_size,
            changed_ns=about.st_mtime_ns,
            sha256=sha256(path),
        )


def has_changed(file: SourceFile, noted: SourceFile | None) -> bool:
    """Whether a file has another content than was noted."""
    return noted is not None and file.sha256 != noted.sha256


def read_record(folder: Path) -> dict[str, SourceFile]:
    """Return what `text.json` in a folder says, by part and language.

    It is empty if the file is missing or damaged.
    """
    try:
        record = json.loads((folder / RECORD).read_bytes())
        return {name: read_dataclass(SourceFile, fields) for name, fields in record.items()}
    except (OSError, ValueError, AttributeError, ConfigError):
        return {}


def write_record(folder: Path, files: Mapping[str, SourceFile]) -> None:
    """Write `text.json`."""
    record = {name: dataclasses.asdict(file) for name, file in files.items()}
    write_durably(folder / RECORD, json.dumps(record, indent=2, ensure_ascii=False).encode())


def text_fingerprint(files: Mapping[str, SourceFile]) -> str:
    """Return a short hash of the contents of all files."""
    hashes = {name: file.sha256 for name, file in files.items()}
    return hashlib.sha256(json.dumps(hashes, sort_keys=True).encode()).hexdigest()[:16]
