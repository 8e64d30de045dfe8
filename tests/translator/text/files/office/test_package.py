"""The list of types says which members have text."""

from __future__ import annotations

import re

from tests.office import docx
from translator.text.files.office.package import Package, types_of


def test_members_are_found_by_their_types() -> None:
    package = Package("a.docx", docx("x", header1="y", footnotes="z"), "Word")
    assert package.members(types_of("wordprocessingml", "word", "header|footnotes")) == [
        *("word/header1.xml", "word/footnotes.xml"),
    ]
    assert package.members("text/plain") == []


def test_patterns_take_whole_names_of_both_families() -> None:
    pattern = re.compile(types_of("presentationml", "powerpoint", "slide|presentation"))
    family = "application/vnd.openxmlformats-officedocument.presentationml"
    assert pattern.fullmatch(f"{family}.slide+xml")
    assert pattern.fullmatch("application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml")
    assert not pattern.fullmatch(f"{family}.slideLayout+xml")
    assert not pattern.fullmatch("application/vnd.ms-word.presentation+xml")
