"""Lines of letters that stay: names below a closing, and German addresses.

A model takes `Mark` below `Cheers,` for a word.
"""

from __future__ import annotations

import re

from translator.text.characters import word_set
from translator.text.spans import Span

_WITH_GREETINGS = (
    r"(?:[Mm]it )?(?:(?:[Vv]iele|[Ll]iebe|[Bb]este|[Hh]erzliche|[Ff]reundliche|[Ss]chöne|[Ss]onnige"
    r"|[Gg]anz)[nmrs]? ){1,2}Gr(?:ü|u|ue)(?:ß|ss)e?n?(?: aus [A-ZÄÖÜ][\w-]+)?"
)
_SURE = (
    rf"{_WITH_GREETINGS}|Hochachtungsvoll|Herzlichst|Mf[Gg]|Bis (?:bald|dann)|Alles (?:Liebe|Gute)"
    r"|(?:With |Many )?(?:[Kk]ind(?:est)?|[Bb]est|[Ww]arm(?:est)?) (?:regards|wishes|greetings)"
    r"|Yours (?:sincerely|faithfully|truly|ever)|Sincerely yours|See you soon|Many thanks"
    r"|(?:All|Lots of|Much|With) (?:my )?love|All the best|Talk (?:to you )?soon|Take care"
)
_UNSURE = (
    r"Gr(?:uß|uss|üße|uesse)|[LV]G|Herzlich|Danke|Vielen Dank|Tschüss"
    r"|Best|Regards|Cheers|Love|Hugs|Thanks|Thank you|Yours|Sincerely|Respectfully|Warmly"
    r"|Cordially|See you"
)
"""These may be words of a list; they are closings with a comma, or above the last line."""

_WORD = r"[A-ZÄÖÜ](?:\.|[^\W\d_]*(?:['’-][A-ZÄÖÜ][^\W\d_]*){0,2})"
_NAME = rf"(?:(?:Dr|Prof)\. ){{0,2}}{_WORD}(?: (?:v[ao]n |de[rn]? ){{0,2}}{_WORD}){{0,2}}"
_SIGNED = re.compile(
    rf"(?m:(?:^|(?<=[.!?,] ))(?:{_SURE}|(?P<unsure>{_UNSURE}))(?P<mark>[,!.]?)"
    rf"[ \t\r]*\n(?:[ \t\r]*\n){{0,2}}[ \t]*(?P<name>{_NAME})[ \t\r]*$)"
)
_HINT = re.compile(r"[^\W\d_][,!.]?[ \t\r]*\n\s*[A-ZÄÖÜ][\w.'’ \t\r-]{0,60}(?:\n|$)")
_NO_NAMES = word_set(
    "aunt best bis bitte board club committee company customer dad daddy danke das dear deine dein"
    " department der die director eltern euer eure everyone familie family firma from gran grandma"
    " grandpa granny hotel human ihr ihre kind kunden leitung liebe mama management manager mein"
    " meine mit mom mommy mum mummy mutter nan office oma onkel opa papa parents please president"
    " principal ps redaktion regards sales secretary service staff support tante team the uncle"
    " vater verein viele vorstand your"
)
_OFFICE = re.compile(
    r"[^\W\d_]{5}(?:ung|schaft|[hk]eit|team|service|stelle|büro|amt|vorstand|redaktion|leiter(?:in)?"
    r"|dienst|support|ment|shop|rat)\b"
)
"""Who is no person, or has a word in either language."""


_ADDRESS = re.compile(
    r"(?m:^[ \t]*(?:Postfach [0-9 ]{2,12}"
    r"|(?P<street>[A-ZÄÖÜ][\w.-]*(?: [\w.-]+){0,4} [0-9]{1,3} ?[a-zA-Z]?"
    r"(?:[-–/][0-9]{1,3}[a-z]?)?))"
    r"[ \t\r]*\n[ \t]*(?P<town>(?:D-)?[0-9]{5} [A-ZÄÖÜ][^\W\d_][\w ./()-]{0,40}[\w)])[ \t\r]*$)"
)
"""A line with the number of a house, or a box, above a postcode and its town."""

_POSTCODE = re.compile(r"\n[ \t]*(?:D-)?[0-9]{5} [A-ZÄÖÜ]")


def lines_that_stay(text: str) -> list[Span]:
    """Return where lines are names below the closing of a letter, or of German addresses.

    Args:
        text: any text, in German or English.
    """
    if "\n" not in text:
        return []  # as mostly
    lines = list[Span]()
    if _HINT.search(text):
        lines += [found.span("name") for found in _SIGNED.finditer(text) if _is_name(found)]
    if _POSTCODE.search(text):
        for found in _ADDRESS.finditer(text):
            lines += [found.span("street")] if found["street"] else []
            lines.append(found.span("town"))
    return lines


def _is_name(found: re.Match[str]) -> bool:
    """Return whether a line below a closing is surely a name, and no office or relative."""
    name, text = found["name"], found.string
    words = {word.lower() for word in name.split() if word[0].isupper()}
    if not _NO_NAMES.isdisjoint(words) or _OFFICE.search(name):
        return False
    return not found["unsure"] or found["mark"] == "," or not text[found.end() :].strip()
