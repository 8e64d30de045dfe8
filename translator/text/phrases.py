"""Phrases of German and English whose meaning a model turns round, in words that it knows.

`übermorgen` was `overthrow`, and `logged out` was `angemeldet`. A word of the language wanted is
read as well as its own: a model copies it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

Replacement = str | Callable[[re.Match[str]], str]

_MANY = {"Woche": "Wochen", "Monat": "Monaten", "Jahr": "Jahren"}


def _in_two(found: re.Match[str]) -> str:
    """Return `in zwei Wochen` for `übernächste Woche`, and `vor zwei Jahren` for `vorletztes`."""
    word = "in" if found["next"] else "vor"
    word = word.capitalize() if found[0][0].isupper() else word
    return f"{word} zwei {_MANY[found['unit']]}"


def _like(words: str) -> Callable[[re.Match[str]], str]:
    """Return what writes words with a capital where the phrase has one."""
    return lambda found: words[0].upper() + words[1:] if found[0][0].isupper() else words


_PERIOD = "(?P<unit>night|week|month|year)"
_NOT_SUBJECT = r"(?=[.,;:!?)]|$| (?:I|you|he|she|it|we|they|when|and|but)\b)"
_PHRASES: dict[tuple[str, str], tuple[tuple[re.Pattern[str], Replacement], ...]] = {
    ("de", "en"): (
        (re.compile(r"\b[üÜ]bermorgen\b"), _like("the day after tomorrow")),
        (
            re.compile(r"\b(?:[Ee]ntgegen dem|[Gg]egen den) Uhrzeigersinn\b"),
            _like("counterclockwise"),
        ),
        (
            re.compile(
                r"(?<!\b[Dd]ie )(?<!\b[Dd]as )(?<!\b[Dd]e[nr] )(?<!\bbis )(?<!\b[Aa]b )(?<!\bfür )"
                r"\b(?:[Ii]n der |[Ii]m )?(?:(?P<next>[üÜ]bernächste[ns]?)|[vV]orletzte[ns]?) "
                r"(?P<unit>Woche|Monat|Jahr)\b(?! (?:de[rs]|im|in|vo[mnr])\b)"
            ),
            _in_two,
        ),
        (re.compile(r"\b[vV]orletzte[mnrs]?(?= \w)"), _like("second-to-last")),
    ),
    ("en", "de"): (
        (
            re.compile(
                r"(?<!\b[Ll]ike )(?<!\bas )(?<!\bthan )(?<!\bfrom )\b(?P<every>[Ee]very) other"
                r"(?= (?:day|night|morning|week|weekend|month|year"
                r"|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)\b)"
            ),
            r"\g<every> second",
        ),
        (
            re.compile(rf"\bthe {_PERIOD} before last{_NOT_SUBJECT}", re.IGNORECASE),
            r"two \g<unit>s ago",
        ),
        (
            re.compile(rf"\bthe {_PERIOD} after next{_NOT_SUBJECT}", re.IGNORECASE),
            r"in two \g<unit>s",
        ),
        (re.compile(r"(?<!\bby )\b[Tt]he day after tomorrow\b(?!['’])"), _like("übermorgen")),
        (
            re.compile(
                r"\b(?:penultimate|(?:second|next)[ -]to[ -]last|last but one)(?= [a-z])"
                r"|\blast (?P<noun>[a-z]{3,}) but one\b"
            ),
            lambda found: f"vorletzte {found['noun']}" if found["noun"] else "vorletzte",
        ),
        (re.compile(r"\blogged out of\b"), "logged off from"),
        (re.compile(r"\blogged out\b"), "logged off"),
        (re.compile(r"\b(?P<be>been|is|are|was|were) signed out\b(?! of)"), r"\g<be> logged off"),
        (re.compile(r"(?:\bu|^U)nsubscribe from(?= [a-z])"), _like("cancel the subscription to")),
        (
            re.compile(
                r"(?:\bu|^U)nsubscribe\b(?!,? (?:from|an?|the|one|button|link|option|page)\b)"
                r"(?! [A-Z])"
            ),
            _like("cancel the subscription"),
        ),
        (re.compile(r"\b(?:[Uu]n|[Dd]e)select\b(?! all\b)"), _like("uncheck")),
    ),
}
_HINTS = {
    ("de", "en"): ("bermorgen", "Uhrzeigersinn", "bernächste", "orletzte"),
    ("en", "de"): (
        *("very other ", "before last", "after next", "he day after tom", "penultimate"),
        *("to last", "to-last", "but one", "ed out", "nsubscribe", "nselect", "eselect"),
    ),
}


def with_known_phrases(text: str, language: str, target: str) -> str:
    """Return a text in which phrases that a model turns round are others of the same meaning.

    Args:
        text: a sentence, with placeholders.
        language: primary code of its language.
        target: that of the language wanted. There are phrases between German and English.
    """
    languages = language, target
    hints = _HINTS.get(languages)
    if hints is None or not any(hint in text for hint in hints):
        return text  # as nearly always
    for phrase, words in _PHRASES[languages]:
        text = phrase.sub(words, text)
    return text
