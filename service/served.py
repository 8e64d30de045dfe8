"""The translator as the routes see it: notes what it is asked for, and asks the cache first."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from service.observe.record import note_texts
from service.storage.cache import TranslationCache
from translator.text.marked import as_marked

if TYPE_CHECKING:
    from translator.text.marked import MarkedText
    from translator.translate.models.face import AnyTranslator
    from translator.translate.translation import SentenceTranslation, Translation

ABOUT_THE_CALL = {"timeout_s", "while_waiting", "on_progress"}
"""Arguments that do not change a translation."""


class ServedTranslator:
    """Has the methods of a `Translator`, and passes on to one what it does not know."""

    def __init__(self, translator: AnyTranslator, cache: TranslationCache | None) -> None:
        """Serve one translator, with a cache or without."""
        self._translator, self._cache = translator, cache

    def __getattr__(self, name: str) -> Any:
        """Return what the translator itself has."""
        return getattr(self._translator, name)

    def translate_prepared(
        self, texts: Sequence[str | MarkedText], **options: Any
    ) -> list[Translation]:
        """Translate; see `AnyTranslator.translate_prepared`."""
        _note(texts)
        if self._cache is None:
            return self._translator.translate_prepared(texts, **options)
        models = self._translator.fingerprint(options["source"], options["target"])
        keys = [self._key(models, text, options) for text in texts]
        found = [self._cache.get(key) for key in keys]
        missing = [place for place, known in enumerate(found) if known is None]
        if not missing:
            return [known for known in found if known is not None]
        made = self._translator.translate_prepared([texts[place] for place in missing], **options)
        for place, translation in zip(missing, made, strict=True):
            found[place] = translation
            self._cache.put(keys[place], as_marked(texts[place]).text, translation)
        return [known for known in found if known is not None]

    def stream_prepared(
        self, texts: Sequence[str | MarkedText], **options: Any
    ) -> Iterator[tuple[int, SentenceTranslation]]:
        """Translate sentence by sentence; see `AnyTranslator.stream_prepared`."""
        _note(texts)
        return self._translator.stream_prepared(texts, **options)

    @staticmethod
    def _key(models: str, text: str | MarkedText, options: dict[str, Any]) -> Hashable:
        """Return all that a translation depends on, each thing by itself: nothing is joined.

        Formats and glossaries are in the text and its spans by the time that it comes here.
        """
        wanted = {name: value for name, value in options.items() if name not in ABOUT_THE_CALL}
        return models, as_marked(text), tuple(sorted(wanted.items()))


def _note(texts: Sequence[str | MarkedText]) -> None:
    note_texts(len(texts), sum(len(text if isinstance(text, str) else text.text) for text in texts))
