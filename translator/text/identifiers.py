"""Numbers that are names: both languages write them alike, so they come back as they are.

Accounts, cards, telephones, dates by ISO 8601, versions, long numbers without separators, and codes
of letters and digits.
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

IDENTIFIERS = "|".join((_ACCOUNT, _CARD, _TELEPHONE, _HYPHENS, _VERSION, _LONG, _CODE))
"""A regular expression of all of them."""

IDENTIFIERS_HINT = r"[0-9][0-9A-Z ./()-]{0,3}[0-9][0-9A-Z ./()-]{0,3}[0-9]"
"""What is found in any text that has one."""
