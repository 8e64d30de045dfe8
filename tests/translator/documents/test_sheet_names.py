"""Names of sheets are translated on request, to names that programs of sheets take."""

from __future__ import annotations

import pytest

from tests.documents import texts
from translator.documents import document as document_module
from translator.documents import sheet_names
from translator.documents.document import Document, FileDocument
from translator.documents.sheet_names import NamedSheets, Renames, new_names
from translator.errors import InputError


def base() -> Document[bytes]:
    return FileDocument(["nothing"], "a", str.encode)


def named(sheets: list[str], *formulas: str) -> NamedSheets:
    def rename(data: bytes, renames: Renames) -> bytes:
        return data + str(dict(renames)).encode()

    return NamedSheets("a", base(), sheets, formulas, rename)


def test_names_come_last_and_codes_stay() -> None:
    document = named(["Animals", "2026", "Q3"])
    assert texts(document) == ["Animals"]
    assert document.rebuild(["Tiere"]) == b"nothing{'Animals': 'Tiere'}"
    assert document.rebuild(["Animals"]) == b"nothing"


def test_a_name_that_is_a_text_of_a_formula_stays() -> None:
    assert texts(named(["Food", "Prices"], 'HYPERLINK("#Food!A1")', "SUM(Prices!A1)")) == ["Prices"]
    assert texts(named(["Food"], 'INDIRECT(A1&"!B2")')) == []
    assert texts(named(["Food"], '"INDIRECT("')) == ["Food"]


@pytest.mark.parametrize(
    ("said", "made"),
    [
        ("Preise/Kosten: [alt]", "Preise Kosten alt"),
        ("'so'", "so"),
        ("???", "Prices"),
        ("ein sehr langer Name, der niemals passt", "ein sehr langer Name, der niema"),
        ("😀" * 20, "😀" * 15),
        ("History", "History (2)"),
        ("food", "food (2)"),
    ],
)
def test_names_are_such_as_programs_take(said: str, made: str) -> None:
    renames = new_names(["Food", "Prices"], {"Prices": said})
    assert renames.get("Prices", "Prices") == made
    assert len(made.encode("utf-16-le")) <= 2 * sheet_names.MOST_CHARACTERS


def test_no_two_are_alike() -> None:
    said = {"A b": "Preise", "B c": "preise", "C d": "PREISE"}
    assert new_names([*said], said) == {"A b": "Preise", "B c": "preise (2)", "C d": "PREISE (3)"}


def test_too_many_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document_module, "MAX_UNITS", 1)
    with pytest.raises(InputError, match=r"^a: has more than 1 "):
        named(["Food", "Prices"])
