"""Published tables say when, with which commit and on which CPU they were measured."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Decimal
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
    page.write_text(good + "<!-- /results:words -->\n")
    assert problems(page) == ["a.md: quality: its markers are no pair"]
    page.write_text("<!-- results:other -->\n| old |\n<!-- /results:other -->\n")
    assert problems(page) == [
        "a.md: other: no benchmark writes this",
        "a.md: other: has no line of date, commit and CPU",
    ]


FIGURE = re.compile(r"\d+(?:\.\d+)?")


def figures(text: str) -> list[str]:
    """Return the figures of all tables but in their first column and their heads."""
    rows = re.findall(r"(?m)^\|[^|\n]*(\|.*\|)$", FENCE.sub("", text))
    bodies = (row for row in rows if not re.fullmatch(r"[|\s:-]+", row))
    return [figure for row in bodies for figure in FIGURE.findall(row.replace(",", ""))]


def without_source(summary: str, results: str) -> list[str]:
    """Return the figures of a summary that none of the results rounds to."""
    measured = [Decimal(figure) for figure in figures(results)]
    return [
        figure
        for figure in figures(summary)
        if not any(
            one.quantize(Decimal(figure), rounding=ROUND_HALF_UP) == Decimal(figure)
            for one in measured
        )
    ]


def test_the_figures_of_the_readme_are_those_of_the_results() -> None:
    readme = read(ROOT / "README.md")
    assert len(figures(readme)) > 15
    assert without_source(readme, read(ROOT / PAGE)) == []


def test_a_figure_of_no_result_is_found() -> None:
    results = "| text | de→en |\n|---|---|\n| news (3,000) | **17.58** (44.7) |\n"
    assert without_source("| news | 17.6 |\n", results) == []
    assert without_source("| news | 17.5, median 45 ms |\n| all | 3000 |\n", results) == [
        "17.5",
        "3000",
    ]
