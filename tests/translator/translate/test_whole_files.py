"""Files that have a form are translated as a whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from translator.config import DecodingOptions
from translator.errors import InputError
from translator.store.model_directory import LoadedModel
from translator.text.formats.files import read_file
from translator.text.marked import MarkedText
from translator.translate import whole_files
from translator.translate.translator import Translator
from translator.translate.whole_files import (
    check_output,
    is_whole,
    read_whole,
    translate_document,
    windows,
)


def test_names_tell_what_is_translated_as_a_whole() -> None:
    assert is_whole("a/b.DOCX")
    assert is_whole("b.po")
    assert not is_whole("a.txt")
    assert not is_whole("a.en")
    assert not is_whole("-")


def test_an_output_has_the_format_of_its_source() -> None:
    check_output("a.pot", "de.po")
    check_output("a.docx", "b.docx")
    check_output("a.docx", "/dev/null")
    with pytest.raises(
        InputError, match=r"^b\.odt: a translation has the format of its source; let"
    ):
        check_output("a.docx", "b.odt")


def test_units_come_in_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_files, "UNITS_AT_ONCE", 2)
    monkeypatch.setattr(whole_files, "CHARS_AT_ONCE", 10)
    units = [MarkedText(text) for text in ("a", "b", "c", "long text here", "d")]
    assert [[unit.text for unit in window] for window in windows(units)] == [
        *(["a", "b"], ["c", "long text here"], ["d"]),
    ]


def test_every_unit_is_translated(loaded: LoadedModel) -> None:
    document = read_file("a.json", b'{"a": "Der Hund.", "b": "1", "c": "Die Katze."}')
    with Translator.from_model(loaded) as translator:
        content, answers = translate_document(
            translator, document, source="de", target="en", options=DecodingOptions(beam_size=1)
        )
        [dog, cat] = translator.translate(
            ["Der Hund.", "Die Katze."],
            source="de",
            target="en",
            options=DecodingOptions(beam_size=1),
        )
    assert [answer.text for answer in answers] == [dog.text, cat.text]
    assert b'"b": "1"' in content
    assert read_file("a.json", content).units[0].text == dog.text


def test_a_file_is_read_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "a.po"
    path.write_text('msgid ""\nmsgstr "Language: \\n"\n')
    assert b"Language: de" in read_whole(path, "de").rebuild([])
