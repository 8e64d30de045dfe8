"""HTML comes back as it was; what is language is a unit."""

from __future__ import annotations

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.documents import shout
from translator.documents.markup import html_tokens as rules
from translator.documents.markup.html import outline_of, read_html, read_xml
from translator.documents.markup.html_tokens import TagOptions


def texts(page: str) -> list[str]:
    """The units; each token is a star."""
    found = []
    for unit in read_html(page).units:
        text = unit.text
        for start, end in reversed(unit.spans):
            text = f"{text[:start]}*{text[end:]}"
        found.append(text)
    return found


def as_it_was(page: str) -> str:
    document = read_html(page)
    return document.rebuild([unit.text for unit in document.units])


def shouted(page: str) -> str:
    document = read_html(page)
    return document.rebuild([unit.text.upper() for unit in document.units])


PAGES = {
    '<p class="x">Hallo <b>Welt</b>!</p>': ["Hallo *Welt*!"],
    "<b>Hallo</b>": ["Hallo"],
    "Führe <code>ls</code> aus": ["Führe * aus"],
    "<p>Eins<p>Zwei": ["Eins", "Zwei"],
    "<ul>\n  <li>Eins\n  <li>Zwei\n</ul>": ["Eins", "Zwei"],
    "<p>Ein\n   langer Satz</p>": ["Ein langer Satz"],
    "Text ohne Tags,\n\nzwei  Absätze": ["Text ohne Tags,\n\nzwei  Absätze"],
    "<p translate='no'>Nie <b translate=yes>doch</b></p>": ["*doch*"],
    "<span class='a notranslate'>Nie</span> Text": ["* Text"],
    "<pre>Code <b>x</b></pre><kbd>Strg</kbd>": [],
    "<script>var a = 'Text';</script><style>p {}</style>": [],
    "<img src=a alt='Ein Hund' title=Bild> Text": ["Ein Hund", "Bild", "Text"],
    '<meta name="description" content="Seite"><meta name=x content="Nie">': ["Seite"],
    "<textarea placeholder='Name'>Nie</textarea>": ["Name"],
    "<title>Titel &amp; <b></title>": ["Titel & <b>"],
    "Wasser ist H<sub>2</sub>O": ["Wasser ist H*O"],
    "Der Bauer<sup>a</sup> sah<sup><a href=x>[ii]</a></sup> sie": ["Der Bauer* sah* sie"],
    "<sup>a,b</sup> Nicht hier<sub>so</sub>": ["* Nicht hier*so*"],
    "<p><sup>i</sup></p>": [],
    "<p>Wie? <input type=radio> Per Post <input name=x TYPE='checkbox' />abholen": [
        "Wie?",
        "Per Post",
        "abholen",
    ],
    "<p>Nach <input type=text> Jahren": ["Nach * Jahren"],
    "Sei <i>a</i> = <em>b</em>, so ist <i>T</i>itel <i>I</i>": ["Sei * = *, so ist *T*itel *"],
    "But <i>I</i> said <i>a</i>": ["But *I* said *a*"],
    "<p>@<a class='u-url mention' href=x>@<span>ich</span></a> Hallo": ["@* Hallo"],
    "<a href=x><span class=invisible>https://</span><span class=ellipsis>a.de/b</span></a>": [],
    "<td>Eins<td>Zwei": ["Eins", "Zwei"],
    "<% if a %>Eins <b>und</b> <%= b %>.<% else %>Drei<% end %>": ["Eins *und* *.", "Drei"],
    "<#if (n > 3 && s?size() > 0)>Eins <@b.c 'x'/>.<#else>Drei</#if>": ["Eins *.", "Drei"],
    "<#-- Nie <b> --><@page title='a > b'>Hallo <@U12>!</@page>": ["Hallo *!"],
    "Drei <# vier und <@ fünf": ["Drei <# vier und <@ fünf"],
    "<p onClick={() => go()}>Hallo</p>": ["Hallo"],
    "&lt;script&gt; ist Text": ["<script> ist Text"],
    "<!-- Nie --><!DOCTYPE html><?xml?>": [],
    "Eins<br>Zwei<BR/>Drei": ["Eins", "Zwei", "Drei"],
    '<input type="submit" value="Senden"><INPUT TYPE=reset VALUE=Leeren>': ["Senden", "Leeren"],
    "<input value='Weiter' type=' Button ' title=Tipp>": ["Weiter", "Tipp"],
    "<input value='Nie'><input type=hidden value=Nie><input type=text value=Nie>": [],
    "<div translate=no><input type=submit value=Nie></div>": [],
    "<optgroup label='Obst'><option label=Apfel value=nie></optgroup>": ["Obst", "Apfel"],
    "<button value=nie>Senden</button><progress value=nie label=nie>": ["Senden"],
}


