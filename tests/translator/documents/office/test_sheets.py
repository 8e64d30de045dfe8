"""Sheets keep everything but their texts, and formulas still find what they name."""

from __future__ import annotations

import io

import openpyxl
import pytest
from openpyxl.chart import BarChart, Reference
from openpyxl.workbook.defined_name import DefinedName

from tests.documents import A, B, archive, members, saved, shouted, texts, unchanged
from tests.workbooks import workbook
from translator.documents.kinds import FileOptions
from translator.documents.office.sheets import in_formula, read_xlsx, values_that_are_named


def test_all_that_people_read_is_translated_and_nothing_else() -> None:
    data = workbook()
    document = read_xlsx("a.xlsx", data)
    assert sorted(texts(document)) == [
        *(
            "A black dog",
            "A black dog",
            "A white cat",
            "All & more",
            "Born",
            "Code",
            "Free",
            "Fresh meat",
        ),
        *("Is this right?", f"It is <{A}>very</{A}> old", "Name", "The site", "Two\nlines"),
        *("Weight in kg", "Weight of the animals"),
    ]
    assert members(unchanged(document)) == members(data)


def test_another_program_reads_the_translation() -> None:
    data = workbook()
    again = openpyxl.load_workbook(io.BytesIO(shouted(read_xlsx("a.xlsx", data))), rich_text=True)
    before = openpyxl.load_workbook(io.BytesIO(data), rich_text=True)
    assert again.sheetnames == ["Animals", "Food"]
    sheet = again["Animals"]
    assert [cell.value for cell in sheet[1]] == ["NAME", "WEIGHT IN KG", "CODE", "FREE", "BORN"]
    assert [cell.value for cell in sheet[2]] == [
        *("A BLACK DOG", 12.5, "AB-1234", "Yes", before["Animals"]["E2"].value)
    ]
    assert [cell.value for cell in sheet[4]][:4] == [
        *("ALL & MORE", "=SUM(B2:B3)", None, '=COUNTIF(D2:D3,"Yes")')
    ]
    assert str(sheet["A6"].value) == "IT IS VERY OLD"
    assert sheet["A6"].value[1].font.b
    assert (sheet["A7"].value, sheet["A8"].value) == ("A BLACK DOG", "TWO\nLINES")
    assert sheet["A9"].hyperlink.target == "https://example.org/a?b=1"
    assert sheet["A2"].comment.text == "IS THIS RIGHT?"
    assert sheet["A1"].font.b
    assert len(sheet._charts) == 1
    assert [cell.value for row in again["Food"] for cell in row] == [
        *("Food", "Price each", "FRESH MEAT", 3, "Maybe so", 4)
    ]


def with_shared(content: str) -> bytes:
    """Return a workbook with texts that many cells share."""
    known = members(workbook())
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
    override = f'<Override PartName="/xl/sharedStrings.xml" ContentType="{kind}"/></Types>'
    types = known["[Content_Types].xml"].decode().replace("</Types>", override)
    name = "http://purl.oclc.org/ooxml/spreadsheetml/main"
    shared = f'<x:sst xmlns:x="{name}">{content}</x:sst>'
    return archive({**known, "[Content_Types].xml": types, "xl/sharedStrings.xml": shared})


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<x:t>Two dogs</x:t>", '<x:t xml:space="preserve">TWO DOGS</x:t>'),
        ("<x:t>Two</x:t><x:rPh><x:t>x</x:t></x:rPh>", '<x:t xml:space="preserve">TWO</x:t>'),
        ("<x:t>Yes</x:t>", "<x:t>Yes</x:t>"),
        (
            "<x:r><x:t>Two </x:t></x:r><x:r><x:rPr><x:b/></x:rPr><x:t>cat</x:t></x:r>",
            '<x:r><x:t xml:space="preserve">TWO </x:t></x:r>'
            '<x:r><x:rPr><x:b/></x:rPr><x:t xml:space="preserve">CAT</x:t></x:r>',
        ),
    ],
)
def test_texts_that_cells_share_are_translated(before: str, after: str) -> None:
    data = with_shared(f"<x:si>{before}</x:si>")
    document = read_xlsx("a.xlsx", data)
    assert members(unchanged(document)) == members(data)
    written = members(shouted(document))["xl/sharedStrings.xml"].decode()
    assert written.partition("<x:si>")[2] == f"{after}</x:si></x:sst>"


def with_sheet(content: str) -> bytes:
    """Return a workbook with more at the end of its first sheet."""
    known = members(workbook())
    name = "xl/worksheets/sheet1.xml"
    sheet = known[name].decode().replace("</worksheet>", f"{content}</worksheet>")
    return archive({**{one: text.decode() for one, text in known.items()}, name: sheet})


@pytest.mark.parametrize(
    ("before", "found", "after"),
    [
        (
            "&amp;LSeite &amp;P von &amp;N&amp;C&amp;&quot;Arial&quot;&amp;12Umsatz&amp;RM&#252;",
            [f"Seite <{A}=1/> von <{B}=1/>", "Umsatz", "Mü"],
            '&amp;LSEITE &amp;P VON &amp;N&amp;C&amp;"Arial"&amp;12UMSATZ&amp;RMÜ',
        ),
        ("&amp;Lvon &amp;&amp; zu", ["von & zu"], "&amp;LVON &amp;&amp; ZU"),
        ("&amp;P / &amp;N", [], "&amp;P / &amp;N"),
    ],
)
def test_headers_and_footers_are_translated(before: str, found: list[str], after: str) -> None:
    margin = "<headerFooter><oddHeader>{}</oddHeader></headerFooter>"
    document = read_xlsx("a.xlsx", data := with_sheet(margin.format(before)))
    others = texts(read_xlsx("a.xlsx", workbook()))
    assert [text for text in texts(document) if text not in others] == found
    assert members(unchanged(document)) == members(data)
    assert margin.format(after) in members(shouted(document))["xl/worksheets/sheet1.xml"].decode()


def test_prompts_and_errors_of_cells_are_translated() -> None:
    told = '<dataValidation errorTitle="{}" error="{}" promptTitle="{}" sqref="C2"/>'
    data = with_sheet(told.format("falsch", "eine_x000a_Zahl &amp; so", "a" * 40))
    document = read_xlsx("a.xlsx", data)
    assert "eine\nZahl & so" in texts(document)
    assert members(unchanged(document)) == members(data)
    expected = told.format("FALSCH", "EINE&#10;ZAHL &amp; SO", "A" * 31 + "…")
    assert expected in members(shouted(document))["xl/worksheets/sheet1.xml"].decode()


def test_names_are_found_in_all_that_names() -> None:
    named = values_that_are_named(
        [
            b"<f>IF(A1=&quot;Yes&quot;,1)</f><x:f t='shared'>B2=\"No way\"</x:f><f/>",
            b"<formula1>\"On, Off\"</formula1><filters><filter val='Red'/></filters>",
            b'<tableColumn id="1" name="Price &amp; more"/><cacheField numFmtId="0" name="Kind"/>',
        ]
    )
    assert named == {*("yes", "no way", "on, off", "on", "off", "red", "price & more", "kind")}


WITH_NAMES = FileOptions(sheet_names=True)


def with_references() -> bytes:
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
    return saved(made.save)


def test_formulas_charts_names_and_links_follow() -> None:
    document = read_xlsx("a.xlsx", with_references(), WITH_NAMES)
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
    data = with_references()
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
