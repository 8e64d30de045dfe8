"""What refers to a sheet of OpenDocument by its name follows it, and nothing else does."""

from __future__ import annotations

import io

import pytest
from odf.opendocument import OpenDocumentSpreadsheet, load
from odf.table import NamedExpressions, NamedRange, Table, TableCell, TableRow

from tests.documents import members, saved, shouted, texts, unchanged
from tests.odf_files import text_cell
from translator.documents.kinds import FileOptions
from translator.documents.opendocument.package import in_address, read_ods

WITH_NAMES = FileOptions(sheet_names=True)


def workbook() -> bytes:
    made = OpenDocumentSpreadsheet()
    for name, formula in (("Animals", "of:=['It''s dear'.B1]"), ("It's dear", "of:=[$Animals.A1]")):
        table, row = Table(name=name), TableRow()
        row.addElement(text_cell("a dog"))
        row.addElement(TableCell(valuetype="float", value="1", formula=formula))
        table.addElement(row)
        made.spreadsheet.addElement(table)
    names = NamedExpressions()
    where = {"cellrangeaddress": "$Animals.$A$1:.$B$1", "basecelladdress": "$Animals.$A$1"}
    names.addElement(NamedRange(name="all", **where))
    made.spreadsheet.addElement(names)
    return saved(made.write)


def test_formulas_and_named_ranges_follow() -> None:
    document = read_ods("a.ods", workbook(), WITH_NAMES)
    assert texts(document) == ["a dog", "a dog", "Animals", "It's dear"]
    again = load(io.BytesIO(shouted(document)))
    names = [table.getAttribute("name") for table in again.getElementsByType(Table)]
    assert names == ["ANIMALS", "IT'S DEAR"]
    content = members(shouted(document))["content.xml"].decode()
    assert "[$ANIMALS.A1]" in content
    assert "$ANIMALS.$A$1:.$B$1" in content
    assert "IT''S DEAR" in content.replace("&apos;", "'")
    assert "Animals" not in content


def test_names_that_are_not_changed_change_nothing() -> None:
    data = workbook()
    assert members(unchanged(read_ods("a.ods", data, WITH_NAMES))) == members(data)


@pytest.mark.parametrize(
    ("address", "changed"),
    [
        ("of:=SUM([Food.A1:.B2])", "of:=SUM([Essen.A1:.B2])"),
        ("$Food.$A$1:$Food.$B$2", "$Essen.$A$1:$Essen.$B$2"),
        ("['My food'.A:'My food'.A]", "['Mein Essen'.A:'Mein Essen'.A]"),
        ('of:=IF([Food.A1]="Food.A1";1)', 'of:=IF([Essen.A1]="Food.A1";1)'),
        ("'file:///b.ods'#$Food.A1", "'file:///b.ods'#$Food.A1"),
        ("#Food.A1", "#Essen.A1"),
        ("Food.html", "Food.html"),
        ("MyFood.A1", "MyFood.A1"),
    ],
)
def test_addresses(address: str, changed: str) -> None:
    assert in_address(address, {"Food": "Essen", "My food": "Mein Essen"}) == changed