@pytest.mark.parametrize(("page", "expected"), PAGES.items())
def test_units(page: str, expected: list[str]) -> None:
    assert texts(page) == expected
    assert as_it_was(page) == page


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<p>a &lt;b&gt; c</p>", "<p>A &lt;B&gt; C</p>"),
        ("&auml; &quot;x&quot;", "Ä &quot;X&quot;"),
        ("<i title='a b'>cc</i> d", "<i title='A B'>CC</i> D"),
        ("<img alt=hund>", '<img alt="HUND">'),
        ("<p>\n  a\n</p>\n", "<p>\n  A\n</p>\n"),
        (
            '<form><input value="los!" type="submit" name=go> a</form>',
            '<form><input value="LOS!" type="submit" name=go> A</form>',
        ),
    ],
)
def test_only_what_is_translated_changes(page: str, expected: str) -> None:
    assert shouted(page) == expected


def test_a_tag_keeps_the_translation_of_its_attribute() -> None:
    document = read_html("Der <b title='sehr groß'>große</b> Hund")
    text, alt = document.units
    assert alt.text == "sehr groß"
    translation = text.text.replace("Der", "The").replace("große", "big").replace("Hund", "dog")
    assert document.rebuild([translation, "very big"]) == "The <b title='very big'>big</b> dog"


@pytest.mark.parametrize(
    "piece",
    [
        "<b>",
        "<b>x",
        "</b>",
        "<b><i></b></i>x",
        "<p>",
        "x<br>",
        "x\n\n",
        "&nbsp;",
        "<div>x",
        "<a title=x>",
    ],
)
def test_long_and_deep_pages(piece: str) -> None:
    page = piece * 10_000
    assert as_it_was(page) == page


def test_private_characters_are_no_tokens() -> None:
    page = "Der <b>Hund</b> &lt;\U000f0000&gt; &#xF0001;"
    document = read_html(page)
    [unit] = document.units
    rebuilt = document.rebuild([unit.text.replace("Hund", "Dog")])
    assert rebuilt.count("<b>") == rebuilt.count("</b>") == 1
    assert re.search("&lt;\U000f0000&gt; (?:\U000f0001|&#xF0001;)", rebuilt)


def test_wishes_for_single_tags() -> None:
    options = TagOptions(ignored=frozenset({"x-name"}), splitting=frozenset({"b"}))
    document = read_html("<x-name>Acme</x-name> one<b>two</b>", options=options)
    assert [unit.text[-3:] for unit in document.units] == ["one", "two"]


@pytest.mark.parametrize(
    ("page", "numbers"),
    [
        ("<tr><td>3.000</td><td> <b>1.234,50&nbsp;€</b> </td></tr>", ["3.000", "1.234,50\u00a0€"]),
        ("<td>12</td><td>3.000 <i>4.000</i></td><td><br></td>", ["3.000 *4.000*"]),
    ],
)
def test_a_number_alone_is_a_unit_if_its_signs_may_change(page: str, numbers: list[str]) -> None:
    assert texts(page) == numbers
    assert as_it_was(page) == page


def test_readings_of_ruby_stay_behind_their_words() -> None:
    page = "<p>Das <ruby>Wort<rp>(</rp><rt>Lesung</rt><rp>)</rp></ruby> ist alt.</p>"
    document = read_html(page)
    [unit] = document.units
    tags = [unit.text[slice(*span)] for span in unit.spans]
    assert unit.text == f"Das {tags[0]}Wort{tags[1]} ist alt."
    assert document.rebuild([f"The {tags[0]}word{tags[1]} is old."]) == page.replace(
        "Das", "The"
    ).replace("Wort", "word").replace("ist alt", "is old")


