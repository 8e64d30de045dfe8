"""Files of every kind, made of real text by other programs, are whole after translation."""

from __future__ import annotations

import io
import re
from collections import Counter

import pikepdf
import pytest

from tests.benchmarks import opened_files
from tests.benchmarks.file_samples import samples
from tests.documents import members, shouted, unchanged
from tests.libreoffice import MISSING, as_pdf, is_missing, num_pages
from translator.documents.kinds import read_file

COUNT, FEW = 12, 3
ARCHIVES = ("docx", "odt", "pptx", "odp", "xlsx", "ods", "epub")
KINDS = ("txt", "srt", "csv", "pdf", *ARCHIVES)
ELEMENT = re.compile(rb"<[A-Za-z][\w:.-]*")
TEXT_ELEMENTS = re.compile(rb"<(?:\w+:)?(?:t|r|rPr|span|lang|endParaRPr|noProof|s|b|i)$")


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_translation_that_is_the_text_changes_nothing(kind: str) -> None:
    for data in samples(kind, COUNT):
        document = read_file(f"a.{kind}", data)
        assert document.units, "nothing to translate"
        written = unchanged(document)
        if kind in ARCHIVES:
            assert members(written) == members(data)
        else:
            assert written == data


@pytest.mark.slow
@pytest.mark.parametrize("kind", ARCHIVES)
def test_elements_stay(kind: str) -> None:
    """All but those of runs, which follow their words."""
    for data in samples(kind, COUNT):
        written = members(shouted(read_file(f"a.{kind}", data, "de")))
        assert [*written] == [*members(data)]
        for name, content in members(data).items():
            before, after = (Counter(ELEMENT.findall(one)) for one in (content, written[name]))
            changed = {tag for tag in before | after if before[tag] != after[tag]}
            assert all(TEXT_ELEMENTS.match(tag) for tag in changed), f"{name}: {changed}"


@pytest.mark.slow
def test_pdf_keeps_its_pages_and_links() -> None:
    for data in samples("pdf", COUNT):
        written = shouted(read_file("a.pdf", data, "de"))
        with pikepdf.open(io.BytesIO(data)) as before, pikepdf.open(io.BytesIO(written)) as after:
            assert after.check_pdf_syntax() == []
            counts = [
                [len(page.obj.get("/Annots", [])) for page in pdf.pages] for pdf in (before, after)
            ]
            assert counts[0] == counts[1]


@pytest.mark.slow
@pytest.mark.skipif(is_missing(), reason=MISSING)
@pytest.mark.parametrize("kind", [kind for kind in ARCHIVES if kind != "epub"])
def test_libreoffice_opens_every_translation(kind: str) -> None:
    before = {f"a{n}.{kind}": data for n, data in enumerate(samples(kind, COUNT))}
    after = {f"b{n}.{kind}": shouted(read_file(a, before[a])) for n, a in enumerate(before)}
    made = as_pdf({**before, **after})
    assert {*made} == {*before, *after}
    if kind in ("pptx", "odp"):
        pages = {name: num_pages(pdf) for name, pdf in made.items()}
        for old, new in zip(before, after, strict=True):
            assert pages[old] == pages[new]


@pytest.mark.slow
@pytest.mark.skipif(is_missing(), reason=MISSING)
@pytest.mark.parametrize("kind", opened_files.SOURCES)
def test_documents_of_libreoffice_keep_their_structure_and_open_again(kind: str) -> None:
    before = opened_files.made(kind, FEW)
    assert len(before) == FEW
    after = [shouted(read_file(f"a.{kind}", data, "de")) for data in before]
    for old, new in zip(before, after, strict=True):
        assert opened_files.structure(kind, new) == opened_files.structure(kind, old)
        assert any(opened_files.structure(kind, old).values()), "nothing is counted"
    assert opened_files.opened(kind, after) == opened_files.opened(kind, before)
