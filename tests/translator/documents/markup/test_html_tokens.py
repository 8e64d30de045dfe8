"""HTML is cut into tokens that cover it, whatever it is."""

from __future__ import annotations

import time

import pytest

from translator.documents.markup.html_tokens import XHTML, Attribute, Token, attributes, tokens


def kinds(page: str) -> list[tuple[str, str]]:
    return [(token.kind, page[token.start : token.end]) for token in tokens(page)]


def test_tags_text_and_the_rest() -> None:
    assert kinds("<!DOCTYPE html><P class=x>a &amp; b<!-- <i> --></P>") == [
        ("other", "<!DOCTYPE html>"),
        ("start", "<P class=x>"),
        ("text", "a &amp; b"),
        ("other", "<!-- <i> -->"),
        ("end", "</P>"),
    ]
    assert next(iter(tokens("<P>"))) == Token("start", 0, 3, "p")


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("a < b <3", [("text", "a < b <3")]),
        ("<a title='x > y'>z", [("start", "<a title='x > y'>"), ("text", "z")]),
        ("<a title='x>y</a>", [("start", "<a title='x>"), ("text", "y"), ("end", "</a>")]),
        ("x <b is small", [("text", "x <b is small")]),
        ("x <b", [("text", "x "), ("other", "<b")]),
        ("x <a hre", [("text", "x "), ("other", "<a hre")]),
        ("x <b id='y z", [("text", "x "), ("other", "<b id='y z")]),
        ("<!-- never closed <b>", [("other", "<!-- never closed <b>")]),
        ("<script>a</b<i></SCRIPT >", None),
        ("<title>a<b></title>", None),
        ("<![CDATA[ <b> ]]>x", [("other", "<![CDATA[ <b> ]]>"), ("text", "x")]),
        ("<?php a > b ?>x<? y>", None),
        ("<% if a > b %>", [("other", "<% if a > b %>")]),
        ("<!--[if IE]><p>x</p><![endif]-->", [("other", "<!--[if IE]><p>x</p><![endif]-->")]),
        ("</ >", [("other", "</ >")]),
    ],
)
def test_broken_and_rare_markup(page: str, expected: list[tuple[str, str]] | None) -> None:
    got = kinds(page)
    assert "".join(text for _, text in got) == page
    assert expected in (None, got)


def test_the_content_of_scripts_and_titles_is_no_markup() -> None:
    assert kinds("<script>if (a<b) </script>x") == [
        ("start", "<script>"),
        ("raw", "if (a<b) "),
        ("end", "</script>"),
        ("text", "x"),
    ]
    assert kinds("<title>a<b></title>")[1] == ("text", "a<b>")
    assert [kind for kind, _ in kinds("a <title> b</i>c")] == [
        "text",
        "start",
        "text",
        "end",
        "text",
    ]
    assert kinds("<?php a > b ?>x<? y>") == [
        ("other", "<?php a > b ?>"),
        ("text", "x"),
        ("other", "<? y>"),
    ]


def test_attributes_with_their_places() -> None:
    page = "<img ALT=\"a 'b'\" title='c' src=d.png hidden>"
    [tag] = tokens(page)
    assert list(attributes(page, tag)) == [
        Attribute("alt", "a 'b'", 9, 16, '"'),
        Attribute("title", "c", 23, 26, "'"),
        Attribute("src", "d.png", 31, 36, ""),
    ]


@pytest.mark.parametrize(
    "piece",
    [
        "<",
        "<b>",
        "<a ",
        '<a x="',
        "<!--",
        "<![CDATA[",
        "<?",
        "</",
        "<b",
        "<%",
        "&",
        "<title>",
        "<script>",
    ],
)
def test_a_long_row_of_the_same(piece: str) -> None:
    page = piece * 100_000
    started = time.process_time()
    end = 0
    for token in tokens(page):
        assert token.start == end < token.end, f"{piece}: a gap or an empty token at {end}"
        end = token.end
    assert end == len(page)
    assert time.process_time() - started < 20


def test_in_xhtml_a_tag_may_be_a_whole_element() -> None:
    page = "<script src='x'/><p a=b/>x"
    assert [token.kind for token in tokens(page, XHTML)] == ["start", "start", "text"]
    assert [token.kind for token in tokens(page)] == ["start", "raw"]
