"""Catalogues of Qt are filled in, and keep the translations that are there."""

from __future__ import annotations

import pytest

from tests.documents import shouted, texts
from translator.documents.catalogues.qt import read_qt
from translator.documents.kinds import FileOptions
from translator.errors import InputError

FILE = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE" sourcelanguage="en">
<context>
    <name>Window</name>
    <message>
        <location filename="a.cpp" line="3"/>
        <source>&amp;Open %1 &lt;now&gt;</source>
        <translation type="unfinished"></translation>
    </message>
    <message><source>Done</source><translation>Fertig</translation></message>
    <message><source>Old</source><translation type="vanished"></translation></message>
    <message><source>Begun</source><translation type="unfinished">Neu</translation></message>
    <message numerus="yes">
        <source>%n file(s)</source>
        <translation type="unfinished"><numerusform></numerusform><numerusform/></translation>
    </message>
    <message><source>Last</source><translation type="unfinished"/></message>
</context>
</TS>
"""


def test_what_is_missing_is_filled_in_and_nothing_else() -> None:
    document = read_qt("a.ts", FILE.encode(), "de")
    assert texts(document) == ["Open %1 <now>", "%n file(s)", "%n file(s)", "Last"]
    form = "<numerusform>%n FILE(S)</numerusform>"
    assert shouted(document).decode() == (
        FILE.replace(
            '"unfinished"></translation>', '"unfinished">&amp;OPEN %1 &lt;now&gt;</translation>'
        )
        .replace("<numerusform></numerusform><numerusform/>", form + form)
        .replace('"unfinished"/>', '"unfinished">LAST</translation>')
    )


def test_without_a_target_the_language_stays() -> None:
    assert b'language="de_DE"' in shouted(read_qt("a.ts", FILE.encode()))


def test_a_catalogue_for_another_language_is_refused_or_translated_again() -> None:
    with pytest.raises(
        InputError, match=r"a\.ts: has translations into de_DE, so .* in fr;.*--rep"
    ):
        read_qt("a.ts", FILE.encode(), "fr")
    document = read_qt("a.ts", FILE.encode(), "fr", FileOptions(replace_translations=True))
    written = shouted(document).decode()
    assert '<TS version="2.1" language="fr" sourcelanguage="en">' in written
    assert '<source>Done</source><translation type="unfinished">DONE</translation>' in written
    assert '<translation type="unfinished">BEGUN</translation>' in written
    assert '<source>Old</source><translation type="vanished"></translation>' in written
    assert "Fertig" not in written
    with_forms = FILE.replace('<translation type="unfinished"><num', "<translation><num")
    asked = FileOptions(replace_translations=True)
    assert shouted(read_qt("a.ts", with_forms.encode(), "fr", asked)).decode() == written


@pytest.mark.parametrize(("said", "written"), [("zh_TW", "zh_TW"), ("fr", "zh-Hant")])
def test_a_script_of_chinese_is_named(said: str, written: str) -> None:
    empty = FILE.replace("Fertig", "").replace("Neu", "").replace("de_DE", said)
    assert f' language="{written}" ' in shouted(read_qt("a.ts", empty.encode(), "zh-Hant")).decode()


def test_a_catalogue_without_translations_gets_the_language() -> None:
    empty = FILE.replace("Fertig", "").replace("Neu", "")
    assert b' language="fr" ' in shouted(read_qt("a.ts", empty.encode(), "fr"))


@pytest.mark.parametrize(("target", "count"), [("de", 2), ("ja", 1), ("pl", 3)])
@pytest.mark.parametrize("forms", ["", "<numerusform></numerusform>"])
def test_there_are_as_many_plural_forms_as_the_language_has(
    target: str, count: int, forms: str
) -> None:
    data = f"""<TS><context>
    <message numerus="yes">
        <source>%n day(s)</source>
        <translation type="unfinished">{forms}</translation>
    </message></context></TS>"""
    written = shouted(read_qt("a.ts", data.encode(), target)).decode()
    form = "            <numerusform>%n DAY(S)</numerusform>\n"
    if count == 1 and forms:
        assert f">{form.strip()}</translation>" in written
    else:
        assert f'<translation type="unfinished">\n{form * count}        </translation>' in written


def test_variants_by_length_are_filled_in() -> None:
    data = FILE.replace(
        '"unfinished"/>', '"unfinished"><lengthvariant/><lengthvariant/></translation>'
    )
    written = shouted(read_qt("a.ts", data.encode(), "de")).decode()
    assert "<lengthvariant>LAST</lengthvariant><lengthvariant>LAST</lengthvariant></tr" in written
