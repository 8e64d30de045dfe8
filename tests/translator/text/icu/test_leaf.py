"""A sentence of a message, with numbers and without."""

from __future__ import annotations

from translator.text.formats.document import TextDocument
from translator.text.icu.leaf import leaf_pieces
from translator.text.icu.syntax import Text, Verbatim


def test_a_number_stands_for_each_counted_argument() -> None:
    parts: list[Text | Verbatim] = [
        Verbatim("#", "n"),
        Text(" of "),
        Verbatim("{n}", "n"),
        Text(" in "),
        Verbatim("{d}"),
    ]
    read = TextDocument(leaf_pieces(parts, {"n": (5, 7)}, str, str.upper))
    assert [unit.text for unit in read.units] == ["5 of 5 in {d}", "# of {n} in {d}"]
    assert [len(unit.spans) for unit in read.units] == [1, 3]
    assert read.rebuild(["{d} hat 5 von 5", "unused"]) == "{D} HAT # VON {N}"
    assert read.rebuild(["{d} hat 5", "{d}: {n} und #"]) == "{D}: {N} UND #"


def test_a_number_that_is_part_of_another_is_none() -> None:
    parts: list[Text | Verbatim] = [Verbatim("#", "n"), Text(" cats")]
    read = TextDocument(leaf_pieces(parts, {"n": (5,)}, str, str))
    assert read.rebuild(["5 Katzen (1,5 und 15)", ""]) == "# Katzen (1,5 und 15)"


def test_tags_and_placeholders_in_the_text_are_marked() -> None:
    [unit] = TextDocument(leaf_pieces([Text("a <b>c</b> %s")], {}, str, str)).units
    assert [unit.text[slice(*span)] for span in unit.spans] == ["<b>", "</b>", "%s"]
