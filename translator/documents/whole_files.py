"""Translate a file that has a form, such as a catalogue or a document of Word, as a whole."""

from __future__ import annotations

from pathlib import Path

from translator.documents.kind import NO_OPTIONS, FileOptions
from translator.documents.kinds import kind_of, kinds_by_ending, read_file
from translator.errors import InputError
from translator.text.formats.document import Document


def is_whole(name: str) -> bool:
    """Return whether a file is translated as a whole, by its name; plain text is not."""
    kind = kind_of(name)
    return kind is not None and not kind.is_lines


def whole_endings() -> list[str]:
    """Return the endings of files that are translated as a whole, such as `.docx`."""
    return [f".{ending}" for ending, kind in kinds_by_ending().items() if not kind.is_lines]


def check_output(source: str, output: str) -> None:
    """Refuse an output whose name says that it is in another format.

    Raises:
        InputError: naming the ending that it must have.
    """
    if is_whole(output) and kind_of(output) is not kind_of(source):
        ending = Path(source).suffix
        raise InputError(
            f"{output}: a translation has the format of its source; let the name end in {ending}"
        )


def check_file_options(name: str, options: FileOptions) -> None:
    """Refuse options for a file that does not take them.

    Raises:
        InputError: naming the option.
    """
    kind = kind_of(name)
    if kind is not None:
        kind.check(name, options)
    elif options.asked:
        raise InputError(f"{name}: takes no option {options.asked[0]!r}; tables and sheets do")


def read_whole(path: Path, target: str, options: FileOptions = NO_OPTIONS) -> Document[bytes]:
    """Read a file.

    Raises:
        InputError: it cannot be read.
        OSError: it cannot be opened.
    """
    return read_file(str(path), path.read_bytes(), target, options)
