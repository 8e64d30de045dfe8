"""Marks are taken out of a text, and put back around regions."""

from __future__ import annotations

import pytest

from translator.alignment.regions import Region, regions_of, take_out, with_tokens
from translator.documents.markup.inline import Inline
from translator.text.marked import MarkedText


def paragraph() -> MarkedText:
    inline: Inline[str] = Inline()
    inline.add_text("Der ")
    inline.opens("<b>")
    inline.add_text("Hund")
    inline.closes("</b>")
    inline.add_text(" ")
    inline.stands("<img>")
    inline.add_text(" frisst ")
    inline.stands("<code>ls</code>", text="ls")
    inline.add_text(" gern.")
    return inline.marked()


def test_pairs_and_images_are_taken_out() -> None:
    text, marks = take_out(paragraph(), has_placeholders=True)
    assert [text.text[slice(*span)] for span in text.spans] == [text.text[16:-6]]
    assert text.text[:16] == "Der Hund frisst "
    assert [(mark.kind, mark.start) for mark in marks] == [
        ("opens", 4),
        ("closes", 8),
        ("alone", 9),
    ]


@pytest.mark.parametrize(
    ("before", "after", "read"),
    [
        ("press the ", " button", "press the button"),
        ("a bridge", " in town", "a bridge in town"),
        ("press ", ", then wait", "press <>, then wait"),
        ("press the button (", ") and wait", "press the button (<>) and wait"),
        ("press ", ".", "press <>."),
        ("a bridge", ".", "a bridge."),
        ("a bridge.", " It is old", "a bridge. It is old"),
    ],
)
def test_a_mark_alone_comes_back_with_its_spaces(before: str, after: str, read: str) -> None:
    inline: Inline[str] = Inline()
    inline.add_text(before)
    inline.stands("<img>")
    inline.add_text(after)
    whole = inline.marked().text
    text, marks = take_out(inline.marked(), has_placeholders=True)
    for start, end in text.spans:
        text = MarkedText(text.text[:start] + "<>" + text.text[end:])
    assert text.text == read
    regions = regions_of(marks, 0, len(text.text))
    for region in regions:
        region.target = region.source
    assert with_tokens(text.text, regions) == (whole if marks else read)


def test_a_space_on_both_sides_of_a_mark_that_opens_comes_back() -> None:
    inline: Inline[str] = Inline()
    inline.add_text("Gut. ")
    inline.opens("<v Anna>")
    inline.add_text(" Ja?")
    inline.closes("</v>")
    text, marks = take_out(inline.marked(), has_placeholders=True)
    assert text.text == "Gut. Ja?"
    [region] = regions_of(marks, 0, len(text.text))
    region.target = region.source
    assert with_tokens(text.text, [region]) == inline.marked().text


def test_a_model_without_placeholders_reads_everything() -> None:
    text, marks = take_out(paragraph(), has_placeholders=False)
    assert text == MarkedText("Der Hund frisst ls gern.")
    assert (marks[-1].kind, marks[-1].start, marks[-1].end) == ("span", 16, 18)


def test_regions_are_nested() -> None:
    inline: Inline[str] = Inline()
    inline.opens("a")
    inline.add_text("Eins ")
    inline.opens("b")
    inline.add_text("zwei")
    inline.closes("b")
    inline.closes("a")
    inline.add_text(" drei")
    text, marks = take_out(inline.marked(), has_placeholders=True)
    [outer] = regions_of(marks, 0, len(text.text))
    assert outer.source == (0, 9)
    assert outer.inner[0].source == (5, 9)


def test_a_pair_over_two_sentences() -> None:
    inline: Inline[str] = Inline()
    inline.add_text("Eins ")
    inline.opens("a")
    inline.add_text("zwei. Drei")
    inline.closes("a")
    inline.add_text(" vier.")
    _, (opens, closes) = take_out(inline.marked(), has_placeholders=True)
    [first] = regions_of([opens], 0, 10)
    [second] = regions_of([closes], 11, 21)
    assert (first.source, first.after) == ((5, 10), "")
    assert (second.source, second.before) == ((0, 4), "")


@pytest.mark.parametrize(
    ("regions", "expected"),
    [
        ([Region((0, 1), "<", ">", target=(4, 7))], "The <dog>."),
        (
            [
                Region(
                    (0, 1), "<", ">", inner=[Region((0, 1), "(", ")", target=(4, 7))], target=(0, 7)
                )
            ],
            "<The (dog)>.",
        ),
        ([Region((0, 1), "cat", is_replaced=True, target=(4, 7))], "The cat."),
        ([Region((0, 0), "*", target=(4, 4)), Region((1, 1), "!", target=(0, 0))], "!The *dog."),
    ],
    ids=["pair", "nested", "replaced", "single"],
)
def test_tokens_are_put_back(regions: list[Region], expected: str) -> None:
    assert with_tokens("The dog.", regions) == expected
