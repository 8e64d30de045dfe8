"""Whether a sentence says yes or no: negations that a translation has lost or made up.

Most negations are a word such as `not` or `kein`. Others are in a word: `impossible`, `arbeitslos`,
`refuse`. Only a sentence with the first kind, whose translation has neither, is taken for turned
round. So a translation may say `unmöglich` for `not possible`.

A negation or a `must` that is shouted inside a sentence is read in small letters, and shouted
again: a vocabulary hardly knows `NOT`, `MUST` and `NICHT`, so that a model loses them, and with
them what a specification demands. Other words in capitals may be names; they are read as they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from translator.text.brackets import never
from translator.text.characters import small_words, word_set

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")

_NEGATIONS = {
    "de": "nicht nichts nie niemals niemand niemanden niemandem kein keine keinen keinem keiner "
    "keines keins nirgends nirgendwo ohne weder kaum nein keinerlei keineswegs keinesfalls nimmer "
    "garnicht garnichts garkein garkeine garkeinen garkeinem garkeiner keene nix",
    "en": "not no never nobody none nothing nowhere neither nor without cannot hardly barely "
    "scarcely dont doesnt didnt isnt nope noone",
}
"""Words that negate, by language; in English also those that end in `n't`."""

NEGATIONS = {language: word_set(words) for language, words in _NEGATIONS.items()}

_QUOTATION_MARK = re.compile(r'["„“”«»]')

_ENGLISH = re.compile(
    r"\b(?:the|of|to|for|and|with|at|by|my|your|our|me|this|that|you|i|do|does|did|is|are|today"
    r"|tonight|yet|now|enough|guilty|found|allowed|available)\b",
    re.IGNORECASE,
)
"""Words that show that a quotation is English, so that its `Not` is no German distress."""

_REFUSALS = {
    "de": re.compile(
        r"\b(?:r(?:ie|ä)t|rieten|lehnt(?:e|en)?|lehnen)\b[^.!?;]*\bab\b|\bweiger(?:t|te|n|ten)\b",
        re.IGNORECASE,
    ),
    "en": re.compile(r"\b(?:refus(?:e|es|ed|ing)|disagree[sd]?)\b", re.IGNORECASE),
}
"""What says no without a negation; a translation may have one."""

_HINTS = {
    "de": NEGATIONS["de"]
    | word_set("riet rät rieten lehnt lehnte lehnten lehnen weigert weigerte weigern weigerten"),
    "en": NEGATIONS["en"]
    | word_set("t refuse refuses refused refusing disagree disagrees disagreed"),
}
"""One of these words is in every sentence that says no; `t` is that of `n't`."""

_WITHIN = {
    "de": re.compile(
        r"un(?!ter|ser|ten|iv|io|gar|gef|end|s$|d$)[a-zäöüß]{3,}"
        r"|[a-zäöüß]{3,}(?:los|frei|leer)(?:e[nmrs]?)?|miss(?!io)[a-zäöüß]+|irre[a-z]{4,}"
        r"|il(?:legal|logi)[a-z]*|in(?:akzep|komp|stabil|aktiv)[a-z]+|nicht[a-zäöüß]+"
        r"|(?:ge|ver)?weiger[a-z]*|(?:ab)?(?:ge)?lehn[a-z]*|(?:ver)?leugn[a-z]*|bestr[ei]+t[a-z]*"
        r"|vermi?e[di][a-z]*|(?:ver|be)?hinder[a-z]*|verb[oi]e?t[a-z]*|unterl(?:ass|ieß|äss)[a-z]*"
        r"|mangel[a-z]*|(?:ge)?fehl[a-z]*|verzicht[a-z]*|ab(?:ge|zu)?rat(?:en|e)|(?:ge)?scheiter[a-z]*"
        r"|verpass[a-z]*|vermiss[a-z]*|verl[oi]e?r[a-z]*|versäum[a-z]*|(?:auf)?(?:ge)?hör(?:e[nt]?|t|ten?)?"
        r"|(?:be)?zweifel[a-z]*|entbehr[a-z]*|verg[aei]ss?[a-zß]*|enth(?:ie?lt|alten)|widers[a-zäö]+"
        r"|egal|gleichgültig[a-z]*|(?:an)?statt|sonst|sondern|wenig[a-z]*|selten[a-z]*|schwer[a-z]*"
        r"|schwierig[a-z]*|nur|bloß|lediglich|erst|außer|aus(?:ge)?schl[a-zß]+|frei|entfernt|leer"
        r"|falsch[a-z]*|gegen|bevor|ehe|fern[a-z]*|ander[a-z]*|leid|genug|satt|anti[a-z]*"
    ),
    "en": re.compile(
        r"un(?!til|der|it|ion|iv|cle|iq|s$)[a-z]{3,}|non[a-z]*|[a-z]{3,}less(?:ly|ness)?|less|fewer"
        r"|mis(?!ter|ch|er|sion|s$)[a-z]{4,}|in(?:ab|cap|corr|val|vis|suff|adeq|appr|compl|cons"
        r"|diff|evit|form|sane|noc|def|sign|exp|acc|comp|tol|cred|eff|elig)[a-z]+"
        r"|im(?:poss|pol|perf|mor|mat|prob|pat|mob)[a-z]+|ir(?:reg|rel|res|rev)[a-z]+"
        r"|il(?:leg|lit|log)[a-z]+|dis(?:l|a[bgp]|b|cont|hon|ob|reg|qual|miss)[a-z]+|fail[a-z]*"
        r"|lack[a-z]*|refus[a-z]*|reject[a-z]*|den(?:y|ies|ied|ying|ial)|avoid[a-z]*|prevent[a-z]*"
        r"|prohibit[a-z]*|forb[iao]d[a-z]*|bann?(?:ed|s|ing)?|stop[a-z]*|miss(?:ed|es|ing)?"
        r"|los[et][a-z]*|absen[a-z]+|abst[a-z]+|instead|rather|only|few|little|rarely|seldom|hard"
        r"|difficult[a-z]*|doubt[a-z]*|except[a-z]*|free|far|against|oppos[a-z]+|declin[a-z]+"
        r"|hat(?:e|ed|es)|exclud[a-z]+|ceas[a-z]+|quit[a-z]*|abandon[a-z]*|neglect[a-z]*"
        r"|forg[eo]t[a-z]*|ever|yet|still|too|least|wrong[a-z]*|false[a-z]*|tired|reluctant[a-z]*|regret[a-z]*|out"
    ),
}
"""Words that may have a negation within them, or say one in another way."""

_OTHER_USES = {
    "de": re.compile(
        r",\s*(?:oder\s+)?nicht(?:\s+wahr)?\s*\?|\bnicht\s+(?:nur|zuletzt|umsonst|weniger\s+als)\b|\bob\b.{1,60}\boder\s+nicht\b"
        r"|\bnichts\s+(?:anderes\s+)?als\b|\bwarum\s+nicht\b|\bohne\s+weiteres\b|\bohnehin\b"
        # `Kaum war er da, ging sie` (as soon as), unlike `Kaum jemand kam` and `Kaum neue Ideen`
        r"|(?-i:\bKaum\s+(?!(?:noch|mehr|etwas|auch|so|jemand\w*|jede\w*|ein\w*|irgend\w+)\b)(?:dass\b"
        r"|[a-zäöüß]+\s+(?:ich|du|er|sie|es|man|wir|d(?:er|ie|as)|(?:dies|mein|dein|sein|ihr|unser)(?:e[rs]?)?)\b"
        r"|(?:ist|sind|hat|haben|waren?|hatten?|wurden?)\s+eine?\b"
        r"|[a-zäöüß]+(?<!e[rsm])(?<![^dt]e)\s+[A-ZÄÖÜ])"
        r"[^.!?]*[,–—](?!\s*(?:dass|ob|wie|was|weil|wenn|aber|und|oder|der|die|das)\b))",
        re.IGNORECASE,
    ),
    "en": re.compile(
        r",\s*\w+n['’]t\s+(?:s?he|it|you|we|they|i|there)\s*\?|\bnot\s+(?:only|just|least)\b|\b(?:whether\s+)?or\s+not\b|\bno\s+(?:matter|doubt|later\s+than|sooner|less|fewer|more\s+than|longer\s+than)\b"
        r"|\bno\.\s*\d|\bno\.:|(?-i:\bnos?\.(?=\s(?:[a-z]|[A-Z]+[ -]?\d))|(?<=\w )No\.)"
        r"|\bnothing\s+(?:but|other)\b|\bwhy\s+(?:not|don['’]t)\b|\b(?:do|does|did)(?:n['’]t|\s+not)\s+(?:care|mind)\b|\bcouldn['’]t\s+care\b"
        r"|\bnever\s*mind\b|\bca?n(?:no|['’])t\s+(?:help|wait)\b|\bnot\s+(?:until|un[a-z]+)\b|\bno\s+one\s+but\b|\bdon['’]t\s+you\b",
        re.IGNORECASE,
    ),
}
"""What has a negation and may be said without one: tags of questions, `not only`, `no matter`."""

_NO_SOONER = re.compile(
    r"\bno\s+sooner(?=\s+\w)(?!\s+(?:ha[ds]|have|is|are|was|were|do|does|did|said)\b)"
    r"(?![^.!?;]*\b(?:than|when|before)\b)",
    re.IGNORECASE,
)
"""`No sooner` that says only `as soon as`; with `than`, or before a verb, it may say `hardly`."""

LANGUAGES = frozenset(_NEGATIONS)
"""Codes of the languages whose negations are known."""


def turned_round(source: str, target: str, text: str) -> Callable[[str], bool]:
    """Return what says of a translation of a text that it has lost a negation, or made one up.

    Args:
        source: code of the language of the text.
        target: code of the language wanted. Where one of them is not in `LANGUAGES`, nothing is
            taken for wrong.
        text: a sentence.
    """
    if not {source, target} <= LANGUAGES:
        return never

    def is_turned(translation: str) -> bool:
        ours, theirs = (
            (_without_no_sooner(text, source), source),
            (_without_no_sooner(translation, target), target),
        )
        is_no = _says_no(*ours)
        if is_no == _says_no(*theirs):
            return False  # as mostly
        negative, other = (ours, theirs) if is_no else (theirs, ours)
        return not (_OTHER_USES[negative[1]].search(negative[0]) or _may_negate(*other))

    return is_turned


def _may_negate(text: str, language: str) -> bool:
    is_within = any(map(_WITHIN[language].fullmatch, _WORD.findall(text.lower())))
    return is_within or _has_foreign(text, language)


def _without_no_sooner(text: str, language: str) -> str:
    return _NO_SOONER.sub("", text) if language == "en" and "sooner" in small_words(text) else text


def _says_no(text: str, language: str) -> bool:
    if _HINTS[language].isdisjoint(small_words(text)):
        return False  # as mostly
    has_negation = _has_negation(_WORD.findall(text.lower()), language)
    return has_negation or _REFUSALS[language].search(text) is not None


def _has_negation(words: list[str], language: str) -> bool:
    return not NEGATIONS[language].isdisjoint(words) or (
        language == "en" and any(word.endswith(("n't", "n’t")) for word in words)
    )


def _has_foreign(text: str, language: str) -> bool:
    """Tell whether a text has a negation of another language: in a title, a name or a quotation."""
    words: list[str] = []
    for place, part in enumerate(_QUOTATION_MARK.split(text)):
        found = _WORD.findall(part)
        is_english = place % 2 == 1 and _ENGLISH.search(part)
        # a German `Not` is distress
        words += [word.lower() for word in found if is_english or word not in {"Not", "NOT"}]
    return any(_has_negation(words, other) for other in LANGUAGES - {language})


_SHOUTED_HINT = re.compile("NOT|MUST|NICHT")
_SHOUTED = {
    "en": re.compile(
        r"(?<![\w=\"'`“*_-])(?:(?P<modal>MUST)(?= (?:NOT\b|[a-z]))"
        r"|(?:(?<=[a-z] )|(?<=\bMUST ))(?<!\b[Tt]he )(?<!\b[Aa] )(?P<negation>NOT))"
        r"(?![\w(=\"'`”*_-])"
    ),
    "de": re.compile(r"(?<=[a-zäöüß,] )(?P<negation>NICHT)(?![\w(=\"'`“*_-])"),
}
_MODALS = {
    "de": frozenset(["muss", "musst", "müssen", "müsst", "darf", "darfst", "dürfen", "dürft"]),
    "en": frozenset(["must", "may"]),
}


def shouted_kinds(sentence: str, language: str) -> frozenset[str]:
    """Return which kinds of words a sentence shouts: `negation`, `modal`; mostly none.

    Args:
        sentence: not all in capitals.
        language: primary code of its language; those of German and English are known.
    """
    pattern = _SHOUTED.get(language)
    if pattern is None or not _SHOUTED_HINT.search(sentence):
        return frozenset()
    return frozenset(found.lastgroup or "" for found in pattern.finditer(sentence))


def without_shouts(text: str, language: str) -> str:
    """Return a text whose shouted words are in small letters."""
    return _SHOUTED[language].sub(lambda word: word[0].lower(), text)


def shout(translation: str, kinds: frozenset[str], language: str) -> str:
    """Return a translation with its words of some kinds in capitals."""

    def loud(word: re.Match[str]) -> str:
        small = word[0].lower().replace("’", "'")
        is_negation = small in NEGATIONS.get(language, ()) or small.endswith("n't")
        is_modal = small.removesuffix("n't") in _MODALS.get(language, ())
        is_loud = ("negation" in kinds and is_negation) or ("modal" in kinds and is_modal)
        return word[0].upper() if is_loud else word[0]

    return _WORD.sub(loud, translation)
