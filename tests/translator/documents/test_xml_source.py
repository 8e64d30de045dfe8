"""XML is read with the places of its elements, and refuses what could do harm."""

from __future__ import annotations

import codecs

import pytest

from translator.documents import xml_source as source_module
from translator.documents.xml_source import Text, XmlSource, escaped, escaped_value
from translator.errors import InputError

XML = """<?xml version="1.0"?>
<!-- é --><x:a xmlns:x="urn:x" xmlns:o="urn:o">
  <x:p k="1&amp;2" o:k="3">Größe &lt; <b/><!-- no --><![CDATA[<raw>]]> &#8364;</x:p><x:p/>
</x:a>
"""


def read(data: bytes | str, *wanted: str) -> XmlSource:
    """Read everything."""
    data = data.encode() if isinstance(data, str) else data
    source = XmlSource("a.xml", data, {"urn:x": "x", "urn:o": "o"})
    for _ in source.elements(frozenset(wanted)):
        pass
    return source


@pytest.mark.parametrize("block", [1, 7, 1 << 20])
def test_elements_are_found_where_they_stand(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_module, "_BLOCK", block)
    source = read(XML, "x:p")
    [(full, around), (empty, _)] = source.elements(frozenset({"x:p"}))
    assert [element.name for element in around] == ["x:a"]
    assert source.cut(full.start, full.inside) == '<x:p k="1&amp;2" o:k="3">'
    assert full.attributes == {"k": "1&2", "o:k": "3"}
    assert source.cut(full.outside, full.end) == "</x:p>"
    assert source.cut(empty.start, empty.inside) == source.cut(empty.start, empty.end) == "<x:p/>"
    assert full.text == "Größe < <raw> €"
    pieces = [source.cut(child.start, child.end) for child in full.children]
    assert pieces[:2] == ["Größe &lt; ", "<b/>"]
    assert "".join(c.text for c in full.children if isinstance(c, Text)) == full.text


@pytest.mark.parametrize("block", range(1, 60))
def test_an_element_is_whole_when_it_is_found(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_module, "_BLOCK", block)
    source = XmlSource(
        "a.xml", b"<a>" + b"<p><b><c/></b>x<!-- y --><d>z</d></p>\n" * 9 + b"</a>", {}
    )
    ends = [(found.outside, found.end) for found, _ in source.elements(frozenset({"p"}))]
    length = len("<p><b><c/></b>x<!-- y --><d>z</d></p>\n")
    assert ends == [(3 + n * length - 5, 3 + n * length - 1) for n in range(1, 10)]


def test_the_margin_is_white_space_behind_letters_of_any_length() -> None:
    data = f"<a>{'é' * 150}\n  <b/>{'é' * 100}x<b/></a>".encode()
    source = XmlSource("a.xml", data, {})
    places = [found.start for found, _ in source.elements(frozenset({"b"}))]
    assert [source.margin(place) for place in places] == ["\n  ", ""]
    assert source.margin(4) == ""  # inside a letter


@pytest.mark.parametrize(
    "data",
    [
        codecs.BOM_UTF8 + XML.encode(),
        codecs.BOM_UTF16_LE + XML.encode("utf-16-le"),
        XML.replace("?>", ' encoding="ISO-8859-1"?>', 1).encode("latin-1"),
        XML.replace("\n", "\r\n").encode(),
    ],
)
def test_the_encoding_is_that_of_the_file(data: bytes) -> None:
    source = read(data, "x:p")
    assert source.encoding.encode_markup(source.cut(0, source.size)) == data


BOMB = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 9))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            f'<!DOCTYPE a [<!ENTITY e0 "x">{BOMB}]><a>&e8;</a>',
            "declares or uses entities of its own",
        ),
        ('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>', "entities of its own"),
        ('<!DOCTYPE a SYSTEM "http://localhost/x.dtd"><a>&x;</a>', "entities of its own"),
        ("<a><b></a>", r"a\.xml, line 1: is not well-formed XML \(mismatched tag\)"),
        ("<a>\n<b>", r"a\.xml, line 2: is not well-formed XML \(no element found\)"),
        ("", "is not well-formed XML"),
        ("<a>&x;</a>", "undefined entity"),
        ("<a>" * 300, r"a\.xml: is nested more than 256 elements deep"),
        (b"<a>\xff</a>", "is not UTF-8"),
    ],
)
def test_what_could_do_harm_is_refused(data: bytes | str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(data, "a")


def test_an_external_type_is_not_loaded() -> None:
    source = read('<!DOCTYPE a SYSTEM "http://localhost:1/x.dtd"><a>x</a>', "a")
    assert source.size > 0


def test_trees_are_not_larger_than_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_module, "MAX_ELEMENTS", 3)
    read("<a>" + "<p><b/></p>" * 9 + "</a>", "p")
    with pytest.raises(InputError, match=r"has a paragraph of more than 3 elements; split it"):
        read("<a>" + "<b/>" * 4 + "</a>", "a")


def test_a_text_in_many_parts_is_read() -> None:
    [(element, _)] = XmlSource("a.xml", b"<a>" + b"&lt;\n" * 200_000 + b"</a>", {}).elements(
        frozenset({"a"})
    )
    assert element.text == "<\n" * 200_000
    assert len(element.children) == 1


def test_xml_has_a_largest_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_module, "MAX_BYTES", 3)
    with pytest.raises(InputError, match=r"^a\.xml: has 4 bytes of XML, and 3 is the most"):
        read("<a/>", "a")


def test_text_is_escaped() -> None:
    assert escaped('a\0 & < > "\ufffe\ud800') == 'a &amp; &lt; &gt; "'
    assert escaped_value('"\n\t&') == "&quot;&#10;&#9;&amp;"
