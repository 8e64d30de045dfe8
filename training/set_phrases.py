"""Set phrases, which are said as a whole: greetings, thanks, wishes, small talk, signs.

A small model translates them word by word, since each is a handful of lines in millions. Those that
it does not know are added to its lexicon.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from translator.errors import InputError
from translator.files import read_lines
from translator.tokens.lexicon import Entry
from translator.translate.translator import Translator

SET_PHRASES = Path(__file__).with_suffix(".tsv")
"""Lines as those of a lexicon: language, language wanted, phrase, what others say then."""

_I = re.compile(r"I\b")


def read_set_phrases(path: Path = SET_PHRASES) -> Iterator[Entry]:
    """Yield the phrases of a file, and behind each the same in small letters.

    A meaning in German keeps its first capital, which may be that of a noun.

    Raises:
        InputError: a line has other columns.
    """
    for number, line in enumerate(read_lines(path), 1):
        columns = line.split("\t")
        if len(columns) != 4 or not all(columns):
            raise InputError(
                f"{path}, line {number}: must have a language, the language wanted, a phrase and "
                "what it means, with tabs between them"
            )
        source, target, phrase, meaning = columns
        yield source, target, phrase, meaning
        if target == "en" and not _I.match(meaning):
            meaning = meaning[0].lower() + meaning[1:]
        yield source, target, phrase.lower(), meaning


def unknown_phrases(translator: Translator, phrases: Iterable[Entry]) -> list[Entry]:
    """Return the phrases that a model translates otherwise."""
    found = list[Entry]()
    by_pair: dict[tuple[str, str], list[Entry]] = {}
    for entry in phrases:
        by_pair.setdefault(entry[:2], []).append(entry)
    for (source, target), entries in by_pair.items():
        texts = [phrase for _, _, phrase, _ in entries]
        answers = translator.translate(texts, source=source, target=target)
        for entry, answer in zip(entries, answers, strict=True):
            if answer.text != entry[3]:
                found.append(entry)
    return found
