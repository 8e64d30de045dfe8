"""Texts of a format, with a glossary, as the library translates them."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import TYPE_CHECKING

from service.schemas.translate.request import TranslateRequest
from translator.errors import InputError

if TYPE_CHECKING:
    from translator.translate.translation import SentenceTranslation, Translation
    from translator.translate.translator import Translator


def translate_texts(
    translator: Translator,
    texts: Sequence[str],
    *,
    source: str,
    request: TranslateRequest,
    timeout_s: float | None,
    while_waiting: Callable[[], None],
) -> list[Translation]:
    """Translate texts of one language as a request wants it.

    Raises:
        InputError: the library does not know the format, or no glossaries.
    """
    _check(request)
    return translator.translate(
        texts,
        source=source,
        target=request.target,
        num_alternatives=request.num_alternatives,
        timeout_s=timeout_s,
        while_waiting=while_waiting,
    )


def stream_texts(
    translator: Translator,
    texts: Sequence[str],
    *,
    source: str,
    request: TranslateRequest,
    timeout_s: float | None,
    while_waiting: Callable[[], None],
) -> Generator[tuple[int, SentenceTranslation], None, None]:
    """Yield the number of a text and its next sentence, as `Translator.stream` does.

    Closing it takes the sentences that are left out of the engine.
    """
    _check(request)
    yield from translator.stream(
        texts,
        source=source,
        target=request.target,
        timeout_s=timeout_s,
        while_waiting=while_waiting,
    )


def terms_of(translation: Translation) -> tuple[str, ...]:
    """Return the terms of the glossary that a text has."""
    return getattr(translation, "terms", ())


def _check(request: TranslateRequest) -> None:
    if request.text_format != "text":
        raise InputError(f"{request.text_format} format is not supported")
    if request.pairs or request.kept:
        raise InputError("Invalid request: glossary and do_not_translate are not supported")
