"""Translate a file that has a form, such as a catalogue or a document of Word, as a whole."""

from __future__ import annotations

from pathlib import Path

from translator.errors import InputError
from translator.text.formats.document import Document
from translator.text.formats.files import FILE_FORMATS, file_format, read_file


def is_whole(name: str) -> bool:
    """Return whether a file is translated as a whole, by its name; plain text is not."""
    ending = Path(name).suffix.lower().removeprefix(".")
    return ending in FILE_FORMATS and ending != "txt"


def check_output(source: str, output: str) -> None:
    """Refuse an output whose name says that it is in another format.

    Raises:
        InputError: naming the ending that it must have.
    """
    if is_whole(output) and file_format(output) is not file_format(source):
        ending = Path(source).suffix
        raise InputError(
            f"{output}: a translation has the format of its source; let the name end in {ending}"
        )


def read_whole(path: Path, target: str) -> Document[bytes]:
    """Read a file.

    Raises:
        InputError: it cannot be read.
        OSError: it cannot be opened.
    """
    return read_file(str(path), path.read_bytes(), target)
