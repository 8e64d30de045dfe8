"""Words directly behind a quotation mark or a slash, in the pieces that they have behind a space.

In `"grey"` and `blue/grey` a vocabulary has `gre` and `y`, for which a model may know no word: of
300 English words that fall into other pieces there, it knows half behind a quotation mark, and
four fifths behind a mark and a space. German quotations stay, since with spaces a model leaves out
their marks.
"""

from __future__ import annotations

import re

from translator.text.characters import LogProb, knows_word, primary_language

_OPENING = "[\"“„»‚‘']"
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

_SPACE = re.compile(rf"(?P<opening>{_OPENING}) (?<![^\s(\[]..)(?=\w)")
"""Behind a quotation mark that opens."""


def with_spaces_behind_marks(text: str, language: str, log_prob: LogProb) -> str:
    """Return a text with spaces around slashes, and in English behind the mark of a quotation.

    A slash stays as it is where the vocabulary does not know both words: it may be in a path.

    Args:
        text: any text.
        language: code of its language; empty if nobody has said it.
        log_prob: of the vocabulary.
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
    """Return a translation without the spaces that only a model has read.

    Args:
        translation: may have them.
        source: the text as it was typed; spaces that it has itself stay.
    """
    if " /" in translation and "/" in source and " /" not in source:
        translation = translation.replace(" / ", "/").replace(" /-", "/-")
    if not _has_marks(source) or _SPACE.search(source):
        return translation
    return _SPACE.sub(r"\g<opening>", translation)


def _has_marks(text: str) -> bool:
    return any(mark in text for mark in _MARKS)
