"""Sheets as openpyxl makes them, with all that people put into sheets."""

from __future__ import annotations

import datetime

import openpyxl
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.chart import BarChart, Reference
from openpyxl.comments import Comment
from openpyxl.styles import Alignment, Font
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.table import Table

from tests.documents import saved


def workbook() -> bytes:
    """Return two sheets: one of animals with formulas, a list and a chart, one with a table."""
    made = openpyxl.Workbook()
    sheet = made.active
    sheet.title = "Animals"
    sheet.append(["Name", "Weight in kg", "Code", "Free", "Born"])
    sheet.append(["A black dog", 12.5, "AB-1234", "Yes", datetime.date(2026, 5, 12)])
    sheet.append(["A white cat", 4, "AB-1235", "No", datetime.date(2025, 1, 2)])
    sheet.append(["All & more", "=SUM(B2:B3)", "", '=COUNTIF(D2:D3,"Yes")'])
    sheet["A1"].font = Font(bold=True)
    for column, width in {"A": 24, "B": 16, "C": 12, "D": 10, "E": 14}.items():
        sheet.column_dimensions[column].width = width
    sheet["A2"].comment = Comment("Is this right?", "Ann")
    bold = TextBlock(InlineFont(b=True), "very")
    sheet["A6"] = CellRichText("It is ", bold, " old")
    sheet["A7"] = "A black dog"
    sheet["A8"] = "Two\nlines"
    sheet["A8"].alignment = Alignment(wrap_text=True)
    sheet.row_dimensions[8].height = 30
    sheet.print_options.gridLines = sheet.sheet_properties.pageSetUpPr.fitToPage = True
    sheet["A9"].hyperlink = "https://example.org/a?b=1"
    sheet["A9"].value = "The site"
    answers = DataValidation(type="list", formula1='"Yes,No,Maybe so"')
    sheet.add_data_validation(answers)
    answers.add("D2:D3")
    chart = BarChart()
    chart.title = "Weight of the animals"
    chart.add_data(Reference(sheet, min_col=2, min_row=1, max_row=3), titles_from_data=True)
    chart.set_categories(Reference(sheet, min_col=1, min_row=2, max_row=3))
    sheet.add_chart(chart, "A11")
    other = made.create_sheet("Food")
    for row in (["Food", "Price each"], ["Fresh meat", 3], ["Maybe so", 4]):
        other.append(row)
    other.add_table(Table(displayName="Foods", ref="A1:B3"))
    return saved(made.save)
