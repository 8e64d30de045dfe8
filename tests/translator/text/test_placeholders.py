"""What is not language comes through a translation unharmed, exactly once."""

from __future__ import annotations

import pytest

from translator.text.placeholders import Protected, protect, protect_pair, symbols

ONE, TWO, THREE, FOUR = symbols(4)


@pytest.mark.parametrize(
    ("sentence", "spans"),
    [
        ("Siehe https://foo.de/a?b=c.", ("https://foo.de/a?b=c",)),
        ("Look at (http://a.b/c), please!", ("http://a.b/c",)),
        ("Write to jane.doe+x@mail.example.org.", ("jane.doe+x@mail.example.org",)),
        ("Run `make test` or ``a`b``.", ("`make test`", "``a`b``")),
        ("Siehe [die Anleitung](doc/a.md).", ("[", "](doc/a.md)")),
        ("See [the text][1]", ("[", "][1]")),
        ("See :ref:`here`", (":ref:`here`",)),
        ("Unter `docs/`, `a b` und `c`/`d`", ("`docs/`", "`a b`", "`c`", "`d`")),
        ("In `~/`, `../` oder `*/`", ("`~/`", "`../`", "`*/`")),
        ("[1]: some text", ("[1]:",)),
        ("Das ist **sehr** *gut*.", ("**", "**", "*", "*")),
        ("Nimm **`bytes`** davon", ("**", "`bytes`", "**")),
        ("See ![the logo](logo.png) there", ("![", "](logo.png)")),
        (
            "Ein <b>fettes</b> <a href='x y'>Wort</a><br/>",
            ("<b>", "</b>", "<a href='x y'>", "</a>"),
        ),
        ("Tom &amp; Jerry&#39;s", ("&amp;", "&#39;")),
        ("{0} von {{ name }} und ${HOME} in $PATH", ("{0}", "{{ name }}", "${HOME}", "$PATH")),
        ("%s, %1$s, %(name)s und %d", ("%s", "%1$s", "%(name)s", "%d")),
        ("Datei %1 in %TEMP%", ("%1", "%TEMP%")),
        ("Use --dry-run with /etc/fstab.", ("--dry-run", "/etc/fstab")),
        (r"In C:\Windows\a.dll steht", (r"C:\Windows\a.dll",)),
        ("Call os.path.join() or std::move", ("os.path.join()", "std::move")),
        ("Set max_steps in config.json", ("max_steps", "config.json")),
        ("Use getElementById at 0x7F", ("getElementById", "0x7F")),
        ("Fehler\\nBitte %d%% von %n", (r"\n", "%d", "%%", "%n")),
        ("In `die Anleitung <https://a.b/c>`_ steht", ("`", " <https://a.b/c>`_")),
        ('Siehe [hier](http://a.b/c_(d) "Titel") nach', ("[", '](http://a.b/c_(d) "Titel")')),
        ("{% if x %} und <?php echo 1 ?>", ("{% if x %}", "<?php echo 1 ?>")),
        (r"In C:\Program Files\x.exe steht", (r"C:\Program Files\x.exe",)),
        ("src/main/Foo.java ist neu", ("src/main/Foo.java",)),
        ("Auf www.e-tap.cz und 10.0.0.1:80", ("www.e-tap.cz", "10.0.0.1:80")),
        ("v1.2.3 und ssh://a@b/c, &#x27;", ("v1.2.3", "ssh://a@b/c", "&#x27;")),
        ("Taste ❶ drücken", ("❶",)),
        ("Datei → Neu, 50 m², 1️⃣ 👍🏽👍", ("→", "²", "1️⃣", "👍🏽👍")),
        ("Ein \x1b[1;31mrotes\x1b[0m Haus", ("\x1b[1;31m", "\x1b[0m")),
        (".. note:: Das ist so", (".. note::",)),
        (".. |logo| image:: https://a.b/c.svg", (".. |logo| image::", "https://a.b/c.svg")),
        ("|the logo| image:: https://a.b/c.svg", ("|the logo| image::", "https://a.b/c.svg")),
        ("_`the docs`: https://a.b/", ("_`the docs`:", "https://a.b/")),
        (".. _the docs: https://a.b/", (".. _the docs:", "https://a.b/")),
        (":param int x: Das ist so", (":param int x:",)),
    ],
)
def test_spans_that_are_not_language(sentence: str, spans: tuple[str, ...]) -> None:
    protected = protect(sentence, 4)
    assert protected.spans == spans
    assert not any(span in protected.text for span in spans if len(span) > 1)
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
        "Wähle Datei->Speichern, _wichtig_. Hallo.wie geht es? ``Hallo'' und ``Welt'' --wie da--",
        "Gr&uuml;&szlig;e an <Ihr Name>, falls a <b und c> d :::note Das ist so :::",
        "_Wichtig_: das ist so: ja",
        "_Wichtig ist Folgendes:",
        "Ein Beispiel::",
        "Drücke den Knopf `/` oder",
        "Beispiel::",
        "He said 'no', and they're \"here\".",
    ],
)
def test_language_is_left_alone(sentence: str) -> None:
    assert protect(sentence, 8) == Protected(sentence)


def test_no_more_than_there_are_placeholders() -> None:
    assert protect("%1 %2 %3", 2).text == f"{ONE} {TWO} %3"
    assert protect("%1 %2 %3", 0) == Protected("%1 %2 %3")


def test_placeholders_of_the_text_itself_are_spans_too() -> None:
    protected = protect(f"{THREE} and %1", 4)
    assert protected.text == f"{ONE} and {TWO}"
    assert protected.restore(protected.text) == f"{THREE} and %1"


