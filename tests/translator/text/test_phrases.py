"""Phrases that a model would turn round are read in other words."""

from __future__ import annotations

import pytest

from translator.text.phrases import OF_PAIR
from translator.text.rewriting import read_as


@pytest.mark.parametrize(
    ("german", "read"),
    [
        ("Übermorgen früh geht es los.", "The day after tomorrow früh geht es los."),
        ("Bis übermorgen!", "Bis the day after tomorrow!"),
        ("Gegen den Uhrzeigersinn drehen", "Counterclockwise drehen"),
        ("Ich heiße Anna Schmidt.", "Mein Name ist Anna Schmidt."),
        ("Hallo, ich heiße Jens und ich komme", "Hallo, mein Name ist Jens und ich komme"),
        ("Ich heiße Jens und komme aus Köln.", "Ich bin Jens und komme aus Köln."),
        ("Ich heiße Sie willkommen.", "Ich heiße Sie willkommen."),
        ("Ich heiße das gut.", "Ich heiße das gut."),
        ("Ich heiße Gewalt nicht gut.", "Ich heiße Gewalt nicht gut."),
        ("Übernächste Woche ist frei.", "In zwei Wochen ist frei."),
        ("Das war im vorletzten Jahr.", "Das war vor zwei Jahren."),
        ("In der vorletzten Woche des Jahres", "In der second-to-last Woche des Jahres"),
        ("Die übernächste Woche wird gut.", "Die übernächste Woche wird gut."),
        ("Das vorletzte Kapitel", "Das second-to-last Kapitel"),
        ("Morgen im Uhrzeigersinn drehen", "Morgen im Uhrzeigersinn drehen"),
    ],
)
def test_german_phrases(german: str, read: str) -> None:
    assert read_as(german, OF_PAIR["de", "en"]) == read


@pytest.mark.parametrize(
    ("english", "read"),
    [
        ("Every other Monday we meet.", "Every second Monday we meet."),
        ("It is a day like every other day.", "It is a day like every other day."),
        ("You have been signed out.", "You have been logged off."),
        ("I saw her the week before last.", "I saw her two weeks ago."),
        ("The year before last was hard.", "The year before last was hard."),
        ("We meet the month after next, I think.", "We meet in two months, I think."),
        ("We leave the day after tomorrow.", "We leave übermorgen."),
        ("The last page but one is torn.", "The vorletzte page is torn."),
        (
            "The last but one page and the penultimate line",
            "The vorletzte page and the vorletzte line",
        ),
        ("You have been logged out.", "You have been logged off."),
        ("He signed out a book.", "He signed out a book."),
        ("Unsubscribe", "Cancel the subscription"),
        ("Click to unsubscribe from it.", "Click to cancel the subscription to it."),
        (
            "Unsubscribe a database or call Unsubscribe.",
            "Unsubscribe a database or call Unsubscribe.",
        ),
        ("Unselect this file.", "Uncheck this file."),
        ("Deselect all", "Deselect all"),
    ],
)
def test_english_phrases(english: str, read: str) -> None:
    assert read_as(english, OF_PAIR["en", "de"]) == read
