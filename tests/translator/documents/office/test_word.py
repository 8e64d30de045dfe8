"""Documents of Word keep everything but the words of their paragraphs."""

from __future__ import annotations

import io
import re

import docx as python_docx
import pytest

from tests.documents import A, B, members, shouted, texts, unchanged
from tests.office import docx, field, part, run
from translator.documents.markup.inline import Item
from translator.documents.office.word import PREFIXES, Runs, read_docx
from translator.documents.paragraph import Mark, with_formats
from translator.documents.xml_source import XmlSource
from translator.text.segmentation import split

BOLD, LINK = "<w:b/>", '<w:rStyle w:val="Hyperlink"/>'


def body(paragraphs: str) -> bytes:
    """Return what `document.xml` is to be."""
    return part(f"<w:body>{paragraphs}</w:body>", "document").encode()


def check(paragraphs: str, found: list[str], expected: str | None = None) -> None:
    """Check the units of some paragraphs, and how they are written in capitals."""
    data = docx(paragraphs)
    document = read_docx("a.docx", data)
    assert texts(document) == found
    assert members(unchanged(document)) == members(data)
    if expected is not None:
        assert members(shouted(document)) == {**members(data), "word/document.xml": body(expected)}


def test_words_keep_their_format() -> None:
    check(
        f"<w:p><w:pPr><w:jc/></w:pPr>{run('See ')}{run('this ', BOLD)}{run('dog.')}</w:p>",
        [f"See <{A}>this</{A}> dog."],
        f"<w:p><w:pPr><w:jc/></w:pPr>{run('SEE ')}{run('THIS', BOLD)}{run(' DOG.')}</w:p>",
    )


def test_a_number_alone_is_a_unit_if_others_write_it_otherwise() -> None:
    content = f"<w:p>{run('1.250,00 €')}</w:p><w:p>{run('12')}</w:p>"
    check(content, ["1.250,00 €"], content)


@pytest.mark.parametrize(
    ("before", "sign", "behind"),
    [
        ("85 m", "2", " groß"),
        ("alt.", "1", ""),
        ("CO", "2", "-Wert"),
        ("Meier", "1,2", " wohnt hier."),
        ("hier.", "2)", ""),
        ("hier", "[2]", "."),
        ("Bauer", "a", "."),
        ("Bauer ", "iv", " hier."),
    ],
)
def test_a_raised_or_lowered_sign_leaves_its_neighbours_alone(
    before: str, sign: str, behind: str
) -> None:
    raised = run(sign, '<w:vertAlign w:val="superscript"/>')
    runs = f"{run(before)}{raised}{run(behind) if behind else ''}"
    written = f"{run(before.upper())}{raised}{run(behind.upper()) if behind else ''}"
    check(f"<w:p>{runs}</w:p>", [f"{before}<{A}={sign}/>{behind}"], f"<w:p>{written}</w:p>")


def test_a_link_of_a_raised_sign_is_a_part_of_it() -> None:
    link = f'<w:hyperlink w:anchor="n">{run("1", "<w:color/>")}</w:hyperlink>'
    check(
        f"<w:p>{run('Um zwölf')}{link}{run('.')}</w:p>",
        [f"Um zwölf<{A}=1/>."],
        f"<w:p>{run('UM ZWÖLF')}{link}{run('.')}</w:p>",
    )


def test_a_letter_in_a_format_that_is_not_raised_is_a_word() -> None:
    check(
        f"<w:p>{run('Bauer')}{run('a', BOLD)}{run('.')}</w:p>",
        [f"Bauer<{A}>a</{A}>."],
        f"<w:p>{run('BAUER')}{run('A', BOLD)}{run('.')}</w:p>",
    )


def test_controls_part_the_text_around_them() -> None:
    controls = [f'<w:object><w:control w:name="{name}"/></w:object>' for name in "ab"]
    first, second = (f"<w:r>{control}</w:r>" for control in controls)
    written = run("ONE @TWO").replace("@", f'</w:t>{controls[1]}<w:t xml:space="preserve">')
    check(
        f"<w:p>{first}{run('one ')}{second}{run('two')}</w:p>",
        ["one \ftwo"],
        f"<w:p>{first}{written}</w:p>",
    )


