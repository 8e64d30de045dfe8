"""What the benchmark counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.paragraphs import found
from tests.pdf_files import drawn, tagged
from training.paragraphs import tagged_pages


@pytest.mark.parametrize(
    ("tags", "alone", "told"),
    [
        (("P 1", "P 2"), ["joined", "joined"], ["exact", "exact"]),
        (("P 1", "P 1"), ["exact"], ["exact"]),
    ],
)
def test_paragraphs_are_counted(
    tmp_path: Path, tags: tuple[str, str], alone: list[str], told: list[str]
) -> None:
    first, second = tags
    lines = [(first, 50.0, 400.0, "our office in Berlin"), (second, 50.0, 388.0, "open every day")]
    (tmp_path / "a.pdf").write_bytes(tagged(*lines))
    [page] = tagged_pages(tmp_path / "a.pdf")
    assert [*found(*page, has_tags=False)] == alone
    assert [*found(*page, has_tags=True)] == told


def test_a_file_without_tags_has_no_pages_to_count(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(drawn(lambda canvas: canvas.drawString(50, 400, "Text")))
    assert not [*tagged_pages(tmp_path / "a.pdf")]
