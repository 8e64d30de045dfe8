"""Marks of lists and sections at the beginning of a line: `-`, `1.`, `a)`, `iii)`, `B.`, `2.3`.

They are no words, so no model reads them: they go to the separators and come back as they were.
"""

from __future__ import annotations

import re

from translator.text.characters import primary_language
from translator.text.numbers.signs import UNITS

_ROMAN = r"(?=[ivx]{2}|i)x{0,3}(?:ix|iv|v?i{0,3})|(?=[IVX])X{0,3}(?:IX|IV|V?I{0,3})"
_LETTER_OR_ROMAN = rf"(?:[^\W\d_]|{_ROMAN})"
_NO_ABBREVIATION = r"(?![^\W\d_]\.)"
"""Behind `Z.` of `Z. B.`, there is another letter with a dot."""

_PARTS = r"[0-9]{1,3}(?:\.[0-9]{1,2}){1,5}\.?"
_DAY = r"(?:[12]?[0-9]|3[01])\.(?:1[0-2]|0?[1-9])\.[0-9]{2}"
_QUANTITY = rf"(?i:(?:{UNITS}|EUR|USD|GBP|CHF|JPY|uhr|stars?|sterne?n?)(?![^\W\d_]))"

_MONTH = (
    "(?:Jän(?:ner)?|Jan(?:uar)?|Feb(?:ruar)?|März|Apr(?:il)?|Mai|Juni?|Juli?|Aug(?:ust)?"
    "|Sept?(?:ember)?|Okt(?:ober)?|Nov(?:ember)?|Dez(?:ember)?)"
)
_COUNTED = (
    "(?:(?:Welt|Golf)krieg|Jahrhundert|Jahrtausend|Geburtstag|Todestag|Jahrestag|Hochzeitstag"
    "|Lebensjahr|Halbzeit|Bundesliga|Spieltag|Advent|Obergescho(?:ss|ß)|Stockwerk|Etage|Quartal"
    "|Halbjahr)(?:e?s|en?)?"
)
_COUNTED_AT_AN_END = (
    r"(?:Stock|Platz|Klasse)(?=\s*(?:$|[\n.,:;()–-]|(?:in|im|bei|der|des|von|für)\s))"
)
_GERMAN_ORDINAL = (
    rf"(?:[0-9]{{1,3}}|(?!\.)(?:{_ROMAN}))\.\s(?:{_MONTH}|{_COUNTED}|{_COUNTED_AT_AN_END})(?![\w-])"
)
"""`3. Oktober` and `2. Weltkrieg` are a day and a war, and no third and second item."""

_ANY_MARK = (
    # bullets, quotes, headings, boxes, numbers
    r"(?:[-*+•·‣◦–—]|>+|\#{1,6}|[0-9]{1,3}\.|\[[ xX]\])\s|>+"
    # a) (a) iii) 1.) 2a)
    rf"|\(?(?:[0-9]{{1,3}}[a-z]?|{_LETTER_OR_ROMAN})\.?\)\s"
    # A. IV. before a capital, and a. ii. before any letter
    rf"|(?:[A-Z]|{_ROMAN})\.\s+{_NO_ABBREVIATION}(?=[„“\"'(]?[^\W\d_a-zà-öø-ÿß])"
    rf"|(?:[a-h]|{_ROMAN})\.\s+{_NO_ABBREVIATION}(?=[„“\"'(]?[^\W\d_])"
    # 2.3 and 1.2.3 before a word that is no unit and begins with a capital
    rf"|(?!{_DAY}\s){_PARTS}\s+(?!{_QUANTITY})(?=[„“\"'(]?(?:[^\W\d_a-zà-öø-ÿß][^\W\d_]))"
)
_MARK, _GERMAN_MARK = (
    re.compile(f"(?:{but}(?:{_ANY_MARK}))+") for but in ("", f"(?!{_GERMAN_ORDINAL})")
)
_HINT = re.compile(r"[^\w\s]|\w{1,6}[.)]")
"""What every line with a mark begins with."""

_ALONE = re.compile(
    rf"(?:\(?(?:[0-9]{{1,3}}[a-z]?|{_LETTER_OR_ROMAN})\.?\)|(?:[A-Z]|{_ROMAN})\.)\s*"
)


def behind_marks(text: str, start: int, end: int, language: str = "") -> int:
    """Return where the words of a line begin, behind its marks; `end` if it is only a mark.

    Args:
        text: any text.
        start: of the line or of what is left of it, behind white space.
        end: of it.
        language: code of its language; German has ordinals that look like marks.
    """
    if not _HINT.match(text, start, end):
        return start  # as mostly
    if _ALONE.fullmatch(text, start, end):
        return end
    is_german = primary_language(language) == "de"
    marks = (_GERMAN_MARK if is_german else _MARK).match(text, start, end)
    return marks.end() if marks else start
