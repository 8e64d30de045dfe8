"""What a model cannot read in a text, character by character.

Most of Unicode is rare in any text a model has learned from, and what it hardly knows it makes
nonsense of. Symbols and emoji therefore pass it by (as placeholders; emoji also without), and so
do words in a script that its vocabulary lacks, and words with a letter that it hardly knows. What
cannot be seen is kept from it, and a few characters are written for it as it knows them.

A script is named by the first word of its letters' names in Unicode: `CYRILLIC`, `CJK`, `HANGUL`.
"""

from __future__ import annotations

import functools
import html.entities
import re
import sys
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass

_LETTERS = tuple(
    name
    for name, code in html.entities.name2codepoint.items()
    if chr(code).isalpha() and unicodedata.name(chr(code)).startswith("LATIN")
)
TYPED_SIGNS = {
    *(ord(sign) for sign in "\"'«»‹›–—…"),
    *(ord(sign) for sign in "\u2018\u2019\u201a\u201c\u201d\u201e"),
}
"""Quotes, the apostrophe and dashes, which HTML writes as entities here and there: code points."""

_NAMES_OF_SIGNS = (html.entities.codepoint2name.get(code, "apos") for code in TYPED_SIGNS)
TYPED_ENTITY = (
    rf"&(?:{'|'.join(_NAMES_OF_SIGNS)}|amp(?=;\s)"
    rf"|\#0{{0,3}}(?:{'|'.join(map(str, TYPED_SIGNS))})"
    rf"|\#[xX]0{{0,3}}(?i:{'|'.join(f'{code:x}' for code in TYPED_SIGNS)})"
    rf"|{'|'.join(_LETTERS)}|\#0{{0,3}}(?:19[2-9]|2(?:0\d|1[0-46-9]|[235]\d|4[0-689]))"
    r"|\#[xX]0{0,3}(?:[cCeE]|[dDfF](?!7))[0-9A-Fa-f]);"
)
"""A Latin letter, a quote, an apostrophe or a dash as HTML writes it: a pattern.

So are `&uuml;` in `f&uuml;r` and `&#39;` in `It&#39;s`; the model reads what they stand for.
"""

_INVISIBLE = (
    "\x00-\x08\x0e-\x1b\x7f\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\ufe00-\ufe0f\ufeff\ufff9-\ufffb\U000e0000-\U000e01ef"
)
SPACES = "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
"""All but the plain one, and those that end lines: inside a set of characters."""

ESCAPE = r"\x1b\[[0-?]{0,20}[ -/]?[@-~]"
"""Colours and the like in the output for a terminal."""

_KEYCAP = "[0-9#*]\ufe0f?\u20e3"
_PICTURE = (
    "[\u231a\u231b\u23e9-\u23f3\u25fd\u25fe\u2600-\u2767\u27b0\u27bf\u2b1b\u2b1c\u2b50\u2b55"
    f"\U0001f000-\U0001f0ff\U0001f10d-\U0001faff]|[\u00a9\u00ae\u203c-\u3299]\ufe0f|{_KEYCAP}"
)
_EMOJI = f"(?:{_PICTURE})[\u200d\ufe0e\ufe0f\u20e3\U000e0020-\U000e007f]*"
_SYMBOLS = (
    "\u00a2-\u00a7\u00a9\u00ac\u00ae\u00b0-\u00b3\u00b5-\u00b7\u00b9\u00bc-\u00be\u00d7\u00f7"
    "\u2016\u2020-\u2022\u2030-\u203b\u2044\u2070-\u209f\u20a0-\u20ab\u20ad-\u20bf\u2100-\u2bff"
    "\U0001f100-\U0001f10c"  # digits with a comma or in a circle, which no space sets apart
    # signs of fonts, and what was not readable; placeholders, among them, are spans of their own
    "\ue000\ue041-\uf8ff\ufffc\ufffd\U000f0000-\U0010fffd"
)
_GREEK = "[\u0370-\u03ff]"
_LONE_GREEK = f"(?<!{_GREEK})[\u0391-\u03a9\u03b1-\u03b6\u03b8-\u03be\u03c0-\u03c9](?!{_GREEK})"
_SIGN = r"(?<![^\s(\[])\u2212[0-9]"  # a minus that belongs to its number is read with it
SYMBOLS = rf"(?:{_EMOJI}|(?!{_SIGN})[{_SYMBOLS}]\ufe0e?)+|{_LONE_GREEK}"
"""Neither words nor punctuation; a Greek letter that stands alone is one, too (but no article)."""

