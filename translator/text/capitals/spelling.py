"""Words in capitals as they are ordinarily written: in small letters, as a noun, or as they are.

A model has hardly seen words in capitals and spells them out. Which spelling is the ordinary one,
its subword model knows: `Haus` is one frequent piece, `haus` is two rare ones, and `NATO` is a
piece of its own. Where a language gives nouns a capital, the word before and the ending of a word
tell as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from translator.text.characters import primary_language

LogProb = Callable[[str], float]
"""How probable a subword model finds a text, in nats; see `Vocabulary.log_prob`."""

_CLAUSE_ENDS = (*".,;:!?", "")
WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")

MOST_LIKE_ACRONYMS = 3
SURELY_NO_ACRONYM = 6.0
"""A word of no more letters than this, which stands alone, may be an acronym: `US`, `WHO`. It is
taken for a word if that is more probable by so many nats."""

_IN_MID_SENTENCE = -2.0
"""For a capital, but in German: a vocabulary has also seen the words that begin sentences."""


def _words(words: str) -> frozenset[str]:
    return frozenset(words.split())


_NO_NOUNS = _words(
    "aber alle allem allen aller alles als also am an andere anderen auch auf aus außer außerdem "
    "bald bei beide beiden beim bin bis bist da dabei dadurch dafür dagegen daher damals damit "
    "danach daran darauf daraus darf darin darum darüber das dass davon davor dazu dein deine "
    "deinem deinen deiner dem den denen denn dennoch der deren des deshalb dessen dich die dies "
    "diese diesem diesen dieser dieses dir doch dort du durch ein eine einem einen einer eines "
    "einige er erst es etwas euch euer eure für ganz gar gegen genau gern gerne haben habe hast "
    "hat hatte hatten hier hinter ich ihm ihn im immer in indem ins ist ja jede jedem jeden jeder "
    "jedes jedoch jemand jene jetzt kann kannst kein keine keinem keinen keiner können könnte mal "
    "man manche mehr mein meine meinem meinen meiner mich mir mit muss musste müssen nach nachdem "
    "nicht nichts nie niemand noch nun nur ob obwohl oder ohne schon sehr sei sein seine seinem "
    "seinen seiner seit seitdem sich sind so sobald solche soll sollte sondern sonst sowie trotz "
    "trotzdem um und uns unser unsere unter viel viele vielleicht vom von vor wann war waren warum "
    "was wegen weil weiter welche welchem welchen welcher welches wem wen wenig wenn wer werde "
    "werden weshalb wessen wie wieder wieso will wir wird wirst wo wobei woher wohin womit woran "
    "worauf worden wurde wurden während würde zu zum zur zwar zwischen über "
    "dran draußen drei drin drinnen dürfen dürft elf fünf geh hab habt hinten hol ihnen ihr ihre "
    "ihrem ihren ihrer ihres könnt manchmal müsst nachts naja nein oben okay sag sechs seid sieben "
    "sollen sollt vier vorne werdet wollen wollt zehn zwei zwölf"
)
_ADJECTIVES = _words(
    "mehrere mehreren mehrerer neue neuem neuen neuer vielen vieler weitere weiteren weiterer"
)
_POLITE = _words("ihnen ihr ihre ihrem ihren ihrer ihres")
"""Have a capital where somebody is addressed as `Sie`."""

_BEFORE_SHE = _words(
    "aber als arbeitet auch bevor bis da damit das dass daß dem den denen denn der die doch du er "
    "ging gab gegen glaubt habe hat hatte in indem ist kam kann kenne kennt konnte liebt liebte "
    "macht machte mag man muss musste nachdem ob obwohl oder sagte sah schien sobald sodass "
    "solange soll sollte um und versteht wann war warum was weil wenn wer werde wie wir wird wo "
    "wollte wurde während wäre würde über"
)
"""Words behind which `sie` is hardly ever an address."""

_SUBJECTS = _words("du er es ich man wer wir")
_BEFORE_ADJECTIVES = _words(
    "bin bist ganz ist klang klingt nicht scheint schien sehr seid sind so total war waren wart "
    "wirklich wirkt wirkte ziemlich zu"
)
_MODALS = _words(
    "darf darfst durfte dürfen kann kannst konnte konnten könnt können könnte könnten mag muss "
    "musst musste mussten möchte möchten möchtest müssen müsst müsste soll sollen sollst sollte "
    "sollten sollt werde werden werdet will willst wird wirst wollen wollt wollte wollten würde "
    "würden würdest"
)
_LIKE_NAMES = _words("als man")
_BEFORE_NOUNS = _words(
    "am an ans auf aus bei beim das dein deine deinem deinen deiner dem den der des die diese "
    "diesem diesen dieser dieses durch ein eine einem einen einer eines für gegen ihr ihre ihrem "
    "ihren ihrer im in ins kein keine keinem keinen keiner mein meine meinem meinen meiner mit "
    "nach oder ohne sein seine seinem seinen seiner und unser unsere unserem unseren unserer unter "
    "vom von zum zur über"
)
_BEFORE_OTHERS = _words(
    "auch bin bist dich dir du er es euch ganz habe haben hat ich ihm ihn immer ist kann man mich "
    "mir muss nicht nichts nie niemals noch schon sehr sei sich sind so soll uns viel viele war "
    "waren werde werden wie will wir wird wurde wurden zu"
)
_NOUN = re.compile(r"(?:ung|heit|keit|schaft|tum|ion|tät|ling|nis|ment)(?:en|s|e)?$|erin(?:nen)?$")
_NO_NOUN = re.compile(
    r"(?:lich|isch|ig|bar|sam|haft|los|frei|end|iert)(?:e[mnrs]?)?$|(?:te|ten|test|tet|ieren)$"
)
_INFINITIVE = re.compile(r"(?:[^\W\d_]{2,}(?:en|ern|eln)|tun|sein)$")
_PARTICIPLE = re.compile(
    r"[^\W\d_]*ge[^\W\d_]{2,}(?:t|en)$|(?:be|er|ver|zer|ent)[^\W\d_]{2,}(?:t|en)$"
)
_INFLECTED = re.compile("e[mnrs]?$")
_AFTER_ARTICLE, _BY_ENDING, _BY_NEIGHBOUR = 2.0, 3.0, 1.0
_IN_CLAUSE = 4.0


def ordinary_case(sentence: str, language: str, log_prob: LogProb) -> str:
    """Return a sentence in capitals as it is ordinarily written; acronyms stay.

    Args:
        sentence: all in capitals.
        language: code of its language; empty if nobody has said it.
        log_prob: of the vocabulary that reads it.
    """
    pieces, done, before = list[str](), 0, ""
    clause = list[str]()
    is_german = primary_language(language) == "de"
    for word in WORD.finditer(sentence):
        is_first = not before
        ordinary = ordinary_word(word[0], before, language, log_prob)
        if is_first:
            ordinary = ordinary[:1].upper() + ordinary[1:]
        elif is_german:
            is_last = sentence[word.end() : word.end() + 1] in _CLAUSE_ENDS
            ordinary = _in_clause(word[0], ordinary, clause, is_last, log_prob)
        is_cut = sentence[word.end() : word.end() + 1] in _CLAUSE_ENDS
        clause = [] if is_cut else [*clause, ordinary]
        pieces += [sentence[done : word.start()], ordinary]
        done, before = word.end(), ordinary
    return "".join([*pieces, sentence[done:]])


def _in_clause(
    word: str, ordinary: str, clause: Sequence[str], is_last: bool, log_prob: LogProb
) -> str:
    """Return a word of a German clause as the words before it want it.

    Args:
        word: in capitals.
        ordinary: as it is written by itself, or behind the word before it.
        clause: the words before it, as they are ordinarily written.
        is_last: whether the clause ends with it.
        log_prob: of the vocabulary.
    """
    small = word.lower()
    if small == "sie":
        return small if clause and clause[-1].lower() in _BEFORE_SHE else ordinary
    if small in _POLITE:
        return small.capitalize() if "Sie" in clause else small
    if ordinary == word or ordinary.islower() or not clause:
        return ordinary
    before = clause[-1]
    is_behind_noun_marker = before.lower() in _BEFORE_NOUNS
    has_modal = not _MODALS.isdisjoint(one.lower() for one in clause)
    is_verb = (len(clause) == 1 and before.lower() in _SUBJECTS) or (
        is_last
        and not is_behind_noun_marker
        and (
            ((has_modal or before == "zu") and _INFINITIVE.fullmatch(small))
            or _PARTICIPLE.fullmatch(small)
        )
    )
    is_said_of = is_last and before.lower() in _BEFORE_ADJECTIVES
    if not (is_verb or is_said_of):
        return ordinary
    return small if log_prob(small) > log_prob(ordinary) - _IN_CLAUSE else ordinary


def ordinary_word(word: str, before: str, language: str, log_prob: LogProb) -> str:
    """Return a word in capitals as it is ordinarily written inside a sentence.

    Args:
        word: in capitals.
        before: the word before it, as it is ordinarily written; empty if there is none.
        language: code of its language.
        log_prob: of the vocabulary that reads it.
    """
    small, is_german = word.lower(), primary_language(language) == "de"
    if is_german and (small in _NO_NOUNS or small in _ADJECTIVES):
        return small
    for_capital = _for_noun(small, before) if is_german else _IN_MID_SENTENCE
    probable = {word: log_prob(word)}
    for one in spellings_of(word, language):
        probable[one] = log_prob(one) + (0 if one.islower() else for_capital)
    return max(probable, key=probable.__getitem__)


def spellings_of(word: str, language: str) -> list[str]:
    """Return how a word in capitals may ordinarily be written: in small letters, or as a noun."""
    small = word.lower()
    is_german = primary_language(language) == "de"
    smalls = dict.fromkeys((small, small.replace("ss", "ß")) if is_german else (small,))
    return [spelling for one in smalls for spelling in (one, one.capitalize())]


def _for_noun(word: str, before: str) -> float:
    """Return what speaks for a capital in German, in nats."""
    found = 0.0
    if before.lower() in _BEFORE_NOUNS:
        found = _AFTER_ARTICLE
    elif before.lower() in _BEFORE_OTHERS:
        found = -_BY_NEIGHBOUR
    elif before.islower() and before not in _NO_NOUNS and _INFLECTED.search(before):
        found = _BY_NEIGHBOUR  # behind an adjective
    if _NO_NOUN.search(word):
        return found - _BY_ENDING
    return found + _BY_ENDING if _NOUN.search(word) else found


def is_small_word(word: str, language: str) -> bool:
    """Return whether a word is one of those that no acronym of three letters or more looks like."""
    is_known = primary_language(language) == "de" and word in _NO_NOUNS - _LIKE_NAMES
    return is_known and len(word) >= MOST_LIKE_ACRONYMS


def is_word(word: str, language: str, log_prob: LogProb) -> bool:
    """Return whether a word in capitals that stands alone is a word, and no acronym."""
    ordinary = ordinary_word(word, "", language, log_prob)
    if ordinary == word or len(word) > MOST_LIKE_ACRONYMS:
        return ordinary != word
    return log_prob(ordinary) - log_prob(word) > SURELY_NO_ACRONYM
