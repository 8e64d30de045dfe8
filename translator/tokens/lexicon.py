"""What words and set phrases mean that a model does not know when they stand alone.

A model learns its words inside sentences. One that it has read a hundred times there may be left as
it is, or guessed, when it is all that somebody types. And a small model translates a set phrase
word by word: `Guten Appetit` was `Good appetite`. A model directory may have a list of such words
and phrases, in lines of four columns with tabs between them: the language of the word, the language
wanted, the word as it is typed, and what it means.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from translator.errors import ModelDirectoryError

LEXICON = "lexicon.tsv"
"""File of a model directory."""

_LINE = re.compile(r"([^\t\n]+)\t([^\t\n]+)\t([^\t\n]+)\t([^\t\n]+)")
_WORD = r"[^\W\d_]+(?:['’-][^\W\d_]*)*"
_ENTRY = re.compile(
    rf"(?P<words>{_WORD}(?P<more>(?:,? {_WORD}){{1,7}})?)"
    r"(?P<marks>(?:(?(more)|(?<=\w{5}))\.)?[!?:;,…]*)"
)
"""A word or a few, with marks behind. The full stop of a short word may be of an abbreviation."""
_ONE_WORD = re.compile(_WORD)

Entry = tuple[str, str, str, str]
"""Language, language wanted, word or phrase, and meaning."""


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
        self._phrases = dict[tuple[str, str, str], str]()
        for number, line in enumerate(lines, 1):
            columns = _LINE.fullmatch(line)
            if columns and not _ONE_WORD.fullmatch(columns[3]):
                self._phrases.setdefault((columns[1], columns[2], columns[3]), columns[4])
            elif line and not columns:
                raise ModelDirectoryError(
                    f"{LEXICON}, line {number}: must have a language, the language wanted, a word "
                    "and what it means, with tabs between them"
                )
        # A table of Python's takes ten times the memory. It has the phrases only, which are few:
        # any short sentence may be one, and must not wait until all lines have been searched.
        self._lines = b"\n" + content

    @classmethod
    def of_words(cls, words: Iterable[Entry]) -> Lexicon:
        """Return what has these entries."""
        lines = ("\t".join(columns) + "\n" for columns in words)
        return cls(unicodedata.normalize("NFC", "".join(lines)).encode())

    @property
    def content(self) -> bytes:
        """What the file has."""
        return self._lines[1:]

    def translation(self, text: str, source: str, target: str) -> str | None:
        """Return the translation of a text that is an entry, in exactly its spelling.

        Args:
            text: as the model reads it; marks may stand behind it. An entry may have them, too:
                `Gesundheit!` is another thing than `Gesundheit`. Capitals of phrases do not
                matter if they have an entry in small letters.
            source: code of its language.
            target: code of the language wanted.
        """
        entry = _ENTRY.fullmatch(text)
        if entry is None:
            return None
        words, marks = entry["words"], entry["marks"]
        meaning = self._meaning(source, target, text) if marks else None
        if meaning is None and (found := self._meaning(source, target, words)) is not None:
            meaning = found + marks
        if meaning is None and entry["more"] and not text.islower():
            small = self.translation(text.lower(), source, target)
            has_capital = small is not None and text[0].isupper()
            return small[0].upper() + small[1:] if small and has_capital else small
        return meaning

    def _meaning(self, source: str, target: str, words: str) -> str | None:
        if not _ONE_WORD.fullmatch(words):
            return self._phrases.get((source, target, words))
        start = f"\n{source}\t{target}\t{words}\t".encode()
        at = self._lines.find(start)
        if at < 0:
            return None
        at += len(start)
        end = self._lines.find(b"\n", at)
        return self._lines[at : end if end >= 0 else None].decode()

    def with_entries(self, words: Iterable[Entry]) -> Lexicon:
        """Return a lexicon that has these, too; they take the place of entries of the same word."""
        lines = (line.split("\t") for line in self.content.decode().splitlines())
        known = {(source, target, word): meaning for source, target, word, meaning in lines}
        known |= {(source, target, word): meaning for source, target, word, meaning in words}
        return Lexicon.of_words((*key, meaning) for key, meaning in known.items())
