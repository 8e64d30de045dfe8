from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Any

from service.http.context import LARGEST_SHARE, TranslationCache, bytes_of
from translator.engine.port import Times
from translator.pipeline.translation import SentenceTranslation, Translation

ONE = bytes_of("x", Translation(text="X"))


def filled(cache: TranslationCache, *keys: str) -> TranslationCache:
    for key in keys:
        cache.put(key, "x", Translation(text="X"))
    return cache


def test_what_is_put_is_got_and_counted() -> None:
    cache = TranslationCache(100 * ONE)
    assert cache.get("a") is None
    filled(cache, "a")
    found = cache.get("a")
    assert found is not None
    assert found.text == "X"
    assert (cache.hits, cache.misses, len(cache), cache.num_bytes) == (1, 1, 1, ONE)


def test_what_is_known_was_not_in_the_engine() -> None:
    cache = TranslationCache(100 * ONE)
    cache.put("a", "x", Translation(text="X", times=Times(1.0, 2.0, 3.0)))
    found = cache.get("a")
    assert found is not None
    assert found.times is None


def test_what_was_used_longest_ago_goes_first() -> None:
    cache = filled(TranslationCache(10 * ONE), *"abcdefghij")
    assert cache.get("a") is not None
    filled(cache, "k")
    assert cache.get("b") is None
    assert cache.get("a") is not None
    assert cache.num_bytes == 10 * ONE


def test_the_same_key_takes_its_place_once() -> None:
    cache = filled(TranslationCache(10 * ONE), "a", "a", "a")
    assert cache.num_bytes == ONE


def test_bytes_stay_within_the_bound_whatever_comes() -> None:
    cache = TranslationCache(50_000)
    for number in range(300):
        cache.put(number, "x" * number * 30, Translation(text="ü" * number))
        assert cache.num_bytes <= 50_000
    assert len(cache) > 0


def test_a_text_that_would_push_out_all_others_is_not_kept() -> None:
    cache = filled(TranslationCache(10 * ONE), "a")
    cache.put("b", "x" * 3 * ONE, Translation(text="X"))
    assert cache.get("b") is None
    assert cache.get("a") is not None


def test_what_looks_wrong_is_not_kept() -> None:
    cache = TranslationCache(100 * ONE)
    cache.put("a", "x", Translation(text="X", flags=("repetition",)))
    assert cache.get("a") is None


def test_every_text_of_a_translation_counts() -> None:
    sentence = SentenceTranslation(separator="s" * 1000, source="o" * 1000, text="t" * 1000)
    whole = Translation(text="X" * 1000, alternatives=("Y" * 1000,), sentences=(sentence,))
    assert bytes_of("x" * 1000, whole) > 6000


def test_nothing_is_read_or_changed_without_the_lock() -> None:
    cache = TranslationCache(2 * ONE * LARGEST_SHARE)

    class Watched(OrderedDict[Hashable, Any]):
        def __getattribute__(self, name: str) -> Any:
            assert cache._lock.locked(), name
            return super().__getattribute__(name)

        def __setitem__(self, key: Hashable, value: Any) -> None:
            assert cache._lock.locked()
            super().__setitem__(key, value)

    cache._entries = Watched()
    filled(cache, *map(str, range(3 * LARGEST_SHARE)))
    assert cache.get("0") is None
    assert cache.get(str(3 * LARGEST_SHARE - 1)) is not None


def test_threads_do_not_lose_count() -> None:
    cache = TranslationCache(20 * ONE)

    def work(name: str) -> None:
        for number in range(500):
            filled(cache, f"{name}{number % 30}")
            cache.get(f"{name}{number % 7}")

    threads = [threading.Thread(target=work, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert cache.num_bytes == len(cache) * ONE <= 20 * ONE
    assert cache.hits + cache.misses == 2000