SYMBOLS_HINT = f"[{_SYMBOLS}\u0391-\u03c9\u20e3\ufe0f\U0001f000-\U0001faff]"
"""What is found in any text that has a symbol."""

EMOTICON = (
    r"¯\\{1,2}_\(ツ\)_/¯|\(╯°□°[)）]╯︵\s?┻━┻|(?<![\w-])(?:-_+-|\^_*\^|[oO0]_+[oO0]|[;><.*T]_+[;><.*T])"
    r"(?![\w-])"
)
"""Those that a model does not know: a pattern."""

_EMOTICON_AT_END = re.compile(rf"\s+(?:{EMOTICON})\Z")
_LONGEST_EMOTICON = 20

_RULE_SIGNS = frozenset("-=*~+#<>")
_RULE_BEFORE = re.compile(
    r"(?:([-=*~+#<>])\1{2,98}\s+|([-=~+#])\2{3,98}(?=[^\W\d_]))(?=.{0,200}[^\W\d_])"
)
_RULE_BEHIND = re.compile(r"(?:\s+([-=*~+#<>])\1{2,98}|(?<=\w)([-=~+#])\2{3,98})\Z")
_LONGEST_RULE = 100
"""Runs of signs around a title, as in `----- Next message -----`: a model loses one of them."""

EMOJI = re.compile(f"(?:{_EMOJI})+")
_EMOJI_IN_WORD = re.compile(rf"(?<=\w){EMOJI.pattern}(?=\w)(?!{_KEYCAP})")

_AT_EDGES = rf"\s{_INVISIBLE}\u2190-\u21ff\u25a0-\u27bf\u27f0-\u27ff\u2b00-\u2bff"
_BEFORE = re.compile(f"(?:{ESCAPE}|{_EMOJI}|[{_AT_EDGES}])*")
_AFTER_BACKWARDS = re.compile(
    r"(?:[@-~][ -/]?[0-?]{0,20}\[\x1b|\ufe0f[\u00a9\u00ae\u203c-\u3299]|\u20e3\ufe0f?[0-9#*]"
    f"|[{_AT_EDGES}\u231a\u231b\u23e9-\u23f3\U0001f000-\U0001faff])*"
)

WINDOWS = {code: bytes([code]).decode("cp1252", "ignore") for code in range(0x80, 0xA0)}
"""What is meant by C1 control characters, for `str.translate`: text in Windows-1252, misread."""

_PLAIN = {
    **WINDOWS,
    **dict.fromkeys(map(ord, "\u2010\u2011\u2212"), "-"),
    **dict.fromkeys(map(ord, "\u00b4\u201b"), "'"),
    ord("\u02bc"): "\u2019",
    ord("\u2012"): "\u2013",
    ord("\u2015"): "\u2014",
    ord("\u201f"): "\u201c",
}
_UNREADABLE = re.compile(
    f"(?P<unseen>{ESCAPE}|[{_INVISIBLE}])|(?P<space>[{SPACES}])"
    f"|(?P<letters>[\u3380-\u33df\ufb00-\ufb06\uff01-\uff5e])"
    f"|[{''.join(map(chr, _PLAIN))}]"
)
_UNSEEN = re.compile(f"{ESCAPE}|[{_INVISIBLE}]")
_MAY_BE_UNREADABLE = re.compile(
    f"[{_INVISIBLE}{SPACES}\u3380-\u33df\ufb00-\ufb06\uff01-\uff5e{''.join(map(chr, _PLAIN))}"
    "\U0001d400-\U0001d7ff]"
)
_MAY_BE_EMOJI = re.compile("[\u00a9\u00ae\u203c-\U0010ffff]")
"""What is found in any text with an emoji; quotes and dashes of most languages come before."""

