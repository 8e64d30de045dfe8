"""Which form of address a German sentence has."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from translator.rules.formality import Formality, form_of_letter, formality_of, has_other_form


@pytest.mark.parametrize(
    ("german", "english", "form"),
    [
        ("Können Sie mir helfen?", "", "formal"),
        ("Kannst du mir helfen?", "", "informal"),
        ("Könnt ihr euch das vorstellen?", "", "informal"),
        ("Wir danken Ihnen für Ihre Geduld.", "", "formal"),
        ("Liebe Anna, wie geht es Dir?", "", "informal"),
        ("Sie haben gewonnen.", "You have won.", "formal"),
        ("Sie haben gewonnen.", "They have won.", None),
        ("Sie haben gewonnen.", "", None),
        ("Er sagte: „Sie kommt.“", "He said, “She is coming.”", None),
        ("Ihre Tochter ist da.", "Your daughter is here.", "formal"),
        ("Ihre Tochter sah dich.", "Her daughter saw you.", "informal"),
        ("Das Haus ist groß.", "The house is big.", None),
        ("Die Croix du Sud ist ein Sternbild.", "The Croix du Sud is a constellation.", None),
        ("Sagen Sie ihm: „Komm du her!“", "", None),
        ("Die Croix du Sud und du.", "The Croix du Sud and you.", "informal"),
        ("Wir sahen den Pont du Gard.", "We saw the Pont du Gard.", None),
        ("Magst du Äpfel?", "Do you like apples?", "informal"),
        ("Hast du Tom gesehen?", "Have you seen Tom?", "informal"),
        ("Habt ihr keine Angst?", "Aren't you afraid?", "informal"),
        ("Ich sah ihr zu.", "I watched her.", None),
        ("KLICKEN SIE HIER", "CLICK HERE", "formal"),
        ("WAS WILLST DU?", "", "informal"),
    ],
)
def test_form_of_a_sentence(german: str, english: str, form: str | None) -> None:
    assert formality_of(german, english) == form


@pytest.mark.parametrize(
    ("german", "english", "wanted", "is_other"),
    [
        ("Du verschwendest Ihre Zeit.", "You're wasting your time.", "formal", True),
        ("Du verschwendest Ihre Zeit.", "You're wasting your time.", "informal", True),
        ("Du verschwendest deine Zeit.", "You're wasting your time.", "informal", False),
        ("Sagen Sie ihm: „Komm du her!“", "Tell him, “Come here!”", "formal", False),
        ("Sagen Sie ihm: „Komm du her!“", "Tell him, “Come here!”", "informal", True),
        ("Klickst du auf „Sie“?", "Do you click on “You”?", "formal", True),
        ("Klickst du auf „Sie?", "Do you click on “You?", "formal", False),
        ("„Komm du her!“", "“Come here!”", "formal", True),
        ("Das Haus ist groß.", "The house is big.", "formal", False),
    ],
)
def test_what_is_in_another_form_than_wanted(
    german: str, english: str, wanted: Formality, is_other: bool
) -> None:
    assert has_other_form(german, english, wanted) == is_other


@pytest.mark.parametrize(
    ("letter", "form"),
    [
        ("Dear Mr Hill,\nYour key is here.", "formal"),
        ("Dear Dr. Ward, are you free?", "formal"),
        ("Re: your order\n\nDear Sir or Madam,\nThank you.", "formal"),
        ("To whom it may concern:\nYou know him.", "formal"),
        ("Good morning Mrs Lee, your car is ready.", "formal"),
        ("You are right.\n\nYours sincerely\nTom Hill\nHill & Sons", "formal"),
        ("You are right. Yours faithfully, T. Hill", "formal"),
        ("Hi Tom,\nyour key is here.", "informal"),
        ("Hi Tom and Sue! Your key is here.", "informal"),
        ("Hey, are you there?", "informal"),
        ("Did you sleep well?\nLots of love,\nMum", "informal"),
        ("Did you sleep well?\n\nCheers,\nMark", "informal"),
        ("Hi Tom,\nyour key is here.\nYours sincerely,\nT. Hill", None),
        ("Dear Tom,\nyour key is here.\nKind regards,\nAnn", None),
        ("Hi, your app is broken.", None),
        ("You are right. Dear Mr Hill, it is so.", None),
        ("Hi-fi systems are what you need.", None),
        ("Love is all you need.\nCheers to you all!", None),
        ("Dear Sir of Leeds", None),
        ("", None),
    ],
)
def test_form_of_a_letter(letter: str, form: Formality | None) -> None:
    assert form_of_letter(letter) == form


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=200))
def test_any_text_has_a_form_or_none(text: str) -> None:
    assert formality_of(text) in (None, "formal", "informal")
