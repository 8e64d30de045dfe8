"""German forms for people of all genders, in the one form that a model knows: `Leser:innen`.

They become the plain plural, `Leser`, which English translates as it is meant, unlike `Leserinnen`
(`Schauspielerinnen` are actresses). A noun whose plain form is not known stays.
"""

from __future__ import annotations

import re

from translator.text.characters import word_set

_HINT = re.compile(
    r"[:*_/(]-?(?:in(?:nen)?|[enrms])\b|I(?=n)(?<=[a-zäöüß]I)|[:*]d[ei]"  # rare signs come first
)

_LIKE_STEM = ("er", "el")
_WITH_EN = tuple(
    word_set(
        "and ant arch at aut beamt bot ent erb et expert genoss graf held ist kolleg kund nachbar"
        " nom og or ot soph türk zeug"
    )
)
_WITH_E = ("ärzt", "anwält", "eur", "är", "feind", "freund", "gäst", "kapitän", "köch", "wirt")
"""Ends of stems, by what their plural adds."""

_ONE_WITH_E = tuple(word_set("beamt bot erb expert genoss kolleg kund og türk zeug"))
_ONE = {"ärzt": "arzt", "anwält": "anwalt", "köch": "koch", "gäst": "gast"}

_BEFORE_DATIVE = word_set(
    "allen aus bei beiden den deinen diesen einigen ihren jenen meinen mit nach seinen unseren "
    "unsern vielen von wenigen zu zwischen"
)
_SLASHED = r"(?<=er|or|nt|st|ur|är|nd|at|et|og)"
_NOUN = re.compile(
    r"(?:(?P<before>[^\W\d_]+) )?(?<![\w-])(?P<stem>(?:[A-ZÄÖÜ][a-zäöüß]+-)*[A-ZÄÖÜ][a-zäöüß]{2,})"
    rf"(?:[:*_](?P<sign>in(?:nen)?)|{_SLASHED}/-?(?P<slash>in(?:nen)?)"
    rf"|{_SLASHED}\(-?(?P<bracket>in)\)|(?P<inner>Innen|(?<=er|nt|st)In))(?!\w|[:*_/(]-?\w)"
)
_DETERMINER = (
    r"(?i:(?:ein|kein|mein|dein|sein|ihr|unser|jed|dies|jen|welch|manch|lieb|(?:sehr )?geehrt)e)"
)
_ENDING = re.compile(
    rf"\b(?:(?P<word>[a-zäöüß]+e|{_DETERMINER})[:*](?P<end>[nrms])"
    rf"|(?P<listed>{_DETERMINER})[/(]-?(?P<own>[nrms])\)?)(?!\w)"
)
_NO_ENDING = re.compile(
    r"\b(?P<word>(?i:ein|kein|mein|dein|sein|ihr|unser))(?:[:*_]e|/-?e|\(e\))(?!\w)"
)
_ARTICLES = re.compile(
    r"\b(?P<one>(?i:der|die|den|dem|des))[:*_/](?P<two>der|die|den|dem|des)(?!\w)"
)
_MASCULINE = {
    frozenset(["der", "die"]): "der",
    frozenset(["den", "die"]): "den",
    frozenset(["dem", "der"]): "dem",
    frozenset(["des", "der"]): "des",
}


def with_one_gender(text: str) -> str:
    """Return a German text whose forms for all genders are those of the plain noun."""
    if not _HINT.search(text):
        return text  # as nearly always
    text = _NOUN.sub(_plain, text)
    text = _ENDING.sub(
        lambda found: (found["word"] or found["listed"]) + (found["end"] or found["own"]), text
    )
    text = _NO_ENDING.sub(r"\g<word>", text)
    return _ARTICLES.sub(_article, text)


def _plain(found: re.Match[str]) -> str:
    before, stem = found["before"], found["stem"]
    ending = (found["sign"] or found["slash"] or found["bracket"] or found["inner"]).lower()
    is_dative = before is not None and before.lower() in _BEFORE_DATIVE
    noun = _of_many(stem, is_dative) if ending == "innen" else _of_one(stem)
    return (f"{before} " if before else "") + noun if noun else found[0]


def _of_many(stem: str, is_dative: bool) -> str:
    """Return the plural of a stem; empty if it is not known."""
    lower = stem.lower()
    if lower.endswith(_LIKE_STEM):
        return stem + ("n" if is_dative else "")
    if lower.endswith(_WITH_E):
        return stem + ("en" if is_dative else "e")
    if lower.endswith(_WITH_EN):
        return stem + ("n" if lower.endswith("nachbar") else "en")
    return ""


def _of_one(stem: str) -> str:
    """Return the singular of a stem; empty if it is not known."""
    lower = stem.lower()
    for changed, plain in _ONE.items():
        if lower.endswith(changed):
            start = stem[: -len(changed)]
            return start + (plain if start else plain.capitalize())
    if lower.endswith(_ONE_WITH_E):
        return f"{stem}e"
    return stem if lower.endswith((*_LIKE_STEM, *_WITH_E, *_WITH_EN)) else ""


def _article(found: re.Match[str]) -> str:
    one, two = found["one"], found["two"]
    masculine = _MASCULINE.get(frozenset([one.lower(), two]))
    if masculine is None:
        return found[0]
    return masculine.capitalize() if one[0].isupper() else masculine
