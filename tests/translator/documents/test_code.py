"""Names of styles and fonts tell code from language."""

from __future__ import annotations

import pytest

from translator.documents.code import Code, are_keys, is_a_code, is_for_code, is_statement


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


def counted(*texts: tuple[str, bool]) -> Code:
    code = Code()
    for text, is_in_format in texts:
        code.has(text, is_in_format=is_in_format)
    return code


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        ("Dear tenant, the house was sold in May.", "Miller & Sons, Attorneys at Law"),
        ("The deposit is held by the bank and paid back at the end.", "A rule is a rule. " * 8),
        ("TENANCY AGREEMENT", ""),
    ],
)
def test_sentences_in_a_format_for_code_are_typed_and_no_code(typed: str, printed: str) -> None:
    assert counted((typed, True), ("Yours faithfully", True), (printed, False)).is_typed


@pytest.mark.parametrize(
    "text",
    [
        *("git commit", "for (var k = i + i; i < 100; k += i)", "// load primes from the record"),
        *("sudo apt-get install --yes the best of all tools", "SELECT name FROM the_users"),
        *("tar xf a.tar", "return the first item of it;", "print(the last line of all)"),
    ],
)
def test_programs_beside_as_much_language_are_code(text: str) -> None:
    assert not counted((text, True), ("word " * (len(text) // 4), False)).is_typed


def test_a_sentence_in_a_format_for_code_in_a_long_document_is_a_quotation_of_code() -> None:
    said = "It is not known who the owner is."
    assert not counted((said, True), ("The program says what it does. " * 10, False)).is_typed


@pytest.mark.parametrize(
    "text",
    [
        *("AusgabeLEDs();", "neuesSpiel = true;", "Spielfeld[0]=1;", "a += b; i = 0;"),
        *("if(TasteGedrueckt() != 10)", "}while(!neuesSpiel);", "for (int i = 0; i < 9; i++) {"),
        *('System.out.println("" + 4 + " und das ist der Wert");', "factory.createBody();"),
        "public static void main(String[] args){",
    ],
)
def test_a_line_of_a_program_is_known(text: str) -> None:
    assert is_statement(text)


@pytest.mark.parametrize(
    "text",
    [
        *("die Miete (netto);", "Mieter(in);", "für die Zeit (i) bis (ii)", "if (and only if)"),
        *("a = b", "U = 5 V ist dann die Spannung hier;", "// eine Taste wurde gedrückt;", "{"),
        *("See the notes; they help.", "Call main() first and then go on with the rest;"),
    ],
)
def test_language_with_brackets_and_semicolons_is_no_program(text: str) -> None:
    assert not is_statement(text)
