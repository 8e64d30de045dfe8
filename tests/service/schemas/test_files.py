from __future__ import annotations

import io

import pytest
from werkzeug.datastructures import FileStorage

from service.schemas.files import (
    FileRequest,
    ending_of,
    file_to_json,
    name_in,
    options_in,
    with_wrong_numbers,
)
from tests.service.conftest import LANGUAGES
from translator.documents.kinds import FileOptions
from translator.errors import InputError
from translator.translate.translation import SentenceTranslation, Translation, WrongNumbers

FORM = {"source": "de", "target": "en"}


def read(form: dict[str, str], name: str | None = "Brief.TXT") -> FileRequest:
    files = {} if name is None else {"file": FileStorage(io.BytesIO(b"Hallo"), name)}
    return FileRequest.read(form, files, LANGUAGES, ("txt",))


def test_an_answer_lists_the_sentences_whose_numbers_are_wrong() -> None:
    good = SentenceTranslation(separator="", source="Gut.", text="Good.")
    wrong = SentenceTranslation(
        separator=" ",
        source="Es sind 58.",
        text="It is 85.",
        flags=("numbers",),
        numbers=WrongNumbers(("58",), ("85",)),
    )
    found = with_wrong_numbers(Translation(text="a", sentences=(good, wrong)))
    assert file_to_json("x", []) == {"translatedFileUrl": "x"}
    assert file_to_json("x", found) == {
        "translatedFileUrl": "x",
        "numbers": [
            {"source": "Es sind 58.", "text": "It is 85.", "missing": ["58"], "added": ["85"]}
        ],
    }


def test_a_form_is_read_whatever_the_case_of_its_codes() -> None:
    found = read({"source": "EN", "target": "pt-br"})
    assert found == FileRequest(
        name="Brief.TXT",
        content=b"Hallo",
        source="en",
        target="pt-BR",
        options=FileOptions(),
        formality={},
    )
    assert read({"source": "auto", "target": "pt-BR"}).source == "auto"


@pytest.mark.parametrize(
    ("form", "name", "message"),
    [
        ({}, None, "Invalid request: missing file parameter"),
        ({"target": "en"}, "a.txt", "Invalid request: missing source parameter"),
        ({"source": "de"}, "a.txt", "Invalid request: missing target parameter"),
        (FORM, "", "Invalid request: empty file"),
        ({"source": "zz", "target": "yy"}, "a.exe", "Invalid request: file format not supported"),
        (FORM, "txt", "Invalid request: file format not supported"),
        ({"source": "ZZ", "target": "yy"}, "a.txt", "zz is not supported"),
        ({"source": "auto", "target": "auto"}, "a.txt", "auto is not supported"),
        (
            {"source": "de", "target": "pt-BR"},
            "a.txt",
            "Portuguese (Brazil) (pt-BR) is not available as a target language from German (de)",
        ),
    ],
)
def test_the_first_fault_is_named(form: dict[str, str], name: str | None, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read(form, name)
    assert str(caught.value) == message


def test_names_in_other_languages() -> None:
    assert name_in("letter.txt", "de") == "letter_de.txt"
    assert name_in("a.b.txt", "pt-BR") == "a.b_pt-BR.txt"
    assert [ending_of(name) for name in ("a.TXT", "a", "a.b.po", ".txt")] == ["txt", "", "po", ""]


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("{", r"^Invalid request: file_options is not JSON"),
        ("[" * 100_000, r"^Invalid request: file_options is not JSON"),
        ("[]", r"^Invalid request: file_options must be an object"),
        ('{"colums": []}', r"^Invalid request: file_options: colums: unknown .*columns"),
        ('{"columns": ["1"]}', r"^Invalid request: file_options: Brief.TXT: Plain text has no "),
    ],
)
def test_options_that_are_none_are_refused(field: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read({**FORM, "file_options": field})


def test_options_are_read() -> None:
    assert options_in('{"columns": ["note"]}', "a.csv") == FileOptions(columns=("note",))
    assert options_in("", "a.txt") == FileOptions()
