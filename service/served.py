"""The one place where the service has texts translated: it counts them, and keeps translations."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from service.observe.record import note_texts
from service.storage.cache import TranslationCache
from translator.translate.texts import stream_texts, translate_document, translate_texts

if TYPE_CHECKING:
    from translator.patience import Patience
    from translator.text.formats.document import Document
    from translator.translate.face import AnyTranslator
    from translator.translate.options import TextOptions
    from translator.translate.translation import SentenceStream, Translation


class ServedTranslator:
    """Translates texts and documents of requests.

    Attributes:
        library: the translator itself.
    """

    def __init__(self, library: AnyTranslator, cache: TranslationCache | None) -> None:
        self.library, self._cache = library, cache

    def translate(
        self, texts: Sequence[str], options: TextOptions, patience: Patience
    ) -> list[Translation]:
        """Translate texts; see `translate_texts`."""
        note_texts(len(texts), sum(map(len, texts)))
        return translate_texts(self.library, texts, self._stored(options), patience)

    def stream(
        self, texts: Sequence[str], options: TextOptions, patience: Patience
    ) -> SentenceStream:
        """Translate sentence by sentence; see `stream_texts`."""
        note_texts(len(texts), sum(map(len, texts)))
        return stream_texts(self.library, texts, options, patience)

    def translate_document(
        self,
        document: Document[bytes],
        options: TextOptions,
        patience: Patience,
        on_unit: Callable[[Translation], object] = lambda translation: None,
    ) -> bytes:
        """Return a file in another language; see `translate_document` of the library."""
        note_texts(len(document.units), sum(len(unit.text) for unit in document.units))
        options = self._stored(options)
        return translate_document(self.library, document, options, patience, on_unit)

    def _stored(self, options: TextOptions) -> TextOptions:
        return dataclasses.replace(options, store=self._cache)
