"""Fields, marks and codes that are no words pass the model by, and none is changed."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from translator.text.protection import protect, without_accelerator
from translator.text.segmentation import split
from translator.text.spans import find_spans

WORDS = st.lists(
    st.sampled_from(["das", "Haus", "ist", "groß", "und", "the", "red", "Apfel", "Grüße"]),
    min_size=1,
    max_size=4,
).map(" ".join)
NAME = st.from_regex(r"[a-z][a-z0-9]{1,9}", fullmatch=True)
DECIMAL = st.builds("{}.{}".format, st.integers(0, 999), st.integers(0, 99))
UPPER = st.from_regex(r"[A-Z][A-Z0-9]{1,9}", fullmatch=True)

FIELDS = {
    "double hash": st.builds("##{}##".format, NAME),
    "triple hash": st.builds("###{}###".format, UPPER),
    "Mailchimp": st.builds("*|{}|*".format, UPPER),
    "Mailchimp, a condition": st.builds("*|IF:{}|*".format, UPPER),
    "brackets": st.builds("[[{}]]".format, NAME),
    "Template Toolkit": st.builds("[% {} %]".format, NAME),
    "Marketing Cloud": st.builds("%%{}%%".format, NAME),
    "Marketing Cloud, with a space": st.builds("%%{} {}%%".format, NAME, NAME),
    "AMPscript": st.builds("%%=v(@{})=%%".format, NAME),
    "at signs": st.builds("@@{}@@".format, NAME),
    "three braces": st.builds("{{{{{{{}}}}}}}".format, NAME),
    "hashtags": st.lists(st.builds("#{}".format, NAME), min_size=1, max_size=3).map(" ".join),
    "mention": st.builds("@{}".format, NAME),
    "emoji by name": st.builds(":{}_{}:".format, NAME, NAME),
    "formula": st.builds("$${}^2 = {}$$".format, NAME, NAME),
    "two hashes around a number": st.builds("##{}##".format, st.integers(0, 99)),
    "at signs around a number": st.builds("@@{}@@".format, st.integers(0, 99)),
    "template with a filter": st.builds('{{{{ {}.{} | {}("{}  {}") }}}}'.format, *[NAME] * 5),
    "expression of a shell": st.builds("${{ {} | {} }}".format, NAME, NAME),
    "choice of ICU": st.builds("{{{},choice,0#no {}|1#one|1<{{0}} {}}}".format, NAME, NAME, NAME),
    "formula in a line": st.builds(
        "${}{} = {}$".format, st.sampled_from(["\\alpha", "x_{max}", "f(x)"]), NAME, DECIMAL
    ),
    "formula of LaTeX": st.builds("\\({} = {}\\)".format, st.sampled_from("xyz"), DECIMAL),
    "set of numbers": st.builds(
        "$\\{{{0} | {0} > {1}\\}}$".format, st.sampled_from("xyz"), DECIMAL
    ),
    "label of LaTeX": st.builds(
        "~\\{}{{{}:{}}}".format, st.sampled_from(["ref", "eqref", "cite", "citep"]), NAME, NAME
    ),
    "citations": st.lists(st.integers(1, 199), min_size=2, max_size=4).map(
        lambda numbers: f"[{','.join(map(str, numbers))}]"
    ),
    "pages of citations": st.builds("[{},{}–{}]".format, *[st.integers(1, 199)] * 3),
    "channel": st.builds("#{}-{}-{}".format, NAME, NAME, NAME),
    "isolate": st.builds("\u2068{{{}}}\u2069".format, NAME),
    "embedding": st.builds("\u202a{}.txt\u202c".format, NAME),
    "argument of Apple": st.just("%arg"),
    "emoticon": st.sampled_from(["-_-", r"¯\_(ツ)_/¯", "^_^", "^^", ">_<", "(╯°□°)╯︵ ┻━┻"]),
    "short code that closes": st.builds("[/{}]".format, NAME),
    "short code": st.builds('[{} {}="{}, {}"]'.format, NAME, NAME, NAME, NAME),
    "short codes": st.builds('[/vc_{}][vc_{} width="1/{}"]'.format, NAME, NAME, st.integers(1, 9)),
    "line to fill in": st.integers(3, 40).map("_".__mul__),
    "dots to fill in": st.integers(6, 40).map(".".__mul__),
    "date to fill in": st.sampled_from(["___/___/____", "__.__.____", "____ / ____", "__/__/__"]),
    "escaped tag": st.builds("&lt;{}&gt;".format, NAME),
    "escaped tag with an attribute": st.builds("&lt;{} {}=&quot;{}&quot;&gt;".format, *[NAME] * 3),
}


@pytest.mark.parametrize("kind", FIELDS)
@settings(max_examples=30)
@given(data=st.data())
def test_fields_are_kept_from_the_model_and_come_back(kind: str, data: st.DataObject) -> None:
    field, before, after = data.draw(FIELDS[kind]), data.draw(WORDS), data.draw(WORDS)
    sentence = f"{before} {field} {after}."
    [protected] = protect(sentence, 8)
    assert protected.spans == (field,)
    assert re.fullmatch(rf"{re.escape(before)} [\ue001-\ue040] {after}\.", protected.text)
    assert protected.restore(protected.text) == sentence
    num_sentences = len(split(sentence, "de", keeps_code=True).sentences)
    assert num_sentences == 1 or kind == "dots to fill in"


@given(target=NAME, before=WORDS, label=WORDS, after=WORDS)
def test_a_wiki_link_keeps_its_target_and_shows_its_text(
    target: str, before: str, label: str, after: str
) -> None:
    sentence = f"{before} [[{target}|{label}]] {after}"
    [protected] = protect(sentence, 8)
    assert protected.spans == (f"[[{target}|", "]]")
    one, two = protected.placeholders
    assert protected.text == f"{before} {one}{label}{two} {after}"
    assert protected.restore(f"x {one} y {two} z") == f"x [[{target}|y]] z"


@pytest.mark.parametrize(
    "sentence",
    [
        "Er sagte [sic], das sei so [a] und [b].",
        "C# und F# sind Sprachen, und er ist die #1 von 5.",
        "Es ist 12:30:45 Uhr, und 3:1 gewonnen: ja",
        "100 %% sicher, und 50 %% auch",
        "Wenn a &lt b und c &gt d",
        "Der Preis: 5 $ und 6 $, nicht 7$ oder 8$.",
    ],
)
def test_what_only_looks_like_a_field_is_left_to_the_model(sentence: str) -> None:
    [protected] = protect(sentence, 8)
    assert {*protected.spans} <= {"%%"}


COMMAND = st.sampled_from(["\\emph{", "\\textbf{", "\\section{", "\\caption[short]{"])


@given(COMMAND, COMMAND, WORDS, WORDS, WORDS)
def test_the_text_of_a_command_of_latex_is_read(
    outer: str, inner: str, first: str, second: str, third: str
) -> None:
    sentence = f"{first} {outer}{second} {inner}{third}}}}} {{x}} {third}"
    [protected] = protect(sentence, 8)
    assert protected.spans == (outer, inner, "}", "}", "{x}")
    assert protected.restore(protected.text) == sentence


STATEMENTS = [
    ("{{#if paid}}", "{{else}}", "{{/if}}"),
    ("{{^a.b}}", "{{ else if x }}", "{{/a.b}}"),
    ("{% if a | length > 0 %}", "{%- else -%}", "{% endif %}"),
    ("<% if admin %>", "<% else %>", "<%- end %>"),
    ("<?php if ($x): ?>", "<?php else: ?>", "<?php endif; ?>"),
    ("<#if total gt 100>", "<#elseif member>", "</#if>"),
    ("<#list a as b>", "<#if (a > 3 && b >= 2)>", "</#list>"),
    ("{#if user.name}", "{:else if x}", "{/await}"),
    ("{{if .Paid}}", "{{else}}", "{{end}}"),
    ("{if $paid}", "{else}", "{/if}"),
    ("{# a note #}", "{% x %}", "{# another #}"),
    ("\\begin{quote}", "\\newline ", "\\end{quote}"),
]


@pytest.mark.parametrize("statements", STATEMENTS)
@settings(max_examples=30)
@given(parts=st.lists(st.tuples(WORDS, NAME), min_size=4, max_size=4))
def test_each_branch_of_a_template_is_a_text(
    statements: tuple[str, str, str], parts: list[tuple[str, str]]
) -> None:
    texts = [f"{words} {{{{ {name} | {name} }}}}." for words, name in parts]
    whole = "".join(map("".join, zip(texts, (*statements, ""), strict=True)))
    segments = split(whole, "de", keeps_code=True)
    assert segments.sentences == tuple(texts)
    assert segments.separators == ("", *statements, "")


@given(st.lists(st.tuples(st.sampled_from(["\u2068{}\u2069", "\u202a{}\u202c"]), NAME), min_size=1))
def test_isolates_come_back_in_pairs_at_the_edges_too(parts: list[tuple[str, str]]) -> None:
    isolates = [around.format(name) for around, name in parts[:8]]
    for text in (" und ".join(isolates), f"{isolates[0]}!", f"Von {isolates[0]}"):
        [sentence] = split(text, "de", keeps_code=True).sentences
        assert sentence == text
        [protected] = protect(text, 8)
        assert set(protected.spans) <= {*isolates}
        assert not re.search("[\u2066-\u2069\u202a-\u202e]", protected.text)


def test_an_ordinal_of_a_variable_follows_the_language() -> None:
    [protected] = protect("the {{count}}rd try in {year}", 8)
    assert protected.with_ordinals("de-CH").spans == ("{{count}}.", "{year}")
    assert protected.with_ordinals("fr") == protected


NAMES_OF_LETTERS = {
    **dict(uuml="ü", szlig="ß", eacute="é", Ouml="Ö", quot='"', apos="'", bdquo="„", ldquo="“"),
    "#228": "ä",
    "#xf1": "ñ",
    "#8250": "›",
    "#x2013": "–",
    "#X2019": "’",
    **dict(laquo="«", hellip="…"),
}


@given(
    parts=st.lists(
        st.one_of(WORDS.filter(str.isascii).map(str.lower), st.sampled_from([*NAMES_OF_LETTERS])),
        min_size=1,
        unique=True,
    )
)
def test_the_model_reads_letters_for_entities_and_they_are_written_again(parts: list[str]) -> None:
    sentence = "".join(f"&{part};" if part in NAMES_OF_LETTERS else part for part in parts)
    assume(not re.search(r"(\w{1,3}?)\1{3}", sentence))  # a drawn-out word stays as it is
    [protected] = protect(sentence, 8)
    assert protected.text == "".join(NAMES_OF_LETTERS.get(part, part) for part in parts)
    assert protected.restore(protected.text) == sentence


def test_what_stands_behind_entities_stays_behind_them() -> None:
    [protected] = protect("Gr&uuml;&szlig;e  ", 8)
    assert (protected.text, protected.trailing) == ("Grüße", "  ")


@pytest.mark.parametrize(
    ("sentence", "read", "translation", "written"),
    [
        *[
            (f"Er hei&szlig;t {one}Max{two}.", "Er heißt „Max“.", "He is “Max”.", f"He is {end}.")
            for one, two, end in (
                ("&bdquo;", "&ldquo;", "&ldquo;Max&rdquo;"),
                ("&#8222;", "&#8220;", "&#8220;Max&rdquo;"),
            )
        ],
        ("Er heißt &quot;Max&quot;.", 'Er heißt "Max".', 'He’s "Max".', "He’s &quot;Max&quot;."),
        ("It&#39;s Tom&rsquo;s.", "It's Tom’s.", "'Für’ Tom", "&#39;F&uuml;r&rsquo; Tom"),
        ("&#x27;Go&#x27; &amp; so", "'Go' & so", "'Für' & so", "&#x27;Für&#x27; &amp; so"),
        ("Größe &bdquo;L&ldquo; – ja", "Größe „L“ – ja", "“L” – ü", "&ldquo;L&rdquo; – ü"),
        ("Gut, &#8222;ja&#8220;", "Gut, „ja“", "Well, “é”", "Well, &#8220;&#233;&#8221;"),
    ],
)
def test_quotes_and_apostrophes_are_read_and_written_as_entities(
    sentence: str, read: str, translation: str, written: str
) -> None:
    [protected] = protect(sentence, 8)
    assert protected.text == read
    assert protected.restore(translation) == written


def test_entities_end_no_clause() -> None:
    assert len(protect("&bdquo;A&ldquo; and &quot;B&quot; and &#39;C&#39; and so on", 8)) == 1


def test_a_text_in_ascii_stays_in_ascii() -> None:
    [protected] = protect("Gr&uuml;&szlig;e an %1", 8)
    assert protected.text == "Grüße an \ue001"
    assert (
        protected.restore("Süße für \ue001 – é") == "S&uuml;&szlig;e f&uuml;r %1 &ndash; &eacute;"
    )
    [protected] = protect("Schöne Gr&uuml;&szlig;e", 8)
    assert protected.restore("ö ü é") == "ö &uuml; é"
    [protected] = protect("Tom &amp; Jerry in Köln", 8)
    assert protected.restore(protected.text) == "Tom &amp; Jerry in Köln"


def log_prob(text: str) -> float:
    """Know a few words, and two letters at a time of all others."""
    return -9.0 if text.lower() in ("beenden", "öffnen", "save", "exit") else -4.0 * len(text)


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        *(("&File", "File"), ("“&Open” all", "“Open” all"), ("Save &As…", "Save As…")),
        *(("B&eenden", "Beenden"), ("Jetzt B&eenden", "Jetzt Beenden"), ("Ö&ffnen", "Öffnen")),
        *(("E&xit", "Exit"), ("Speichern &unter...", "Speichern unter...")),
    ],
)
def test_an_accelerator_comes_back_before_the_first_letter(text: str, bare: str) -> None:
    [protected] = protect(text, 8)
    label = without_accelerator(protected, log_prob)
    assert label.text == bare
    assert label.restore("„Los!“") == "„&Los!“"


@pytest.mark.parametrize(
    "text",
    [
        *("R&D", "AT&T", "Q&A", "a small B&B", "Müller&Sohn", "Tom &Jerry", "Tom & Jerry", "A&E…"),
        *("drag&drop", "Fish &Chips are good.", "& more", "&uuml ber", "a&b&c", "&amp; so", "h&m"),
        "&Save your work before you close the window, or else all of it will be gone, too.",
    ],
)
def test_what_is_no_accelerator_stays(text: str) -> None:
    [protected] = protect(text, 8)
    assert without_accelerator(protected, log_prob) == protected


@given(before=WORDS, word=st.sampled_from(["Beenden", "Öffnen", "Save", "Exit"]), data=st.data())
def test_no_letter_is_lost_with_an_accelerator(before: str, word: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(1, len(word) - 1))
    [protected] = protect(f"{before} {word[:place]}&{word[place:]} %1", 8)
    label = without_accelerator(protected, log_prob)
    assert label.text == f"{before} {word} \ue001"
    assert label.restore(f"\ue001: {word}") == f"%1: &{word}"


CONTAINERS = st.sampled_from(
    [
        (":::tip {}", ":::"),
        (":::danger[{}]", ":::"),
        ("::: details {}", ":::"),
        ("::::warning[{}]{{#id .name}}", "::::"),
        (":::{{admonition}} {}\n:class: tip\n:name: foo", ":::"),
        ("::: {{.note}}\n{}", ":::"),
        ("> [!NOTE]\n> {}", ">"),
        ("!!! note {}", ""),
    ]
)


@given(container=CONTAINERS, title=WORDS, body=WORDS, indent=st.sampled_from(["", "   "]))
def test_marks_that_begin_a_block_stay_and_titles_are_translated(
    container: tuple[str, str], title: str, body: str, indent: str
) -> None:
    first, last = container
    lines = f"{first.format(title)}\n\n{body}\n\n{last}\n".split("\n")
    text = "Das geht so.\n\n" + "\n".join(indent + line if line else line for line in lines)
    segments = split(text, "de", keeps_code=True)
    texts = [part for part in (title, body) if not part.isdigit()]
    assert [*segments.sentences] == ["Das geht so.", *texts]
    assert segments.join(segments.sentences) == text


@given(
    before=WORDS,
    after=WORDS.map(str.capitalize),
    mark=st.sampled_from([r"\n", r"\r\n", r"\t", r"\n\n", r" \n", r".\n"]),
)
def test_an_end_of_a_line_in_letters_is_one(before: str, after: str, mark: str) -> None:
    text = f"{before}{mark}{after}"
    segments = split(text, "de", keeps_code=True)
    assert [one.rstrip(".") for one in segments.sentences] == [
        one for one in (before, after) if not one.isdigit()
    ]
    assert segments.join(segments.sentences) == text


@pytest.mark.parametrize(
    "text", [r"Use \n to go on", r"Write '\n' or (\n)", r"In C:\new\test is one", r"See docs\news"]
)
def test_what_is_said_of_an_end_of_a_line_is_none(text: str) -> None:
    assert split(text, "en", keeps_code=True).sentences == (text,)


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        (
            "[vc_row][vc_column]Der Hund. Die Katze.[/vc_column][/vc_row]",
            ("Der Hund.", "Die Katze."),
        ),
        ('[caption id="a_6" align="right"]Das Haus[/caption]', ("Das Haus",)),
        ('Kontakt: [contact-form-7 id="12" title="Anfrage"][/vc_column]', ("Kontakt:",)),
        ("Das ist [b]sehr groß[/b]", ("Das ist [b]sehr groß[/b]",)),
        ("Schon wieder -_-", ("Schon wieder",)),
        (r"Keine Ahnung ¯\_(ツ)_/¯", ("Keine Ahnung",)),
        ("Gute Nacht ^^ 🌲", ("Gute Nacht",)),
        ("Nimm __init__ oder a_b", ("Nimm __init__ oder a_b",)),
    ],
)
def test_codes_and_emoticons_at_the_edges_are_no_part_of_a_sentence(
    text: str, sentences: tuple[str, ...]
) -> None:
    segments = split(text, "de", keeps_code=True)
    assert segments.sentences == sentences
    assert segments.join(segments.sentences) == text


@pytest.mark.parametrize(
    ("sentence", "translation", "restored"),
    [
        ("[/x_y][x_y]The [b]big[/b] dog", "\ue001 Der \ue002 große \ue003 Hund", None),
        ("[url=http://a.b/c]x[/url]", "\ue001 y \ue002", "[url=http://a.b/c]y[/url]"),
        ("&lt;p&gt;The dog&lt;/p&gt;", "\ue001 Der Hund\ue002", "&lt;p&gt;Der Hund&lt;/p&gt;"),
        ("The [[a|dog]] is", "Der \ue001 Hund \ue002 ist", "Der [[a|Hund]] ist"),
    ],
)
def test_codes_that_open_and_close_stay_close(
    sentence: str, translation: str, restored: str | None
) -> None:
    [protected] = protect(sentence, 8)
    assert protected.restore(translation) == (restored or "[/x_y][x_y]Der [b]große[/b] Hund")


def test_a_paragraph_that_is_a_formula_is_none_of_words() -> None:
    text = "So:\n\n$$E=mc^2$$\n\nund\n\n$$\na + b = c\n$$\n\n  $$\\int_0^1\n dx$$\nDer Hund"
    assert split(text, "de").sentences == ("So:", "und", "Der Hund")


@given(st.lists(WORDS, min_size=2, max_size=4), st.sampled_from([r"\n", r"\n\n", r"\r\n", r"\t"]))
def test_signs_as_strings_of_programs_have_them_are_spans(texts: list[str], gap: str) -> None:
    text = gap.join(rf"{words.capitalize()} \"{words}\"." for words in texts)
    found = [text[slice(*span)] for span in find_spans(text)]
    assert [one for one in found if "\\" in one] == [r"\"", r"\"", gap] * (len(texts) - 1) + [
        r"\"",
        r"\"",
    ]
    [protected] = protect(text, 40)
    assert protected.restore(protected.text) == text
