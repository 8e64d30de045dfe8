"""What is not language is found, what is language is not, and known spans are carried along."""

from __future__ import annotations

import pytest

from translator.text.characters import Alphabet
from translator.text.marked import MarkedText
from translator.text.protection import protect
from translator.text.spans import find_spans, span_at


@pytest.mark.parametrize(
    ("sentence", "spans"),
    [
        ("Siehe https://foo.de/a?b=c.", ("https://foo.de/a?b=c",)),
        ("Look at (http://a.b/c), please!", ("http://a.b/c",)),
        ("Write to jane.doe+x@mail.example.org.", ("jane.doe+x@mail.example.org",)),
        ("Run `make test` or ``a`b``.", ("`make test`", "``a`b``")),
        ("Siehe [die Anleitung](doc/a.md).", ("[", "](doc/a.md)")),
        ("See [the text][1]", ("[", "][1]")),
        ("As shown [12][13] by Bob", ("[12][13]",)),
        ("See §12, § 13(2) and § 1,000", ("§12", "§ 13(2)", "§")),
        ("Nach § 4 Abs. 1 und §§ 5–7.", ("§ 4", "§§ 5–7")),
        ("18 U.S.C. § 1030", ("18 U.S.C. § 1030",)),
        ("At 2024-03-31 23:59 UTC, ≥ 18 years, ≥ 1.5", ("2024-03-31 23:59 UTC", "≥ 18", "≥")),
        ("G.K. Chesterton of the U.S. Army", ()),
        ("I _never_ said (~not~) that, =so= /really/.", tuple("__~~==//")),
        ("_War and Peace_ is __very__ good", ("_", "_", "__", "__")),
        ("The __init__ of __very__()", ("__init__", "__very__()")),
        ("The /tmp/ folder, the variable _count_", ()),
        ("_Important_: that is so: yes", ("_", "_")),
        ("'''Leipzig''' ist ''kreisfrei''", ("'''", "'''", "''", "''")),
        ("It''s 6' wide", ()),
        (r"Up by 5\% in May.\\ Next", (r"\%", "\\\\")),
        ("either/or/and ~John =b= c= x/y/z a_b_", ("=", "=")),
        ("Hello, $1! $1 of $2", ("$1", "$1", "$2")),
        ("“$1” has joined", ("$1",)),
        ("It costs $1, not $2", ()),
        ("I have $1 in my pocket", ()),
        ("$1 or $2 and $4", ()),
        ("$1 of $250", ()),
        ("Ask IT will help, IT", ()),
        ('Das Passwort "Geheim123!" von "1990!"', ("Geheim123!",)),
        ('Use ["Report it"](a.md), or', ('["', '"](a.md)')),
        ('A ["big" and "small"](a.md) one', ("[", "](a.md)")),
        ('A [word "big"](a.md) and ["big" word](b.md)', ("[", "](a.md)", "[", "](b.md)")),
        ("See :ref:`here`", (":ref:`here`",)),
        ("Unter `docs/`, `a b` und `c`/`d`", ("`docs/`", "`a b`", "`c`", "`d`")),
        ("In `~/`, `../`, `*/` oder `http://`", ("`~/`", "`../`", "`*/`", "`http://`")),
        ("All `Foo`s and ``$bar``s", ("`Foo`", "``$bar``")),
        ("[1]: some text", ("[1]:",)),
        ("Das ist **sehr** *gut*.", ("**", "**", "*", "*")),
        ("Nimm **`bytes`** davon", ("**", "`bytes`", "**")),
        ("See ![the logo](logo.png) there", ("![", "](logo.png)")),
        ("The _[plan][b]_ and _[one](c) more_", ("_[", "][b]_", "_[", "](c)")),
        ("Start the %PRODUCTNAME setup", ("%PRODUCTNAME",)),
        ("It is 50%OFF today", ()),
        ("![](logo.png) Our logo", ("![](logo.png)",)),
        ("Open [it](<my file.md>) now", ("[", "](<my file.md>)")),
        (
            "Ein <b>fettes</b> <a href='x y'>Wort</a><br/>",
            ("<b>", "</b>", "<a href='x y'>", "</a>", "<br/>"),
        ),
        ("Tom &amp; Jerry&#160;s", ("&#160;",)),
        ("{0} von {{ name }} und ${HOME} in $PATH", ("{0}", "{{ name }}", "${HOME}", "$PATH")),
        ("%s, %1$s, %(name)s und %d", ("%s", "%1$s", "%(name)s", "%d")),
        ("Datei %1 in %TEMP%", ("%1", "%TEMP%")),
        ("Use --dry-run with /etc/fstab.", ("--dry-run", "/etc/fstab")),
        (r"In C:\Windows\a.dll steht", (r"C:\Windows\a.dll",)),
        ("Call os.path.join() or std::move", ("os.path.join()", "std::move")),
        ("Nach § 14 WEG, § 263 StGB und § 5 II", ("§ 14 WEG", "§ 263 StGB", "§ 5")),
        ("Set max_steps in config.json", ("max_steps", "config.json")),
        ("Use getElementById at 0x7F", ("getElementById", "0x7F")),
        ("Fehler\\nBitte %d%% von %n", (r"\n", "%d", "%%", "%n")),
        ("In `die Anleitung <https://a.b/c>`_ steht", ("`", " <https://a.b/c>`_")),
        ('Siehe [hier](http://a.b/c_(d) "Titel") nach', ("[", '](http://a.b/c_(d) "Titel")')),
        ("{% if x %} und <?php echo 1 ?>", ("{% if x %}", "<?php echo 1 ?>")),
        (r"In C:\Program Files\x.exe steht", (r"C:\Program Files\x.exe",)),
        ("src/main/Foo.java ist neu", ("src/main/Foo.java",)),
        ("Auf www.e-tap.cz und 10.0.0.1:80", ("www.e-tap.cz", "10.0.0.1:80")),
        ("See (www.a-b.com/contact), ab.org/b?c=3.", ("www.a-b.com/contact", "ab.org/b?c=3")),
        ("BIC: COBADEFFXXX", ("COBADEFFXXX",)),
        ("At 2024-05-01 12:00:03,123 ERROR", ("2024-05-01 12:00:03,123",)),
        ("A film (†1990) for {x} USD", ("†1990", "{x}")),
        ("Musik von Karajan, die Frau von Peter, Anna von Köln", ()),
        ('"title": "My house",', ('"title": "', '",')),
        ('"Smith, John",45,"New York"', ('"', '",45,"', '"')),
        ("1,Red apple,0.50", ("1,", ",0.50")),
        ('"Rotes Auto","Boot"', ('"', '","', '"')),
        ("Es sind 1,5 oder 2,5, Anna,komm,schnell", ()),
        ("1,234,567.89", ()),
        ("v1.2.3 und ssh://a@b/c, &#xa0;", ("v1.2.3", "ssh://a@b/c", "&#xa0;")),
        ("Taste ❶ drücken", ("❶",)),
        ("Signature: ______ Place: ______", ("______", "______")),
        ("Date: ___/___/____, Name____.", ("___/___/____", "____")),
        ("Price: €... or £ ..., 5 €.", ("€...", "£ ...")),
        ("Das ist __ ___wichtig___", ()),
        ("[[File:Cat.jpg|thumb|A cat]]", ("[[File:Cat.jpg|thumb|", "]]")),
        ("[[Datei:A.png|mini|links|200px]] Da", ("[[Datei:A.png|mini|links|200px]]",)),
        ("[[Physics|the other notebook]]", ("[[Physics|", "]]")),
        ("~~Falsch~~ richtig, 5 ~~ 6", ("~~", "~~")),
        ("==wichtig==, a == b, ===", ("==", "==")),
        ("__Hinweis:__ Jetzt. __Das da__", ("__", "__", "__", "__")),
        ("Ruf __init__ auf, self.__init__, __MY_NAME__", ("__init__", "__init__", "__MY_NAME__")),
        ("Datei → Neu, 50 m², 1️⃣ 👍🏽👍", ("→", "²", "1️⃣", "👍🏽👍")),
        ("Klick \ue000 oder \U000f0000\ufffd hier", ("\ue000", "\U000f0000\ufffd")),
        ("Ein \x1b[1;31mrotes\x1b[0m Haus", ("\x1b[1;31m", "\x1b[0m")),
        (".. note:: Das ist so", (".. note::",)),
        (".. |logo| image:: https://a.b/c.svg", (".. |logo| image::", "https://a.b/c.svg")),
        ("|the logo| image:: https://a.b/c.svg", ("|the logo| image::", "https://a.b/c.svg")),
        ("_`the docs`: https://a.b/", ("_`the docs`:", "https://a.b/")),
        (".. _the docs: https://a.b/", (".. _the docs:", "https://a.b/")),
        (":param int x: Das ist so", (":param int x:",)),
        ("Neeeein, aaaa, Hahahaha und Jaaaa!", ("Neeeein", "aaaa", "Hahahaha", "Jaaaa")),
    ],
)
def test_spans_that_are_not_language(sentence: str, spans: tuple[str, ...]) -> None:
    assert tuple(sentence[start:end] for start, end in find_spans(sentence)) == spans
    [protected] = protect(sentence, 8)
    assert protected.spans == spans
    assert protected.restore(protected.text) == sentence


