"""What a cell shows is a unit if it is text and nothing depends on it."""

from __future__ import annotations

from collections.abc import Callable

from tests.documents import A, shouted, texts, unchanged
from translator.documents.code import is_a_code, staying
from translator.documents.document import FileDocument
from translator.documents.opendocument.part import Content, MemberReader, values_that_formulas_name
from translator.documents.xml_source import XmlSource

PREFIXES = {"urn:t": "text", "urn:o": "office", "urn:b": "table"}


def units(content: str, stays: Callable[[str], bool] | None) -> list[str]:
    names = 'xmlns:text="urn:t" xmlns:office="urn:o" xmlns:table="urn:b"'
    source = XmlSource("a.xml", f"<x {names}>{content}</x>".encode(), PREFIXES)
    return texts(FileDocument(MemberReader(source, stays).pieces(), "a.xml", str.encode))


def cell(text: str, attributes: str = "") -> str:
    return f"<table:table-cell {attributes}><text:p>{text}</text:p></table:table-cell>"


def test_cells_with_a_value_show_what_is_computed() -> None:
    computed = cell("May", 'office:value-type="date"') + cell("so", 'table:formula="of:=A1"')
    assert units(computed + cell("dog", 'office:value-type="string"'), None) == ["dog"]


def test_codes_stay_in_sheets_only() -> None:
    assert units(cell("AB-12"), None) == ["AB-12"]
    assert units(cell("AB-12") + cell("A dog"), is_a_code) == ["A dog"]


def test_comments_are_translated_in_sheets_only() -> None:
    comment = "<office:annotation><text:p>Really?</text:p></office:annotation>"
    assert units(comment, None) == []
    assert units(cell("1").replace("<text", comment + "<text", 1), is_a_code) == ["Really?"]


def test_texts_that_formulas_and_filters_name_stay() -> None:
    content = (
        b"<a table:formula=\"of:=IF([.A1]=&quot;Yes&quot;;1)\"/><b table:value='Two words'/>"
        b"<c table:condition='x'/><d calcext:value='=&quot;on leave&quot;'/>"
        b"<e style:condition='cell-content()=&quot;Late&quot;' calcext:value-type='string'/>"
    )
    values = values_that_formulas_name(content)
    assert values == {"yes", "two words", "on leave", "late"}
    assert units(cell("YES") + cell(" two words") + cell("no"), staying(values, ())) == ["no"]


def test_prompts_of_masters_stay() -> None:
    names = {**PREFIXES, "urn:s": "style", "urn:p": "presentation"}
    box = '<b {}><text:p xmlns:text="urn:t">Click to edit</text:p></b>'
    inside = box.format('p:class="title"') + box.format("").replace("Click", "Right")
    content = f'<x xmlns:s="urn:s" xmlns:p="urn:p"><s:master-page>{inside}</s:master-page></x>'
    source = XmlSource("a.xml", content.encode(), names)
    assert texts(FileDocument(MemberReader(source).pieces(), "a", str.encode)) == ["Right to edit"]


def test_a_raised_letter_stands_alone() -> None:
    names = {**PREFIXES, "urn:s": "style"}
    style = '<s:style s:name="{}" s:family="text"><s:p s:text-position="{} 58%"/></s:style>'
    span = '<t:span t:style-name="{}">a</t:span>'
    content = (
        f'<x xmlns:s="urn:s" xmlns:t="urn:t">{style.format("T1", "super")}'
        f"{style.format('T2', '0%')}<t:p>A farmer{span.format('T1')}.</t:p>"
        f"<t:p>A farmer{span.format('T2')}.</t:p></x>"
    )
    source = XmlSource("a.xml", content.encode(), names)
    read = FileDocument(MemberReader(source).pieces(), "a", str.encode)
    assert texts(read) == [f"A farmer<{A}=a/>.", f"A farmer<{A}>a</{A}>."]
    assert f"<t:p>A FARMER{span.format('T1')}.</t:p>" in shouted(read).decode()


