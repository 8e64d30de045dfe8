"""Texts of a request, as the library translates them."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import TYPE_CHECKING

from service.schemas.translate.request import TranslateRequest
from translator.text.glossary import Glossary
from translator.text.marked import MarkedText

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
        TranslatorError: see `Translator.translate`.
        InputError: a term of the glossary cannot be used.
    """
    from translator.translate import documents  # loads PyTorch: not before there is a model

    return documents.translate_texts(
        translator,
        texts,
        source=source,
        target=request.target,
        text_format=request.text_format,
        glossary=_glossary(request),
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
    """Yield the number of a text and its next sentence; a text with markup is one sentence.

    Closing it takes the sentences that are left out of the engine.
    """
    from translator.translate import documents

    yield from documents.stream_texts(
        translator,
        texts,
        source=source,
        target=request.target,
        text_format=request.text_format,
        glossary=_glossary(request),
        timeout_s=timeout_s,
        while_waiting=while_waiting,
    )


def terms_in(text: str, request: TranslateRequest) -> tuple[str, ...]:
    """Return the terms of a request's glossary that a text without markup has."""
    glossary = _glossary(request)
    return tuple(sorted(glossary.apply(MarkedText(text))[1])) if glossary else ()


def _glossary(request: TranslateRequest) -> Glossary | None:
    if not (request.pairs or request.kept):
        return None
    return Glossary(pairs=request.pairs, keep=request.kept)