@pytest.mark.parametrize(
    "sentence",
    [
        "Das sind z.B. 50 % des Ganzen, d.h. 1.000,5 km/h und/oder 3.5 Prozent.",
        "Am 24.12.2020 um 10.30 Uhr - Nr. 5, U.S. and e.g. the E.U.",
        "Wenn a < b und c > d, dann gilt x & y; 100 % sicher!",
        "Ein-/Ausgabe, Groß-/Kleinschreibung, “quoted” (bracketed) [sic] text...",
        "2 * 3 * 4 [a] (b): c",
        "15 €/Monat, Herr /Frau und /oder Schüler_innen, Mitarbeiter_innen, Lehrer.innen",
        "Wähle Datei->Speichern, wichtig_. Hallo.wie geht es? ``Hallo'' und ``Welt'' --wie da--",
        "Gr&uuml;&szlig;e an <Ihr Name>, falls a <b und c> d :::note Das ist so :::",
        "Wichtig_: das ist so: ja",
        "_Wichtig ist Folgendes:",
        "Ein Beispiel::",
        "Drücke den Knopf `/` oder",
        "Beispiel::",
        "He said 'no', and they're \"here\".",
        "Die Straße 5, Bundesstraße 7, Hauptstraße 5 km weit, 20000 Menschen, Am Markt 1 liegt",
        "Im Kapitel 3",
        "Blablabla, hahaha, Schifffahrt, Seeelefant, www, 00000, XVIII, Mississippi",
    ],
)
def test_language_is_left_alone(sentence: str) -> None:
    assert find_spans(sentence) == []


