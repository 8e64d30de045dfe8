"""POST /translate_file: the form, checked with LibreTranslate's messages."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from werkzeug.datastructures import FileStorage

from translator.errors import InputError

if TYPE_CHECKING:
    from translator.translate.translation import Language

AUTO = "auto"


@dataclass(frozen=True, kw_only=True, slots=True)
class FileRequest:
    """A request that has passed every check.

    Attributes:
        name: of the file.
        content: of the file.
        source: language code as the model spells it, or `auto`.
        target: language code as the model spells it.
    """

    name: str
    content: bytes
    source: str
    target: str

    @classmethod
    def read(
        cls,
        form: Mapping[str, str],
        files: Mapping[str, FileStorage],
        languages: Sequence[Language],
        formats: Collection[str],
    ) -> FileRequest:
        """Check a multipart form.

        Raises:
            InputError: the first check that fails.
        """
        file = files.get("file")
        if file is None:
            raise InputError("Invalid request: missing file parameter")
        for field in ("source", "target"):
            if not form.get(field):
                raise InputError(f"Invalid request: missing {field} parameter")
        name = file.filename or ""
        if not name:
            raise InputError("Invalid request: empty file")
        if ending_of(name) not in formats:
            raise InputError("Invalid request: file format not supported")
        by_code = {language.code.lower(): language for language in languages}
        source, target = form["source"].lower(), form["target"].lower()
        if source != AUTO and source not in by_code:
            raise InputError(f"{source} is not supported")
        if target not in by_code:
            raise InputError(f"{target} is not supported")
        if source != AUTO:
            check_pair(by_code[source], by_code[target])
        return cls(
            name=name,
            content=file.read(),
            source=AUTO if source == AUTO else by_code[source].code,
            target=by_code[target].code,
        )


def check_pair(source: Language, target: Language) -> None:
    """Refuse what the model does not translate.

    Raises:
        InputError: naming both languages.
    """
    if target.code not in source.targets:
        raise InputError(
            f"{target.name} ({target.code}) is not available as a target language "
            f"from {source.name} ({source.code})"
        )


def ending_of(name: str) -> str:
    """Return the ending of a file's name, without its dot: `txt`."""
    return PurePosixPath(name).suffix[1:].lower()


def name_in(name: str, target: str) -> str:
    """Return what a file is called in another language: `letter.txt` is `letter_en.txt`."""
    path = PurePosixPath(name)
    return f"{path.stem}_{target}{path.suffix}"
