"""Entities become characters, and characters entities again."""

from __future__ import annotations

import pytest

from translator.text.formats.html.escaping import decode, encode, entities_of, keep_no_breaks


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("Tom &amp; Jerry", "Tom & Jerry"),
        ("&lt;b&gt; &#228; &#xE4; &auml;", "<b> ä ä ä"),
        ("AT&T, a && b, &unknown;", "AT&T, a && b, &unknown;"),
        ("&#" + "9" * 5_000 + ";", None),
    ],
)
def test_decode(raw: str, text: str | None) -> None:
    got = decode(raw)
    assert text in (None, got), f"{raw[:20]} gives {got[:20]}"


def test_what_was_escaped_stays_escaped() -> None:
    raw = "&lt;script&gt;"
    assert encode(decode(raw), entities_of(raw)) == raw
    assert encode("<b> & c", entities_of("x")) == "&lt;b&gt; &amp; c"


def test_characters_are_written_as_before() -> None:
    assert encode('"ä"', entities_of("&quot;&auml;")) == "&quot;&auml;&quot;"
    assert encode('"ä"', entities_of("a")) == '"ä"'


@pytest.mark.parametrize(
    ("quote", "value"), [('"', "a &quot; '"), ("'", 'a " &#39;'), ("", "a \" '")]
)
def test_quotes_in_attributes(quote: str, value: str) -> None:
    assert encode("a \" '", entities_of(""), quote) == value


@pytest.mark.parametrize(
    ("source", "translation", "kept"),
    [
        ("10\u00a0km weit", "10 km far", "10\u00a0km far"),
        ("10\u00a0Uhr", "at 10 o'clock", "at 10\u00a0o'clock"),
        ("der\u00a0Hund", "the dog", "the dog"),
        ("10 km", "10 km", "10 km"),
    ],
)
def test_no_break_spaces(source: str, translation: str, kept: str) -> None:
    assert keep_no_breaks(source, translation) == kept