def test_what_a_list_shows_and_what_it_offers_is_translated_alike() -> None:
    control = (
        '<w:sdt><w:sdtPr><w:dropDownList><w:listItem w:displayText="{0}" w:value="a"/>'
        '<w:listItem w:displayText="{1}" w:value="b"/></w:dropDownList></w:sdtPr><w:sdtContent>'
    )
    control += run("{2}") + "</w:sdtContent></w:sdt>"
    chosen = "<w:p>" + run("{3} ") + control + run("{4}") + "</w:p>"
    check(
        chosen.format("red", "very blue", "very blue", "A", " hat"),
        [f"A <{A}=very blue/> hat", "red", "very blue", "very blue"],
        chosen.format("RED", "VERY BLUE", "VERY BLUE", "A", " HAT"),
    )
    check(
        chosen.format("red", "blue", "Choose", "A", " hat"),
        [f"A <{A}>Choose</{A}> hat", "red", "blue"],
        chosen.format("RED", "BLUE", "CHOOSE", "A", " HAT"),
    )


def test_a_bound_control_is_let_go_since_word_would_replace_its_text() -> None:
    binding = '<w:dataBinding w:xpath="/a[1]" w:storeItemID="{6C3C}"/>'
    control = "<w:sdt><w:sdtPr>{}<w:text/></w:sdtPr><w:sdtContent>{}</w:sdtContent></w:sdt>"
    around = control.format("{0}", "<w:p>" + run("{1}") + "</w:p>")
    around += "<w:p>" + run("{2}") + control.format("{0}", run("{3}")) + run("{4}") + "</w:p>"
    data = docx(around.format(binding, "Title", "by ", "Me", " now"))
    document = read_docx("a.docx", data)
    assert texts(document) == ["Title", f"by <{A}>Me</{A}> now"]
    expected = body(around.format("", "TITLE", "BY ", "ME", " NOW"))
    assert members(shouted(document))["word/document.xml"] == expected


def test_code_stays() -> None:
    mono = '<w:rFonts w:ascii="Courier New"/>'
    check(
        f"<w:p>{run('Call ')}{run('this', mono)}{run(' now')}</w:p>"
        f'<w:p><w:pPr><w:pStyle w:val="SourceCode"/></w:pPr>{run("some code")}</w:p>',
        [f"Call <{A}>this</{A}> now"],
        f"<w:p>{run('CALL ')}{run('this', mono)}{run(' NOW')}</w:p>"
        f'<w:p><w:pPr><w:pStyle w:val="SourceCode"/></w:pPr>{run("some code")}</w:p>',
    )


def test_a_document_that_is_all_in_a_typewriters_font_is_no_code() -> None:
    mono = '<w:rFonts w:ascii="Courier New"/>'
    check(
        f"<w:p>{run('Scene')}</w:p><w:p>{run('The dog sleeps in front of the house.', mono)}</w:p>",
        ["Scene", "The dog sleeps in front of the house."],
        f"<w:p>{run('SCENE')}</w:p><w:p>{run('THE DOG SLEEPS IN FRONT OF THE HOUSE.', mono)}</w:p>",
    )


def test_runs_that_look_alike_are_one_text() -> None:
    spelling = '<w:proofErr w:type="spellStart"/>'
    language = '<w:lang w:val="en-US"/>'
    check(
        f"<w:p>{run('One ')}{spelling}{run('te', language)}<w:r><w:t>xt</w:t></w:r></w:p>",
        ["One text"],
        f"<w:p>{run('ONE TEXT')}</w:p>",
    )


def test_the_most_common_format_needs_no_mark() -> None:
    check(
        f"<w:p>{run('All of this is bold, ', BOLD)}{run('not')}{run(' that', BOLD)}</w:p>",
        [f"All of this is bold, <{A}>not</{A}> that"],
        f"<w:p>{run('ALL OF THIS IS BOLD, ', BOLD)}{run('NOT')}{run(' THAT', BOLD)}</w:p>",
    )


def test_links_notes_and_bookmarks_stay() -> None:
    link = f'<w:hyperlink r:id="rId1">{run("{}", LINK)}</w:hyperlink>'
    note = '<w:r><w:rPr><w:vertAlign/></w:rPr><w:footnoteReference w:id="2"/></w:r>'
    marks = '<w:bookmarkStart w:id="0" w:name="x"/>{}<w:bookmarkEnd w:id="0"/>'
    check(
        "<w:p>"
        + marks.format(run("Go to ") + link.format("the site") + run(" now") + note)
        + "</w:p>",
        [f"Go to <{A}>the site</{A}> now"],
        "<w:p>"
        + marks.format(run("GO TO ") + link.format("THE SITE") + run(" NOW") + note)
        + "</w:p>",
    )


def test_a_link_has_a_format_of_its_own() -> None:
    data = docx(f"<w:p>{run('Go ')}<w:hyperlink>{run('there', LINK)}</w:hyperlink></w:p>")
    document = read_docx("a.docx", data)
    written = members(document.rebuild([f"<{A}>Dort</{A}> hin"]))["word/document.xml"]
    assert written == body(
        f"<w:p><w:hyperlink>{run('Dort', LINK)}</w:hyperlink>{run(' hin')}</w:p>"
    )


