"""The one place where the service has texts translated: counts them, and asks the cache first."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from service.observe.record import note_texts
from service.storage.cache import TranslationCache
from translator.translate.documents import stream_texts, translate_document, translate_texts
from translator.translate.models.face import idle, silent
from translator.translate.units import TextOptions

if TYPE_CHECKING:
    from translator.text.formats.document import Document
    from translator.translate.models.face import AnyTranslator
    from translator.translate.translation import SentenceStream, Translation


@dataclass(frozen=True, slots=True)
class CacheKey:
    """All that the translation of a text depends on, each thing by itself: nothing is joined.

    Attributes:
        models: what stands for each model that may take part.
        options: how it is translated, but for what follows.
        pairs: terms of the glossary with their translations.
        kept: terms that are not translated.
        sources: languages that its sentences may be in.
        text: as it came.
    """

    models: tuple[str, ...]
    options: TextOptions
    pairs: tuple[tuple[str, str], ...]
    kept: tuple[str, ...]
    sources: tuple[str, ...]
    text: str


class ServedTranslator:
    """Translates texts and documents of requests.

    Attributes:
        library: the translator itself.
    """

    def __init__(self, library: AnyTranslator, cache: TranslationCache | None) -> None:
        """Serve one translator, with a cache or without."""
        self.library, self._cache = library, cache

    def translate(self, texts: Sequence[str], options: TextOptions) -> list[Translation]:
        """Translate those of the texts that the cache has not; see `translate_texts`."""
        note_texts(len(texts), sum(map(len, texts)))
        if self._cache is None:
            return translate_texts(self.library, texts, options)
        keys = cache_keys(self.library, texts, options)
        cached = {key: self._cache.get(key) for key in keys}
        translations = {key: known for key, known in cached.items() if known is not None}
        missing = [key for key in cached if key not in translations]
        if missing:
            new = translate_texts(self.library, [key.text for key in missing], options)
            for key, translation in zip(missing, new, strict=True):
                translations[key] = translation
                self._cache.put(key, key.text, translation)
        return [translations[key] for key in keys]

    def stream(self, texts: Sequence[str], options: TextOptions) -> SentenceStream:
        """Translate sentence by sentence; see `stream_texts`."""
        note_texts(len(texts), sum(map(len, texts)))
        return stream_texts(self.library, texts, options)

    def translate_document(
        self,
        document: Document[bytes],
        options: TextOptions,
        on_translation: Callable[[Translation], object] = lambda translation: None,
    ) -> bytes:
        """Return a file in another language; see `translate_document` of the library."""
        note_texts(len(document.units), sum(len(unit.text) for unit in document.units))
        return translate_document(self.library, document, options, on_translation)


def cache_keys(
    library: AnyTranslator, texts: Sequence[str], options: TextOptions
) -> list[CacheKey]:
    """Return the keys of texts that are translated with the same options."""
    glossary, finder = options.glossary, options.finder
    sources = tuple(finder.sources) if finder else ()
    models = tuple(
        library.fingerprint(source, options.target)
        for source in dict.fromkeys([options.source, *sources])
        if source != options.target
    )
    options = dataclasses.replace(
        options,
        glossary=None,
        finder=None,
        timeout_s=None,
        while_waiting=idle,
        on_progress=silent,
    )
    pairs = tuple(glossary.pairs.items()) if glossary else ()
    kept = glossary.keep if glossary else ()
    return [CacheKey(models, options, pairs, kept, sources, text) for text in texts]
