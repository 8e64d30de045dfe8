"""Results go between the markers of their name, with what a reader must know of them."""

from __future__ import annotations

import datetime
import importlib
import io
import re
import sys
from pathlib import Path

import pytest

from tests.benchmarks import results as module
from tests.benchmarks.results import NAMES, main, results, stamp, write_table
from tests.checkout import ROOT
from translator.cli.info import describe
from translator.errors import InputError

PAGE = """# Results

<!-- results:scaling -->
old
<!-- /results:scaling -->

between

<!-- results:quality -->
<!-- /results:quality -->
end
"""
TABLE = "| a | b |\n|---|---|\n| 1 | 2 |\n"


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "results.md"
    path.write_text(PAGE)
    return path


def test_a_table_replaces_what_was_there_and_nothing_else(page: Path) -> None:
    write_table(page, "scaling", TABLE)
    new = f"<!-- results:scaling -->\n\n{stamp(page)}\n\n{TABLE}\n<!-- /results:scaling -->\n"
    old = "<!-- results:scaling -->\nold\n<!-- /results:scaling -->\n"
    assert page.read_text() == PAGE.replace(old, new)
    write_table(page, "scaling", TABLE)
    assert page.read_text() == PAGE.replace(old, new)


def test_date_commit_and_cpu_are_said(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def git(*arguments: str) -> str:
        asked.append(arguments)
        return {"rev-parse": "abc1234", "status": status}[arguments[0]]

    monkeypatch.setattr(module, "_git", git)
    today = datetime.datetime.now(datetime.UTC).date()
    status = ""
    assert stamp(page) == f"*{today}, commit abc1234, {describe()}*"
    status = " M translator/cli.py"
    assert stamp(page) == f"*{today}, commit abc1234+changes, {describe()}*"
    stamp(ROOT / "docs" / "results.md")  # is written table by table
    assert asked[-1][-1] == f":(exclude){ROOT / 'docs' / 'results.md'}"


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ("", "scaling", "needs one line `<!-- results:scaling -->` and below it one line"),
        (PAGE + PAGE, "quality", "needs one line `<!-- results:quality -->`"),
        ("<!-- /results:quality -->\n<!-- results:quality -->\n", "quality", "and below it"),
        (PAGE, "qualty", "qualty: no benchmark has this name; known ones: quality, "),
    ],
)
def test_a_page_without_room_for_it_is_refused_unchanged(
    page: Path, text: str, name: str, message: str
) -> None:
    page.write_text(text)
    with pytest.raises(InputError, match=re.escape(message)):
        write_table(page, name, TABLE)
    assert page.read_text() == text


def test_a_page_that_is_not_there_is_told_before_anything_is_measured(tmp_path: Path) -> None:
    measured = False
    expected = re.escape(f"error: {tmp_path / 'a.md'}: no such page; ")
    with pytest.raises(SystemExit, match=expected), results(tmp_path / "a.md", "scaling"):
        measured = True
    assert not measured


def test_what_is_printed_is_written_too(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with results(page, "quality"):
        print(TABLE, end="")
    assert capsys.readouterr().out == f"{stamp(page)}\n\n{TABLE}"
    assert f"{TABLE}\n<!-- /results:quality -->" in page.read_text()


def test_a_measurement_that_fails_leaves_the_page_alone(page: Path) -> None:
    with pytest.raises(ZeroDivisionError), results(page, "scaling"):
        print(1 // 0)
    assert page.read_text() == PAGE


def test_without_a_page_it_is_only_printed(capsys: pytest.CaptureFixture[str]) -> None:
    with results(None, "quality"):
        print("found")
    assert capsys.readouterr().out.endswith("*\n\nfound\n")


def test_another_program_can_be_piped_in(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["results", str(page), "scaling"])
    monkeypatch.setattr(sys, "stdin", io.StringIO(TABLE))
    main()
    assert f"{stamp(page)}\n\n{TABLE}\n<!-- /results:scaling -->" in page.read_text()


@pytest.mark.parametrize("module_name", sorted({*NAMES.values()}))
def test_every_table_has_a_program_that_measures_it(module_name: str) -> None:
    assert importlib.util.find_spec(module_name)


def test_every_benchmark_here_can_write_its_tables() -> None:
    folder, written = ROOT / "tests" / "benchmarks", {}
    for path in folder.glob("*.py"):
        text = path.read_text(encoding="utf-8")
        for name in re.findall(r'with results\(options\.write, "([\w-]+)"\)', text):
            written[name] = f"tests.benchmarks.{path.stem}"
    piped = {"captions", "decoding-speed", "gpu"}
    assert written == {name: by for name, by in NAMES.items() if name not in piped}
