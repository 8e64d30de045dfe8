"""Messages of programs, as in catalogues: what in them is for the program and not for people."""

from __future__ import annotations

import re
from typing import NamedTuple

from translator.text.characters import TYPED_ENTITY
from translator.text.marked import MarkedText
from translator.text.span_kinds import ESCAPED_TAG

_PLACEHOLDERS = re.compile(
    r"\{\{[^{}]{1,200}\}\}|\$t\([^()]{1,200}\)|[$#%]?\{[^{}]{0,200}\}"
    r"|%\([^()\s]{1,100}\)[-+#0 ]?\d{0,5}(?:\.\d{1,5})?[a-zA-Z]"
    r"|%(?:\d{1,2}\$)?[-+#0]{0,5}(?:\d{1,5}|\*)?(?:\.(?:\d{1,5}|\*))?(?:hh|ll|[hlzjtLq])?[sdiufgeEFGxXcpnoaA@](?![a-zA-Z])"
    r"|%%|%L?\d{1,2}(?!\d)|%n(?![a-zA-Z])|\$\w{1,50}\$|@(?:\.\w{1,20})?:(?:[\w.]{1,100}|\([\w.]{1,100}\))"
    r"|(?<![\w:]):[a-z][a-z_]{1,40}(?![\w:])|</?[A-Za-z0-9][^<>]{0,300}>"
    rf"|{ESCAPED_TAG}|(?!{TYPED_ENTITY})&(?:[A-Za-z]{{2,8}}|#\d{{1,6}});"
)
_ACCELERATOR = re.compile(
    r"(?<![^\s\"'(\[\-])_(?=[^\W\d_])"
    r"|(?<!\S)[A-Z][a-z]{0,20}_(?=[a-z]{1,20}(?:\s\S+)?(?:…|\.\.\.)?$)"  # `E_xit`, not `max_length`
    r"|&(?=[^\W\d_])(?!(?<=[^\W\d_]&)[A-ZÄÖÜ])"  # not in `R&D`
)
_MOST_CHARS = 80  # in a label of a menu or a button
_LETTER = re.compile(r"[^\W\d_]")


class Message(NamedTuple):
    """A message without the accelerator in it, `_` or `&` before the letter of its key.

    Attributes:
        marked: what to translate; the placeholders are marked.
        accelerator: empty if there is none.
    """

    marked: MarkedText
    accelerator: str = ""

    def finished(self, translation: str) -> str:
        """Return a translation with the accelerator before the first letter outside a span."""
        if not self.accelerator:
            return translation
        for letter in _LETTER.finditer(translation):
            inside = any(
                found.start() <= letter.start() < found.end()
                for found in _PLACEHOLDERS.finditer(translation)
            )
            if not inside:
                return (
                    translation[: letter.start()] + self.accelerator + translation[letter.start() :]
                )
        return translation


def marked_message(text: str) -> MarkedText:
    """Return a message with its placeholders and tags marked.

    They are those of printf and Python, of Qt, ICU, i18next, Vue, Ruby, Laravel and Chrome.
    """
    return MarkedText(text, tuple(found.span() for found in _PLACEHOLDERS.finditer(text)))


def label(text: str, marks: str = "_&") -> Message:
    """Return a message of a program; a short one may have an accelerator, one of `marks`."""
    found = [mark[0][-1] for mark in _ACCELERATOR.finditer(text)]
    found = [mark for mark in found if mark in marks and len(text) <= _MOST_CHARS]
    if len(found) != 1 or text.count(found[0]) != 1 or "\n" in text.strip():
        return Message(marked_message(text))
    is_entity = found[0] == "&" and re.search(r"&\w+;", text)
    if is_entity:
        return Message(marked_message(text))
    return Message(marked_message(text.replace(found[0], "")), found[0])
