"""Formats by the endings of names."""

from __future__ import annotations

import pytest

from translator.bulk.formats.kinds import EXTENSIONS, ROW_FORMATS, format_of
from translator.errors import InputError


def test_endings_say_the_format() -> None:
    assert format_of(["a/b.jsonl", "c.jsonl.gz"]) == "jsonl"
    assert format_of(["s3://x/a.PARQUET"]) == "parquet"
    assert format_of(["mono.de"], "text") == "text"
    assert EXTENSIONS.keys() == ROW_FORMATS.keys()
    assert (EXTENSIONS["parquet"], EXTENSIONS["jsonl"]) == (".parquet", ".jsonl")


@pytest.mark.parametrize(
    ("urls", "message"),
    [
        (["mono.de"], "mono.de: has none of the endings .parquet, .pq, .jsonl"),
        (["a.parquet.gz"], "a.parquet.gz: has none of the endings"),
        (["a.csv", "b.txt"], "a.csv and b.txt have different formats"),
    ],
)
def test_what_is_unclear_is_refused(urls: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message.replace(".", r"\.")):
        format_of(urls)