def test_known_spans_stay_and_others_are_found_between_them() -> None:
    text = "See <x y> and `a <z z> b` at %1."
    known = [(4, 9), (17, 22)]  # `<x y>` and `<z z>`: by their looks no tags
    found = find_spans(text, known)
    assert [text[start:end] for start, end in found] == ["<x y>", "<z z>", "%1"]
    assert [text[start:end] for start, end in find_spans(text)] == ["`a <z z> b`", "%1"]


def test_known_spans_need_no_sign_of_their_own() -> None:
    assert find_spans("Das ist Acme Pro", [(8, 16)]) == [(8, 16)]
    assert find_spans("a%1", [(0, 1)]) == [(0, 1), (1, 3)]
    assert find_spans("Acme%1", [(0, 4), (4, 4)]) == [(0, 4), (4, 6)], "an empty span is none"


def test_words_that_cannot_be_read_are_found_beside_other_spans() -> None:
    text = "In Москва (https://a.ru/Москва) %1 wohnt Иван"
    assert [
        text[slice(*span)] for span in find_spans(text, (), Alphabet(frozenset({"LATIN"})))
    ] == [*("Москва", "https://a.ru/Москва", "%1", "Иван")]
    assert find_spans("Москва, Казань", [(2, 4)], Alphabet(frozenset({"LATIN"}))) == [
        (0, 2),
        (2, 4),
        (4, 14),
    ]
    assert (
        find_spans("Москва и Казань", (), Alphabet(frozenset({"LATIN", "CYRILLIC"})))
        == find_spans("Москва и Казань")
        == []
    )