# Blocks of other scripts than Latin, with their marks, digits and punctuation, but without symbols,
# emoji, letters that `characters.plain` writes in the common way, and the private use area.
_OTHER = (
    "\u0370-\u1dff\u1f00-\u1fff\u2c00-\u2c5f\u2c80-\u2dff\u2e80-\u2fef\u3001-\u31ff\u3400-\ua71f"
    "\ua800-\uab2f\uab70-\ud7fb\uf900-\ufaff\ufb13-\ufdff\ufe70-\ufefc\uff61-\uffdc"
    "\U00010000-\U0001bcff\U0001e000-\U0001efff\U00020000-\U0003ffff"
)
_RUN = re.compile(rf"[\w{_OTHER}\u0300-\u036f{_INVISIBLE}]+|[^\w\s]")
_WORD = re.compile(rf"[\w\u0300-\u036f{_INVISIBLE}]+|[^\w\s]")
_BETWEEN_WORDS = re.compile(r"(?:\s|[-\u2010-\u2015.,'\u2019]){0,3}")
_BETWEEN_NAMES = re.compile(r"(?:\s|[-\u2010\u2011.'\u2019]){0,3}")
_ELISION = re.compile(r"(?<![^\W_])[^\W\d_]{1,2}['\u2019]$")  # of d'Œuvre
_MATHEMATICAL = re.compile("[\U0001d400-\U0001d7ff]")
_STYLED = re.compile("[\U0001d400-\U0001d7ff]{3}")
"""Words in such letters are read like any others; one or two letters are the names of variables."""

_RUN_OF_LETTERS = re.compile(r"[^\W\d_]+")

OTHER_SCRIPT = re.compile(f"[{_OTHER}]")
"""What is found in any text that has words in another script than Latin."""


def plain(text: str) -> str:
    """Return `text` as a model reads it.

    Every space is a plain one, nothing is invisible, letters are no ligatures or of full width, and
    rare hyphens, dashes and quotes are the common ones. Mathematical letters are plain ones where
    they are the style of a text, but not where they are the names of variables.
    """
    if not _MAY_BE_UNREADABLE.search(text):
        return text  # as nearly always
    return _UNREADABLE.sub(_as_known, _unstyled(text) if _STYLED.search(text) else text)


def _unstyled(text: str) -> str:
    return _MATHEMATICAL.sub(lambda found: unicodedata.normalize("NFKC", found[0]), text)


def _as_known(found: re.Match[str]) -> str:
    if found["unseen"]:
        return ""
    if found["space"]:
        return " "
    return unicodedata.normalize("NFKC", found[0]) if found["letters"] else _PLAIN[ord(found[0])]


def word_set(words: str) -> frozenset[str]:
    """Return words that have spaces between them as a set."""
    return frozenset(words.split())


@functools.lru_cache(maxsize=64)
def small_words(text: str) -> frozenset[str]:
    """Return the words of a text in small letters, without digits and marks.

    Several checks in a row ask for those of the same sentence.
    """
    return frozenset(_RUN_OF_LETTERS.findall(text.casefold()))


def has_letters(text: str) -> bool:
    """Return whether `text` has a letter, that is a character of a Unicode category L*."""
    return any(map(str.isalpha, text))


def blank_unseen(text: str) -> str:
    """Return `text` with spaces, as many, for what cannot be seen."""
    if not _MAY_BE_UNREADABLE.search(text):
        return text  # as nearly always
    return _UNSEEN.sub(lambda found: " " * len(found[0]), text)


