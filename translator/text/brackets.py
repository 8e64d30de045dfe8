"""Words behind brackets, quotation marks and slashes: in the pieces that they have behind a space.

There a word falls into other pieces, for which a model may know no word: `gre` and `y` in `"grey"`
and `blue/grey`. Of 300 English words that do so, it knows half behind a quotation mark, and four
fifths behind a mark and a space. German quotations stay, since with spaces a model leaves out their
marks. Of parts in brackets models lose short ones above all, silently: `lost_brackets` tells.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from translator.text.characters import LogProb, knows_word, primary_language

_SHORT = re.compile(
    r"(?<![\w)])(?P<opening>\()"
    r"(?P<inner>(?![A-ZÄÖÜ]+\)|[^\W\d_]\))[^\W\d_]+(?: [^\W\d_]+){0,3})"
    r"(?P<closing>\))(?![\w-])"
)
"""Up to four words in round brackets, but no single letter and no acronym."""

_PART = re.compile(
    r"(?<![\w)\]])(?P<opening>[(\[])(?P<inner>[^()\[\]]*)(?P<closing>[)\]])(?![\w-])"
)
"""A part in brackets, but no ending of a word: `file(s)`, `(Un-)Glück`, `(k)ein`."""

_SPACE_BEFORE_MARK = re.compile(r"(?<=[\w)\]]) (?=[.,;:!?](?:\s|$))")
"""Is left before a mark by a model that has lost a closing bracket."""

_GERMAN_NO = re.compile(r"nicht|kein")
"""Behind `( ` a model translates these German words as `n't`."""

_OPENING_BRACKET = re.compile(r"[(\[（](?!\s*[)\]）])")
_WORD = re.compile(r"[^\W\d_]{2}")


def with_spaces_in_brackets(text: str, *, are_all: bool = False) -> str:
    """Return a text with spaces around what stands in brackets."""
    if "(" not in text and "[" not in text:
        return text  # as mostly
    return (_PART if are_all else _SHORT).sub(_with_spaces, text)


def without_spaces_in_brackets(translation: str, source: str) -> str:
    """Return a translation without the spaces around what stands in brackets."""
    if "(" not in source and "[" not in source:
        return translation  # as mostly
    for typed, usual in (("( ", "("), (" )", ")"), ("[ ", "["), (" ]", "]")):
        if typed in translation and typed not in source:
            translation = translation.replace(typed, usual)
    return (
        translation
        if _SPACE_BEFORE_MARK.search(source)
        else _SPACE_BEFORE_MARK.sub("", translation)
    )


def never(_: str) -> bool:
    """Say of any translation that it is not wrong in what has been asked."""
    return False


def lost_brackets(text: str) -> Callable[[str], bool]:
    """Return what says of a translation of a text that it has lost a part in brackets, or an end.

    Numbers and acronyms do not count, nor does a part that the translation has without brackets.
    """
    if "(" not in text and "[" not in text:
        return never  # as mostly
    is_balanced = _is_balanced(text)
    parts = [inner for inner in map(_inner, _PART.finditer(text)) if _is_words(inner)]
    if not parts:
        return never

    def has_lost(translation: str) -> bool:
        if is_balanced and not _is_balanced(translation):
            return True
        num_missing = len(parts) - len(_OPENING_BRACKET.findall(translation))
        if num_missing <= 0:
            return False
        outside = _PART.sub("", translation).casefold()
        return num_missing > sum(part.casefold() in outside for part in parts)

    return has_lost


def _is_balanced(text: str) -> bool:
    return text.count("(") == text.count(")") and text.count("[") == text.count("]")


def _with_spaces(part: re.Match[str]) -> str:
    inner = _inner(part)
    before = "" if _GERMAN_NO.match(inner) else " "
    return f"{part['opening']}{before}{inner} {part['closing']}"


def _inner(part: re.Match[str]) -> str:
    return part["inner"].strip()


def _is_words(inner: str) -> bool:
    return _WORD.search(inner) is not None and not inner.removesuffix("s").isupper()


_OPENING_QUOTE = "[\"“„»‚‘']"
_MARKS = ('"', "'", "“", "‘")

_QUOTED = re.compile(
    r"[\"“‘'](?<![^\s(\[].)(?=[a-z]{2,}(?:[ -][^\W\d_]+){0,3}[.,!?…]?[\"”’'](?!\w))"
)
"""Opens a quotation of up to four words, but not of a name. It begins with rare signs, as those of
`spans`."""

_BY_SLASH = re.compile(
    r"(?<![\w/.\\:@%$-])"
    r"(?!(?:and|und|d(?:e[mnrs]|as|ie)|text|image|audio|video|application|multipart|[A-ZÄÖÜ]+)/)"
    r"(?P<first>[^\W\d_]{2,})/(?!(?:d(?:e[mnrs]|as|ie)|[A-ZÄÖÜ]+)\b)(?P<second>[^\W\d_]{2,})(?![\w/\\(-]|\.\w)"
)
"""Two words, but no acronyms, paths, kinds of content, articles or long lists, and no `and/or`."""

_SPACE_BEHIND_MARK = re.compile(rf"(?P<opening>{_OPENING_QUOTE}) (?<![^\s(\[]..)(?=\w)")
"""Behind a quotation mark that opens."""


def with_spaces_behind_marks(text: str, language: str, log_prob: LogProb) -> str:
    """Return a text with spaces around slashes, and in English behind the mark of a quotation.

    A slash stays as it is where the vocabulary does not know both words: it may be in a path.
    """
    if "/" in text:
        text = _BY_SLASH.sub(
            lambda words: (
                f"{words['first']} / {words['second']}"
                if knows_word(words["first"], log_prob) and knows_word(words["second"], log_prob)
                else words[0]
            ),
            text,
        )
    if primary_language(language) == "en" and _has_marks(text):
        text = _QUOTED.sub(r"\g<0> ", text)
    return text


def without_spaces_behind_marks(translation: str, source: str) -> str:
    """Return a translation without the spaces that only a model has read."""
    if " /" in translation and "/" in source and " /" not in source:
        translation = translation.replace(" / ", "/").replace(" /-", "/-")
    if not _has_marks(source) or _SPACE_BEHIND_MARK.search(source):
        return translation
    return _SPACE_BEHIND_MARK.sub(r"\g<opening>", translation)


def _has_marks(text: str) -> bool:
    return any(mark in text for mark in _MARKS)
