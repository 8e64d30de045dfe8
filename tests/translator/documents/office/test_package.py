"""The list of types says which members have text."""

from __future__ import annotations

import re

from tests.documents import archive, members, shouted
from tests.office import part, run
from translator.documents.office.package import types_of
from translator.documents.office.word import read_docx


def test_patterns_take_whole_names_of_both_families() -> None:
    pattern = re.compile(types_of("presentationml", "powerpoint", "slide|presentation"))
    family = "application/vnd.openxmlformats-officedocument.presentationml"
    assert pattern.fullmatch(f"{family}.slide+xml")
    assert pattern.fullmatch("application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml")
    assert not pattern.fullmatch(f"{family}.slideLayout+xml")
    assert not pattern.fullmatch("application/vnd.ms-word.presentation+xml")


def test_a_type_may_be_that_of_an_ending_and_names_may_have_other_capitals() -> None:
    family = "application/vnd.openxmlformats-officedocument.wordprocessingml"
    types = (
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        f'<Default Extension="XML" ContentType="{family}.document.main+xml"/>'
        f'<Override PartName="/word/Footer.xml" ContentType="{family}.footer+xml"/></Types>'
    )
    paragraph = f"<w:p>{run('An')}</w:p>"
    written = shouted(
        read_docx(
            "a.docx",
            archive(
                {
                    "[Content_Types].xml": types,
                    "word/document.xml": part(f"<w:body>{paragraph}</w:body>", "document"),
                    "word/footer.xml": part(paragraph, "ftr"),
                }
            ),
        )
    )
    for name in ("word/document.xml", "word/footer.xml"):
        assert run("AN").encode() in members(written)[name]
