"""What words mean that a model does not know when they stand alone.

A model learns its words inside sentences. One that it has read a hundred times there may be left as
it is, or guessed, when it is all that somebody types. A model directory may have a list of such
words, in lines of four columns with tabs between them: the language of the word, the language
wanted, the word as it is typed, and what it means.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from translator.errors import ModelDirectoryError

LEXICON = "lexicon.tsv"
"""File of a model directory."""

_ONE_WORD = re.compile(r"([^\W\d_]+(?:['’-][^\W\d_]+)*)((?<=\w{5})\.|[!?:;,…]*)")
"""With marks behind it. The full stop of a short word may be that of an abbreviation."""
_LINE = re.compile(r"[^\t\n]+\t[^\t\n]+\t[^\t\n]+\t[^\t\n]+")


class Lexicon:
    """Words with what they mean, for whatever pairs of languages a model has."""

    def __init__(self, content: bytes) -> None:
        """Read the file.

        Raises:
            ModelDirectoryError: it is not in UTF-8, or a line has other columns.
        """
        try:
            lines = content.decode().split("\n")
        except UnicodeDecodeError as error:
            raise ModelDirectoryError(f"{LEXICON}: is not in UTF-8 ({error})") from error
        for number, line in enumerate(lines, 1):
            if line and not _LINE.fullmatch(line):
                raise ModelDirectoryError(
                    f"{LEXICON}, line {number}: must have a language, the language wanted, a word "
                    "and what it means, with tabs between them"
                )
        self._lines = b"\n" + content  # a table of Python's takes ten times the memory

    @classmethod
    def of_words(cls, words: Iterable[tuple[str, str, str, str]]) -> Lexicon:
        """Return what has these words: language, language wanted, word and meaning of each."""
        lines = ("\t".join(columns) + "\n" for columns in words)
        return cls(unicodedata.normalize("NFC", "".join(lines)).encode())

    @property
    def content(self) -> bytes:
        """What the file has."""
        return self._lines[1:]

    def translation(self, text: str, source: str, target: str) -> str | None:
        """Return the translation of a text that is one of the words, in exactly its spelling.

        Args:
            text: as the model reads it; marks may stand behind the word.
            source: code of its language.
            target: code of the language wanted.
        """
        word = _ONE_WORD.fullmatch(text)
        if word is None:
            return None
        start = f"\n{source}\t{target}\t{word[1]}\t".encode()
        at = self._lines.find(start)
        if at < 0:
            return None
        at += len(start)
        end = self._lines.find(b"\n", at)
        meaning = self._lines[at : end if end >= 0 else None].decode()
        return meaning + word[2]
