"""The kind of a file, found by the ending of its name, and the file read as one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath

from translator.documents.all_kinds import KINDS
from translator.documents.kind import NO_OPTIONS, FileKind, FileOptions
from translator.errors import InputError
from translator.text.formats.document import Document

MAX_FILE_BYTES = 64 << 20


def kinds_by_ending() -> Mapping[str, FileKind]:
    """Return the kinds whose packages are installed, by ending."""
    return {ending: kind for kind in KINDS if kind.is_available for ending in kind.endings}


def kind_of(name: str) -> FileKind | None:
    """Return the kind of a file by the ending of its name; None if it has none of the known."""
    ending = PurePath(name).suffix.lower().removeprefix(".")
    return next((kind for kind in KINDS if ending in kind.endings), None)


def read_file(
    name: str, data: bytes, target: str | None = None, options: FileOptions = NO_OPTIONS
) -> Document[bytes]:
    """Take a file apart into units.

    Args:
        name: of the file; its ending says what it is.
        data: its content.
        target: code of the language that it will be translated into; some formats name it inside.
        options: of kinds that have some.

    Raises:
        InputError: the file cannot be read, or takes no such option: one sentence says why.
    """
    kind = kind_of(name)
    if kind is None:
        known = ", ".join(f".{ending}" for ending in kinds_by_ending())
        raise InputError(
            f"{name}: is no file that can be translated; those end in {known}",
            "unknown_kind_of_file",
        )
    if len(data) > MAX_FILE_BYTES:
        raise InputError(
            f"{name}: has {len(data):,} bytes, and {MAX_FILE_BYTES:,} is the most; split it",
            "file_too_large",
        )
    return kind.read(name, data, target, options)
