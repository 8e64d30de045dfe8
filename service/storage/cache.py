"""Translations that are given again: the ones used last, within a number of bytes."""

from __future__ import annotations

import dataclasses
import sys
import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from translator.translate.translation import Translation

ENTRY_BYTES = 1500
"""What an entry takes besides its texts: keys, objects, tables."""

SENTENCE_BYTES = 300
LARGEST_SHARE = 8
"""An entry of more than this part of the whole is not kept: it would push out too many others."""


class TranslationCache:
    """Translations by key; all of its methods are safe to call from any thread.

    Attributes:
        hits: translations that were there.
        misses: those that were not.
        num_bytes: taken, estimated from above.
    """

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._lock = threading.Lock()
        self._entries: OrderedDict[Hashable, tuple[Translation, int]] = OrderedDict()
        self.hits = self.misses = self.num_bytes = 0

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: Hashable) -> Translation | None:
        """Return a translation, which becomes the one used last; None if it is not there."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                self.misses += 1
                return None
            self._entries.move_to_end(key)
            self.hits += 1
            return entry[0]

    def put(self, key: Hashable, source: str, translation: Translation) -> None:
        """Keep a translation, unless it has flags: what looks wrong is searched for anew."""
        if translation.flags:
            return
        translation = dataclasses.replace(translation, times=None)  # it will not be in the engine
        num_bytes = bytes_of(source, translation)
        if num_bytes * LARGEST_SHARE > self._max_bytes:
            return
        with self._lock:
            former = self._entries.pop(key, None)
            self.num_bytes += num_bytes - (former[1] if former else 0)
            self._entries[key] = translation, num_bytes
            while self.num_bytes > self._max_bytes:
                _, (_, freed) = self._entries.popitem(last=False)
                self.num_bytes -= freed


def bytes_of(source: str, translation: Translation) -> int:
    """Return how much memory an entry takes at most."""
    texts = [source, translation.text, *translation.alternatives]
    texts += [candidate.text for candidate in translation.candidates]
    for sentence in translation.sentences:
        texts += [sentence.separator, sentence.source, sentence.text]
    num_bytes = sum(map(sys.getsizeof, texts)) + SENTENCE_BYTES * len(translation.sentences)
    return ENTRY_BYTES + num_bytes
