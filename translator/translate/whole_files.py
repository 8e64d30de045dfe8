"""Translate a file that has a form, such as a catalogue or a document of Word, as a whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from tqdm import tqdm

from translator.config import DecodingOptions
from translator.errors import InputError
from translator.text.formats.document import Document
from translator.text.formats.files import FILE_FORMATS, file_format, read_file
from translator.text.marked import MarkedText
from translator.translate.translation import Translation
from translator.translate.translator import Translator

UNITS_AT_ONCE = 1000
CHARS_AT_ONCE = 100_000


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


def translate_document(
    translator: Translator,
    document: Document[bytes],
    *,
    source: str,
    target: str,
    options: DecodingOptions,
) -> tuple[bytes, list[Translation]]:
    """Translate all units of a document, with a bar that shows how many are done.

    Returns:
        the file, and the translation of each unit.

    Raises:
        TranslatorError: as `Translator.translate`.
    """
    answers: list[Translation] = []
    with tqdm(total=len(document.units), unit="text", dynamic_ncols=True) as bar:
        for window in windows(document.units):
            answers += translator.translate(window, source=source, target=target, options=options)
            bar.update(len(window))
    return document.rebuild([answer.text for answer in answers]), answers


def windows(units: Sequence[MarkedText]) -> Iterator[list[MarkedText]]:
    """Yield units, so many at once that the engine's batches are full."""
    window: list[MarkedText] = []
    num_chars = 0
    for unit in units:
        window.append(unit)
        num_chars += len(unit.text)
        if len(window) == UNITS_AT_ONCE or num_chars >= CHARS_AT_ONCE:
            yield window
            window, num_chars = [], 0
    if window:
        yield window


def read_whole(path: Path, target: str) -> Document[bytes]:
    """Read a file.

    Raises:
        InputError: it cannot be read.
        OSError: it cannot be opened.
    """
    return read_file(str(path), path.read_bytes(), target)
