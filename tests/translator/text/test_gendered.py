"""German forms for people of all genders are read as one form."""

from __future__ import annotations

import pytest

from translator.text.gendered import with_one_gender


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Liebe Leser:innen", "Liebe Leser"),
        ("Wir danken allen Leser*innen.", "Wir danken allen Lesern."),
        ("Student_innen, LehrerInnen und BürgerInnen", "Studenten, Lehrer und Bürger"),
        ("Ärzt:innen und Kolleg:innen", "Ärzte und Kollegen"),
        ("mit Freund:innen und Nachbar:innen", "mit Freunden und Nachbarn"),
        ("Mitarbeiter/-innen, Lehrer/innen", "Mitarbeiter, Lehrer"),
        ("Wir suchen eine:n Lehrer:in.", "Wir suchen einen Lehrer."),
        ("Jede*r Zahnärzt*in und ihr:e Kund:in", "Jeder Zahnarzt und ihr Kunde"),
        ("ein(e) Freund(in), der/die Nutzer/in", "ein Freund, der Nutzer"),
        ("Die:der neue:r Köch:in, den:die Autor:in", "Der neuer Koch, den Autor"),
        ("Liebe(r) Leser(in)", "Lieber Leser"),
        ("Jede:r ist willkommen.", "Jeder ist willkommen."),
    ],
)
def test_it_is_the_plain_noun(text: str, plain: str) -> None:
    assert with_one_gender(text) == plain


@pytest.mark.parametrize(
    "text",
    [
        "Die Leserinnen und Leser",
        "LinkedIn, CheckIn und PlugIn",
        "Achtung:in der Nacht, Farbe:innen",
        "Größe:m, Seite(n), Datei(en), Preis/in Euro",
        "Chef:innen und Bürger*innenmeister*in",
        "km/in 5 Tagen",
    ],
)
def test_what_is_something_else_or_not_known_stays(text: str) -> None:
    assert with_one_gender(text) == text
