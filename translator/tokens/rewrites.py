"""What one model reads instead of words that it misreads: a table in its model directory.

A small model takes `übermorgen` for `overthrow` until a later round of training has taught it the
word. Until then its directory may say what it reads instead, in lines of five columns with tabs
between them: the language of the text, the language wanted (`*` for any), words of which one is in
each sentence that the line is for (with `|` between them), a regular expression,
and what the model reads in its place, as `re.sub` takes it. No other model reads this table, and
translations are checked against the text as it was typed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from translator.errors import ModelDirectoryError
from translator.text.characters import primary_language, small_words

REWRITES = "rewrites.tsv"
"""File of a model directory."""

_NUM_COLUMNS = 5


class _Rewrite(NamedTuple):
    words: frozenset[str]
    pattern: re.Pattern[str]
    read: str


class Rewrites:
    """Words and what is read instead, for whatever pairs of languages a model has."""

    def __init__(self, content: bytes) -> None:
        """Read the file; lines that begin with `#` are comments.

        Raises:
            ModelDirectoryError: it is not in UTF-8, a line has other columns, or no valid pattern.
        """
        self.content = content
        self._by_pair = dict[tuple[str, str], list[_Rewrite]]()
        self._words = dict[tuple[str, str], frozenset[str]]()
        try:
            lines = content.decode().split("\n")
        except UnicodeDecodeError as error:
            raise ModelDirectoryError(f"{REWRITES}: is not in UTF-8 ({error})") from error
        for number, line in enumerate(lines, 1):
            if line and not line.startswith("#"):
                self._add(number, line.split("\t"))

    def __len__(self) -> int:
        """Return how many lines there are, without comments."""
        return sum(map(len, self._by_pair.values()))

    def _add(self, number: int, columns: list[str]) -> None:
        if len(columns) != _NUM_COLUMNS or not all(columns[:4]):
            raise ModelDirectoryError(
                f"{REWRITES}, line {number}: must have a language, the language wanted, words, a "
                "pattern and what is read instead, with tabs between them"
            )
        source, target, words, pattern, read = columns
        try:
            compiled = re.compile(pattern)
            compiled.sub(read, "")
        except (re.error, IndexError) as error:
            raise ModelDirectoryError(
                f"{REWRITES}, line {number}: {pattern!r} is no regular expression ({error})"
            ) from error
        rewrite = _Rewrite(frozenset(words.casefold().split("|")), compiled, read)
        self._by_pair.setdefault((source, target), []).append(rewrite)
        known = self._words.get((source, target), frozenset())
        self._words[source, target] = known | rewrite.words

    def apply(self, text: str, source: str, target: str) -> str:
        """Return a text as the model reads it.

        What is read gets a capital where what it stands for begins the text with one.
        """
        source, target = primary_language(source), primary_language(target)
        for pair in ((source, target), (source, "*")):
            words = small_words(text)
            if self._words.get(pair, frozenset()).isdisjoint(words):
                continue  # as nearly always
            for rewrite in self._by_pair[pair]:
                if not rewrite.words.isdisjoint(words):
                    text = rewrite.pattern.sub(_with_capital(rewrite.read), text)
        return text


def _with_capital(read: str) -> Callable[[re.Match[str]], str]:
    def replace(found: re.Match[str]) -> str:
        written = found.expand(read)
        is_capital = found.start() == 0 and found[0][:1].isupper()
        return written[:1].upper() + written[1:] if is_capital else written

    return replace
