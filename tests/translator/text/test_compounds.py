"""German compounds that share their second part are written whole."""

from __future__ import annotations

import pytest

from translator.text.compounds import with_whole_compounds


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("Die An- und Abreise", "Die Anreise und Abreise"),
        ("Be- und Entladen", "Beladen und Entladen"),
        ("zwei- und dreijährige Kinder", "zweijährige und dreijährige Kinder"),
        ("zwei-, drei- und viertägige", "zweitägige, dreitägige und viertägige"),
        ("der Auf- oder Abbau", "der Aufbau oder Abbau"),
        ("in- und ausländische Banken", "inländische und ausländische Banken"),
        ("Alt- sowie Neubau", "Altbau sowie Neubau"),
    ],
)
def test_the_first_compound_gets_its_second_part(text: str, whole: str) -> None:
    assert with_whole_compounds(text) == whole


@pytest.mark.parametrize(
    "text",
    [
        "Wirtschafts- und Finanzfragen",
        "Vor- und Nachname, ein- oder zweimal, drei- und viertausend",
        "auf- und abgehen, hin- und herfahren, das Auf- und Abgehen",
        "Klein- und Kleinstunternehmen",
        "Ein- und Vierbettzimmer-Suche",
        "Aus- und Weiterbildung, zwei- und einige andere",
        "An- und Neubau",
        "Er kam an- und ab",
    ],
)
def test_what_a_model_reads_well_or_may_say_something_else_stays(text: str) -> None:
    assert with_whole_compounds(text) == text
