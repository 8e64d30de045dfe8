"""The step `normalise`: a sentence as a model reads it; `denormalise` is the way back.

Emoji go behind the sentence, rare characters are written in the common way, and a sentence all in
capitals, or in small letters, is read as it is ordinarily written (`capitals`). A word that stands
alone may be read as the vocabulary knows it, too. Spans that must come back verbatim are
placeholders by then.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from translator.text.abbreviations import in_full
from translator.text.capitals import (
    LogProb,
    headline_case,
    is_word,
    label_case,
    ordinary_case,
    with_capitals_first,
    without_capitals_first,
)
from translator.text.characters import WINDOWS, plain, primary_language, take_out_emoji
from translator.text.compounds import with_whole_compounds
from translator.text.gendered import with_one_gender
from translator.text.numbers.amounts import money_as_read, with_inches
from translator.text.numbers.clock import as_read, with_german_zones
from translator.text.numbers.days import days_as_read
from translator.text.numbers.movements import moves_as_read
from translator.text.phrases import with_known_phrases
from translator.text.spelling import with_apostrophes, with_umlauts

_SEE = re.compile(r"\b([Vv])gl\.")
_IN_FULL = {
    "de": (
        (re.compile(r"(?<=[0-9]\s)Mill\."), "Mio."),
        (re.compile(r"\bu\.\s?U\."), "unter Umständen"),
        (re.compile(r"\bU\.\s?U\.(?=\s[a-zäöü])"), "Unter Umständen"),
        (re.compile(r"\bi\.\s?V\.\s?m\."), "in Verbindung mit"),
    ),
    "en": (
        (re.compile(r"(?<!\w)['‘’](?=[0-9]0s\b)"), ""),
        (re.compile(r"(?<!\w)['‘’]T(?:is|IS)\b"), "It is"),
        (re.compile(r"(?<!\w)['‘’]tis\b"), "it is"),
        (re.compile(r"(?<=\w\s)['‘’]n['’](?=\s[a-z])"), "and"),
        *(
            (re.compile(rf"(?<![\w'’])['‘’]{short}\b(?![^'’]*['’](?!\w))"), full)
            for short, full in (
                *(("cause", "because"), ("Cause", "Because"), ("em", "them")),
                *(("bout", "about"), ("Bout", "About"), ("til", "until"), ("Til", "Until")),
            )
        ),
        (re.compile(r"\bU\.K\.(?![\"'”’)]*$)"), "UK"),
        (re.compile(r"\bU\.K\.(?=[\"'”’)]*$)"), "UK."),
        (re.compile(r"\bU\.S\.(?:A\.)?(?=[\"'”’)]*$)"), "USA."),
        (re.compile(r"(?<![\w.])U\.N\.(?!\w|[\"'”’)]*$)"), "UN"),
        (re.compile(r"(?<![\w.])U\.N\.(?=[\"'”’)]*$)"), "UN."),
        (re.compile(r"\bA(?:D|\.D\.)\s([1-9][0-9]{0,3})(?![\w:/-]|[.,][0-9]|\sR[0-9])"), r"\1 AD"),
    ),
}
_IN_FULL_HINT = re.compile(
    r"[DM.'‘’](?:(?<=M)ill\.|(?<=[uUV]\.)\s?[Um]\.|(?<=U\.)[KNS]\.|(?<=AD|\.D)\.? [0-9]"
    r"|(?<=['‘’])(?:[0-9]0s|[Tt]is|TIS|n['’]|[Cc]ause|em\b|[Bb]out|[Tt]il\b))"
)
"""Short forms that a model takes for something else, by language, and what they stand for. The hint
and the next one begin with rare signs, as those of `spans`."""

_TYPED_OTHERWISE = {
    "de": (
        (re.compile(r"(?<!\w)«\s?(?P<inner>[^«»]*[^«»\s])\s?»(?!\w)"), r"„\g<inner>“"),
        (re.compile(r"„\s(?P<inner>[^„“]*\S)\s“"), r"„\g<inner>“"),
        (re.compile(r"\b(?P<number>[0-9]{1,2}\.)(?=[A-ZÄÖÜ][a-zäöüß]{2})"), r"\g<number> "),
        (re.compile(r"\b(?P<title>Dr|Fr|Hr|Prof|St)\.(?=[A-ZÄÖÜ][a-zäöüß])"), r"\g<title>. "),
        (re.compile(r"(?<![\w-])AGB(?![\w-])"), "Geschäftsbedingungen"),
        (re.compile(r"\b1\. Hilfe\b"), "Erste Hilfe"),
        (re.compile(r"\babzüglich(?=\s)"), "minus"),
        (re.compile(r"\bAbzüglich(?=\s)"), "Minus"),
        (
            re.compile(
                r"\b(?P<all>(?i:alle[mnrs]?|keiner|niemand|nichts|jeder)(?: [A-ZÄÖÜ][a-zäöüß]+)?)"
                r" bis auf (?!(?:\w+ )?letzte|weiteres)"
            ),
            r"\g<all> außer ",
        ),
    ),
    "en": (
        (re.compile(r"\b(?P<title>Dr|Mrs?|Ms|Prof|St)\.(?=[A-Z][a-z])"), r"\g<title>. "),
        (
            re.compile(
                r"(?<![^\s($€£<>~=±+-])\.(?=[0-9])(?![0-9]{2,3}(?:-|\s(?:cal|Mag|[A-Z]"
                r"|rifle|pistol|revolver|hand|gun|ammo|round|bullet)))"
            ),
            "0.",
        ),
        (re.compile(r"(?<![/\w])sq\.? ?ft(?:\.(?=\s[a-z]|[,;)]))?(?!\w)"), "square feet"),
        (re.compile(r"^(?P<quote>[\"'“‘]?)Twice\b(?!-)"), r"\g<quote>Two times"),
        (re.compile(r"\b(?P<must>[Mm]ust)n['’]t\b"), r"\g<must> not"),
        (re.compile(r"\bno more than (?=[0-9])"), "at most "),
        (re.compile(r"\bNo more than (?=[0-9])"), "At most "),
        (re.compile(r"\b(?:a|one) fortnight(?:['’]s)?\b"), "two weeks"),
        (re.compile(r"\b(?:A|One) fortnight(?:['’]s)?\b"), "Two weeks"),
        (
            re.compile(
                r"\b(?P<which>[Ee]very|per|(?:[Tt]he|[Tt]his) (?:first|last|next|past)) fortnight\b"
            ),
            r"\g<which> two weeks",
        ),
        (re.compile(r"(?<=[0-9] )lbs(?:\.(?=\s[a-z]|[,;)]))?(?!\w)"), "pounds"),
    ),
}
_TYPED_OTHERWISE_HINT = re.compile(
    r"«|»|„\s|\.(?<=\w\.)[A-ZÄÖÜ]|AGB|\.(?<![\w.,]\.)[0-9]|q(?<=sq)\.? ?ft|b(?<= lb)s"
)
"""Quotes of the Swiss, missing spaces and zeros, units, and words taken for others, by language."""

_MISREAD_HINTS = ("bis auf", "bzüglich ", "Twice", "fortnight", "o more than ", "ustn", ". Hilfe")

_BY_DIMENSION = re.compile(
    r"(?<![\w.,:/-])(?P<one>(?P<a>\b[Aa]n? )?[0-9]{1,4}(?:\.[0-9]+)?(?: ?(?:cm|ft|in|m|mm))?) by "
    r"(?P<two>[0-9]{1,4}(?:\.[0-9]+)?)(?=[ -]?(?:cm|ft|in|km|m|mm|feet|foot|inch(?:es)?|pixels?"
    r"|px|yards?|(?:centi|kilo|milli)?met(?:er|re)s?)\b|(?(a) [a-z]|(?!)))"
)
"""Two sides, which a model takes for a range."""

_ABOUT = re.compile(r"\b(?P<um>[Uu]m) die (?=[0-9]{1,3}(?:\.[0-9]{3})* [A-ZÄÖÜ])")
_OF_CARE = re.compile(
    r"(?i:bat\b|bewarb|bewerb|bitt|dreh|geht|ging|handel|kampf|kämpf|kümmer|sorg|streit|stritt|trauer|wett)"
)
"""Words of sentences whose `um` says about what."""

_SPACED = re.compile(r"(?<!\S)[^\W\d_](?: [^\W\d_]){3,40}(?![^\s.,;:!?])")
_SPACED_HINT = re.compile(r" [a-zäöüß] (?<= . )[a-zäöüß] ")

_KEYS = {
    "Bild auf": "Page Up",
    "Bild ab": "Page Down",
    "Einfg": "Insert",
    "Eingabe": "Enter",
    "Entf": "Delete",
    "Pos1": "Home",
}
_GERMAN_KEY = re.compile(
    r"(?P<before>\b[Dd]rück(?:en Sie|en|e|t)(?: die Taste)? |\bTaste |\w ?\+ ?)"
    rf"(?P<key>{'|'.join(_KEYS)})(?=[.,;:!?)+]|$| (?:und|oder|um|zum|drücken)\b)"
)
_ENGLISH_KEY = re.compile(
    r"\b(?P<press>[Pp]ress) (?P<key>Return|Space|Tab)(?=[.,;:!?)]|$| (?:and|or|to)\b)"
)
_PRESSED = ("ress Return", "ress Space", "ress Tab")
"""Keys that a model takes for other words; it copies English names of German ones."""

_UNSPACED_HINT = re.compile(r"[,!?](?<=[a-zäöüß].)(?=[^\W\d_])")
_UNSPACED = re.compile(
    r"(?<![^\s(])[^\W\d_]+"
    r"(?:(?<=[a-zäöüß]{2})(?:,(?=[^\W\d_]{2})|[!?](?=[A-ZÄÖÜ][a-zäöüß]*(?![^\W\d_])))[^\W\d_]+)+"
    r"(?![^\s.,:;!?\"“”)]|[.,:;!?][^\s\"“”)])"
)
_BEFORE_WORD = re.compile(r"(?<=[,!?])(?=[^\W\d_])")
"""Of words without a space behind a mark, as in `Hello,how are you?I am fine.`"""

_HEADS = {
    ("de", "en"): re.compile(r"^An(?=: [^\W\d_])"),
    ("en", "de"): re.compile(r"^Sent(?=: )"),
}
_IN_TARGET = {"en": "To", "de": "Gesendet"}
"""In the head of a quoted mail, words that a model takes for others; it copies those wanted."""

_ROUND = re.compile(r"(?<=[0-9]),(?:[-–—]{1,2})(?!\w)|(?<=[0-9])\.(?=\+[0-9])")
"""Signs in a number that only German has: of `1.250,– Euro`, and of the minute `90.+3`."""

_ROUND_HINTS = (",-", ",–", ",—", ".+")
_MISREAD = re.compile("[\x80-\x9f]")

_WORD, _DIGIT = re.compile(r"[^\W\d_]{2,}"), re.compile("[0-9]")


_FEWEST_SMALL, _FEWEST_BESIDE_DIGITS = 3, 2
"""Words of a sentence in small letters; fewer may be an entry of a dictionary: `to open`."""

Case = Literal["ordinary", "capital", "capitals", "small"]


class Normalised(NamedTuple):
    """A sentence, or a piece of one, as a model reads it.

    Attributes:
        text: without emoji and rare characters.
        case: of the sentence; `text` is no longer all in capitals, or in small letters.
        emoji: those taken out, behind a space; empty if there were none.
        label: `text` with another first letter, if it is a word that may be known better so.
    """

    text: str
    case: Case
    emoji: str
    label: str = ""


def normalise(
    pieces: Sequence[str], language: str, log_prob: LogProb, target: str = ""
) -> list[Normalised]:
    """Return the pieces of one sentence as a model reads them.

    Its case is a question about the sentence, so all pieces get the same answer. Small letters
    matter only where German is wanted: a model takes them for a habit, and nouns have capitals.

    Args:
        pieces: of the sentence.
        language: code of its language; empty if nobody has said it.
        log_prob: of the vocabulary; see `Vocabulary.log_prob`.
        target: code of the language wanted.
    """
    without = [take_out_emoji(piece) for piece in pieces]
    plain_texts = [
        _spelled_out(_closed(plain(text)), primary_language(language), log_prob)
        for text, _ in without
    ]
    if primary_language(language) == "en" and primary_language(target) == "de":
        plain_texts = [with_german_zones(text) for text in plain_texts]
        if len(plain_texts) == 1:
            plain_texts = [headline_case(plain_texts[0], log_prob)]
    languages = primary_language(language), primary_language(target)
    plain_texts = [with_known_phrases(text, *languages) for text in plain_texts]
    head = _HEADS.get(languages)
    if head and plain_texts and plain_texts[0].startswith(("An: ", "Sent: ")):
        plain_texts[0] = head.sub(_IN_TARGET[languages[1]], plain_texts[0])
    sentence = " ".join(plain_texts)
    case: Case = "ordinary"
    label = ""
    if is_in_capitals(sentence, language, log_prob):
        case = "capitals"
        plain_texts = [ordinary_case(text, language, log_prob) for text in plain_texts]
        if primary_language(language) == "de":
            plain_texts = [with_umlauts(text, log_prob) for text in plain_texts]
    elif primary_language(target) == "de" and sentence.islower() and _has_words(sentence):
        case = "small"
        plain_texts[0] = with_capitals_first(plain_texts[0])
    elif len(plain_texts) == 1 and (other := label_case(sentence, language, log_prob)) != sentence:
        case, label = "capital" if sentence[0].isupper() else "ordinary", other
    return [
        Normalised(text, case, f" {emoji}" if emoji else "", label)
        for text, (_, emoji) in zip(plain_texts, without, strict=True)
    ]


def denormalise(translation: str, case: Case, log_prob: LogProb) -> str:
    """Return a translation in the case of its sentence, and without misread characters.

    Args:
        translation: as the model wrote it.
        case: that `normalise` has found.
        log_prob: of the vocabulary.
    """
    text = translation.translate(WINDOWS) if _MISREAD.search(translation) else translation
    if case == "small":
        return without_capitals_first(text, log_prob)
    if case == "capital":
        return text[:1].upper() + text[1:]
    return text.upper() if case == "capitals" else text


def _spelled_out(text: str, language: str, log_prob: LogProb) -> str:
    """Return a text without signs and abbreviations that a model copies instead of translating."""
    if language == "de":
        text = with_umlauts(text, log_prob)
    if language == "en":
        text = with_inches(money_as_read(with_apostrophes(text)))
        text = moves_as_read(text)
        if " by " in text:
            text = _BY_DIMENSION.sub(r"\g<one> × \g<two>", text)
        if any(pressed in text for pressed in _PRESSED):
            text = _ENGLISH_KEY.sub(r"\g<press> the \g<key> key", text)
    text = as_read(days_as_read(text, language), language)
    if language == "de":
        if any(key in text for key in _KEYS):
            text = _GERMAN_KEY.sub(lambda found: found["before"] + _KEYS[found["key"]], text)
        text = with_one_gender(with_whole_compounds(text))
        if "m die " in text and not _OF_CARE.search(text):
            text = _ABOUT.sub(lambda found: "etwa " if found["um"] == "um" else "Etwa ", text)
        if any(hint in text for hint in _ROUND_HINTS):
            text = _ROUND.sub("", text)
        if "gl." in text:
            text = _SEE.sub(_see, text)
    if _IN_FULL_HINT.search(text):
        for short_form, words in _IN_FULL.get(language, ()):
            text = short_form.sub(words, text)
    if _UNSPACED_HINT.search(text) and text.count(" ") > 1:
        text = _UNSPACED.sub(_spaced, text)
    is_misread = any(hint in text for hint in _MISREAD_HINTS)
    if is_misread or _TYPED_OTHERWISE_HINT.search(text):
        for typed, usual in _TYPED_OTHERWISE.get(language, ()):
            text = typed.sub(usual, text)
    return in_full(text, language)


def _closed(text: str) -> str:
    """Return a text without the spaces between the letters of a word: `W e l c o m e`."""
    if not _SPACED_HINT.search(f" {text} "):
        return text  # as nearly always
    return _SPACED.sub(_joined, text)


def _joined(letters: re.Match[str]) -> str:
    """Return the word of some letters; three in the order of the alphabet are none."""
    word = letters[0].replace(" ", "")
    codes = [*map(ord, word.lower())]
    steps = [two - one for one, two in itertools.pairwise(codes)]
    is_alphabet = (1, 1) in itertools.pairwise(steps)
    return letters[0] if is_alphabet else word


def _spaced(words: re.Match[str]) -> str:
    """Return words with spaces behind their marks; several commas without any are those of code."""
    return words[0] if words[0].count(",") > 1 else _BEFORE_WORD.sub(" ", words[0])


def _see(short: re.Match[str]) -> str:
    return "Siehe" if short[1] == "V" else "siehe"


def _has_words(sentence: str) -> bool:
    least = _FEWEST_BESIDE_DIGITS if _DIGIT.search(sentence) else _FEWEST_SMALL
    return len(_WORD.findall(sentence)) >= least


def is_in_capitals(sentence: str, language: str, log_prob: LogProb) -> bool:
    """Return whether a sentence is all in capitals, and more than an acronym.

    A model that has hardly seen such words would spell them out: it does better with small letters.

    Args: see `normalise`.
    """
    if not sentence.isupper():
        return False
    words = _WORD.findall(sentence)
    if len(words) < 2:
        return bool(words) and is_word(words[0], language, log_prob)
    return ordinary_case(sentence, language, log_prob) != sentence