def test_what_is_no_placeholder_is_left_alone() -> None:
    for text in (f"a {ONE} b", f"{TWO} %1 %2 %3 %4 {ONE} b", f"%1 %2 {FOUR} {THREE} {ONE}"):
        for count in (0, 2, 4):
            protected = protect(text, count)
            assert protected.restore(protected.text) == text
    for number in range(20):
        pair = protect_pair(f"{THREE} der {number} %1", f"the {number} %1", 4)
        assert pair[0].count(THREE) == 1


def test_spans_follow_their_placeholders_and_none_is_lost_or_repeated() -> None:
    protected = protect("%1 of %2 in %3", 4)
    assert protected.restore(f"{THREE} {ONE}") == "%3 %1 %2"
    assert protected.restore(f"{ONE} {TWO} {ONE} {THREE}{FOUR}") == "%1 %2  %3"


@pytest.mark.parametrize(
    ("sentence", "translation", "restored"),
    [
        (
            "See [the guide](a.md) and **this**!",
            f"Siehe {ONE} die Anleitung {TWO} und {THREE} das {FOUR} !",
            "Siehe [die Anleitung](a.md) und **das**!",
        ),
        ("A <b>fat</b> word", f"Ein {ONE} fettes {TWO} Wort", "Ein <b>fettes</b> Wort"),
        ("In `the guide <https://a.b/c>`_ is", f"In {ONE} dem {TWO}", "In `dem <https://a.b/c>`_"),
        ("A **fat** word", f"Ein{ONE}fettes{TWO}Wort", "Ein **fettes** Wort"),
        ("The **manual**", f"Das {ONE} -Handbuch{TWO}", "Das **Handbuch**"),
        ("The [page](a.md)", f"Die {ONE}- Seite{TWO}", "Die [Seite](a.md)"),
        ("The <b>-v</b> option", f"Die {ONE}-v{TWO}-Option", "Die <b>-v</b>-Option"),
        ("An <b>S</b>et", f"Ein {ONE}S{TWO}atz", "Ein <b>S</b>atz"),
        ("Up<b>load</b>", f"Hoch{ONE}laden{TWO}", "Hoch<b>laden</b>"),
        ("Say {0}s", f"Sag {ONE} an", "Sag {0} an"),
        ("The --all option", f"Die {ONE}-Option", "Die --all Option"),
        ("File → Folder", f"Datei {ONE}-Ordner", "Datei → Ordner"),
        ("The ⌘ key", f"Die {ONE}-Taste", "Die ⌘-Taste"),
        ("The getFoo method", f"Die {ONE}-Methode", "Die getFoo-Methode"),
        ("First <br/> then", f"Erst {ONE} dann", "Erst <br/> dann"),
    ],
)
def test_what_opens_and_closes_stays_close(sentence: str, translation: str, restored: str) -> None:
    assert protect(sentence, 4).restore(translation) == restored


def test_a_part_keeps_its_own_spans() -> None:
    part = protect("%1 of %2 in %3", 4).within(f"of {TWO} in")
    assert part.restore(part.text) == "of %2 in"
    assert part.restore("von in") == "von in %2"


def test_pairs_share_the_placeholders_of_what_they_have_in_common() -> None:
    source, target = protect_pair("Kopiere %1 nach %2 (foo_bar)", "To %2 copy %1 (fooBar)", 4)
    first, second = source[8], source[15]
    assert {first, second} < set(symbols(4))
    assert first != second
    assert source == f"Kopiere {first} nach {second} (foo_bar)"
    assert target == f"To {second} copy {first} (fooBar)"


def test_repeated_spans_are_paired_one_by_one() -> None:
    source, target = protect_pair("%1 und %1 und %1", "%1 and %1", 4)
    assert source == target.replace("and", "und") + " und %1"
    assert len({*source} & {*symbols(4)}) == 2


def test_pairs_come_to_know_all_placeholders() -> None:
    pairs = [protect_pair(f"Wort {n} %1", f"Word {n} %1", 4) for n in range(100)]
    assert {source[-1] for source, _ in pairs} == {*symbols(4)}
    assert all(source[-1] == target[-1] for source, target in pairs)
    assert protect_pair("Wort %1", "Word %1", 0) == ("Wort %1", "Word %1")


@pytest.mark.parametrize(
    "unit",
    [
        "a.",
        "AA.",
        "<!--",
        "<a b ",
        "[",
        "``",
        ":a",
        "/.",
        "aA",
        "a_",
        "{{",
        "a::",
        "%",
        "**a",
        "a-",
        "a/",
        "v1.",
        "--a ",
    ],
)
def test_no_text_takes_long(unit: str) -> None:
    """Work that grew with the square of the length would take minutes, not a second."""
    text = unit * 100_000 + " {"
    protected = protect(text, 8)
    assert protected.restore(protected.text) == text


@pytest.mark.parametrize(
    ("sentence", "read"),
    [
        ("Press **Save** now", f"Press {ONE} Save{TWO} now"),
        ("See [the guide](a.md)", f"See {ONE} the guide{TWO}"),
        ("A <b>fat</b> word", f"A {ONE} fat{TWO} word"),
        ("The {0}s and --all", f"The {ONE}s and {TWO}"),
        ("Nothing here", "Nothing here"),
    ],
)
def test_words_behind_what_opens_are_read_apart(sentence: str, read: str) -> None:
    protected = protect(sentence, 4)
    assert protected.apart(protected.text) == read
    assert protected.restore(protected.text) == sentence
    assert protected.restore(read) == sentence


def test_emoji_between_words_are_read_apart() -> None:
    protected = protect("Great👍Thanks for 5m²x", 4)
    assert protected.apart(protected.text) == f"Great {ONE} Thanks for 5m{TWO}x"
