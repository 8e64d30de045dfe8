"""German addresses, as patterns: streets with the number of a house, postcodes with their town.

Both languages write them alike; a model would translate them: `Am Markt 1` is no `In the market 1`.
"""

from __future__ import annotations

import re

_NO_PART = (
    r"(?!(?:Adresse|Bis|Bei|D(?:as|ie|er|en|em)|Diese[mnrs]?|Firma|Frau|Herrn?|Ihre[mnrs]?|Ihr|Ihnen"
    r"|In|Ist|Meine[mnrs]?|Mit|Nach|Ort|Seit|Sie|Seine[mnrs]?|Unsere[mnrs]?|Von|Wir|Wo)\b)"
)
_PART = rf"{_NO_PART}[A-ZÄÖÜ][^\W\d_]*(?:-[A-ZÄÖÜ][^\W\d_]*){{0,4}}\.?"
_BEFORE_PLACE = (
    "(?:Am|An de[mnr]|Auf de[mnr]|Bei de[mnr]|Beim|Hinter de[mnr]|Im|In de[nr]|Unter de[mnr]"
    "|Vor de[mnr]|Zu[mr])"
)
_HOUSE = r"[0-9]{1,3}(?: ?[a-zA-Z])?(?: ?[-–/] ?[0-9]{1,3}[a-z]?)?(?!\w)"
STREET = rf"(?:{_BEFORE_PLACE} )?{_PART}(?: (?:des 17\. |de[rs] )?{_PART}){{0,2}} {_HOUSE}"
"""A street and the number of a house; much else looks so, too."""

_NAME = r"[A-ZÄÖÜ][^\W\d_]+"
TOWN = (
    rf"(?:D-)?[0-9]{{5}} (?:(?:Bad|Sankt|St\.|Markt) )?{_NAME}(?:[-/]{_NAME}){{0,2}}"
    rf"(?: (?:\({_NAME}\)|(?:am|an der|bei|im|ob der|vor der) {_NAME})){{0,2}}(?![\w-])"
)
"""A postcode and its town; so does a number of people."""

_NO_PLACE = (
    r"(?!(?:(?i:[^\W\d_]*(?:tag|woche|jahr|semester|quartal|runde|klasse|gruppe|kapitel|spiel|teil))"
    r"|A(?:bschnitt|bsatz|lter|nfang|nhang|rtikel|pril|ugust)|Band|Beispiel|Dezember|Ende|Fall"
    r"|Februar|Frage|Gleis|Halle|Haus|Jahre|Januar|Juli|Juni|Level|Mai|März|Mittwoch|November"
    r"|Nummer|Oktober|Paragraph|Phase|Platz|Punkt|Raum|Regel|Saal|Satz|Schnitt|Schritt|Seite"
    r"|September|Stand|Stock|Stück|Tabelle|Thema|Tor|Version|Wert|Zeile|Zimmer)\b)"
)
_NO_ROAD = (
    r"(?!(?:Bundes|Fern|Fertigungs|Haupthandels|Kreis|Landes?|Neben|Produktions|Schnell|Staats)"
    r"(?:straße|strasse|str\.))"
)
_ROAD = (
    rf"(?:{_PART} (?:Stra(?:ß|ss)e|Str\.|Allee|Gasse)"
    rf"|{_NAME}(?:-{_NAME}){{0,3}}-(?:Stra(?:ß|ss)e|Str\.|Allee|Gasse)"
    r"|(?:(?:Klein|Groß|Alt|Neu|Lang|Kurz|Ober|Unter|Vorder|Hinter)e )?"
    rf"{_NO_ROAD}{_NAME}(?:stra(?:ß|ss)e|str\.|allee|gasse))"
)
_GOES_ON = r"(?=\)?[.,;:!?]?(?:$|\))|[.;:!?] |, | (?!(?:[kc]?m|bis|mal|x)\b)[a-zäöü(–-])"

STREETS = (
    rf"\b{STREET},? {TOWN}|^{_BEFORE_PLACE} {_NO_PLACE}{_PART}(?: {_NO_PLACE}{_PART})? {_HOUSE}$"
    rf"|\b{_ROAD} {_HOUSE}{_GOES_ON}"
)
"""What is surely a street: with a town behind, alone behind a preposition, or by its ending."""

_HINT = re.compile(
    r"[0-9](?:(?<=(?:tr\.|aße|sse|lee) [0-9])"
    r"|(?:(?<=[0-9a-zA-Z,] [0-9])|(?<=D-[0-9]))[0-9]{4} [A-ZÄÖÜ])"
)
_FIRST = re.compile(r"[ABHIUVZ][a-z]{1,5}(?: de[mnr])? [A-ZÄÖÜ][^,.]{1,40} [0-9]")


def may_have_street(text: str) -> bool:
    """Return whether a text may have one of `STREETS`; hardly any has."""
    return _HINT.search(text) is not None or _FIRST.match(text) is not None
