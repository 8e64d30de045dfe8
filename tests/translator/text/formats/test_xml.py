"""Texts with tags of XML: which of them split, and what comes back as it was."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from translator.text.formats.html.rules import TagWishes
from translator.text.formats.xml import outline_of, read_xml

DOCUMENT = """<?xml version="1.0"?>
<document>
  <meta><title>A document's title</title></meta>
  <par>
    <span>This is a sentence split</span>
    <span>across two &lt;span&gt; tags.</span>
  </par>
  <par>Here <em>is</em> a sentence.</par>
  <raw>Never.</raw>
  <Über id="a>b"/><_x>Hallo</_x><!-- no --><![CDATA[ No <b> ]]>
</document>
"""


def units(text: str, wishes: TagWishes | None = None) -> list[str]:
    """Return what is translated, without marks."""
    document = read_xml(text, wishes=wishes)
    assert document.rebuild([unit.text for unit in document.units]) == text
    plain = []
    for unit in document.units:
        kept, done = "", 0
        for start, end in unit.spans:
            kept, done = kept + unit.text[done:start], end
        plain.append((kept + unit.text[done:]).strip())
    return plain


def test_elements_that_enclose_whole_texts_split() -> None:
    assert units(DOCUMENT) == [
        "A document's title",
        "This is a sentence split",
        "across two <span> tags.",
        "Here is a sentence.",
        "Never.",
        "Hallo",
    ]


def test_wishes_come_before_the_outline() -> None:
    wishes = TagWishes(joining=frozenset({"SPAN"}), ignored=frozenset({"raw"}))
    assert units(DOCUMENT, wishes) == [
        "A document's title",
        "This is a sentence split across two <span> tags.",
        "Here is a sentence.",
        "Hallo",
    ]


def test_without_an_outline_only_named_tags_split() -> None:
    wishes = TagWishes(finds_outline=False, splitting=frozenset({"b"}))
    assert units("<a>One</a> <a>two</a><b>three</b>", wishes) == ["One two", "three"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hello <b>world</b>", set()),
        ("<p>One <b>or</b> two</p>", {"p"}),
        ("<a><b>text</b> <a/>", {"a", "b"}),
        ("<a>one</b> <c>two</c></a>", {"a"}),
        ("no tags < at all", set()),
    ],
)
def test_outline(text: str, expected: set[str]) -> None:
    assert outline_of(text) == expected


def test_names_are_not_htmls() -> None:
    assert units("<title>A <b>bold</b> title</title>") == ["A bold title"]
    assert units("<script>Some text</script><pre>More text</pre>") == ["Some text", "More text"]
    assert units('<img alt="Text">Inside</img>') == ["Inside"]


def test_what_is_put_in_is_escaped() -> None:
    document = read_xml("<p>a</p>")
    assert document.rebuild(["1 < 2 & 3 > 2"]) == "<p>1 &lt; 2 &amp; 3 &gt; 2</p>"


@given(st.lists(st.sampled_from(["<a>", "</a>", "<b/>", "<b>", "</b>", " ", "x y", "&amp;", "<"])))
def test_any_text_comes_back_as_it_was(parts: list[str]) -> None:
    text = "".join(parts)
    for wishes in (None, TagWishes(finds_outline=False), TagWishes(ignored=frozenset({"a"}))):
        document = read_xml(text, wishes=wishes)
        assert document.rebuild([unit.text for unit in document.units]) == text
