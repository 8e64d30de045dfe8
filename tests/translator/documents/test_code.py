"""Names of styles and fonts tell code from language."""

from __future__ import annotations

import pytest

from translator.documents.code import is_a_code, is_for_code


@pytest.mark.parametrize(
    "name",
    [
        *("HTMLCode", "Source_20_Text", "SourceText", "code", "Verbatim Char", "Courier New"),
        *(
            "rststyle-inlineliteral",
            "rststyle-codeblock",
            "Preformatted_20_Text",
            "DejaVu Sans Mono",
        ),
        *("monospace", "Teletype", "SourceCode", "Consolas"),
    ],
)
def test_code_is_known(name: str) -> None:
    assert is_for_code(name)


@pytest.mark.parametrize(
    "name",
    [
        "Normal",
        "Barcode",
        "Monotype Corsiva",
        "Source Sans Pro",
        "Heading",
        "Encoded",
        "Literature",
    ],
)
def test_other_names_are_not_taken_for_code(name: str) -> None:
    assert not is_for_code(name)


@pytest.mark.parametrize(
    "cell",
    ["12.5", "EUR", "AB-1234/7", "x200b", "max_length", "a@b.org", "https://b.org/c", " Q1 ", ""],
)
def test_codes_are_known(cell: str) -> None:
    assert is_a_code(cell)


@pytest.mark.parametrize("cell", ["Name", "Herr/Frau", "24-Stunden-Dienst", "PREIS", "3 dogs", "a"])
def test_words_are_no_codes(cell: str) -> None:
    assert not is_a_code(cell)
