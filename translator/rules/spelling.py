"""German words that are typed without a letter that they are spelt with: `gruen` and `Strasse`.

Umlauts are missing on keyboards without them, and `ß` in Switzerland. A vocabulary has hardly seen
such words, and cuts them into other pieces.
"""

from __future__ import annotations

import functools
import itertools
import math
import re

from translator.text.characters import LogProb, word_set

_DIGRAPHS = {"ae": "ä", "oe": "ö", "ue": "ü", "Ae": "Ä", "Oe": "Ö", "Ue": "Ü"}
_DIGRAPH = re.compile(r"[AaOo]e(?=[^\W\d_aeio])|(?<![AaEeäQqUu])[Uu]e(?=[^\W\d_aeiou])")
"""Most that are no umlauts stand before a vowel, or behind one: `neue`, `aktuell`, `Poesie`."""

_MOST_DIGRAPHS = 4
_LETTERS = re.compile(r"[^\W\d_]+")
_UMLAUT = re.compile("[äöüÄÖÜ]")
_NO_UMLAUT = re.compile(
    r"(?:aer[eo]|isra|koe[dx]|manuel|micha|phoe|rapha|samuel|soeb|statue|uelle?|uett)|zue[rn]"
    r"|^(?:baer|boehm|boett|caesar|coes|foerster|goeb|goepp|goer|goeth|guenth?er|haendel|haeusl|hoen"
    r"|joerg|juergen|kaest|koehler|krueger|moeller|mueller|oetting|oeynh|raesf|roent|schaefer|schroed"
    r"|schoen(?:berg|feld)|soest|strael|uerd|voelk)",
    re.IGNORECASE,
)
"""In words of other languages, over the seam of a compound, and in names."""

_SURELY_UMLAUT = re.compile(r"(?:aeusser|groess|gruess|maessi|stoess)", re.IGNORECASE)
_TITLE = re.compile(r"\b(?:Dr|Familie|Firma|Fr|Frau|Herrn?|Hr|Prof)\.? $")
_SURE, _BESIDE_SURE = 4.0, -9.0
"""By so many nats a word with umlauts is more probable; less is enough beside such a word, where a
sentence has no umlaut typed as such."""

_SHORT, _PER_LETTER = -18.0, -4.5
"""A word that is less probable than both is none that the vocabulary knows; with a capital, it may
be a name."""

_DOUBLE_S = re.compile(
    r"\baussen(?!d(?!i|ur))|(?<=[dr])aussen(?!d(?!i))|\bausser|äusser|\bstrass(?=e(?!r)|ch|b)"
    r"|(?<=[a-z])strass(?=en?\b)|(?<!en)gross(?!et|mann?\b|o\b)|gröss|fuss(?!el|y)|füss|süss"
    r"|mass(?=ein|geb|gesch|halt|krug|los|nahm|regel|st[aä]b|voll)|mutmass|mäss(?=ig)"
    r"|(?:aus|über|mindest|höchst|augen)mass|(?:einiger|gewisser|\bder|gleicher|folgender)massen"
    r"|\banmass|gliedmass|gemäss|(?:\b|fahr|spiel|riesen)spass|\bspäss|gruss|grüss|bloss(?!om)|blöss"
    r"|stoss|stöss|kloss(?!t)|klöss|flöss|buss(?=geld)|schoss(?=hund)|geldbuss|büss|\bmüss(?=ig)"
    r"|soss(?=en?\b)|gefäss|gesäss|gefräss|sträuss|\b(?:(?:be)?sass|vergass|frass)(?=(?:en|t)?\b)"
    r"|(?<!t)heiss(?!ort)|weiss(?!ag|ch|ic|man|t[oüä]|ys)|(?<![kp])reiss(?!ch|ner|o|p|t[er])|beiss"
    r"|schmeiss|scheiss|fleiss|(?:meiss|geiss)(?=el)|schliess|schiess(?!ling)|fliess(?!and)|giess"
    r"|niess(?=b)|geniess|spiess|spriess|driess|(?<![a-z]v)liess|(?:\b|ge|ver)hiess|stiess"
    r"|\bgriess(?!em)|preuss(?=e|isch)|scheuss",
    re.IGNORECASE,
)
"""The stems that have `ß` behind a long vowel; both `Masse` and `Maße` are words, so they stay."""

