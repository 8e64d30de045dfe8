"""What refers to a sheet of Excel by its name follows it, and nothing else does."""

from __future__ import annotations

import io

import openpyxl
import pytest
from openpyxl.chart import BarChart, Reference
from openpyxl.workbook.defined_name import DefinedName

from tests.documents import members, shouted, texts, unchanged
from translator.documents.kind import FileOptions
from translator.documents.office.renaming import in_formula
from translator.documents.office.sheets import read_xlsx

WITH_NAMES = FileOptions(sheet_names=True)


def workbook() -> bytes:
    made = openpyxl.Workbook()
    animals = made.active
    animals.title = "Animals"
    animals.append(["Name", "Weight"])
    animals.append(["dog", 12])
    prices = made.create_sheet("It's dear")
    prices["A1"] = "=Animals!B2"
    prices["A2"] = "=SUM(Animals:'It''s dear'!B2)"
    prices["A3"] = "Animals!B2"
    prices["A4"] = "the animals"
    prices["A4"].hyperlink = "#Animals!A1"
    made.defined_names["weights"] = DefinedName("weights", attr_text="Animals!$B$2")
    chart = BarChart()
    chart.add_data(Reference(animals, min_col=2, min_row=1, max_row=2), titles_from_data=True)
    prices.add_chart(chart, "C1")
    written = io.BytesIO()
    made.save(written)
    return written.getvalue()


def test_formulas_charts_names_and_links_follow() -> None:
    document = read_xlsx("a.xlsx", workbook(), WITH_NAMES)
    assert texts(document)[-2:] == ["Animals", "It's dear"]
    again = openpyxl.load_workbook(io.BytesIO(shouted(document)))
    assert again.sheetnames == ["ANIMALS", "IT'S DEAR"]
    sheet = again["IT'S DEAR"]
    assert sheet["A1"].value == "='ANIMALS'!B2"
    assert sheet["A3"].value == "ANIMALS!B2"  # a text, which is translated as such
    assert again.defined_names["weights"].attr_text == "'ANIMALS'!$B$2"
    chart = members(shouted(document))["xl/charts/chart1.xml"]
    assert b"'ANIMALS'!$B$2" in chart
    assert b"Animals" not in chart
    assert b"'ANIMALS'!A1" in b"".join(members(shouted(document)).values())  # the link


def test_names_that_are_not_changed_change_nothing() -> None:
    data = workbook()
    assert members(unchanged(read_xlsx("a.xlsx", data, WITH_NAMES))) == members(data)
    assert texts(read_xlsx("a.xlsx", data))[-1] != "It's dear"


@pytest.mark.parametrize(
    ("formula", "changed"),
    [
        ("Food!A1+Food!B2", "'Essen'!A1+'Essen'!B2"),
        ("SUM('Food'!A1:A9)", "SUM('Essen'!A1:A9)"),
        ("SUM(Food:Other!A1)", "SUM('Essen:Other'!A1)"),
        ("'My ''best'' food'!A1", "'Bestes'!A1"),
        ('IF(Food!A1="Food!A1",1)', "IF('Essen'!A1=\"Food!A1\",1)"),
        ("[1]Food!A1+'[b.xlsx]Food'!A1", "[1]Food!A1+'[b.xlsx]Food'!A1"),
        ("Foods!A1+MyFood!A1+x.Food!A1", "Foods!A1+MyFood!A1+x.Food!A1"),
        ("#REF!+Food!A1", "#REF!+'Essen'!A1"),
    ],
)
def test_references(formula: str, changed: str) -> None:
    assert in_formula(formula, {"Food": "Essen", "My 'best' food": "Bestes"}) == changed
