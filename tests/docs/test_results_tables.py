"""Published tables say when, with which commit and on which CPU they were measured."""

from __future__ import annotations

import re
from pathlib import Path

from tests.benchmarks.results import NAMES, PAGE
from tests.checkout import ROOT
from tests.docs.pages import FENCE, all_pages, read

MARKER = re.compile(r"<!-- (/?)results:([\w-]*) -->")
STAMP = re.compile(
    r"^\*?\d{4}-\d\d-\d\d, commit [0-9a-f]{7,40}(\+changes)?( \([^)]*\))?, [^\n]+\d cores",
    re.MULTILINE,
)


def problems(page: Path) -> list[str]:
    """Return what is wrong with the marked tables of a page."""
    text, faults = FENCE.sub("", read(page)), []
    markers = [*MARKER.finditer(text)]
    for begin, end in zip(markers[::2], [*markers[1::2], None], strict=False):
        name = begin[2]
        if name not in NAMES:
            faults.append(f"{page.name}: {name}: no benchmark writes this")
        if begin[1] or end is None or not end[1] or end[2] != name:
            return [*faults, f"{page.name}: {name}: its markers are no pair"]
        if not STAMP.search(text[begin.end() : end.start()]):
            faults.append(f"{page.name}: {name}: has no line of date, commit and CPU")
    return faults


def test_every_marked_table_says_where_it_comes_from() -> None:
    assert [fault for page in all_pages() for fault in problems(page)] == []


def test_the_page_of_results_has_tables_each_name_once() -> None:
    text = FENCE.sub("", read(ROOT / PAGE))
    names = [name for slash, name in MARKER.findall(text) if not slash]
    assert names
    assert len(names) == len(set(names))


def test_what_is_wrong_is_found(tmp_path: Path) -> None:
    page = tmp_path / "a.md"
    good = (
        "<!-- results:quality -->\n*2026-11-24, commit abc1234+changes, EPYC, 2 cores, torch 2*\n"
    )
    page.write_text(good + "<!-- /results:quality -->\n")
    assert problems(page) == []
    page.write_text(good)
    assert problems(page) == ["a.md: quality: its markers are no pair"]
    page.write_text(good + "<!-- /results:company -->\n")
    assert problems(page) == ["a.md: quality: its markers are no pair"]
    page.write_text("<!-- results:other -->\n| old |\n<!-- /results:other -->\n")
    assert problems(page) == [
        "a.md: other: no benchmark writes this",
        "a.md: other: has no line of date, commit and CPU",
    ]
