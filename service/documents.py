"""Files as the routes see them: what endings there are, and how one is read and translated."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from translator.errors import InputError
from translator.text.files.kind import NO_OPTIONS, FileOptions
from translator.text.files.kinds import kind_of, kinds_by_ending, read_file
from translator.text.formats.document import Document
from translator.translate.documents import translate_document
from translator.translate.units import TextOptions

if TYPE_CHECKING:
    from translator.text.glossary import Glossary
    from translator.translate.models.face import AnyTranslator
    from translator.translate.translation import Translation

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


def read(
    name: str, content: bytes, target: str, options: FileOptions = NO_OPTIONS
) -> Document[bytes]:
    """Take a file apart.

    Raises:
        InputError: the file cannot be read.
    """
    try:
        return read_file(name, content, target, options)
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


def translate(
    translator: AnyTranslator,
    document: Document[bytes],
    *,
    source: str,
    target: str,
    glossary: Glossary | None = None,
    timeout_s: float | None,
    while_waiting: Callable[[], None],
) -> tuple[bytes, tuple[Translation, ...]]:
    """Return a file in another language, with everything else as it was, and its translations."""
    return translate_document(
        translator,
        document,
        TextOptions(
            source=source,
            target=target,
            glossary=glossary,
            timeout_s=timeout_s,
            while_waiting=while_waiting,
        ),
    )
