"""No kind of archive unpacks bombs, follows paths that lead elsewhere, or reads entities."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests import books, odf_files, presentations, workbooks
from tests.documents import archive, members
from translator.documents.kinds import read_file
from translator.errors import InputError

MAIN: dict[str, tuple[Callable[[], bytes], str]] = {
    "pptx": (presentations.slides, "ppt/slides/slide1.xml"),
    "xlsx": (workbooks.workbook, "xl/worksheets/sheet1.xml"),
    "odp": (odf_files.slides, "content.xml"),
    "ods": (odf_files.sheet, "content.xml"),
    "epub": (books.book, "EPUB/content.opf"),
}


def read(kind: str, **changed: bytes | str) -> None:
    make, _ = MAIN[kind]
    read_file(f"a.{kind}", archive({**members(make()), **changed}), "de")


@pytest.mark.parametrize("kind", MAIN)
def test_bombs_are_refused(kind: str) -> None:
    with pytest.raises(InputError, match=r"unpacks to more than 200 times its size"):
        read(kind, **{"bomb.bin": b"0" * (64 << 20)})


@pytest.mark.parametrize("kind", MAIN)
@pytest.mark.parametrize("path", ["../evil", "/etc/evil", "C:\\evil", "a/../../evil"])
def test_paths_that_lead_elsewhere_are_refused(kind: str, path: str) -> None:
    with pytest.raises(InputError, match=r"has a member named .*, which no document has"):
        read(kind, **{path: b"x"})


@pytest.mark.parametrize("kind", MAIN)
@pytest.mark.parametrize(
    "declared", ['<!ENTITY a "aaaa">', '<!ENTITY a SYSTEM "file:///etc/passwd">']
)
def test_entities_are_refused(kind: str, declared: str) -> None:
    make, member = MAIN[kind]
    content = members(make())[member].decode()
    begin = content.index("?>") + 2 if content.startswith("<?xml") else 0
    head, rest = content[:begin], content[begin:]
    if kind == "xlsx":
        rest = rest.replace("<sheetData>", "<sheetData>&a;", 1)
    with pytest.raises(InputError, match=r"entities of its own"):
        read(kind, **{member: f"{head}<!DOCTYPE x [{declared}]>{rest}"})
