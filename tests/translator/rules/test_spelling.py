"""Words that are typed without a sign that they are spelt with."""

from __future__ import annotations

import pytest

from translator.rules.normalisation import Normalised, normalise
from translator.rules.spelling import with_umlauts

KNOWN = {"grün": -14.0, "für": -6.0, "größer": -13.0, "Bücher": -19.0, "Bestätigung": -11.0}
KNOWN |= {"Übrigens": -9.0, "München": -12.0, "Müller": -10.0, "Jörg": -12.0, "Michäl": -34.0}
KNOWN |= {
    "Grüße": -31.0,
    "Blätter": -31.0,
    "fuer": -20.0,
    "Fuer": -20.0,
    "Gruesse": -26.0,
    "Preißpanne": -40.0,
}
KNOWN |= {"Goethe": -23.0, "Göthe": -26.0, "neü": -9.0, "Michael": -11.0, "Koehler": -30.0}
KNOWN |= {"Köhler": -32.0, "Buecher": -22.0, "FUER": -30.0, "GRUEN": -30.0, "Doerte": -25.0}
KNOWN |= {
    "Gümbel": -29.0,
    "Guembel": -28.0,
    "Für": -9.0,
    "Straßen": -10.0,
    "Dörte": -36.0,
    "gruene": -25.0,
    "grüne": -38.0,
}


def log_prob(text: str) -> float:
    """Find all but a few words equally rare."""
    return KNOWN.get(text, -25.0)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Das ist gruen und groesser.", "Das ist grün und größer."),
        ("Eine Bestaetigung fuer Muenchen", "Eine Bestätigung für München"),
        # a little more probable, or a little less, is enough beside a word that surely lacks some
        ("Buecher und Blaetter", "Buecher und Blaetter"),
        ("Buecher und Blaetter fuer uns", "Bücher und Blätter für uns"),
        ("gruene Post fuer Doerte", "gruene Post für Doerte"),
        # who types one umlaut has all of them, but perhaps no capital ones
        ("fuer Bücher", "fuer Bücher"),
        ("Uebrigens sind Bücher gruen.", "Übrigens sind Bücher gruen."),
        ("Michael, Joerg und Goethe, neue", "Michael, Joerg und Goethe, neue"),
        ("Die Statuen sind fuer Manuela.", "Die Statuen sind für Manuela."),
        ("Herr Mueller ist fuer Frau Koehler da.", "Herr Mueller ist für Frau Koehler da."),
        ("Das ist fuer Anna Guembel.", "Das ist für Anna Guembel."),
        ("Viele Gruesse, Juergen", "Viele Grüße, Juergen"),
        ("Das Museum soll aktuell sein.", "Das Museum soll aktuell sein."),
        # stems that have a sharp s
        ("Die grosse Strasse ist heiss.", "Die große Straße ist heiß."),
        ("Ausserdem regelmässig schliessen", "Außerdem regelmäßig schließen"),
        ("Freundliche Grüsse, massgeschneidert", "Freundliche Grüße, maßgeschneidert"),
        ("Er sass draussen und genoss es.", "Er saß draußen und genoss es."),
        ("Der Fluss fliesst, der Fuss auch.", "Der Fluss fließt, der Fuß auch."),
        ("Dass ich muss, die Masse der Busse", "Dass ich muss, die Masse der Busse"),
        ("Im Schloss fassen wir Tassen.", "Im Schloss fassen wir Tassen."),
        ("Preisspanne, Hinweisschild, Gebirgspass", "Preisspanne, Hinweisschild, Gebirgspass"),
        ("Aussage, aussenden, Gebirgspässe", "Aussage, aussenden, Gebirgspässe"),
        ("Peter Weiss und Anna Gross", "Peter Weiss und Anna Gross"),
        ("Weiss Peter das?", "Weiß Peter das?"),
        ("Bahnhofstrasse 12, Hauptstrasse", "Bahnhofstrasse 12, Hauptstraße"),
        ("Der Spaß in der Strasse", "Der Spaß in der Strasse"),
    ],
)
def test_umlauts_and_sharp_s_are_read_where_their_words_are_known(text: str, expected: str) -> None:
    assert with_umlauts(text, log_prob) == expected


def test_a_sentence_in_capitals_gets_its_umlauts_too() -> None:
    assert normalise(["FUER STRASSEN"], "de", log_prob) == [
        Normalised("Für Straßen", "capitals", "")
    ]
