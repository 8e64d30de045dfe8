"""Which files can be read, by the endings of their names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import PurePath

from translator.errors import InputError
from translator.text.formats.document import Document

MAX_FILE_BYTES = 64 << 20


@dataclass(frozen=True, kw_only=True, slots=True)
class FileFormat:
    """A kind of file.

    Attributes:
        name: as people call it.
        media_type: as HTTP calls it.
        reader: `module.function` in `translator.text.files`; loaded when it is needed.
        names_target: whether a file of this kind says which language it is translated into.
    """

    name: str
    media_type: str
    reader: str
    names_target: bool = False

    def read(self, name: str, data: bytes, target: str | None) -> Document[bytes]:
        """Read a file of this kind; see `read_file`."""
        module, _, function = self.reader.rpartition(".")
        read: Callable[..., Document[bytes]] = getattr(
            import_module(f"translator.text.files.{module}"), function
        )
        return read(name, data, target) if self.names_target else read(name, data)


_HTML = FileFormat(name="HTML", media_type="text/html", reader="plain.read_page")
_GETTEXT = FileFormat(
    name="gettext",
    media_type="text/x-gettext-translation",
    reader="gettext.read_po",
    names_target=True,
)
_XLIFF = FileFormat(
    name="XLIFF",
    media_type="application/xliff+xml",
    reader="markup.xliff.read_xliff",
    names_target=True,
)

FILE_FORMATS: Mapping[str, FileFormat] = {
    "txt": FileFormat(name="plain text", media_type="text/plain", reader="plain.read_text"),
    "md": FileFormat(name="Markdown", media_type="text/markdown", reader="plain.read_markdown"),
    "html": _HTML,
    "htm": _HTML,
    "srt": FileFormat(
        name="SubRip", media_type="application/x-subrip", reader="subtitles.read_srt"
    ),
    "vtt": FileFormat(name="WebVTT", media_type="text/vtt", reader="subtitles.read_vtt"),
    "po": _GETTEXT,
    "pot": _GETTEXT,
    "xliff": _XLIFF,
    "xlf": _XLIFF,
    "json": FileFormat(name="JSON", media_type="application/json", reader="json_strings.read_json"),
    "docx": FileFormat(
        name="Word",
        media_type="application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        reader="markup.word.read_docx",
    ),
    "odt": FileFormat(
        name="OpenDocument",
        media_type="application/vnd.oasis.opendocument.text",
        reader="markup.opendocument.read_odt",
    ),
}
"""By the ending of a name, in small letters and without the dot."""


def file_format(name: str) -> FileFormat:
    """Return the kind of a file by the ending of its name.

    Raises:
        InputError: it has none of the known endings; the message lists them.
    """
    ending = PurePath(name).suffix.lower().removeprefix(".")
    if ending not in FILE_FORMATS:
        known = ", ".join(f".{known}" for known in FILE_FORMATS)
        raise InputError(
            f"{name}: is no file that can be translated; those end in {known}",
            "unknown_kind_of_file",
        )
    return FILE_FORMATS[ending]


def read_file(name: str, data: bytes, target: str | None = None) -> Document[bytes]:
    """Take a file apart into units.

    Args:
        name: of the file; its ending says what it is.
        data: its content.
        target: code of the language that it will be translated into; some formats name it inside.

    Raises:
        InputError: the file cannot be read: one sentence says why, and where.
    """
    kind = file_format(name)
    if len(data) > MAX_FILE_BYTES:
        raise InputError(
            f"{name}: has {len(data):,} bytes, and {MAX_FILE_BYTES:,} is the most; split it",
            "file_too_large",
        )
    return kind.read(name, data, target)
