"""Translated documents say which language they are in."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.documents import archive, members, unchanged
from translator.documents.archive import Archive, ArchiveDocument
from translator.documents.language_marks import OFFICE, OPEN_DOCUMENT, locale_of, marking
from translator.documents.plain import read_page


def marked(member: str, content: str, target: str) -> str:
    data = archive({member: content})
    marks = OPEN_DOCUMENT if "fo:" in content else OFFICE
    document = ArchiveDocument("a", Archive("a", data), {}, marking("a", target, marks))
    return members(document.rebuild([]))[member].decode()


MARKS = [
    line.split("\t")
    for line in Path(__file__).with_name("marks.tsv").read_text("utf-8").splitlines()
]


@pytest.mark.parametrize(("member", "before", "after"), MARKS)
def test_marks_of_the_document_change_and_others_stay(member: str, before: str, after: str) -> None:
    assert marked(member, before, "de") == after


def test_the_country_is_the_one_meant_or_that_of_most_speakers() -> None:
    known = [locale_of(code) for code in ("de", "de-CH", "en", "sv", "xx")]
    assert known == [("de", "DE"), ("de", "CH"), ("en", "US"), ("sv", "SE"), ("xx", "")]


def test_a_page_says_its_language() -> None:
    page = '<html xml:lang="en-GB" lang=\'en\'><p lang="fr">Oui</p><p lang=en>Yes</p></html>'
    read = read_page("a.html", page.encode(), "de")
    said = '<html xml:lang="de" lang=\'de\'><p lang="fr">Oui</p><p lang=de>Yes</p></html>'
    assert unchanged(read).decode() == said
    assert unchanged(read_page("a.html", page.encode(), "en")).decode() == page
    assert unchanged(read_page("a.html", page.encode())).decode() == page
