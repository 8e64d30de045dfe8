"""A text of a catalogue: a message of ICU by its choices, and any other as one unit.

Every kind of catalogue comes here, so that a message is read alike in all of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from translator.text.formats.document import Piece
from translator.text.icu.message import message_pieces
from translator.text.icu.syntax import may_be_message

_CODE = re.compile(r"\{code_[0-9]+\}")
_IS_TEXT = ("text", "verbatim")
_IS_TAG = ("opens", "closes")


def text_or_choices(
    text: str,
    target: str | None,
    escape: Callable[[str], str],
    unit: Piece,
    quotes: tuple[str, str] = ('"', '"'),
) -> Iterator[Piece]:
    """Yield the pieces of a text.

    Args:
        text: without the file's own escapes.
        target: code of the language wanted; plurals get its categories.
        escape: writes a part of a text as the file does, without quotes.
        unit: stands there if the text is no message.
        quotes: what the file puts around a text.
    """
    choices = message_pieces(text, target, escape)
    if choices is None:
        yield unit
    else:
        yield from (quotes[0], *choices, quotes[1])


def choices_in_markup(
    parts: Sequence[tuple[str, str]],
    original: Sequence[Piece],
    target: str | None,
    escape: Callable[[str], str],
) -> Sequence[Piece] | None:
    """Return the pieces of a message with choices, and None for any other content of an element.

    `{count, plural, one {one vote} other {<x id="1"/> votes}}` is how Angular's catalogues have
    them: the code comes back as it is. A message in which tags enclose words stays as it is.

    Args:
        parts: all of the content: what each part does, and its text or its markup.
        original: the content as it stands in the file.
        target: code of the language wanted; plurals get its categories.
        escape: writes text as the file does.
    """
    if not may_be_message("".join(part for kind, part in parts if kind in _IS_TEXT)):
        return None  # as nearly always
    text, codes = "", dict[str, str]()
    for kind, part in parts:
        if kind not in _IS_TEXT:
            name = f"{{code_{len(codes)}}}"
            codes[name], part = part, name
        text += part

    def write(part: str) -> str:
        pieces, done = list[str](), 0
        for found in _CODE.finditer(part):
            code = codes.get(found[0])
            pieces += [escape(part[done : found.start()]), code or escape(found[0])]
            done = found.end()
        return "".join([*pieces, escape(part[done:])])

    choices = message_pieces(text, target, write)
    if choices is None:
        return None
    has_such_names = len(_CODE.findall(text)) > len(codes) > 0
    return original if has_such_names or any(kind in _IS_TAG for kind, _ in parts) else choices
