"""Shouted words: taken out before translation, and put back where attention says."""

from __future__ import annotations

import bisect
import dataclasses
from collections.abc import Iterable, Iterator, Sequence

from translator.text.capitals import Emphasised, shout
from translator.text.spans import Span
from translator.translate.translation import SentenceTranslation, TranslatedWord


def with_sources(
    original: str, sentences: Iterable[SentenceTranslation]
) -> Iterator[SentenceTranslation]:
    """Yield the sentences of a text with its own words as their sources."""
    place = 0
    for sentence in sentences:
        start = place + len(sentence.separator)
        place = start + len(sentence.source)
        yield dataclasses.replace(sentence, source=original[start:place])


def places_within(
    emphasised: Emphasised, sentences: Iterable[SentenceTranslation]
) -> Iterator[tuple[SentenceTranslation, list[Span]]]:
    """Yield each sentence with the shouted words in it, from its own start."""
    place, places = 0, emphasised.places
    for sentence in sentences:
        start = place + len(sentence.separator)
        place = start + len(sentence.source)
        own = places[bisect.bisect_left(places, (start,)) : bisect.bisect_left(places, (place,))]
        yield sentence, [(first - start, last - start) for first, last in own]


def shouted(
    sentence: SentenceTranslation, places: Sequence[Span], words: Sequence[TranslatedWord] | None
) -> SentenceTranslation:
    """Return a sentence with the words in capitals that come from shouted ones.

    Args:
        sentence: translated from ordinary words.
        places: of the shouted words in its source.
        words: of its translation; None if nothing is known of them.
    """
    text = sentence.text
    for word in words or ():
        source = word.sources[0] if word.sources else None
        if source and any(first < source.end and source.start < last for first, last in places):
            text = text[: word.start] + shout(text[word.start : word.end]) + text[word.end :]
    return dataclasses.replace(sentence, text=text)
