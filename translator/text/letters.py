"""Letters: lines that stay, such as names below a closing, and closings as a model knows them.

A model takes `Mark` below `Cheers,` for a word, and knows few closings that are a single word.
"""

from __future__ import annotations

import re

from translator.text.characters import word_set
from translator.text.spans import Span
from translator.text.streets import STREET, TOWN

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
    rf"(?m:^[ \t]*(?P<street>{STREET}|Postfach [0-9 ]{{2,12}})[ \t\r]*\n"
    rf"[ \t]*(?P<town>{TOWN})[ \t\r]*$)"
)
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
            is_box = found["street"].startswith("Postfach")
            lines += [found.span("town")] if is_box else [found.span("street"), found.span("town")]
    return lines


def _is_name(found: re.Match[str]) -> bool:
    """Return whether a line below a closing is surely a name, and no office or relative."""
    name, text = found["name"], found.string
    words = {word.lower() for word in name.split() if word[0].isupper()}
    if not _NO_NAMES.isdisjoint(words) or _OFFICE.search(name):
        return False
    return not found["unsure"] or found["mark"] == "," or not text[found.end() :].strip()


_AS_KNOWN = {
    "de": {
        "alles liebe": "Liebe Grüße",
        "bis dann": "Bis bald",
        "gruss": "Viele Grüße",
        "gruß": "Viele Grüße",
        "grüße": "Viele Grüße",
        "herzlich": "Herzliche Grüße",
        "herzlichst": "Herzliche Grüße",
        "hochachtungsvoll": "Mit freundlichen Grüßen",
        "lg": "Liebe Grüße",
        "lieber gruß": "Liebe Grüße",
        "mfg": "Mit freundlichen Grüßen",
        "mit freundlichem gruß": "Mit freundlichen Grüßen",
        "mit lieben grüßen": "Liebe Grüße",
        "schöne grüße": "Viele Grüße",
        "sonnige grüße": "Viele Grüße",
        "vg": "Viele Grüße",
    },
    "en": {
        "all my love": "Love",
        "best": "Best regards",
        "cheers": "Best wishes",
        "cordially": "Kind regards",
        "hugs": "Love",
        "lots of love": "Love",
        "much love": "Love",
        "regards": "Kind regards",
        "respectfully": "Yours sincerely",
        "see you": "See you soon",
        "sincerely": "Yours sincerely",
        "take care": "All the best",
        "talk soon": "See you soon",
        "talk to you soon": "See you soon",
        "warmly": "Warm regards",
        "yours": "Best regards",
        "yours ever": "Best regards",
        "yours faithfully": "Yours sincerely",
        "yours truly": "Yours sincerely",
    },
}
"""Closings, and others of the same tone that a model knows, by language."""


def closing_as_read(sentence: str, language: str) -> str:
    """Return the closing of a letter as a model knows it; another sentence as it is.

    Args:
        sentence: that stands alone above a name, or ends with a comma.
        language: primary code of its language. There are closings of German and English.
    """
    words = sentence.rstrip(",")
    return _AS_KNOWN.get(language, {}).get(words.lower(), words) + sentence[len(words) :]
