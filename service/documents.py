"""Files as the routes see them: what endings there are, and how one is translated."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from translator.errors import InputError

if TYPE_CHECKING:
    from translator.translate.translator import Translator

FORMATS = ("txt",)
"""Endings of files that can be translated."""


def sample_of(name: str, content: bytes) -> str:
    """Return the text of a file, to tell its language by.

    Raises:
        InputError: the file cannot be read.
    """
    return _text_of(name, content)


def translate_file(
    translator: Translator,
    name: str,
    content: bytes,
    *,
    source: str,
    target: str,
    timeout_s: float | None,
    while_waiting: Callable[[], None],
) -> bytes:
    """Return a file in another language, with everything else as it was.

    Raises:
        InputError: the file cannot be read.
    """
    [translation] = translator.translate(
        [_text_of(name, content)],
        source=source,
        target=target,
        timeout_s=timeout_s,
        while_waiting=while_waiting,
    )
    return translation.text.encode()


def _text_of(name: str, content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise InputError(
            f"Invalid request: {name} is not UTF-8 ({error.reason} at byte {error.start}); "
            "save it as UTF-8"
        ) from None
