"""Catalogues of Xcode (`.xcstrings`): languages that a message lacks are filled in."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from translator.documents.document import Document, FileDocument, Piece, TextUnit
from translator.documents.encoding import decode_json
from translator.documents.json_source import Escape, Member, escaping, members
from translator.documents.markup.icu import text_or_choices
from translator.documents.markup.program import marked_message
from translator.errors import InputError
from translator.text.characters import has_letters

_STATE = "needs_review"
_STEP = "  "
_MOST_DEPTH = 8


def read_xcstrings(name: str, data: bytes, target: str | None = None) -> Document[bytes]:
    """Read a catalogue of Xcode.

    A message that has the language wanted keeps it, unless its state is `new`; one that is not to
    be translated stays. A translation is marked to be reviewed.

    Raises:
        InputError: it is no JSON, or no such catalogue.
    """
    text, parsed, encoding = decode_json(data, name)
    if not (isinstance(parsed, dict) and isinstance(parsed.get("strings"), dict)):
        raise InputError(f'{name}: is no catalogue of Xcode, which has an object "strings"')
    source = str(parsed.get("sourceLanguage", "en"))
    return FileDocument(_pieces(text, source, target), name, encoding.encode)


def _pieces(text: str, source: str, target: str | None) -> Iterator[Piece]:
    done, escape = 0, escaping(text)
    [strings] = [one for one in members(text) if one.key == "strings"][-1:]
    for entry in members(text, strings.start) if target is not None else ():
        if not isinstance(entry.value, dict) or entry.value.get("shouldTranslate") is False:
            continue
        assert target is not None  # or there are no entries
        for start, end, pieces in _filled(text, entry, source, target, escape):
            yield text[done:start]
            yield from pieces
            done = end
    yield text[done:]


def _filled(
    text: str, entry: Member, source: str, target: str, escape: Escape
) -> Iterator[tuple[int, int, list[Piece]]]:
    own = [*members(text, entry.start)]
    languages = next((one for one in own if one.key == "localizations"), None)
    known = languages.value if languages and isinstance(languages.value, dict) else {}
    unit = {"stringUnit": {"state": "new", "value": entry.key}}
    if not _is_wanted(known.get(target)):
        return
    translated = _localization(known.get(source, unit), target, escape, _STEP * 4)
    if all(isinstance(piece, str) for piece in translated):
        return
    name = json.dumps(target)
    if languages is None:
        place, before = _place(entry, own)
        inside = [f"{{\n{_STEP * 4}{name} : ", *translated, f"\n{_STEP * 3}}}"]
        after = "" if own else f"\n{_STEP * 2}"
        yield place, place, [f'{before}\n{_STEP * 3}"localizations" : ', *inside, after]
        return
    there = [*members(text, languages.start)]
    old = next((one for one in there if one.key == target), None)
    if old is not None:
        yield old.start, old.end, translated
        return
    place, before = _place(languages, there)
    after = "" if there else f"\n{_STEP * 3}"
    yield place, place, [f"{before}\n{_STEP * 4}{name} : ", *translated, after]


def _place(parent: Member, members: list[Member]) -> tuple[int, str]:
    return (members[-1].end, ",") if members else (parent.start + 1, "")


def _is_wanted(localization: Any) -> bool:
    if not isinstance(localization, dict):
        return True
    unit = localization.get("stringUnit")
    return isinstance(unit, dict) and unit.get("state") == "new"


def _localization(
    value: Any, target: str, escape: Escape, margin: str, depth: int = 0
) -> list[Piece]:
    """Return a localization like that of the source, with units for its texts."""
    if not isinstance(value, dict) or depth > _MOST_DEPTH:
        return [f'"{escape(value)}"' if isinstance(value, str) else json.dumps(value)]
    pieces: list[Piece] = ["{"]
    for number, (key, inner) in enumerate(value.items()):
        pieces.append(f'{"," if number else ""}\n{margin}{_STEP}"{escape(key)}" : ')
        if key == "state":
            pieces.append(json.dumps(_STATE))
        elif key == "value" and isinstance(inner, str) and has_letters(inner):
            unit = TextUnit(marked_message(inner), None, escape)
            pieces += ['"', *text_or_choices(inner, target, escape, unit, ("", "")), '"']
        else:
            pieces += _localization(inner, target, escape, margin + _STEP, depth + 1)
    return [*pieces, f"\n{margin}}}"]
