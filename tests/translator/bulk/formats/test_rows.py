"""Columns that are added, and checks of those that are there."""

from __future__ import annotations

from translator.bulk.formats.rows import Columns, TranslatedRow, check_columns, in_batches

ROW = TranslatedRow("Hello.", "de", ("numbers",), "m 123", "")


def test_what_is_added_has_the_name_of_the_translation() -> None:
    columns = Columns(text="t", translation="en")
    assert columns.added == ("en", "en_flags", "en_model", "en_error")
    assert columns.values(ROW) == ("Hello.", ["numbers"], "m 123", None)


def test_more_is_added_where_it_is_asked_for() -> None:
    columns = Columns(text="t", has_languages=True)
    assert dict(zip(columns.added, columns.values(ROW), strict=True)) == {
        "translation": "Hello.",
        "translation_source": "de",
        "translation_flags": ["numbers"],
        "translation_model": "m 123",
        "translation_error": None,
    }


def test_columns_that_lack_or_are_in_the_way_are_named() -> None:
    columns = Columns(text="t", language="l")
    assert check_columns("f", ["t", "l"], columns) == ""
    assert check_columns("f", ["t", "x"], columns) == "f: has no column 'l', but t, x"
    taken = check_columns("f", ["t", "l", "translation_error"], columns)
    assert taken.startswith("f: has a column 'translation_error' already; name another one")


def test_batches_keep_the_order() -> None:
    assert [one for batch in in_batches(range(2500)) for one in batch] == [*range(2500)]
    assert [len(batch) for batch in in_batches(range(2500))] == [1000, 1000, 500]