SIDE_BY_SIDE = {
    "<a>news</a> <a>prices</a> | <a>more jobs </a><a>us</a>": ["news", "prices", "more jobs", "us"],
    "<span>New</span><span>Buy <i>two</i> shirts.</span>": ["New", "Buy *two* shirts."],
    "<b>Opening hours</b><em>Closed</em> <i><u>Sunday</u></i>": [
        "Opening hours",
        "Closed",
        "Sunday",
    ],
    "<b>Bold</b><i>italic</i>": ["Bold", "italic"],
    "<b>Price</b><span>12 shirts</span>": ["Price", "12 shirts"],
    "<span>i</span>The dog": ["The dog"],
    "<li><a>xlii</a></li><li>mild</li>": ["mild"],
    "<b>Note</b>Please close <i>all</i>Windows": ["Note", "Please close *all*Windows"],
    "<span><a>One</a><img><a>Two</a></span><b>Three</b>": ["One", "Two", "Three"],
    "<b>fresh</b> <b>bread</b>": ["*fresh* *bread*"],
    "We sell <b>Fresh</b> <b>Bread</b>": ["We sell *Fresh* *Bread*"],
    "See <a>News</a> <a>Prices</a>": ["See *News* *Prices*"],
    "<span>This is </span><b>Anna</b><span>, a dog.</span>": ["*This is *Anna*, a dog.*"],
    "<b>un</b><i>believable things.</i>": ["*un*believable things.*"],
    "<b>You</b>Tube": ["*You*Tube"],
    "<b>O'</b>Neill came": ["*O'*Neill came"],
    "<i>Area in m</i><sup>2</sup>": ["*Area in m*"],
    "Click <b>File</b><b>Open</b> <a x>Save</a><a>Now</a> twice": [
        "Click * * twice",
        *["File", "Open", "Save", "Now"],
    ],
    "See <i class=a>File</i><i class=a>Open</i> or <b>Mac</b><i>Book</i>": [
        "See * or *Mac*Book*",
        *["File", "Open"],
    ],
    "<s>$5.00</s> <b>$4.00</b>": ["$5.00", "$4.00"],
    "The price is <b>1,250.00</b>, mark<sup>1,2</sup>": ["The price is *1,250.00*, mark*"],
    "<label>Colour<em>required</em> <input></label>": ["Colour", "required"],
    "<button>S<u>a</u>ve</button>": ["S*a*ve"],
    "<th>Temp<sub>max</sub></th>": ["Temp*max*"],
    "<th>Price<span>per month</span></th>": ["Price", "per month"],
    "<h3>Red wine <small>750 ml bottle</small></h3>": ["Red wine", "750 ml bottle"],
    "He said it <small>so quietly.</small>": ["He said it *so quietly.*"],
    "Hand<span>made</span> or un<em>believable</em>": ["Hand*made* or un*believable*"],
}


@pytest.mark.parametrize(("page", "expected"), SIDE_BY_SIDE.items())
def test_texts_side_by_side(page: str, expected: list[str]) -> None:
    assert texts(page) == expected
    assert as_it_was(page) == page


LABELS = st.lists(
    st.sampled_from(["News", "Über uns", "Opening hours", "3 Hunde", "Ja!"]), min_size=2, max_size=5
)


@given(LABELS, st.sampled_from(["", " ", "\n", " | ", " · ", "<img>", " <!-- x --> "]), st.data())
def test_labels_are_read_one_by_one_and_a_sentence_as_one(
    labels: list[str], between: str, data: st.DataObject
) -> None:
    tags = data.draw(st.lists(st.sampled_from(["a", "b", "span"]), min_size=5, max_size=5))
    parts = [f"<{tag}>{label}</{tag}>" for tag, label in zip(tags, labels, strict=False)]
    assert texts(f"<p>{between.join(parts)}</p>") == labels
    sentence, *apart = texts(f"<p>Wir sehen {between.join(parts)}.</p>")
    assert len(re.findall("|".join(labels), " ".join((sentence, *apart)))) >= len(labels)
    assert not (apart and between)