def trim(text: str, start: int, end: int) -> tuple[int, int]:
    """Return `start` and `end` moved inwards past white space, emoji and what cannot be seen.

    An emoticon at the end is left out, too, and so are rules of signs.
    """
    before = _BEFORE.match(text, start, end)
    start = before.end() if before else start
    after = _AFTER_BACKWARDS.match(text[start:end][::-1])
    end = end - after.end() if after else end
    tail = text[max(start, end - _LONGEST_EMOTICON) : end]
    if ("_" in tail or "^^" in tail or "━" in tail) and (found := _EMOTICON_AT_END.search(tail)):
        end -= len(tail) - found.start()
    if text[start : start + 1] in _RULE_SIGNS and (rule := _RULE_BEFORE.match(text, start, end)):
        start = rule.end()
    if text[end - 1 : end] in _RULE_SIGNS:
        tail = text[max(start, end - _LONGEST_RULE) : end]
        end -= len(tail) - rule.start() if (rule := _RULE_BEHIND.search(tail)) else 0
    return start, end


def has_emoji(text: str) -> bool:
    """Return whether there may be an emoji in a text; most have none."""
    return _MAY_BE_EMOJI.search(text) is not None


def take_out_emoji(sentence: str) -> tuple[str, str]:
    """Return `sentence` without the emoji inside it, and those emoji, separated by spaces.

    A model that has seen none would drop them or stumble over them; put behind the translation,
    none is lost.
    """
    emoji = EMOJI.findall(sentence) if has_emoji(sentence) else ()
    if not emoji:
        return sentence, ""
    apart = _EMOJI_IN_WORD.sub(" ", sentence)
    without = re.sub(r"(\s)\s+", r"\1", EMOJI.sub("", apart))
    return without.strip(), " ".join(emoji)


LogProb = Callable[[str], float]
"""How probable a subword model finds a text, in nats; see `Vocabulary.log_prob`."""

ONE_PIECE = -12.0
_LEAST_PER_LETTER = -2.6
"""A word that is less probable than this is none that the vocabulary knows."""


def knows_word(word: str, log_prob: LogProb) -> bool:
    """Return whether a vocabulary knows a word, rather than only its pieces."""
    return log_prob(word) > min(ONE_PIECE, _LEAST_PER_LETTER * len(word))


@functools.cache
def script_of(character: str) -> str:
    """Return the script of a letter; empty for what is no letter, or belongs to several scripts.

    A letter in another form, such as Katakana of half width, has the script of its common form.
    """
    common = unicodedata.normalize("NFKC", character)[:1]
    if not common.isalpha() or unicodedata.category(common) == "Lm":
        return ""
    return unicodedata.name(common, "").partition(" ")[0]


@dataclass(frozen=True, slots=True)
class Alphabet:
    """What a vocabulary can read.

    Attributes:
        scripts: whose words it has learned; see `script_of`.
        known: characters that it reads; None for all of those scripts.
        sure: those of them that it hardly ever misspells.
    """

    scripts: frozenset[str]
    known: frozenset[str] | None = None
    sure: frozenset[str] = frozenset()

    def reads(self, word: str) -> bool:
        """Return whether a word, or a sign, of known scripts can be read."""
        return self.known is None or self.known.issuperset(_as_read(word))


def may_be_unread(text: str, alphabet: Alphabet) -> bool:
    """Return whether there may be a word that cannot be read; most texts are done with then."""
    if alphabet.known is None:
        return OTHER_SCRIPT.search(text) is not None
    return not text.isascii() and not alphabet.known.issuperset(text)


def doubtful_names(text: str, alphabet: Alphabet) -> list[tuple[int, int]]:
    """Return the places of words that can be read, begin with a capital, and may be misspelled."""
    if alphabet.known is None or text.isascii() or alphabet.sure.issuperset(text):
        return []  # as nearly always
    return [
        word.span()
        for word in _WORD.finditer(text)
        if word[0][0] != word[0][0].lower()
        and not alphabet.sure.issuperset(_as_read(word[0]))
        and alphabet.reads(word[0])
    ]


