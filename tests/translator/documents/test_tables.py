"""Tables keep their columns, their quotes and all that is no text."""

from __future__ import annotations

import csv
import io
import time

import openpyxl
import pytest
from odf.opendocument import OpenDocumentSpreadsheet
from odf.table import Table, TableRow

from tests.documents import saved, shouted, texts, unchanged
from tests.odf_files import text_cell
from translator.documents.kinds import FileOptions, read_file
from translator.documents.tables import read_csv, read_tsv
from translator.errors import InputError

FILE = """id,name,code,price,note
1,A black dog,AB-1,12.50,"Says ""woof"", often"
2,A white cat,AB-2,4,"Two
lines"
3,,AB-3,,
4,Bird,unknown,3,x1
"""


def test_cells_of_text_are_units() -> None:
    document = read_csv("a.csv", FILE.encode())
    assert texts(document) == [
        *("name", "price", "note", "A black dog", 'Says "woof", often'),
        *("A white cat", "Two\nlines", "Bird"),
    ]
    assert unchanged(document) == FILE.encode()


def test_another_program_reads_the_translation() -> None:
    written = shouted(read_csv("a.csv", FILE.encode())).decode()
    rows = [*csv.reader(io.StringIO(written, newline=""))]
    assert rows[1] == ["1", "A BLACK DOG", "AB-1", "12.50", 'SAYS "WOOF", OFTEN']
    assert rows[2][4] == "TWO\nLINES"
    assert rows[4] == ["4", "BIRD", "unknown", "3", "x1"]
    assert [len(row) for row in rows] == [5] * 5


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_quotes_are_added_where_they_are_needed(separator: str) -> None:
    data = f"a dog{separator}1\r\na cat{separator}2\r\n".encode()
    said = f'ein{separator} "Hund"'
    written = read_csv("a.csv", data).rebuild([said, "Katze"])
    quoted = said.replace('"', '""')
    assert written.decode() == f'"{quoted}"{separator}1\r\nKatze{separator}2\r\n'


def test_commas_inside_cells_do_not_separate() -> None:
    text = "name;size\nOne, two, three;1,5\nMore, and less;2,5\n"
    assert texts(read_csv("a.csv", text.encode())) == [
        *("name", "size", "One, two, three", "More, and less")
    ]
    assert texts(read_tsv("a.tsv", b"a, b\tc\n")) == ["a, b", "c"]


def test_the_first_rows_tell_the_separator() -> None:
    data = b"a dog;12\n" * 50 + b"a cat, a bird\n" * 200
    assert {*texts(read_csv("a.csv", data))} == {"a dog", "a cat, a bird"}


@pytest.mark.parametrize("text", ["", "\n", '"', '"a', 'a"b,c', ",,\n,,", "one cell", "a\r\rb"])
def test_odd_tables_come_back(text: str) -> None:
    assert unchanged(read_csv("a.csv", text.encode())) == text.encode()


@pytest.mark.parametrize("text", ['"' * 70_000, '"a\n' * 25_000, ',"' * 35_000, "a," * 35_000])
def test_long_tables_that_make_no_sense_are_read(text: str) -> None:
    start = time.process_time()
    assert unchanged(read_csv("a.csv", text.encode())) == text.encode()
    assert time.process_time() - start < 10


CHOSEN = "id;name;kind;name\r\n1;a dog;A1;big\r\n2;a cat;a pet;small\r\n"


@pytest.mark.parametrize(
    ("columns", "found"),
    [
        (["name"], ["a dog", "big", "a cat", "small"]),
        (["3"], ["kind", "A1", "a pet"]),
        (["kind", "2"], ["a dog", "A1", "a cat", "a pet"]),
    ],
)
def test_columns_are_chosen_by_head_or_number(columns: list[str], found: list[str]) -> None:
    document = read_csv("a.csv", CHOSEN.encode(), FileOptions(columns=tuple(columns)))
    assert texts(document) == found
    assert unchanged(document) == CHOSEN.encode()


@pytest.mark.parametrize("column", ["", "Name", "0", "5", "-1", "²"])
def test_columns_that_are_not_there_are_refused(column: str) -> None:
    message = rf"^a\.csv: has no column {column!r}; name one by its number, 1 to 4, or .*'kind'"
    with pytest.raises(InputError, match=message):
        read_csv("a.csv", CHOSEN.encode(), FileOptions(columns=(column,)))


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_all_but_the_chosen_column_stays_byte_for_byte(
    codec: str, newline: str, separator: str
) -> None:
    rows = [["id", "größe", '"note"'], ['"1"', "a dog", '"one ""big"" dog"'], ["", "x", "yes"]]
    data = newline.join(separator.join(row) for row in rows).encode(codec)
    written = shouted(read_csv("a.csv", data, FileOptions(columns=("note",))))
    for cell in ('"one ""big"" dog"', "yes"):
        data = data.decode(codec).replace(cell, cell.upper()).encode(codec)
    assert written == data


@pytest.mark.parametrize(
    ("table", "found"),
    [
        ("key,en\nmsg.bye,Good bye\nmsg.hello,Hello\n", ["en", "Good bye", "Hello"]),
        ("sku,title\nbig-saw,Saw\nsaw,Old\n", ["title", "Saw", "Old"]),
        ("Artikelnummer,Text\nrot,Saw\n", ["Artikelnummer", "Text", "Saw"]),
        ("name,note\nmsgBye,Good\nmsgHello,Hello\n", ["note", "Good", "Hello"]),
        ("key,note\nOpening hours,9 to 5\n", ["key", "note", "Opening hours", "9 to 5"]),
    ],
)
def test_columns_of_keys_stay(table: str, found: list[str]) -> None:
    assert texts(read_csv("a.csv", table.encode())) == found


@pytest.mark.parametrize("kind", ["xlsx", "ods"])
def test_columns_of_keys_stay_in_sheets(kind: str) -> None:
    book, document = openpyxl.Workbook(), OpenDocumentSpreadsheet()
    table = Table(name="One")
    for cells in (("key", "text"), ("msg.bye", "Good bye"), ("hello", "Hello"), ("menu.a", "Menu")):
        book.active.append(cells)
        row = TableRow()
        for cell in cells:
            row.addElement(text_cell(cell))
        table.addElement(row)
    document.spreadsheet.addElement(table)
    data = saved(book.save if kind == "xlsx" else document.write)
    assert texts(read_file(f"a.{kind}", data)) == ["text", "Good bye", "Hello", "Menu"]