def test_fields_are_computed_by_word() -> None:
    page, link = field("PAGEREF x", run("7")), field('HYPERLINK "u"', run("{}"))
    check(
        f"<w:p>{run('On page ')}{page}{run(' and ')}{link.format('here')}{run(' too')}</w:p>",
        [f"On page <{A}=7/> and <{B}>here</{B}> too"],
        f"<w:p>{run('ON PAGE ')}{page}{run(' AND ')}{link.format('HERE')}{run(' TOO')}</w:p>",
    )
    merge = f"<w:fldSimple w:instr='MERGEFIELD name'>{run('«name»')}</w:fldSimple>"
    check(f"<w:p>{run('Dear ')}{merge}{run(', hello')}</w:p>", [f"Dear <{A}=«name»/>, hello"])


def test_a_table_of_contents_over_paragraphs_is_translated() -> None:
    begin, end = field(r"TOC \o", "|").split("|")
    check(
        f"<w:p>{begin}{run('First')}<w:r><w:tab/></w:r>{field('PAGEREF a', run('1'))}</w:p>"
        f"<w:p>{run('Second')}</w:p><w:p>{end}</w:p>",
        [f"First\t<{A}=1/>", "Second"],
    )


def test_tabs_breaks_and_hyphens_stay() -> None:
    content = (
        "<w:r><w:t>Name:</w:t><w:tab/><w:t>x-</w:t><w:br/><w:t>b</w:t><w:noBreakHyphen/></w:r>"
    )
    written = (
        '<w:r><w:t xml:space="preserve">NAME:</w:t><w:tab/><w:t xml:space="preserve">X-</w:t>'
        '<w:br/><w:t xml:space="preserve">B</w:t><w:noBreakHyphen/></w:r>'
    )
    check(f"<w:p>{content}</w:p>", ["Name:\tx-\nb\u2011"], f"<w:p>{written}</w:p>")
    page = '<w:r><w:br w:type="page"/></w:r>'
    check(f"<w:p>{page}{run('a')}</w:p>", ["a"], f"<w:p>{page}{run('A')}</w:p>")


@pytest.mark.parametrize(
    "kinds",
    [
        ['w:ptab w:relativeTo="margin" w:alignment="center" w:leader="none"'] * 2,
        [f'w:ptab w:alignment="{name}"' for name in ("center", "right")],
        ['w:br w:type="page"', 'w:br w:type="column"'],
    ],
)
def test_tabs_at_a_place_and_breaks_of_pages_and_columns_cut(kinds: list[str]) -> None:
    one, two = (f"<{kind}/>" for kind in kinds)
    texts_in_runs = "<w:r><w:t>Left</w:t>{}<w:t>Middle</w:t></w:r><w:r>{}<w:t>Right</w:t></w:r>"
    data = docx(f"<w:p>{texts_in_runs.format(one, two)}</w:p>")
    document = read_docx("a.docx", data)
    assert members(unchanged(document)) == members(data)
    [text] = texts(document)
    assert split(text, "en").sentences == ("Left", "Middle", "Right")
    written = members(shouted(document))["word/document.xml"].decode()
    found = re.findall(r"<w:(?:ptab|br)[^>]*>|(?<=>)[A-Z]+(?=<)", written)
    assert found == ["LEFT", one, "MIDDLE", two, "RIGHT"]


def test_more_kinds_of_tabs_than_there_are_characters_stay() -> None:
    tabs = [f'<w:ptab w:leader="{n}"/>' for n in range(9)]
    inside = "".join(f"{tab}<w:t>x</w:t>" for tab in tabs)
    document = read_docx("a.docx", docx(f"<w:p><w:r><w:t>a</w:t>{inside}</w:r></w:p>"))
    written = members(shouted(document))["word/document.xml"].decode()
    assert re.findall(r"<w:ptab[^>]*>", written) == tabs


def test_changes_that_are_tracked_stay_so() -> None:
    old = '<w:del w:id="1"><w:r><w:delText>old</w:delText></w:r></w:del>'
    new = f'<w:ins w:id="2">{run("{}")}</w:ins>'
    check(
        f"<w:p>{run('A ')}{old}{new.format('new')}{run(' dog')}</w:p>",
        [f"A <{A}/><{B}>new</{B}> dog"],
        f"<w:p>{run('A ')}{old}{new.format('NEW')}{run(' DOG')}</w:p>",
    )


