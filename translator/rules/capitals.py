"""Words in capitals: how they are ordinarily written."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from translator.text.characters import ONE_PIECE, LogProb, knows_word, primary_language, word_set

_CLAUSE_ENDS = (*".,;:!?", "")
WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")

_FIRST_WORD = re.compile(
    rf"(?:^|(?<=[!?]\s)|(?<=[^\W\d_]{{3}}[.]\s)){WORD.pattern}(?!\w|[-@/]|://|[.]\w)"
)
"""Of a sentence; `e.g.`, addresses and `E-Mail` are none."""

_ACRONYM = re.compile(
    r"\b(?!(?:BZW|CM|DR|FR|HR|HMM|KG|KM|LTD|MG|ML|MM|MR|MRD|MRS|MS|NR|PST|ST|STR|TSD|VGL|VS|ZZGL)\b)"
    r"[^\W\d_AEIOUYÄÖÜ]{2,4}\b|\b(?:CDU|CIA|CSU|EZB|FBI|SPD)\b"
)
"""Of a sentence in capitals: it has no vowel, or a vocabulary takes it for a rare word."""

_MOST_LIKE_ACRONYMS = 3
_SURELY_NO_ACRONYM = 6.0
"""A word of no more letters than this, which stands alone, may be an acronym: `US`, `WHO`. It is
taken for a word if that is more probable by so many nats."""

_IN_MID_SENTENCE = -2.0
"""For a capital, but in German: a vocabulary has also seen the words that begin sentences."""


_NO_NOUNS = word_set(
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
_ADJECTIVES = word_set(
    "mehrere mehreren mehrerer neue neuem neuen neuer vielen vieler weitere weiteren weiterer"
)
_POLITE = word_set("ihnen ihr ihre ihrem ihren ihrer ihres")
"""Have a capital where somebody is addressed as `Sie`."""

_BEFORE_SHE = word_set(
    "aber als arbeitet auch bevor bis da damit das dass daß dem den denen denn der die doch du er "
    "ging gab gegen glaubt habe hat hatte in indem ist kam kann kenne kennt konnte liebt liebte "
    "macht machte mag man muss musste nachdem ob obwohl oder sagte sah schien sobald sodass "
    "solange soll sollte um und versteht wann war warum was weil wenn wer werde wie wir wird wo "
    "wollte wurde während wäre würde über"
)
"""Words behind which `sie` is hardly ever an address."""

_SUBJECTS = word_set("du er es ich man wer wir")
_BEFORE_ADJECTIVES = word_set(
    "bin bist ganz ist klang klingt nicht scheint schien sehr seid sind so total war waren wart "
    "wirklich wirkt wirkte ziemlich zu"
)
_MODALS = word_set(
    "darf darfst durfte dürfen dürfte dürften dürftest kann kannst konnte konnten können könnt "
    "könnte könnten könntest könntet mag muss musst musste mussten möchte möchten möchtest müssen "
    "müsst müsste müssten müsstest müsstet soll sollen sollst sollt sollte sollten solltest "
    "solltet werde werden werdet will willst wird wirst wollen wollt wollte wollten würde würden "
    "würdest"
)
_BEFORE_NOUNS = word_set(
    "am an ans auf aus bei beim das dein deine deinem deinen deiner dem den der des die diese "
    "diesem diesen dieser dieses durch ein eine einem einen einer eines für gegen ihr ihre ihrem "
    "ihren ihrer im in ins kein keine keinem keinen keiner mein meine meinem meinen meiner mit "
    "nach oder ohne sein seine seinem seinen seiner und unser unsere unserem unseren unserer unter "
    "vom von zum zur über"
)
_BEFORE_OTHERS = word_set(
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
_LONGEST_CLAUSE = 40
"""Words before a word that can tell how it is written."""


def ordinary_case(sentence: str, language: str, log_prob: LogProb) -> str:
    """Return a sentence in capitals as it is ordinarily written; acronyms stay."""
    pieces, done, before = list[str](), 0, ""
    clause = list[str]()
    is_german = primary_language(language) == "de"
    for word in WORD.finditer(sentence):
        is_first, is_acronym = not before, _ACRONYM.fullmatch(word[0])
        ordinary = word[0] if is_acronym else ordinary_word(word[0], before, language, log_prob)
        if is_first:
            ordinary = ordinary[:1].upper() + ordinary[1:]
        elif is_german:
            is_last = sentence[word.end() : word.end() + 1] in _CLAUSE_ENDS
            ordinary = _in_clause(word[0], ordinary, clause, is_last, log_prob)
        is_cut = sentence[word.end() : word.end() + 1] in _CLAUSE_ENDS
        clause = [] if is_cut else [*clause[-_LONGEST_CLAUSE:], ordinary]
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
    for one in (small, small.replace("ss", "ß")) if is_german else (small,):
        probable[one] = log_prob(one)
        probable.setdefault(one.capitalize(), log_prob(one.capitalize()) + for_capital)
    return max(probable, key=probable.__getitem__)


def _for_noun(word: str, before: str) -> float:
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


def with_capitals_first(text: str) -> str:
    """Return a text in small letters with a capital at the beginning of each sentence."""
    return _FIRST_WORD.sub(lambda word: word[0].capitalize(), text)


def without_capitals_first(text: str, log_prob: LogProb) -> str:
    """Return a German text with small letters at the beginnings of sentences, but for nouns."""

    def small(word: re.Match[str]) -> str:
        is_you = word[0].lower() in _POLITE or word[0] == "Sie"
        if is_you or not (word[0].istitle() and word[0][0].isupper()):
            return word[0]
        is_noun = not ordinary_word(word[0].upper(), "", "de", log_prob).islower()
        return word[0] if is_noun else word[0][0].lower() + word[0][1:]

    return _FIRST_WORD.sub(small, text)


_SALUTATION = re.compile(
    r"(?:Dear|Hello|Hi|Hey|Good (?:morning|afternoon|evening|day)|Lieb(?:e[rs]?|ste[rs]?)|Hallo"
    r"|Moin|Guten (?:Tag|Morgen|Abend)|Sehr geehrte[rs]?|Werte[rs]?)\b[^!?:\n]{0,80},"
)


def follows_salutation(above: str, separator: str) -> bool:
    """Return whether a sentence begins a letter: above it is a salutation with a comma.

    Args:
        above: the sentence before it.
        separator: between the two.
    """
    return "\n" in separator and _SALUTATION.fullmatch(above) is not None


def after_salutation(translation: str, target: str, log_prob: LogProb) -> str:
    """Return the first sentence of a letter as its language begins it.

    English has a capital there. German goes on behind the comma, in a small letter but for nouns.

    Args:
        translation: of the sentence.
        target: code of its language.
        log_prob: of the vocabulary.
    """
    if primary_language(target) == "en":
        return translation[:1].upper() + translation[1:]
    first = re.match(r"\w+", translation) if primary_language(target) == "de" else None
    if first is None:
        return translation
    return without_capitals_first(first[0], log_prob) + translation[first.end() :]


def is_word(word: str, language: str, log_prob: LogProb) -> bool:
    """Return whether a word in capitals that stands alone is a word, and no acronym."""
    ordinary = ordinary_word(word, "", language, log_prob)
    if ordinary == word or len(word) > _MOST_LIKE_ACRONYMS:
        return ordinary != word
    return log_prob(ordinary) - log_prob(word) > _SURELY_NO_ACRONYM


_SMALL_IN_HEADLINES = word_set(
    "a an and as at but by for from in into nor of off on or out over per the to up vs via with"
)
_NEVER_NAMES = _SMALL_IN_HEADLINES | word_set(
    "about after again against all are be before been can dead did do does down eight end five "
    "found four get gets goes has have her his how is it its kill killed kills know last man men "
    "more most new nine no not now old one our say says seven six still take takes than that their "
    "these they this those three two under until was we were what when where who why will woman "
    "women year years you your"
)
_BEFORE_NAMES = word_set("el la las los new north saint san south st")
_BEFORE_CAPITAL = re.compile(r"(?:[\"“‘]|(?<!\w)'|:\s)$")
_FEWEST_WORDS, _FEWEST_CAPITALS = 4, 3
_KNOWN_BETTER = 2.0
"""In nats, for small letters. Translations of 598 headlines into German have 64.9 chrF with this,
and 61.6 with their capitals."""


def headline_case(sentence: str, log_prob: LogProb) -> str:
    """Return an English sentence as it is ordinarily written if all its words have capitals.

    A model copies such words, or takes them for names. Names and rare words keep their capitals.
    """
    if sentence.endswith((".", ":")) or not _is_headline(sentence):
        return sentence  # as nearly always
    words = list(WORD.finditer(sentence))
    written = [words[0][0], *(_in_headline(word[0], log_prob) for word in words[1:])]
    for place, (word, after) in enumerate(itertools.pairwise(written)):
        is_name = word in _BEFORE_NAMES and after[0].isupper()
        start = words[place].start()
        if is_name or _BEFORE_CAPITAL.search(sentence[max(0, start - 2) : start]):
            written[place] = words[place][0]
    written.reverse()
    return WORD.sub(lambda _: written.pop(), sentence)


def _is_headline(sentence: str) -> bool:
    num_words = num_capitals = 0
    for word in sentence.split():
        if word[0].islower():
            if word not in _SMALL_IN_HEADLINES:
                return False
        elif word[0].isupper() and word[1:].islower() and word.lower() not in _SMALL_IN_HEADLINES:
            num_capitals += 1
        num_words += 1
    return num_words >= _FEWEST_WORDS and num_capitals >= _FEWEST_CAPITALS


def _in_headline(word: str, log_prob: LogProb) -> str:
    if not (word[0].isupper() and word[1:].islower()):
        return word
    small = word.lower()
    if small in _NEVER_NAMES:
        return small
    is_better = log_prob(small) - log_prob(word) > _KNOWN_BETTER
    return small if is_better and knows_word(small, log_prob) else word


_LABEL = re.compile(rf"({WORD.pattern})(?: {WORD.pattern}|[.!?:…]*)")
_SURELY = 6.0
_SURELYONE_PIECE = 3.0
"""By so many nats another spelling of a word that stands alone must be more probable."""

_TWO_PIECES = -16.0
"""A German word in small letters that is less probable may be a noun in pieces."""


def label_case(text: str, language: str, log_prob: LogProb) -> str:
    """Return a word or two that stand alone with the first letter that the vocabulary knows.

    A model reads `Bread`, if that is rare in its text, in other pieces than `bread`, and knows
    those less well: it may translate `B` and `read`. So may it read German nouns in small letters.
    """
    label = _LABEL.fullmatch(text)
    if not label or len(label[1]) < 2 or not label[1][1:].islower():
        return text
    first, rest = label[1], text[label.end(1) :]
    small, large = first.lower(), first.capitalize()
    is_german = primary_language(language) == "de"
    likely = log_prob(small)
    for_small = likely - log_prob(large) - (_for_noun(small, "") if is_german else 0.0)
    if first == large:
        if not is_german and rest[1:2].isupper():
            return text  # a title or a name
        if is_german:
            is_small = for_small >= _SURELY and likely > _TWO_PIECES
        else:
            is_small = for_small >= (_SURELYONE_PIECE if likely > ONE_PIECE else _SURELY)
        return small + rest if is_small else text
    return large + rest if is_german and not rest and for_small <= -_SURELY else text
