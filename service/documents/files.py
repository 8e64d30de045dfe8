"""Files as the routes see them: what endings there are, and how one is read."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

from service.documents.apart import ApartDocument
from translator.documents.document import Document
from translator.documents.kinds import NO_OPTIONS, FileOptions, kind_of, kinds_by_ending, read_file
from translator.errors import InputError
from translator.patience import PATIENT, Patience

SMALL_BYTES = 64 << 10
"""A file with no more is read in the worker itself: to start a process takes longer."""

SAMPLE_CHARS = 4000
"""Of a file, to tell its language by."""


def formats() -> tuple[str, ...]:
    """Return the endings of files that can be translated, such as `docx`."""
    return tuple(kinds_by_ending())


def named_kinds() -> str:
    """Return the names of the kinds of files, as one text for people."""
    return ", ".join(dict.fromkeys(kind.name for kind in kinds_by_ending().values()))


def media_type_of(name: str) -> str:
    """Return what HTTP calls a file of this name."""
    kind = kind_of(name)
    return kind.media_type if kind else "application/octet-stream"


def opened(
    name: str,
    content: bytes,
    target: str,
    options: FileOptions = NO_OPTIONS,
    patience: Patience = PATIENT,
) -> AbstractContextManager[Document[bytes]]:
    """Take a file apart, see `read_file`; one that is not small, in a process of its own.

    The document can be used in the context that is returned. Patience is for reading the file and
    for writing it again.

    Raises:
        InputError: the file cannot be read.
        DeadlineExceededError: the time is over.
    """
    try:
        if len(content) <= SMALL_BYTES:
            return nullcontext(read_file(name, content, target, options))
        return ApartDocument(name, content, target, options, patience)
    except InputError as error:
        code = "unreadable_file" if error.code == "invalid" else error.code
        raise InputError(f"Invalid request: {error}", code) from error


def sample_of(document: Document[bytes]) -> str:
    """Return the start of what there is to translate in a file."""
    units, length = [], 0
    for unit in document.units:
        units.append(unit.text)
        length += len(unit.text)
        if length >= SAMPLE_CHARS:
            break
    return "\n".join(units)[:SAMPLE_CHARS]
