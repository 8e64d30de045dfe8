"""Words that are typed without a sign that they are spelt with: `havent`, `gruen` and `Strasse`.

Apostrophes are missing in haste, umlauts on keyboards without them, and `ß` in Switzerland. A model
has hardly seen such words, and takes them for others.
"""

from __future__ import annotations

import functools
import itertools
import math
import re

from translator.text.capitals import LogProb
from translator.text.characters import small_words, word_set

_NEGATED = (
    "ai|are|could|did|does|do|had|has|have|is|might|must|need|ought|sha|should|was|were|would"
)
_SHORT_FORMS = word_set(
    f"{_NEGATED.replace('|', 'nt ')}nt cant couldve hes heres hows im itll ive lets shes shouldve"
    " thats theres theyll theyre theyve weve whats wheres whos wont wouldve youll youre youve"
)
"""English ones that are typed without an apostrophe."""

_VERBS = (
    "accept|access|add|afford|agree|allow|answer|be|believe|buy|call|change|check|come|connect"
    "|delete|do|download|drink|drive|eat|even|ever|expect|explain|face|feel|find|fix|forget|get"
    "|give|go|have|hear|help|hurt|imagine|install|just|keep|know|leave|let|listen|live|log|look"
    "|make|meet|move|not|offer|open|pay|play|possibly|promise|put|read|really|remember|run|save"
    "|say|see|seem|sell|send|show|sign|sit|sleep|speak|stand|start|stay|stop|swim|take|talk|tell"
    "|think|trust|try|turn|understand|use|wait|walk|work|write"
)
_PRONOUNS = "anyone|everyone|he|i|it|nobody|one|people|she|someone|they|we|who|you"
_BEGINNING = r"(?:^|[.!?:;,–—(\"“]\s?|\b(?:but|now|ok|okay|please|so|then|well)\s)"
_CLAUSE = (
    r"\b(?:afraid|and|as|because|bet|cause|feel|guess|hello|hey|hi|hope|how|if|know|like|mean|no"
    r"|or|say|since|sorry|suppose|sure|that|think|though|till|until|what|when|where|while|who|wish"
    r"|yeah|yes)\s"
)
_START, _END = r"(?<![\w'’.@/-])", r"(?![\w'’@/-]|\.\w)"
_APOSTROPHES = tuple(
    (re.compile(pattern, re.IGNORECASE), r"\1'\2")
    for pattern in (
        rf"{_START}((?:{_NEGATED})n)(t){_END}",
        rf"{_START}((?:{_PRONOUNS}|how|why)\s(?:ca|wo)n)(t){_END}(?!\s(?:of|to)\b)",
        r"(?<!\ba )(?<!\bof )(?<!\bthe )(?<!\bto )"
        rf"{_START}((?:ca|wo)n)(t)(?=\s(?:{_PRONOUNS}|{_VERBS})\b)",
        rf"((?:{_BEGINNING}|{_CLAUSE})i)((?-i:m))(?=\s(?!is\b|systems?\b|(?!open|ten|even|often)[a-z]+en\b)(?-i:[a-z]))",
        rf"(?-i:{_START}([Ii])(ve)(?=\s(?!(?:ha[ds]|is|sa(?:id|ys)|was|will)\b)[a-z]))",
        rf"({_BEGINNING}let)(s)(?=\s(?:{_VERBS})\b)",
        rf"{_START}(s?he)(s)(?=\s(?-i:[a-z0-9]))",
        rf"{_START}((?:here|how|that|there|what|where|who))(s){_END}",
        rf"{_START}((?:they|you))(re){_END}",
        rf"{_START}((?:could|should|they|we|would|you))(ve){_END}",
        rf"{_START}((?:it|they|you))(ll){_END}",
    )
)
"""`cant` and `wont` are nouns, too, `im` is German, `Ive` is a name, and `lets` is a verb."""

_BACKTICK = re.compile(r"(?<=[^\W\d_])`(?=[a-z]{1,2}\b)", re.IGNORECASE)


def with_apostrophes(text: str) -> str:
    """Return an English text with the apostrophes that its short forms lack.

    Args:
        text: a sentence, with placeholders.
    """
    if "`" in text:
        text = _BACKTICK.sub("'", text)
    if not _SHORT_FORMS.isdisjoint(small_words(text)):
        for typed, spelt in _APOSTROPHES:
            text = typed.sub(spelt, text)
    return text


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

    Args:
        text: a sentence, with placeholders.
        log_prob: of the vocabulary.
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
    """Return a text that may lack umlauts with them."""
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
    """Return how a word may be spelt with an umlaut or more."""
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
    before, behind = stem[0].rsplit("ss", 1)
    return f"{before}ß{behind}"