NAMES = {
    "urn:t": "text",
    "urn:d": "draw",
    "urn:f": "form",
    "urn:b": "table",
    "urn:p": "presentation",
}


def form(content: str) -> FileDocument:
    names = " ".join(f'xmlns:{prefix}="{uri}"' for uri, prefix in NAMES.items())
    source = XmlSource("a.xml", f"<x {names}>{content}</x>".encode(), NAMES)
    return FileDocument(MemberReader(source).pieces(), "a", str.encode)


def test_controls_part_the_text_around_them() -> None:
    controls = [f'<draw:control draw:control="c{number}"/>' for number in range(3)]
    content = "<text:p>{}up {} down {}</text:p>"
    read = form(content.format(*controls))
    assert texts(read) == ["up \f down "]
    assert content.upper().replace("TEXT:P", "text:p").format(*controls) in shouted(read).decode()


def test_what_forms_offer_is_translated_alike_and_what_people_write_stays() -> None:
    content = (
        '<form:checkbox form:name="a" form:label="I agree"/>'
        '<form:combobox form:value="{0}"><form:item form:label="{0}"/></form:combobox>'
        '<form:combobox form:value="my own"><form:item form:label="red"/></form:combobox>'
        '<text:p>A <text:drop-down text:name="d"><text:label text:value="{0}"/>{0}'
        "</text:drop-down> one</text:p>"
    )
    read = form(content.format("small"))
    own = ["I agree", "small", "small", "red", f"A <{A}=small/> one", "small", "small"]
    assert texts(read) == own
    assert unchanged(read).decode().endswith(content.format("small") + "</x>")
    said = content.format("SMALL").replace("I agree", "I AGREE").replace("red", "RED")
    said = said.replace("A <", "A <").replace(" one", " ONE")
    assert said in shouted(read).decode()


def test_titles_of_prompts_and_footers_of_slides_are_translated() -> None:
    content = (
        '<table:help-message table:title="Choose one"><text:p>Not two.</text:p>'
        "</table:help-message><presentation:footer-decl>Our meeting</presentation:footer-decl>"
    )
    assert texts(form(content)) == ["Choose one", "Not two.", "Our meeting"]


def test_a_text_that_stands_in_the_tag_too_is_translated_there() -> None:
    names = 'xmlns:text="urn:t" xmlns:o="urn:o" xmlns:table="urn:b"'
    content = cell("a &amp; b", "o:string-value='a &amp; b'") + cell("12", 'o:string-value="12"')
    data = f"<x {names}>{content}</x>"
    source = XmlSource("a.xml", data.encode(), PREFIXES)
    document = FileDocument(MemberReader(source, is_a_code).pieces(), "a", str.encode)
    assert texts(document) == ["a & b", "a & b"]
    assert unchanged(document).decode() == data
    written = cell("A &amp; B", 'o:string-value="A &amp; B"')
    assert written in shouted(document).decode()


def read(inside: str) -> tuple[Content, str]:
    """Return the content of a paragraph, and its text."""
    source = XmlSource("a.xml", f'<t:p xmlns:t="urn:t">{inside}</t:p>'.encode(), {"urn:t": "text"})
    [(paragraph, _)] = source.elements(frozenset({"text:p"}))
    content = Content(source, lambda element: [element.name], set(), lambda _: False, paragraph)
    return content, "".join(item.text for item in content.items())


def test_white_space_collapses_but_for_what_is_written() -> None:
    assert read(' a\n b<t:s t:c="2"/><t:tab/>')[1] == "a b  \t"


def test_spaces_are_written_as_elements() -> None:
    content, _ = read("a")
    assert content.write(" a", "", " ") == "<t:s/>a"
    assert content.write("\t  a", "", "x") == '<t:tab/><t:s t:c="2"/>a'
    assert content.write("a  b\n", "", "x") == 'a <t:s t:c="1"/>b<t:line-break/>'