def _as_read(word: str) -> str:
    return unicodedata.normalize("NFC", plain(word))


def unread_spans(
    text: str, alphabet: Alphabet, start: int = 0, end: int = sys.maxsize
) -> list[tuple[int, int]]:
    """Return the places of words that cannot be read; neighbours share one.

    Spaces, hyphens and dots between two such words belong to the place, and so do commas between
    words of other scripts. Words that are joined to others by a hyphen stand alone.
    """
    places: list[tuple[int, int]] = []
    was_script = False
    for first, last, is_script in _unread_words(text, alphabet, start, end):
        between = _BETWEEN_WORDS if is_script and was_script else _BETWEEN_NAMES
        if places and between.fullmatch(text, places[-1][1], first):
            first, _ = places.pop()
        elif not is_script and (elision := _ELISION.search(text, max(start, first - 3), first)):
            first = elision.start()
        places.append((first, last))
        was_script = is_script
    return places


def is_readable(text: str, alphabet: Alphabet) -> bool:
    """Return whether some letter of a text can be read."""
    if not may_be_unread(text, alphabet):  # as nearly always
        return True
    done, rest = 0, list[str]()
    for start, end in unread_spans(text, alphabet):
        rest.append(text[done:start])
        done = end
    return has_letters("".join([*rest, text[done:]]))


def _unread_words(
    text: str, alphabet: Alphabet, start: int, end: int
) -> Iterator[tuple[int, int, bool]]:
    """Yield the places of the words, and whether their script is unknown.

    A change of script inside a run of letters divides it.
    """
    is_styled = _STYLED.search(text, start, end) is not None
    for run in _RUN.finditer(text, start, end):
        if run[0].isascii():
            continue
        for first, last, is_known in _parts_of(run, alphabet.scripts):
            if not is_known:
                yield first, last, True
                continue
            for word in _WORD.finditer(text, first, last):
                if not alphabet.reads(_unstyled(word[0]) if is_styled else word[0]):
                    yield *word.span(), False


def _parts_of(run: re.Match[str], scripts: frozenset[str]) -> Iterator[tuple[int, int, bool]]:
    """Yield the parts of a run of letters that are all in known scripts, or all in others.

    What is no letter, such as a digit or a mark, goes with the letter before it.
    """
    names = [script_of(character) for character in run[0]]
    name, first = next(filter(None, names), ""), run.start()
    is_known = not name or name in scripts
    for place, now in enumerate(names, start=run.start()):
        if now and (now in scripts) != is_known:
            if first < place:
                yield first, place, is_known
            first, is_known = place, not is_known
    yield first, run.end(), is_known


@functools.lru_cache(maxsize=256)
def primary_language(code: str) -> str:
    """Return the code of a language without region and script: `zh` of `zh-Hans` or `zh_Hans`."""
    return code.replace("_", "-").partition("-")[0].lower()


def has_spaces(code: str) -> bool:
    """Return whether a language has a space between sentences, as all but a few have."""
    return primary_language(code) not in _WITHOUT_SPACES


_WITHOUT_SPACES = {"ja", "jpn", "zh", "zho", "cmn", "yue", "wuu", "zt"}


_FIRST_PLACEHOLDER = 0xE001
MAX_PLACEHOLDERS = 64
"""Characters that stand for what is not language: the first N of the private use area. The
vocabulary has each as a piece of its own. Text hardly ever has any; where it does, they are
protected like other spans."""

PLACEHOLDER = re.compile(
    f"[{chr(_FIRST_PLACEHOLDER)}-{chr(_FIRST_PLACEHOLDER + MAX_PLACEHOLDERS - 1)}]"
)


def symbols(count: int) -> list[str]:
    """Return the first `count` placeholders."""
    return [chr(_FIRST_PLACEHOLDER + number) for number in range(count)]


def placeholders_in(text: str) -> list[str]:
    """Return all placeholders in a text, sorted."""
    return sorted(PLACEHOLDER.findall(text))