@given(
    st.sampled_from(["<b>%s</b>", "<span class=i><i>%s</i></span>"]),
    st.sampled_from(["D", "„D", "&Ouml;"]),
    st.sampled_from(["%s", "<small>%s</small>", "<i><u>%s</u></i>"]),
    st.sampled_from(["er Hund bellt.", "AS HAUS ist alt", "ann"]),
)
def test_the_first_letter_stays_in_its_initial(
    initial: str, letter: str, around: str, rest: str
) -> None:
    page = f"<p>{initial % letter}{around % rest}</p>"
    [unit] = read_html(page).units
    assert "".join(texts(page)).replace("*", "") == html.unescape(letter) + rest
    said = unit.text.replace(html.unescape(letter) + rest, "“What else?")
    written = read_html(page).rebuild([said])
    assert written == f"<p>{initial % '“W'}{around % 'hat else?'}</p>"
    assert as_it_was(page) == page


DOCUMENT = """<?xml version="1.0"?>
<document>
  <meta><title>A document's title</title></meta>
  <par>
    <span>This is a sentence split</span>
    <span>across two &lt;span&gt; tags.</span>
  </par>
  <par>Here <em>is</em> a sentence.</par>
  <raw>Never.</raw>
  <Über id="a>b"/><_x>Hallo</_x><!-- no --><![CDATA[ No <b> ]]>
</document>
"""


def units(text: str, options: TagOptions | None = None) -> list[str]:
    """Return what is translated, without marks."""
    document = read_xml(text, options=options)
    assert document.rebuild([unit.text for unit in document.units]) == text
    plain = []
    for unit in document.units:
        kept, done = "", 0
        for start, end in unit.spans:
            kept, done = kept + unit.text[done:start], end
        plain.append((kept + unit.text[done:]).strip())
    return plain


def test_elements_that_enclose_whole_texts_split() -> None:
    assert units(DOCUMENT) == [
        "A document's title",
        "This is a sentence split",
        "across two <span> tags.",
        "Here is a sentence.",
        "Never.",
        "Hallo",
    ]


def test_wishes_come_before_the_outline() -> None:
    options = TagOptions(joining=frozenset({"SPAN"}), ignored=frozenset({"raw"}))
    assert units(DOCUMENT, options) == [
        "A document's title",
        "This is a sentence split across two <span> tags.",
        "Here is a sentence.",
        "Hallo",
    ]


def test_without_an_outline_only_named_tags_split() -> None:
    options = TagOptions(finds_outline=False, splitting=frozenset({"b"}))
    assert units("<a>One</a> <a>two</a><b>three</b>", options) == ["One two", "three"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hello <b>world</b>", set()),
        ("<p>One <b>or</b> two</p>", {"p"}),
        ("<a><b>text</b> <a/>", {"a", "b"}),
        ("<a>one</b> <c>two</c></a>", {"a"}),
        ("no tags < at all", set()),
    ],
)
def test_outline(text: str, expected: set[str]) -> None:
    assert outline_of(text) == expected


EMPTY = {
    "Hello<br/>World": ["Hello", "World"],
    "Good <b>Tom</b><lb/>how": ["Good Tom", "how"],
    "Hello<br></br>World is<x a='b'></x>old": ["Hello", "World is old"],
    "One.<pb n='2'/>Two": ["One.", "Two"],
    "Press<key/>to go <x/>On": ["Press to go On"],
    "One<x/><y/>two<x/>, three": ["One two, three"],
    "Hello <g><x/>World</g>": ["Hello World"],
}


@pytest.mark.parametrize(("text", "expected"), EMPTY.items())
def test_empty_elements_between_words(text: str, expected: list[str]) -> None:
    assert units(text) == expected
    [joined] = units(text, TagOptions(joining=frozenset({"br", "lb", "pb"})))
    assert joined == units(text, TagOptions(finds_outline=False))[0]


