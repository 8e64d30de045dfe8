"""Words behind brackets and other marks: how they are read, and whether a part is lost."""

from __future__ import annotations

import pytest

from translator.text.brackets import (
    lost_brackets,
    with_spaces_behind_marks,
    with_spaces_in_brackets,
    without_spaces_behind_marks,
    without_spaces_in_brackets,
)


def known(text: str) -> float:
    """Know all words but those of paths."""
    return -40.0 if text in ("refs", "usr") else -5.0


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("We paid (cash).", "We paid ( cash )."),
        ("Wir zahlen (nicht gern) und (kein Wort)", "Wir zahlen (nicht gern ) und (kein Wort )"),
        ("file(s), (k)eine, (Un-)Glück, (Vor)wort, f(x), (EU), (a) one, (2019), :-) (: [green]",)
        * 2,
        ("Here (there are more than four words)",) * 2,
    ],
)
def test_a_few_words_in_brackets_have_spaces_around_them(text: str, read: str) -> None:
    assert with_spaces_in_brackets(text) == read


def test_all_brackets_can_have_spaces_but_those_of_endings() -> None:
    text = "The file(s) of (there are more than four words, and 2 digits)"
    read = "The file(s) of ( there are more than four words, and 2 digits )"
    assert with_spaces_in_brackets(text, are_all=True) == read


@pytest.mark.parametrize(
    ("translation", "source", "expected"),
    [
        ("Das Haus ( klein ) [ neu ].", "The house (small) [new].", "Das Haus (klein) [neu]."),
        ("Das Haus ( klein )", "The house ( small )", "Das Haus ( klein )"),
        ("The film was boring .", "Der Film war lang (öde).", "The film was boring."),
        ("A film (long) .", "Ein Film (lang).", "A film (long)."),
        ("Open .NET (new)", "Öffnen Sie .NET (neu)", "Open .NET (new)"),
        ("Was ist das ?", "What's that?", "Was ist das ?"),
        (
            'Das „ Graue“ und " gut" („ alt“)',
            'The "grey", "good" ("old")',
            'Das „Graue“ und "gut" („alt“)',
        ),
        ('Er sagte "ja" und ging', 'He said "yes" and went', 'Er sagte "ja" und ging'),
        ("Mieter / Vermieter", "tenant/landlord", "Mieter/Vermieter"),
        ("Mieter / Vermieter", "tenant / landlord", "Mieter / Vermieter"),
        ('Das " Graue"', 'The " grey"', 'Das " Graue"'),
    ],
)
def test_a_translation_has_no_spaces_that_the_text_lacks(
    translation: str, source: str, expected: str
) -> None:
    found = without_spaces_behind_marks(translation, source)
    assert without_spaces_in_brackets(found, source) == expected


@pytest.mark.parametrize(
    ("text", "translation"),
    [
        ("We paid (cash).", "Wir haben bezahlt."),
        ("We paid ( cash ).", "Wir haben bezahlt."),
        ("We paid (cash) for it (twice).", "Wir haben (bar) bezahlt."),
        ("We paid [cash].", "Wir haben bezahlt ()."),
        ("We paid (cash) here.", "Wir haben hier (bar bezahlt."),
        ("My aunt (Anna) is tired (sick).", "Meine Tante (Anna) ist müde."),
    ],
)
def test_a_lost_part_is_found(text: str, translation: str) -> None:
    assert lost_brackets(text)(translation)


@pytest.mark.parametrize(
    ("text", "translation"),
    [
        ("We paid (cash).", "Wir haben bezahlt (bar)."),
        ("We paid (cash).", "我们付款（现金）。"),
        ("We paid [cash].", "Wir haben bezahlt (bar)."),
        ("The file(s) and (Un-)Glück", "Die Dateien und das Unglück"),
        ("a) first b) second :-) (:", "erstens zweitens"),
        ("a point of sale (POS) with APIs (APIs) since (2019) for (a)", "eine Kasse"),
        ("My aunt (Anna) came.", "Meine Tante Anna kam."),
        ("Call (\ue001) now", "Ruf jetzt"),
        ("Nothing here", "Hier ist nichts (leer)"),
    ],
)
def test_what_is_no_lost_part_is_no_false_alarm(text: str, translation: str) -> None:
    assert not lost_brackets(text)(translation)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ('The "grey" one', 'The " grey" one'),
        ("“very nice,” she said", "“ very nice,” she said"),
        ("'fresh' and (“old”)", "' fresh' and (“ old”)"),
        ("tenant/landlord and/or his/her guest", "tenant / landlord and/or his / her guest"),
    ],
)
def test_a_short_quotation_and_a_slash_have_spaces(text: str, read: str) -> None:
    assert with_spaces_behind_marks(text, "en", known) == read


def test_a_german_quotation_stays() -> None:
    assert (
        with_spaces_behind_marks('"grau" und Mieter/Gast', "de", known)
        == '"grau" und Mieter / Gast'
    )


@pytest.mark.parametrize(
    "text",
    [
        "No marks, it's a dog's life, rock 'n' roll, the '90s and 'em",
        '"EU", 5", "2019", "Dallas", "Primary Colors"',
        '"this is a sentence of many words."',
        "a/b, TCP/IP, km/h, one/two/three, https://x.org/path, either/or.txt, %name/value",
        "See refs/tags and lib/usr",
        "text/plain, and/or, der/das, des Laufwerks/der Partition",
    ],
)
def test_names_paths_and_what_is_long_stay(text: str) -> None:
    assert with_spaces_behind_marks(text, "en", known) == text
