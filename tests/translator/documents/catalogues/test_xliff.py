"""Targets of XLIFF are filled in, and nothing else changes."""

from __future__ import annotations

import pytest

from tests.documents import A, B, shouted, texts, unchanged
from translator.documents.catalogues.xliff import read_xliff
from translator.documents.kinds import FileOptions
from translator.errors import InputError
from translator.text.segmentation import split

NEW = 'state="needs-review-translation" state-qualifier="mt-suggestion"'


def first(units: str, target: str = "") -> str:
    """Return a file of version 1.2."""
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\r\n<!-- x -->\n'
        '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">\n'
        f'<file original="a" source-language="en"{target}>\n<body>{units}</body></file></xliff>'
    )


def second(units: str, target: str = "") -> str:
    """Return a file of version 2.0."""
    return (
        '<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en"'
        f'{target}><file id="f">{units}</file></xliff>'
    )


def unit(content: str, attributes: str = "") -> str:
    return f'<trans-unit id="1"{attributes}>\n  {content}\n</trans-unit>'


def test_a_target_is_added_behind_the_source() -> None:
    before = first(unit('<source>Say <g id="1">a &amp; b</g> to<x id="2"/> me</source>'))
    document = read_xliff("a.xlf", before.encode())
    assert texts(document) == [f"Say <{A}>a & b</{A}> to<{B}=2/> me"]
    source = '<source>Say <g id="1">a &amp; b</g> to<x id="2"/> me</source>'
    written = f'<target {NEW}>SAY <g id="1">A &amp; B</g> TO<x id="2"/> ME</target>'
    assert shouted(document).decode() == first(unit(f"{source}\n  {written}"))


def test_an_untranslated_copy_is_markup_for_markup_the_source() -> None:
    inside = 'A <ph id="1">&lt;br&gt;</ph> dog'
    document = read_xliff("a.xlf", first(unit(f"<source>{inside}</source>")).encode())
    assert f"<target {NEW}>{inside}</target>".encode() in unchanged(document)


@pytest.mark.parametrize(
    ("target", "after"),
    [
        ("<target/>", f"<target {NEW}>A</target>"),
        (
            '<target state="new" xml:lang="de">a</target>',
            '<target state="needs-review-translation" xml:lang="de" '
            'state-qualifier="mt-suggestion">A</target>',
        ),
        ('<target state="translated">x</target>', '<target state="translated">x</target>'),
        ("<target>x</target>", "<target>x</target>"),
    ],
)
def test_targets_that_are_there_are_kept(target: str, after: str) -> None:
    before = first(unit(f"<source>a</source>{target}"))
    written = shouted(read_xliff("a.xlf", before.encode())).decode()
    assert written == first(unit(f"<source>a</source>{after}"))


def test_what_is_not_to_be_translated_is_left() -> None:
    left, wanted = "<source>a</source>", unit("<source>b</source>", ' translate="yes"')
    units = (
        unit(left, ' translate="no"')
        + f'<group translate="no">{unit(left)}{wanted}</group>'
        + unit("<source>1</source>")
        + unit("<source>c</source><target>x</target><alt-trans><source>d</source></alt-trans>")
    )
    assert texts(read_xliff("a.xlf", first(units).encode())) == ["b"]


def test_a_break_of_a_line_cuts() -> None:
    lines = ['<x id="1" ctype="lb"/>', '<ph id="2">&lt;br/&gt;</ph>', '<x id="3" ctype="lb"/>']
    content = "{}One &amp; two.{}Three{}".format(*lines)
    document = read_xliff("a.xlf", first(unit(f"<source>{content}</source>")).encode())
    [text] = texts(document)
    assert split(text, "en").sentences == ("One & two.", "Three")
    written = "{}ONE &amp; TWO.{}THREE{}".format(*lines)
    assert f"<target {NEW}>{written}</target>" in shouted(document).decode()


def test_codes_that_belong_together_are_pairs() -> None:
    inside = '<bpt id="1">&lt;b&gt;</bpt>big<ept id="1">&lt;/b&gt;</ept> and <bx id="2" rid="5"/>{}'
    source = "A " + inside.format('<it id="3">x</it>') + " dog"
    document = read_xliff("a.xlf", first(unit(f"<source>{source}</source>")).encode())
    [text] = texts(document)
    assert text.startswith(f"A <{A}>big</{A}> and <{B}/>")


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ('<ph id="1">%s</ph>', "=%s"),
        ('<x id="INTERPOLATION" equiv-text="{{name}}"/>', "={{name}}"),
        ('<mrk mtype="protected" translate="no">Foo</mrk>', "=Foo"),
        ('<ph id="1">&lt;hr&gt;</ph>', ""),
        ('<it id="1" pos="open">[b]</it>', ""),
    ],
)
def test_a_placeholder_is_read_and_a_tag_is_not(code: str, shown: str) -> None:
    document = read_xliff("a.xlf", first(unit(f"<source>of {code} a</source>")).encode())
    assert texts(document) == [f"of <{A}{shown}/> a"]


def test_halves_of_a_pair_may_be_told_by_their_names() -> None:
    source = '<source>a <x id="START_TAG_B"/>b<x id="CLOSE_TAG_B"/> c</source>'
    assert texts(read_xliff("a.xlf", first(unit(source)).encode())) == [f"a <{A}>b</{A}> c"]