@given(st.lists(st.sampled_from(["one", "Two", "3 dogs"]), min_size=2, max_size=6))
def test_an_empty_element_comes_back_between_the_same_words(words: list[str]) -> None:
    text = "<x/>".join(words)
    document = read_xml(text, options=TagOptions(finds_outline=False))
    [unit] = document.units
    assert units(text, TagOptions(finds_outline=False)) == [" ".join(words)]
    assert document.rebuild([shout(unit)]) == "<x/>".join(word.upper() for word in words)


NOTE_NAMES = st.sampled_from(["fn", "footnote", "indexterm", "note"])


@given(NOTE_NAMES, st.lists(st.sampled_from(["One", "two.", "three"]), min_size=2), st.data())
def test_a_note_is_no_part_of_its_sentence(
    name: str, words: list[str], data: st.DataObject
) -> None:
    place = data.draw(st.integers(1, len(words) - 1))
    note = data.draw(st.sampled_from(["A <b>house</b>.", "<p>A house.</p><p>Old.</p>"]))
    before, after = " ".join(words[:place]), " ".join(words[place:])
    text = f"<p>{before}<{name} n='1'>{note}</{name}> {after}</p>"
    sentence, *inner = units(text)
    assert sentence == " ".join(words)
    assert " ".join(inner) == re.sub("<[^>]*>", " ", note).replace("  ", " ").strip().replace(
        " .", "."
    )
    document = read_xml(text)
    shouted = document.rebuild([shout(unit) for unit in document.units])
    assert shouted == re.sub(">[^<>]*<", lambda found: found[0].upper(), text)


def test_a_note_that_is_broken_or_stands_by_itself_is_read() -> None:
    options = TagOptions(splitting=frozenset({"p"}))
    assert units("<s><p>One <fn>two</p><p>three</fn></p></s>", options) == ["One", "two", "three"]
    assert units("<s><note>One</note><p>two</p></s>") == ["One", "two"]
    options = TagOptions(joining=frozenset({"fn"}))
    assert units("<p>One <fn>two</fn> three</p>", options) == ["One two three"]


@given(
    st.lists(st.sampled_from(["Edit", "Copy <b>all</b> now", "Big"]), min_size=1, max_size=4),
    st.sampled_from(["", "big ", "menu"]),
)
def test_elements_of_xml_that_touch_a_capital_are_two_things(names: list[str], before: str) -> None:
    row = "".join(f"<ui n='1'>{name}</ui>" for name in names)
    text = f"<p>The {before}{row} is open.</p>"
    found = [re.sub("<.*?>", "", name) for name in names]
    is_apart = len(names) > 1 or before == "menu"
    assert units(text)[is_apart:] == (found if is_apart else [f"The {before}{found[0]} is open."])
    document = read_xml(text)
    written = document.rebuild([shout(unit) for unit in document.units])
    assert written == re.sub(">[^<>]*<", lambda part: part[0].upper(), text)


@given(
    st.lists(
        st.sampled_from(["<i> </i>", "<b class=x>&nbsp;</b>", "<a title='Old news'> </a>"]),
        min_size=1,
        max_size=4,
    ),
    st.sampled_from(["%s", "<u>%s</u>"]),
)
def test_an_element_with_a_space_parts_words(gaps: list[str], around: str) -> None:
    page = "".join(f"{around % 'word'}{gap}" for gap in gaps) + "end"
    sentence, *_ = texts(page)
    assert sentence.replace("*", "").split() == ["word"] * len(gaps) + ["end"]
    document = read_html(page)
    written = document.rebuild([shout(unit) for unit in document.units])
    assert written == re.sub("word|end|Old news", lambda found: found[0].upper(), page)


def test_a_note_may_stand_beside_an_empty_element() -> None:
    document = read_xml("<p>One<x/>two<fn>A note.</fn> three</p>")
    written = document.rebuild([shout(unit) for unit in document.units])
    assert written == "<p>ONE<x/>TWO<fn>A NOTE.</fn> THREE</p>"


