"""Translations that are given again: what somebody keeps is not translated once more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from translator.pipeline.options import Cache, Key, SearchOptions
from translator.pipeline.steps import Batches, NumberedSentence, Texts, text_by_text
from translator.pipeline.translation import Translation, joined, sentences_of

if TYPE_CHECKING:
    from translator.deadline import Deadline
    from translator.pipeline.face import Lease


def cached(
    lease: Lease, texts: Texts, options: SearchOptions, deadline: Deadline, cache: Cache
) -> Batches:
    """Translate what a cache lacks, and return all in one batch; see `SingleModel.decode`."""
    keys = [Key(lease.fingerprint, text, options) for text in texts]
    found = {key: cache.get(key) for key in keys}
    missing = [key for key, translation in found.items() if translation is None]
    if missing:
        lacking = [key.text for key in missing]
        with lease.model.decode(lacking, options, deadline, is_whole=True) as batches:
            for key, sentences in zip(missing, text_by_text(batches, len(missing)), strict=True):
                found[key] = translation = joined(sentences)
                cache.put(key, key.text.text, translation)
    return iter([[*_numbered(found[key] for key in keys)]])


def _numbered(translations: Iterator[Translation | None]) -> Iterator[NumberedSentence]:
    for number, translation in enumerate(translations):
        assert translation is not None
        for sentence in sentences_of(translation):
            yield number, sentence
