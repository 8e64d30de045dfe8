"""Parts of a sentence in brackets: how a model reads them, and whether a translation lacks one.

Behind a bracket a word falls into other pieces than behind a space, for which a model may know no
word. So models lose such parts silently, short ones above all.
"""

from __future__ import annotations

import re
from collections.abc import Callable

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

_SPACE = re.compile(r"(?<=[\w)\]]) (?=[.,;:!?](?:\s|$))")
"""Is left before a mark by a model that has lost a closing bracket."""

_NEGATION = re.compile(r"nicht|kein")
"""Behind `( ` a model translates these German words as `n't`."""

_OPENING = re.compile(r"[(\[（](?!\s*[)\]）])")
_WORD = re.compile(r"[^\W\d_]{2}")


def with_spaces_in_brackets(text: str, *, are_all: bool = False) -> str:
    """Return a text with spaces around what stands in brackets.

    Args:
        text: any text.
        are_all: whether to do so everywhere, and not only around a few words.
    """
    if "(" not in text and "[" not in text:
        return text  # as mostly
    return (_PART if are_all else _SHORT).sub(_with_spaces, text)


def without_spaces_in_brackets(translation: str, source: str) -> str:
    """Return a translation without the spaces around what stands in brackets.

    Args:
        translation: may have them, as what the model has read.
        source: the text as it was typed; spaces that it has itself stay.
    """
    if "(" not in source and "[" not in source:
        return translation  # as mostly
    for typed, usual in (("( ", "("), (" )", ")"), ("[ ", "["), (" ]", "]")):
        if typed in translation and typed not in source:
            translation = translation.replace(typed, usual)
    return translation if _SPACE.search(source) else _SPACE.sub("", translation)


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
        num_missing = len(parts) - len(_OPENING.findall(translation))
        if num_missing <= 0:
            return False
        outside = _PART.sub("", translation).casefold()
        return num_missing > sum(part.casefold() in outside for part in parts)

    return has_lost


def _is_balanced(text: str) -> bool:
    return text.count("(") == text.count(")") and text.count("[") == text.count("]")


def _with_spaces(part: re.Match[str]) -> str:
    inner = _inner(part)
    before = "" if _NEGATION.match(inner) else " "
    return f"{part['opening']}{before}{inner} {part['closing']}"


def _inner(part: re.Match[str]) -> str:
    return part["inner"].strip()


def _is_words(inner: str) -> bool:
    return _WORD.search(inner) is not None and not inner.removesuffix("s").isupper()
