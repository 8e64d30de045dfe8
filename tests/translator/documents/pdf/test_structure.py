"""Paragraphs of files that tell them."""

from __future__ import annotations

import pikepdf
import pytest

from tests.pdf_files import changed, tagged
from translator.documents.pdf.document import read_pdf


def texts_of(data: bytes) -> list[str]:
    return [unit.text for unit in read_pdf("a.pdf", data).units]


@pytest.mark.parametrize(
    ("lines", "texts"),
    [
        (  # lines of a list of contacts are as near as those of a paragraph, and as long
            [("P 1", 50, 400, "our office in Berlin"), ("P 2", 50, 388, "open on every weekday")],
            ["our office in Berlin", "open on every weekday"],
        ),
        (  # a line may begin as an item does
            [
                ("P 1", 50, 400, "The contract was signed on"),
                ("P 1", 50, 388, "3. May by all of them"),
            ],
            ["The contract was signed on 3. May by all of them"],
        ),
        (  # words that touch are cells of their own
            [
                ("Table/TR/TD 1", 50, 400, "Delivery date "),
                ("Table/TR/TD 2", 115, 400, "free of charge"),
            ],
            ["Delivery date", "free of charge"],
        ),
        (  # the mark of a footnote is in its sentence, and Chrome has elements around each piece
            [
                ("P/Link/Lbl 1", 115, 400, "one"),
                ("P/NonStruct 1", 50, 400, "There is only "),
                ("P/NonStruct/NonStruct 1", 133, 400, "house."),
            ],
            ["There is only one house."],
        ),
        (  # a group says nothing of its paragraphs
            [
                ("Sect 1", 50, 400, "The dog was very old and"),
                ("Sect 1", 50, 388, "slept all day."),
            ],
            ["The dog was very old and slept all day."],
        ),
        (  # a program that calls each line a paragraph is not believed
            [
                (
                    "P 1",
                    50,
                    400,
                    "The dog was very old, and most of the day it slept in front of the white",
                ),
                (
                    "P 2",
                    50,
                    388,
                    "house until the children came home from school in the late evening and",
                ),
                ("P 3", 50, 376, "played with it."),
            ],
            [
                "The dog was very old, and most of the day it slept in front of the white house "
                "until the children came home from school in the late evening and played with it."
            ],
        ),
    ],
)
def test_paragraphs_are_those_that_the_file_tells(
    lines: list[tuple[str, float, float, str]], texts: list[str]
) -> None:
    assert sorted(texts_of(tagged(*lines))) == sorted(texts)


@pytest.mark.parametrize("has_loop", [False, True])
def test_a_tree_may_have_branches_and_is_not_asked_if_it_has_a_loop(has_loop: bool) -> None:
    def add_branch(pdf: pikepdf.Pdf) -> None:
        tree = pdf.Root.StructTreeRoot.ParentTree
        branch = pdf.make_indirect(pikepdf.Dictionary(Limits=[0, 9]))
        if has_loop:
            branch.Kids = pikepdf.Array([branch])
        else:
            branch.Nums = tree.Nums
        del tree.Nums
        tree.Kids = pikepdf.Array([branch])

    texts = ["our office in Berlin", "open on weekdays"]
    lines = [("P 1", 50.0, 400.0, texts[0]), ("P 2", 50.0, 388.0, texts[1])]
    found = texts_of(changed(tagged(*lines), add_branch))
    assert found == ([" ".join(texts)] if has_loop else texts)