def test_names_are_not_htmls() -> None:
    assert units("<title>A <b>bold</b> title</title>") == ["A bold title"]
    assert units("<script>Some text</script><pre>More text</pre>") == ["Some text", "More text"]
    assert units('<img alt="Text">Inside</img>') == ["Inside"]


def test_what_is_put_in_is_escaped() -> None:
    document = read_xml("<p>a</p>")
    assert document.rebuild(["1 < 2 & 3 > 2"]) == "<p>1 &lt; 2 &amp; 3 &gt; 2</p>"


@given(st.lists(st.sampled_from(["<a>", "</a>", "<b/>", "<b>", "</b>", " ", "x y", "&amp;", "<"])))
def test_any_text_comes_back_as_it_was(parts: list[str]) -> None:
    text = "".join(parts)
    for options in (None, TagOptions(finds_outline=False), TagOptions(ignored=frozenset({"a"}))):
        document = read_xml(text, options=options)
        assert document.rebuild([unit.text for unit in document.units]) == text


def test_names_are_in_small_letters_and_in_the_right_tables() -> None:
    tables = (rules.BLOCKS, rules.VOID, rules.UNTRANSLATED, rules.UNREAD, rules.RAW_TEXT)
    assert all(name == name.lower() for table in tables for name in table)
    assert rules.RAW_TEXT <= rules.UNTRANSLATED
    assert not rules.RAW_TEXT & rules.VOID
    assert {"b", "a", "code", "br", "img", "ruby", "abbr"}.isdisjoint(rules.BLOCKS)


@pytest.mark.parametrize(
    ("page", "found"),
    [
        ("<a>Messages<span>New</span></a>", ["Messages", "New"]),
        ("<h2>Delete all<small>Beta</small></h2>", ["Delete all", "Beta"]),
        ("<p>On a Mac<span>OS</span> here</p>", 1),
        ("<p>Java<span>Script</span></p>", 1),
        ("<p>It is new<b>Er</b></p>", 1),
    ],
)
def test_a_badge_that_touches_a_label_is_a_text(page: str, found: list[str] | int) -> None:
    units = [unit.text for unit in read_html(page).units]
    assert len(units) == found if isinstance(found, int) else units == found


A, B = "<span style='color:red; font:11pt'>", '<span lang=de style="font:12pt;color:red">'


@given(st.lists(st.tuples(st.sampled_from([A, B]), st.sampled_from(["a house", "is it", "and"]))))
def test_runs_of_the_font_of_a_paragraph_are_one(runs: list[tuple[str, str]]) -> None:
    runs = [*runs, (A, "so"), (A, "it is.")]
    page = f"<p>{' '.join(f'{tag}{text}</span>' for tag, text in runs)}</p>"
    document = read_html(page)
    [unit] = document.units
    written = document.rebuild([shout(unit)])
    assert written.count(A) == 1
    assert written.count(B) == sum(tag == B for tag, _ in runs)
    assert written.count("</span>") == written.count("<span")
    told = re.sub("<[^>]*>", "", written).upper().split()
    assert told == " ".join(text for _, text in runs).upper().split()


@pytest.mark.parametrize(
    "page",
    [
        f"<p>{A}One</span> two {A}three</span></p>",
        f"<p>{A}One</span> <b>two</b> {A}three</span></p>",
        f"<p>{A}One</span> <span style='color:red'>two</span> {A}three</span></p>",
        f"<p>{A}One</span> {A}Two</span></p>",
        "<p><span style='padding:1px'>One</span> <span style='padding:1px'>two</span></p>",
        "<p><span class=a>One</span> <span class=a>two</span></p>",
    ],
)
def test_runs_stay_where_something_else_would_get_their_font(page: str) -> None:
    assert shouted(page).count("<span") == page.count("<span")


def test_a_paragraph_with_nothing_but_a_template_has_no_unit() -> None:
    page = (
        "<div>\n  {% for a in b %}\n  <a href='x'>\n  {{ a.name }}\n  </a>\n  {% endfor %}\n</div>"
    )
    assert read_html(page).units == ()
    [unit] = read_html(page.replace("{{", "By {{")).units
    assert "By {{ a.name }}" in unit.text
