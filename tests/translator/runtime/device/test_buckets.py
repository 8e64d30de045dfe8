"""Sizes are few, and never too small."""

from __future__ import annotations

from translator.runtime.device.buckets import length_bucket, sentences_bucket


def test_lengths_have_few_sizes() -> None:
    found = [length_bucket(length) for length in range(1, 2049)]
    assert all(size >= length for length, size in enumerate(found, 1))
    assert sorted({*found}) == [32, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048]
    assert length_bucket(0) == 32


def test_numbers_of_sentences_have_few_sizes() -> None:
    found = [sentences_bucket(count) for count in range(1, 1025)]
    assert all(size >= count for count, size in enumerate(found, 1))
    small = [1, 2, 4, 8, 16, 32, 64, 128, 256]
    assert sorted({*found}) == [*small, 384, 512, 640, 768, 896, 1024]
    assert sentences_bucket(0) == 1
