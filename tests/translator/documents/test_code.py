"""Names of styles and fonts tell code from language."""

from __future__ import annotations

import pytest

from translator.documents.code import are_keys, is_a_code, is_for_code


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


@pytest.mark.parametrize(
    "column",
    [
        *("|msg.bye|menu.help|title", "name|menuHelp|menuFile", "x|a_b|c_d|e", "f|a.txt|b.md|Two"),
        *("key|bye|hello", "SKU|hammer|saw", "product_id|x", "messageKey|bye", "Code|big|small"),
        *("Artikelnummer|rot|blau", "Schlüssel|a", "kennung|b", "Best.-Nr.|x", "Part no.|x"),
    ],
)
def test_columns_of_keys_are_known(column: str) -> None:
    assert are_keys(column.split("|"))


@pytest.mark.parametrize(
    "column",
    [
        *("key|Opening hours|Prices each|Door", "name|dog|cat", "Paid|yes|no", "Nummer|eins|zwei"),
        *("Monkey|small|big", "Grid|x", "note|See a.b|no", "key", "", "text|It is i.e. so|Hello"),
    ],
)
def test_columns_of_words_are_no_keys(column: str) -> None:
    assert not are_keys(column.split("|"))
