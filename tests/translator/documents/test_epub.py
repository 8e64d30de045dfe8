"""Books keep everything but their words and the language they say they are in."""

from __future__ import annotations

import io
import zipfile
from xml.etree import ElementTree

import pytest
from ebooklib import ITEM_DOCUMENT, epub

from tests.books import book, with_members
from tests.documents import A, B, archive, members, shouted, texts, unchanged
from translator.documents.epub import read_epub
from translator.errors import InputError


def test_all_that_people_read_is_translated_in_reading_order() -> None:
    document = read_epub("a.epub", book())
    assert texts(document) == [
        *("Animals & more", "A short book.", "Animals & more", "Animals & more"),
        *("The dog", "The cat"),  # in the contents
        *("The cat", "The cat", "It sleeps", "all day.", "One", "Two"),
        *("The dog", "The dog"),
        f"A <{A}>very</{A}> old dog & a cat. <{B}/> See <\U000f0002>below</\U000f0002>.",
        *("A red square", "Animals & more", "The dog", "The cat"),
    ]
    assert members(unchanged(document)) == members(book())


def test_the_language_is_named_and_nothing_else_changes() -> None:
    written = members(unchanged(read_epub("a.epub", book(), "de")))
    before = members(book())
    assert b"<dc:language>de</dc:language>" in written["EPUB/content.opf"]
    assert b'lang="de" xml:lang="de"' in written["EPUB/a.xhtml"]
    back = {
        name: content.replace(b'lang="de"', b'lang="en"').replace(b"language>de<", b"language>en<")
        for name, content in written.items()
    }
    assert back == before


def test_the_kind_of_the_file_comes_first_and_is_not_packed() -> None:
    with zipfile.ZipFile(io.BytesIO(shouted(read_epub("a.epub", book(), "de")))) as written:
        first = written.infolist()[0]
    assert (first.filename, first.compress_type) == ("mimetype", zipfile.ZIP_STORED)


def test_another_program_reads_the_translation() -> None:
    data = shouted(read_epub("a.epub", book(), "de"))
    again = epub.read_epub(io.BytesIO(data))
    assert again.title == "ANIMALS & MORE"
    assert again.get_metadata("DC", "language")[0][0] == "de"
    assert again.get_metadata("DC", "creator")[0][0] == "Ann Miller"
    assert [link.title for link in again.toc] == ["THE DOG", "THE CAT"]
    pages = {item.get_name(): item.get_content() for item in again.get_items_of_type(ITEM_DOCUMENT)}
    assert b"<pre>some code</pre>" in pages["a.xhtml"]
    for page in members(data).values():
        if page.startswith(b"<?xml"):
            ElementTree.fromstring(page)


def test_elements_without_content_are_whole() -> None:
    page = (
        '<html><head><title/><script src="x"/></head><body><p>One <i/>two</p><p/><div>Three</div>'
        "</body></html>"
    )
    document = read_epub("a.epub", with_members(EPUB_a__xhtml=page))
    assert {f"One <{A}/>two", "Three"} <= {*texts(document)}
    written = members(shouted(document))["EPUB/a.xhtml"].decode()
    assert written == page.replace("One", "ONE").replace("two", "TWO").replace("Three", "THREE")


def test_pictures_may_be_in_reading_order() -> None:
    package = members(book())["EPUB/content.opf"].decode()
    data = with_members(
        EPUB_content__opf=package.replace("</spine>", '<itemref idref="red"/></spine>')
    )
    assert texts(read_epub("a.epub", data)) == texts(read_epub("a.epub", book()))


def test_addresses_that_lead_out_of_the_book_name_nothing() -> None:
    package = members(book())["EPUB/content.opf"].decode().replace("a.xhtml", "../../etc/passwd")
    document = read_epub("a.epub", with_members(EPUB_content__opf=package))
    assert "It sleeps" in texts(document)
    assert not any("very" in text for text in texts(document))


ENCRYPTED = (
    '<encryption xmlns:enc="http://www.w3.org/2001/04/xmlenc#">'
    '<enc:EncryptionMethod Algorithm="{}"/></encryption>'
)


def test_fonts_may_be_obfuscated() -> None:
    method = ENCRYPTED.format("http://www.idpf.org/2008/embedding")
    data = archive({**members(book()), "META-INF/encryption.xml": method})
    assert len(texts(read_epub("a.epub", data))) == len(texts(read_epub("a.epub", book())))


def test_a_book_that_is_protected_or_has_no_package_is_refused() -> None:
    method = ENCRYPTED.format("urn:aes")
    protected = archive({**members(book()), "META-INF/encryption.xml": method})
    with pytest.raises(InputError, match=r"^a\.epub: is protected against copying; only an open"):
        read_epub("a.epub", protected)
    with pytest.raises(InputError, match=r"^a\.epub: is no book; its META-INF/container.xml names"):
        read_epub("a.epub", archive({"META-INF/container.xml": "<x/>"}))