def test_placeholders_in_the_text_are_marked() -> None:
    document = read_xliff("a.xlf", first(unit("<source>%.*s of &lt;b&gt; {n}</source>")).encode())
    [text] = document.units
    assert [text.text[slice(*span)] for span in text.spans] == ["%.*s", "<b>", "{n}"]
    assert b">%.*s OF &lt;b&gt; {n}</target>" in shouted(document)


def test_marked_sentences_are_units() -> None:
    segments = '<mrk mtype="seg" mid="0">{}</mrk> <mrk mtype="seg" mid="1">{}</mrk>'
    source = f"<source>One. Two.</source><seg-source>{segments.format('One.', 'Two.')}</seg-source>"
    document = read_xliff("a.xlf", first(unit(source)).encode())
    assert texts(document) == ["One.", "Two."]
    target = f"\n  <target {NEW}>{segments.format('ONE.', 'TWO.')}</target>"
    assert shouted(document).decode() == first(unit(source + target))


@pytest.mark.parametrize(
    ("before", "after"), [("", "zh-Hant"), ("zh-TW", "zh-TW"), ("zh-Hant", "zh-Hant")]
)
def test_a_script_of_chinese_is_named(before: str, after: str) -> None:
    said = f' target-language="{before}"' if before else ""
    document = read_xliff("a.xlf", first(unit("<source>1</source>"), said).encode(), "zh-Hant")
    assert f' target-language="{after}"' in unchanged(document).decode()


def test_the_language_is_named() -> None:
    content = unit("<source>1</source>")
    for said in ("", ' target-language="fr"'):
        document = read_xliff("a.xlf", first(content, said).encode(), "de")
        assert unchanged(document).decode() == first(content, ' target-language="de"')
    content = '<unit id="1"><segment><source>1</source></segment></unit>'
    for said in ("", ' trgLang="fr"'):
        document = read_xliff("a.xlf", second(content, said).encode(), "de")
        assert unchanged(document).decode() == second(content, ' trgLang="de"')


def test_tags_with_much_white_space_are_read() -> None:
    space = " " * 200_000
    before = second(
        f'<unit id="1"><segment{space}id="s" {space}><source>a</source></segment></unit>'
    )
    written = shouted(read_xliff("a.xlf", before.encode(), "de")).decode()
    assert written.endswith(
        f'<segment{space}id="s" state="translated"><source>a</source><target>A</target></segment>'
        "</unit></file></xliff>"
    )


def test_the_second_version_has_segments() -> None:
    codes = '<pc id="1">{} <ph id="2"/></pc> <mrk id="m" translate="no">Foo</mrk> {}'
    units = (
        '<unit id="1"><notes><note>n</note></notes><segment{}>'
        f"<source>{codes.format('a', 'b')}</source>" + "{}</segment>"
        "<ignorable><source> </source></ignorable>"
        "<segment><source>c</source><target>d</target></segment></unit>"
        '<unit id="2" translate="no"><segment><source>e</source></segment></unit>'
    )
    before = second(units.format(' state="initial"', ""))
    document = read_xliff("a.xlf", before.encode())
    assert len(document.units) == 1
    target = f"<target>{codes.format('A', 'B')}</target>"
    assert shouted(document).decode() == second(units.format(' state="translated"', target))


SAID = '<source>a</source><target xml:lang="{}" {}>{}</target>'
SEGMENT = '<unit id="1"><segment state="{}"><source>a</source><target>{}</target></segment></unit>'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            first(unit("<source>a</source><target>b</target>"), ' target-language="fr-FR"'),
            first(unit(f"<source>a</source><target {NEW}>A</target>"), ' target-language="de"'),
        ),
        (
            first(unit(SAID.format("fr", 'state="final"', "b"), ' approved="yes"')),
            first(unit(SAID.format("de", NEW, "A")), ' target-language="de"'),
        ),
        (
            second(SEGMENT.format("final", "b"), ' trgLang="fr"'),
            second(SEGMENT.format("translated", "A"), ' trgLang="de"'),
        ),
    ],
)
def test_targets_in_another_language_are_refused_or_replaced(before: str, after: str) -> None:
    with pytest.raises(InputError, match=r"a\.xlf: has translations into fr.* in de; "):
        read_xliff("a.xlf", before.encode(), "de")
    asked = FileOptions(replace_translations=True)
    assert shouted(read_xliff("a.xlf", before.encode(), "de", asked)).decode() == after
    same = read_xliff("a.xlf", before.encode(), "fr", asked)
    assert ">b</target>" in shouted(same).decode()


@pytest.mark.parametrize("version", ["1.2", "2.0"])
def test_a_target_is_a_section_where_its_source_is(version: str) -> None:
    unit, name = ("trans-unit", "unit") if version == "1.2" else ("segment", "unit")
    inside = "<source><![CDATA[<b>Terms</b> & more]]></source>"
    body = f"<{unit} id='1'>{inside}</{unit}>"
    body = body if version == "1.2" else f"<{name} id='1'>{body}</{name}>"
    data = f"<xliff version='{version}'><file>{body}</file></xliff>"
    written = shouted(read_xliff("a.xlf", data.encode(), "de")).decode()
    assert inside in written
    assert "><![CDATA[<b>TERMS</b> & MORE]]></target>" in written


def test_a_file_without_units_comes_back() -> None:
    data = (
        b'<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0"><file id="f"/></xliff>'
    )
    assert read_xliff("a.xlf", data, "de").rebuild([]) == data