def test_controls_with_text_are_marks() -> None:
    control = "<w:sdt><w:sdtPr><w:id/></w:sdtPr><w:sdtContent>{}</w:sdtContent></w:sdt>"
    check(
        f"<w:p>{run('A ')}{control.format(run('dog'))}{run(' b')}</w:p>",
        [f"A <{A}>dog</{A}> b"],
        f"<w:p>{run('A ')}{control.format(run('DOG'))}{run(' B')}</w:p>",
    )


def test_boxes_and_alternative_texts_are_translated() -> None:
    picture = (
        '<w:r><mc:AlternateContent><mc:Choice><w:drawing><wp:docPr id="1" descr="A &amp; {}"/>'
        "<w:txbxContent><w:p>{}</w:p></w:txbxContent></w:drawing></mc:Choice><mc:Fallback>"
        '<w:pict><v:shape alt="old {}"/></w:pict></mc:Fallback></mc:AlternateContent></w:r>'
    )
    before, after = ("cat", run("Box"), "cat"), ("CAT", run("BOX"), "CAT")
    check(
        f"<w:p>{run('Look')}{picture.format(*before)}</w:p>",
        ["Look", "A & cat", "Box", "old cat"],
        f"<w:p>{run('LOOK')}{picture.format(*after)}</w:p>".replace("old", "OLD"),
    )


def test_tables_headers_and_notes_are_translated() -> None:
    table = f"<w:tbl><w:tr><w:tc><w:p>{run('Cell')}</w:p></w:tc></w:tr></w:tbl>"
    inside = f"<w:p>{run('Text')}</w:p>"
    data = docx(table, header1=inside, footnotes=inside, endnotes=inside, comments=inside)
    document = read_docx("a.docx", data)
    assert texts(document) == ["Cell", "Text", "Text", "Text"]
    written = members(shouted(document))
    changed = [name for name, content in members(data).items() if written[name] != content]
    assert changed == [
        *("word/document.xml", "word/header1.xml", "word/footnotes.xml", "word/endnotes.xml"),
    ]


def test_a_document_of_another_program_is_read_and_can_be_read_again() -> None:
    made = python_docx.Document()
    made.add_heading("Heading", 1)
    paragraph = made.add_paragraph("Some ")
    paragraph.add_run("bold").bold = True
    paragraph.add_run(" words & <tags>")
    made.sections[0].header.paragraphs[0].text = "Header"
    written = io.BytesIO()
    made.save(written)
    document = read_docx("a.docx", written.getvalue())
    assert members(unchanged(document)) == members(written.getvalue())
    again = python_docx.Document(io.BytesIO(shouted(document)))
    assert [p.text for p in again.paragraphs] == ["HEADING", "SOME BOLD WORDS & <TAGS>"]
    assert [r.text for r in again.paragraphs[1].runs if r.bold] == ["BOLD"]
    assert again.sections[0].header.paragraphs[0].text == "HEADER"


STRICT = "http://purl.oclc.org/ooxml/wordprocessingml/main"


def runs_of(content: str) -> tuple[Runs, list[Item[Mark]]]:
    source = XmlSource("a.xml", f'<x:p xmlns:x="{STRICT}">{content}</x:p>'.encode(), PREFIXES)
    [(paragraph, _)] = source.elements(frozenset({"w:p"}))
    runs = Runs(source, lambda element: [source.cut(element.start, element.end)], "x:")
    return runs, runs.items(paragraph.elements)


def test_texts_have_their_formats() -> None:
    _, items = runs_of(
        "<x:r><x:t>some plain text</x:t></x:r>"
        '<x:r><x:rPr><x:i/><x:lang x:val="de"/></x:rPr><x:t>x</x:t></x:r>'
    )
    italic = "<x:rPr><x:i/></x:rPr>"
    assert [(item.text, item.mark and item.mark.style) for item in items] == [
        *(("some plain text", ""), ("x", italic)),
    ]
    formatted, base = with_formats(items)
    assert base == ""
    assert [item.kind for item in formatted] == ["text", "opens", "text", "closes"]
    assert formatted[1].mark == Mark(style=italic)


def test_a_field_without_an_end_stands_in_parts() -> None:
    _, items = runs_of(
        '<x:r><x:fldChar x:fldCharType="begin"/><x:instrText>PAGE</x:instrText><x:t>a</x:t></x:r>'
    )
    assert [item.kind for item in items] == ["stands", "stands", "text"]


def test_a_text_is_written_in_a_run() -> None:
    runs, _ = runs_of("")
    assert (
        runs.write("a & b", "<s/>", A) == '<x:r><s/><x:t xml:space="preserve">a &amp; b</x:t></x:r>'
    )
    assert runs.write("\n", "", "") == "<x:r><x:br/></x:r>"
