"""No figure of a page is lost or invented, whatever a translation says."""

from __future__ import annotations

from collections import Counter

import pypdfium2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reportlab.pdfgen.canvas import Canvas

from tests.documents import shout, texts
from tests.pdf_files import drawn
from translator.documents.pdf.document import read_pdf
from translator.documents.pdf.figures import has_same_numbers


def figures(data: bytes) -> Counter[str]:
    """Return how often each figure is on the first page, as another reader finds them."""
    document = pypdfium2.PdfDocument(data)
    text = document[0].get_textpage().get_text_bounded()
    document.close()
    return Counter(char for char in text if char.isdigit())


@pytest.mark.parametrize(
    ("source", "translation", "target"),
    [
        ("bis zum 19.12. um 15.30 Uhr", "until December 19 at 3:30 pm", "en"),
        ("between 9 a.m. and 5  p.m.", "zwischen 9 und 17 Uhr", "de"),
        ("The 2 dogs weigh 1,250.5 kg", "Die zwei Hunde wiegen 1.250,5 kg", "de"),
        ("10000,0000 KWh", "10,000.0000 kWh", "en"),
        ("the 2nd of 3 lines", "die 2. von 3 Zeilen", "de"),
    ],
)
def test_what_a_language_writes_otherwise_is_the_same_number(
    source: str, translation: str, target: str
) -> None:
    assert has_same_numbers(source, translation, target)


@given(st.integers(1, 9), st.sampled_from(["({})", "[{}]"]))
def test_no_article_and_no_word_stands_for_a_label(number: int, label: str) -> None:
    one = label.format(number)
    source = f"Erfasst werden {one} eine Adresse und der zweite Name."
    numbers = "a, one, two, three, four, five, six, seven, eight and nine"
    assert has_same_numbers(source, f"Recorded are {one} an address and the second name.", "en")
    assert not has_same_numbers(source, f"Recorded are {numbers} addresses, second.", "en")


@given(st.lists(st.integers(100, 999), min_size=2, max_size=4, unique=True))
def test_groups_of_one_number_keep_their_order(groups: list[int]) -> None:
    number, turned = (" ".join(map(str, one)) for one in (groups, groups[::-1]))
    assert has_same_numbers(f"USt-ID DE {number}", f"VAT ID DE {number}", "en")
    assert not has_same_numbers(f"USt-ID DE {number}", f"VAT ID DE {turned}", "en")


@given(st.integers(0, 999), st.integers(4, 9))
def test_no_zero_of_a_long_fraction_is_lost(number: int, places: int) -> None:
    exact = f"Decimal({number}.{'0' * places})"
    assert has_same_numbers(exact, exact.replace(".", ","), "de")
    assert not has_same_numbers(exact, f"Decimal({number},000)", "de")


@given(st.lists(st.integers(21, 99_999), min_size=2, max_size=6, unique=True), st.data())
def test_a_number_that_is_lost_or_doubled_is_noticed(
    numbers: list[int], data: st.DataObject
) -> None:
    words = [str(number) for number in numbers]
    place = data.draw(st.integers(0, len(words) - 1))
    assert has_same_numbers("; ".join(words), "; ".join(reversed(words)), "en")
    assert not has_same_numbers(
        "; ".join(words), "; ".join(words[:place] + words[place + 1 :]), "en"
    )
    assert not has_same_numbers("; ".join(words), "; ".join([*words, words[place]]), "en")


def two_paragraphs(canvas: Canvas) -> None:
    canvas.drawString(40, 400, "The first dog weighs 31 kilograms.")
    canvas.drawString(40, 300, "The second dog is 14 years old.")


def test_a_paragraph_whose_number_is_lost_stays_and_is_named() -> None:
    document = read_pdf("a.pdf", drawn(two_paragraphs), "de")
    written = document.rebuild(["Der erste Hund wiegt viel.", "Der zweite Hund ist 14 Jahre alt."])
    assert texts(read_pdf("a.pdf", written)) == [
        "The first dog weighs 31 kilograms.",
        "Der zweite Hund ist 14 Jahre alt.",
    ]
    assert document.left_alone == [
        "The first dog weighs 31 kilograms. (page 1: its numbers are not all in the translation)"
    ]


def test_many_paragraphs_of_a_page_that_stay_are_one_line_of_the_report() -> None:
    def draw(canvas: Canvas) -> None:
        for dog in range(9):
            canvas.drawString(40, 450 - 40 * dog, f"Dog number {dog + 21} is old.")

    data = drawn(draw)
    document = read_pdf("a.pdf", data, "de")
    assert document.rebuild(["Ein Hund ist alt."] * 9) == data
    assert document.left_alone == [
        "9 texts, such as “Dog number 21 is old.” "
        "(page 1: its numbers are not all in the translation)"
    ]


_ROWS = st.lists(
    st.tuples(
        st.sampled_from(["3d-cube", "Green apples", "access-binary-trees", "Total", "a b c"]),
        st.lists(st.integers(0, 9_999), min_size=4, max_size=4),
    ),
    min_size=3,
    max_size=8,
)


@settings(max_examples=60, deadline=None)
@given(_ROWS, st.sampled_from(["Helvetica", "Times-Roman", "Courier"]), st.integers(30, 60))
def test_each_cell_of_a_table_without_lines_is_read_by_itself(
    rows: list[tuple[str, list[int]]], font: str, width: int
) -> None:
    def draw(canvas: Canvas) -> None:
        for row, (name, numbers) in enumerate(rows):
            canvas.setFont(font, 9)
            line, shown = canvas.beginText(40, 450 - 11 * row), f"({name})"
            left = canvas.stringWidth(name, font, 9)
            for column, number in enumerate(map(str, numbers)):
                right = 150 + width * column
                gap = right - canvas.stringWidth(number, font, 9) - left
                shown, left = f"{shown} {-gap * 1000 / 9:.1f} ({number})", right
            line._code.append(f"[{shown}] TJ")  # all of a row is one string
            canvas.drawText(line)

    data = drawn(draw)
    document = read_pdf("a.pdf", data)
    assert {*texts(document)} <= {name for name, _ in rows}
    assert figures(document.rebuild([shout(unit) for unit in document.units])) == figures(data)
