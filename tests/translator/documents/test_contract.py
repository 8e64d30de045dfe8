"""What every kind of file promises: it is read, written, read again, or refused in one sentence."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.documents import archive, members, texts, unchanged
from tests.sample_files import ARCHIVES, MAKERS, sample
from translator.documents import document as document_module
from translator.documents import kinds
from translator.documents.kinds import read_file
from translator.errors import InputError
from translator.text.characters import has_letters

COMPLETED = {"po", "xliff", "ts", "xcstrings", "tmx"}
"""Catalogues whose translations stand beside their sources."""

PROGRAMS = {"docx": "Word", "pptx": "PowerPoint", "xlsx": "Excel"}
MEMBERS = {
    "docx": ("[Content_Types].xml", "word/document.xml"),
    "pptx": ("[Content_Types].xml", "ppt/slides/slide1.xml"),
    "xlsx": ("[Content_Types].xml", "xl/worksheets/sheet1.xml"),
    **dict.fromkeys(("odt", "odp", "ods"), ("content.xml", "content.xml")),
    "epub": ("META-INF/container.xml", "EPUB/content.opf"),
}
"""Of archives: the member that each must have, and one with text."""

ROWS = (Path(__file__).parent / "refused.tsv").read_text("utf-8").splitlines()[1:]
REFUSED = [row.split("\t") for row in ROWS]


def content(data: bytes) -> object:
    return members(data) if data.startswith(b"PK") else data


@pytest.mark.parametrize("kind", MAKERS)
def test_what_is_not_translated_stays(kind: str) -> None:
    document = read_file(f"a.{kind}", sample(kind))
    assert kind in COMPLETED or content(unchanged(document)) == content(sample(kind))
    assert document.left_alone in ([], ())


@pytest.mark.parametrize("kind", MAKERS)
def test_a_translation_is_read_again(kind: str) -> None:
    document = read_file(f"a.{kind}", sample(kind), "de")
    said = [f"Now {text}" for text in texts(document)]
    written = document.rebuild(said)
    again = texts(read_file(f"a.{kind}", written, "de"))
    if kind in COMPLETED:
        assert again == []
        assert all(text.encode() in written for text in said)
    else:
        words, found = (sorted(re.findall(r"\w+", " ".join(every))) for every in (said, again))
        assert words == found


@pytest.mark.parametrize(
    "kind", [kind for kind in MAKERS if kind != "pdf"]
)  # PDF leaves what would lose numbers
def test_a_file_with_nothing_to_translate_comes_back(kind: str) -> None:
    document = read_file(f"a.{kind}", sample(kind), "de")
    data = document.rebuild("12" for _ in document.units)
    for target in (None, "de"):
        again = read_file(f"a.{kind}", data, target)
        left = [text for text in texts(again) if has_letters(text)]
        assert not left
        assert content(unchanged(again)) == content(data)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        *(
            (f"a.{kind}", "")
            for kind in ("txt", "md", "html", "csv", "tsv", "properties", "strings")
        ),
        *(
            ("a.json", "{}"),
            ("a.json", '"12"'),
            ("a.arb", "{}\n"),
            ("a.po", "# none\n"),
            ("a.pot", ""),
        ),
        *(("a.ipynb", '{"cells": []}'), ("a.resx", "<root/>"), ("a.xml", "<resources />")),
        *(("a.xlf", '<xliff version="1.2"/>'), ("a.ts", "<TS/>"), ("a.yml", "en:\n")),
        *(("a.tmx", "<tmx><header/></tmx>"), ("a.xcstrings", '{"strings": {}}')),
        *(
            ("a.srt", "1\n00:00:01,000 --> 00:00:02,000\n\n"),
            ("a.vtt", "WEBVTT\n\nNOTE Some words\n"),
        ),
        ("a.ass", "[Events]\nFormat: Start, Text\n"),
    ],
)
def test_an_empty_file_comes_back(name: str, data: str) -> None:
    document = read_file(name, data.encode())
    assert not any(map(has_letters, texts(document)))
    assert unchanged(document) == data.encode()


@pytest.mark.parametrize("kind", MAKERS)
def test_there_is_a_translation_for_each_unit(kind: str) -> None:
    document = read_file(f"a.{kind}", sample(kind), "de")
    said = [*texts(document), "one more"]
    with pytest.raises(ValueError, match=f"{len(said) - 1} units, got {len(said)} translations"):
        document.rebuild(said)
    with pytest.raises(ValueError, match=f"{len(said) - 1} units, got 0 translations"):
        document.rebuild([])


@pytest.mark.parametrize("kind", MAKERS)
def test_large_files_are_refused(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(document_module, "MAX_UNITS", 0)
        with pytest.raises(InputError, match=r": has more than 0 texts to translate; split it$"):
            read_file(f"a.{kind}", sample(kind), "de")
    monkeypatch.setattr(kinds, "MAX_FILE_BYTES", 3)
    with pytest.raises(InputError, match=rf"^a\.{kind}: has .* bytes, and 3 is the most; split it"):
        read_file(f"a.{kind}", sample(kind))


@pytest.mark.parametrize(("ending", "raw", "error"), REFUSED)
def test_what_is_of_another_kind_is_refused(ending: str, raw: str, error: str) -> None:
    data = raw.encode("latin-1").decode("unicode_escape").encode("utf-8", "surrogateescape")
    with pytest.raises(InputError) as raised:
        read_file(f"a.{ending}", data, "de")
    assert str(raised.value).startswith(error)


@pytest.mark.parametrize("kind", ARCHIVES)
def test_archives_that_are_no_documents_are_refused(kind: str) -> None:
    needed, member = MEMBERS[kind]
    known = members(sample(kind))
    cases = {
        b"": "is empty; save it again",
        b"PK": "is damaged, or no document of this kind (",
        sample(kind)[:-40]: "is damaged, or no document of this kind (",
        archive({"x": "y"}): f"has no {needed}, so it is no document of this kind",
    }
    for data, error in cases.items():
        with pytest.raises(InputError, match=rf"^a\.{kind}: {re.escape(error)}"):
            read_file(f"a.{kind}", data)
    broken = archive({**known, member: "<x>"})
    with pytest.raises(InputError, match=rf"^a\.{kind}, {member}, line 1: is not well-formed XML"):
        read_file(f"a.{kind}", broken, "de")


@pytest.mark.parametrize("kind", PROGRAMS)
def test_documents_of_another_program_are_refused(kind: str) -> None:
    program = PROGRAMS[kind]
    for data in (sample("docx" if kind != "docx" else "xlsx"), archive({MEMBERS[kind][0]: "<T/>"})):
        with pytest.raises(
            InputError, match=rf"^a\.{kind}: is no document of {program}; its \[Con"
        ):
            read_file(f"a.{kind}", data)
    old = b"\xd0\xcf\x11\xe0\xa1"
    with pytest.raises(InputError, match=rf"is encrypted, or of {program} before 2007; save it as"):
        read_file(f"a.{kind}", old)
