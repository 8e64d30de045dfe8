"""Numbers that are names: both languages write them alike, so they come back as they are.

Accounts, cards, telephones, dates by ISO 8601, versions, long numbers without separators, codes of
letters and digits, feet and inches, numbers with a fraction or a power (`2½`, `10³`), and parts of
a text (`Table 5.1`).
"""

from __future__ import annotations

_ACCOUNT = r"\b[A-Z]{2}[0-9]{2} ?(?:[A-Z]{4}|[0-9]{4})(?: ?[0-9]{4}){2,6}(?: ?[0-9]{1,3})?(?![\w-])"
_CARD = r"(?<![\w.,-])[0-9]{4}(?: [0-9]{4}){3}(?! ?[0-9])\b|(?<![\w.,-])[0-9]{4}(?:-[0-9]{4}){3}\b"
_TELEPHONE = (
    r"(?<![\w+])\+[0-9]{1,3}(?:[ ./-]?\([0-9]{1,5}\))?(?:[ ./-]?[0-9]{2,12}){1,5}(?![\w])"
    r"|(?<![\w.,/-])(?:\(0[0-9]{1,5}\) ?|0[0-9]{1,5}[ /-])[0-9]{3,12}(?:[ -][0-9]{2,8}){0,4}"
    r"(?!\w|,[0-9])"
    r"|(?<![\w.,/-])(?:\([0-9]{3}\) |[0-9]{3}-)[0-9]{3}-[0-9]{4}(?![\w-])"
)
_HYPHENS = (
    r"(?<![\w.,/-])[0-9]{4}-[0-9]{2}-[0-9]{2}(?![\w-])"
    r"|(?<![\w.,/-])[0-9]{1,12}(?:-[0-9]{1,12}){3,6}(?![\w-])"
)
_VERSION = (
    r"(?<![\w.,/-])(?![0-9]{1,2}\.[0-9]{1,2}\.(?:[0-9]{4}|[0-9]{2})(?![0-9]))"
    r"(?![0-9]{1,3}(?:\.[0-9]{3})+(?![0-9.]))[0-9]{1,5}(?:\.[0-9]{1,5}){2}(?![\w]|[.,][0-9])"
)
_LONG = r"(?<![\w.,/-])[0-9]{7,40}(?![\w]|[.,/][0-9])"
_CODE = (
    r"(?<![\w.,/-])(?=[A-Z0-9/-]{0,40}[A-Z])(?=(?:[A-Z/-]{0,12}[0-9]){3})"
    r"[A-Z0-9]{1,24}(?:[-/][A-Z0-9]{1,24}){0,5}(?![\w-]|[/.,][\w])"
)
_FEET = r"(?<![\w.,])[0-9]{1,2}(?:['’] ?[0-9]{1,2}(?:\"|”|'')|\u2032 ?[0-9]{1,2}\u2033)(?!\w)"
_MIXED = r"(?<![\w.,/])[0-9]{1,9} ?[¼½¾⅓⅔⅛⅜⅝⅞](?!\w)|(?<![\w.,/])[0-9]{1,9}[⁰¹²³⁴-⁹]+(?!\w)"

_LABELS = (
    r"abb\.|abbildung|abschnitt|absatz|anhang|annex|appendix|article|artikel|aufgabe|cell|chapter"
    r"|clause|equation|example|exercise|fig\.|figure|gleichung|kapitel|lektion|lesson|listing"
    r"|paragraph|part|regel|release|row|rule|schritt|section|step|tab\.|tabelle|table|task|teil"
    r"|version|zeile|zelle|ziffer"
)
_BEHIND_LABEL = "|".join(rf"(?<=(?i:\b{label}) )" for label in _LABELS.split("|"))
_PART = (
    r"(?=[0-9]{1,3}(?:\.[0-9]{1,2}){1,5}(?!\w|[.,:/-][0-9]|\s?(?:Uhr|[ap]\.?m\b|%|[mb]illi|M(?:io|rd))))"
    rf"(?:{_BEHIND_LABEL})[0-9.]*[0-9]"
)

IDENTIFIERS = "|".join(
    (_FEET, _MIXED, _ACCOUNT, _CARD, _TELEPHONE, _HYPHENS, _VERSION, _LONG, _CODE, _PART)
)
"""A regular expression of all of them."""

IDENTIFIERS_HINT = r"[0-9][0-9A-Z ./()-]{0,3}[0-9][0-9A-Z ./()-]{0,3}[0-9]|[0-9]['’\u2032] ?[0-9]"
"""What is found in any text that has one."""
