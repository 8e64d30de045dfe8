"""Texts of a request, as the library translates them."""

from __future__ import annotations

from service.schemas.translate.request import TranslateRequest
from translator.detection.sources import SourceFinder
from translator.text.glossary import Glossary
from translator.translate.options import TextOptions


def options_of(
    request: TranslateRequest,
    source: str,
    finder: SourceFinder | None = None,
) -> TextOptions:
    """Return how the library is to translate those texts of a request that are in one language.

    Sentences in another one are found, if there is a finder.

    Raises:
        InputError: a term of the glossary cannot be used.
    """
    return TextOptions(
        source=source,
        target=request.target,
        text_format=request.text_format,
        tags=request.tags,
        glossary=_glossary(request),
        num_alternatives=request.num_alternatives,
        formality=request.formality.get(source),
        has_words=request.has_alignment,
        finder=finder,
    )


def _glossary(request: TranslateRequest) -> Glossary | None:
    if not (request.pairs or request.kept):
        return None
    return Glossary(pairs=request.pairs, keep=request.kept)