def test_a_text_starts_where_it_starts_and_not_behind_a_known_span() -> None:
    assert find_spans(":param x: der Hund") == [(0, 9)]
    assert find_spans("<b>:param x: der Hund", [(0, 3)]) == [(0, 3)]


@pytest.mark.parametrize("known", [[(4, 6), (0, 2)], [(0, 4), (2, 6)]])
def test_known_spans_must_be_in_order(known: list[tuple[int, int]]) -> None:
    with pytest.raises(AssertionError, match="in order and without overlaps"):
        find_spans("der Hund", known)


def test_the_span_at_a_place() -> None:
    spans = [(2, 4), (4, 5), (8, 9)]
    assert [span_at(place, spans) for place in range(10)] == [
        *(None, None, (2, 4), (2, 4), (4, 5)),
        *(None, None, None, (8, 9), None),
    ]
    assert span_at(0, []) is None


def found(text: str) -> list[str]:
    return [text[start:end] for start, end in find_spans(text)]


@pytest.mark.parametrize(
    "name",
    [
        *("DE62752049294792929459", "DE95 4383 9667 3899 5172 94", "GB29 NWBK 6016 1331 9268 19"),
        *("9074 1316 6098 1618", "4387-3321-9937-1520", "+49 30 021587", "+49 (0)30 1234567"),
        *("041/8472271", "0158 20645031", "(555) 123-4567", "555-123-4567", "PG-9146308-KKI"),
        *("IU18526", "QFI/973676", "9146308KKI", "12345678", "2020-12-27", "978-3-16-148410-0"),
        "4.27.6",
    ],
)
def test_a_name_is_a_span(name: str) -> None:
    assert found(f"Nummer {name}, bitte.") == [name]
    assert found(f"Nummer {name}") == [name]


@pytest.mark.parametrize(
    "text",
    [
        *("5.592.260 Einwohner", "am 27.12.2020 oder 27.12.20", "im Jahr 2020 500 Leute"),
        *("von 1990 bis 2000", "2019/20 und 12/27/2020", "COVID-19, G20, A4, MP3, die 1990er"),
        *("das WM-2014-Finale", "007 und 15000", "05 April 2012", "1.200,50 und 1,200.50"),
        *("in part 1.5 million", "Zeile 12.30 Uhr", "Teil 2.500 davon", "Stables 1.2", "about 5.1"),
    ],
)
def test_what_is_written_differently_is_none(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize("label", ["Table", "Tabelle", "section", "Cell", "Abb.", "Kapitel"])
@pytest.mark.parametrize("part", ["5.1", "1.0", "10.3.2"])
def test_a_part_of_a_text_is_a_span(label: str, part: str) -> None:
    assert found(f"See {label} {part}, too.") == [part]
    assert found(f"{label} {part}") == [part]


@pytest.mark.parametrize(
    "spans",
    [((3, 3),), ((2, 4), (3, 5)), ((4, 5), (0, 1)), ((7, 9),), ((-1, 2),)],
    ids=["empty", "overlap", "order", "behind the end", "before the start"],
)
def test_wrong_spans_are_named(spans: tuple[tuple[int, int], ...]) -> None:
    with pytest.raises(ValueError, match=rf"spans: \({spans[-1][0]}, {spans[-1][1]}\) must come"):
        MarkedText("Der Hund", spans)
