"""Texts of Android keep their names, their tags and their way of writing."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.documents import A, B, shouted, texts, unchanged
from translator.documents.catalogues.android import read_android

XLIFF = "urn:oasis:names:tc:xliff:document:1.2"
FILE = rf"""<?xml version="1.0" encoding="utf-8"?>
<resources xmlns:xliff="{XLIFF}">
    <!-- a comment -->
    <string name="a">It\'s a
        <b>big</b> dog &amp; %1$s</string>
    <string name="b" translatable="false">Not this</string>
    <string name="c">@string/a</string>
    <string name="d">Hello <xliff:g id="x" example="Ann">%1$s</xliff:g>, \u00e4h</string>
    <string-array name="e"><item>First\nline</item><item>12</item></string-array>
    <plurals name="f">
        <item quantity="one">%d day</item><item quantity="other">%d days</item>
    </plurals>
    <string name="g"><![CDATA[See <i>this</i>]]></string>
    <integer name="h">three</integer>
</resources>
"""


def test_texts_are_units_and_nothing_else() -> None:
    document = read_android("strings.xml", FILE.encode())
    assert texts(document) == [
        f"It's a <{A}>big</{A}> dog & %1$s",
        f"Hello <{A}=%1$s/>, äh",
        *("First\nline", "%d day", "%d days", f"See <{A}>this</{A}>"),
    ]
    assert unchanged(document) == FILE.encode()


def test_texts_are_written_as_android_reads_them() -> None:
    written = shouted(read_android("strings.xml", FILE.encode())).decode()
    assert r"""<string name="a">IT\'S A <b>BIG</b> DOG &amp; %1$s</string>""" in written
    assert ">%1$s</xliff:g>, ÄH</string>" in written
    assert r"<item>FIRST\nLINE</item><item>12</item>" in written
    assert '<item quantity="one">%d DAY</item>' in written
    assert '<string name="g"><![CDATA[SEE <i>THIS</i>]]></string>' in written
    assert len(ElementTree.fromstring(written)) == 8


def test_what_android_would_misread_is_written_otherwise() -> None:
    data = b"<resources><string name='a'>dog</string></resources>"
    document = read_android("a.xml", data)
    written = document.rebuild(['?a  "b" \\']).decode()
    assert written == data.decode().replace("dog", r'\?a"  "\"b\" \\')
    [text] = texts(read_android("a.xml", written.encode()))
    assert text == '?a  "b" \\'


def test_words_move_with_their_tags() -> None:
    data = b"<resources><string name='a'>a <b>big</b> <u>dog</u></string></resources>"
    written = read_android("a.xml", data).rebuild([f"ein <{B}>Hund</{B}>, <{A}>gross</{A}>"])
    assert b">ein <u>Hund</u>, <b>gross</b><" in written


@pytest.mark.parametrize(
    ("inside", "found", "written"),
    [
        (
            r"""<![CDATA[<a href=\"x\">Don\'t</a>]]>""",
            ["Don't"],
            r"""<![CDATA[<a href=\"x\">DON\'T</a>]]>""",
        ),
        (
            "\n <![CDATA[<p>One</p>\n <p>two</p>]]>\n",
            ["One", "two"],
            "\n <![CDATA[<p>ONE</p>\n <p>TWO</p>]]>\n",
        ),
        ("<![CDATA[<br/>]]>", [], "<![CDATA[<br/>]]>"),
        ("One <![CDATA[two]]>", ["One two"], "ONE TWO"),
    ],
)
def test_sections_are_html_and_stay_sections(inside: str, found: list[str], written: str) -> None:
    data = "<resources><string name='a'>{}</string></resources>"
    document = read_android("a.xml", data.format(inside).encode())
    assert texts(document) == found
    assert shouted(document).decode() == data.format(written)


PARTS = (
    "dog",
    " ",
    "<b>",
    "</b>",
    "<p>",
    "<br/>",
    r"\'",
    r"\"",
    r"\n",
    '<a href="x">',
    "&amp;",
    "ä",
)


@given(st.lists(st.sampled_from(PARTS), max_size=12).map("".join))
def test_drawn_sections_come_back(inside: str) -> None:
    data = f"<resources><string name='a'><![CDATA[{inside}]]></string></resources>".encode()
    assert unchanged(read_android("a.xml", data)) == data