_LEAST_PROBABLE = -10.0
"""A word is not read with `ß` if that is less probable by more nats: `Preisspanne`."""

_LIKE_NAMES = word_set("Gross Heiss Preuss Reiss Weiss")
_NUMBER_OF_HOUSE = re.compile(r"\s?[0-9]")


def with_umlauts(text: str, log_prob: LogProb) -> str:
    """Return a German text with the umlauts and the `ß` that its words lack.

    Names stay, since a model copies them, and so do words that it would not know with them either.
    """
    if any(digraph in text for digraph in _DIGRAPHS) and _DIGRAPH.search(text):
        text = _with_umlauts(text, log_prob)
    if "ss" in text and "ß" not in text and any(map(_has_stem, text.split())):
        text = _LETTERS.sub(lambda word: _with_sharp_s(word, log_prob), text)
    return text


@functools.lru_cache(maxsize=4096)
def _has_stem(word: str) -> bool:
    return "ss" in word and _DOUBLE_S.search(word) is not None


def _with_umlauts(text: str, log_prob: LogProb) -> str:
    has_umlauts = _UMLAUT.search(text) is not None
    found, is_sure = list[tuple[re.Match[str], str, float]](), False
    for word in _LETTERS.finditer(text):
        if has_umlauts and word[0][:2] not in {"Ae", "Oe", "Ue"}:
            continue  # those are typed so by who has only small ones
        spellings = _spellings(word[0])
        if not spellings or _NO_UMLAUT.search(word[0]) or _TITLE.search(text[: word.start()]):
            continue
        best = max(spellings, key=log_prob)
        more = log_prob(best) - log_prob(word[0])
        if log_prob(best) <= min(_SHORT, _PER_LETTER * len(best)):
            more = -math.inf if word[0][0].isupper() else min(more, _SURE - 1)
        if _SURELY_UMLAUT.search(word[0]):
            more = _SURE
        is_sure |= more >= _SURE
        found.append((word, best, more))
    least = _BESIDE_SURE if is_sure and not has_umlauts else _SURE
    for word, best, more in reversed(found):
        if more >= least:
            text = text[: word.start()] + best + text[word.end() :]
    return text


def _spellings(word: str) -> list[str]:
    places = [digraph.start() for digraph in _DIGRAPH.finditer(word)]
    if len(places) > _MOST_DIGRAPHS:
        return []
    spellings = list[str]()
    for count in range(1, len(places) + 1):
        for chosen in itertools.combinations(places, count):
            spelling = word
            for place in reversed(chosen):
                umlaut = _DIGRAPHS[spelling[place : place + 2]]
                spelling = spelling[:place] + umlaut + spelling[place + 2 :]
            spellings.append(_DOUBLE_S.sub(_sharp, spelling))
    return spellings


def _with_sharp_s(word: re.Match[str], log_prob: LogProb) -> str:
    typed, text = word[0], word.string
    if "ss" not in typed or (typed in _LIKE_NAMES and word.start()):
        return typed
    if (
        typed[0].isupper()
        and typed.endswith("strasse")
        and _NUMBER_OF_HOUSE.match(text, word.end())
    ):
        return typed  # an address
    spelt = _DOUBLE_S.sub(_sharp, typed)
    return spelt if log_prob(spelt) > log_prob(typed) + _LEAST_PROBABLE else typed


def _sharp(stem: re.Match[str]) -> str:
    before, after = stem[0].rsplit("ss", 1)
    return f"{before}ß{after}"
