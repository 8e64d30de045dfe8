"""Catalogues of Rails (`.yml`): texts under the key of a language, which becomes the new one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

import yaml

from translator.documents.code import is_a_code
from translator.documents.document import Document, FileDocument, Piece, TextUnit
from translator.documents.encoding import decode
from translator.documents.markup.program import marked_message
from translator.errors import InputError
from translator.text.characters import has_letters

MAX_DEPTH = 64
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_RESOLVER = yaml.resolver.Resolver()
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,2}")
_STRING = "tag:yaml.org,2002:str"
_DIRECTIVE = re.compile(r"%[-^0]?[A-Za-z]")
_SYMBOL = re.compile(r":\w+")
_COLON_OF_SYMBOL = re.compile(r"(?<=[\s\[{,]):(?=\w)")
_STAND_IN = "\ue000"
"""For a colon of a symbol, `[:day]`, which the parser does not read in brackets."""
_PROPERTIES = re.compile(r"(?:[&!]\S*\s+)*")


@dataclass(slots=True)
class _Level:
    is_mapping: bool
    is_flow: bool
    is_key: bool = True

    def step(self) -> bool:
        """Return whether what comes now is a key, and go on."""
        is_key = self.is_mapping and self.is_key
        self.is_key = not self.is_key
        return is_key


def read_yaml(name: str, data: bytes, target: str | None = None) -> Document[bytes]:
    """Read a catalogue of Rails.

    Nothing is built of what the file says: it is read as a row of events, so aliases stay aliases
    and tags stay tags.

    Raises:
        InputError: it is no YAML, or its top key is no language.
    """
    text, encoding = decode(data, name)
    try:
        return FileDocument(_pieces(text, name, target), name, encoding.encode)
    except yaml.YAMLError as error:
        reason = str(error).replace("\n", " ")[:200]
        raise InputError(f"{name}: is not YAML ({reason})") from error


def _pieces(text: str, name: str, target: str | None) -> Iterator[Piece]:
    done, levels, num_top = 0, list[_Level](), 0
    for event in yaml.parse(_COLON_OF_SYMBOL.sub(_STAND_IN, text), Loader=_LOADER):
        if isinstance(event, yaml.MappingStartEvent | yaml.SequenceStartEvent):
            if levels:
                levels[-1].step()
            is_mapping = isinstance(event, yaml.MappingStartEvent)
            levels.append(_Level(is_mapping, bool(event.flow_style)))
            if len(levels) > MAX_DEPTH:
                raise InputError(f"{name}: is nested more than {MAX_DEPTH} levels deep")
        elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            levels.pop()
        elif isinstance(event, yaml.AliasEvent) and levels:
            levels[-1].step()
        elif isinstance(event, yaml.ScalarEvent):
            start, end = event.start_mark.index, event.end_mark.index
            event.value = event.value.replace(_STAND_IN, ":")
            is_key = bool(levels) and levels[-1].step()
            if len(levels) == 1 and is_key:
                num_top += 1
                _check_language(name, event.value, num_top)
                if target is not None:
                    yield text[done:start] + json.dumps(target)[1:-1]
                    done = end
            elif levels and not is_key and _is_language(event):
                if properties := _PROPERTIES.match(text, start, end):
                    start = properties.end()
                yield text[done:start]
                in_flow = any(level.is_flow for level in levels)
                yield scalar_unit(event, text[start:end], in_flow)
                done = end
    if not num_top:
        raise InputError(f"{name}: is no catalogue of Rails; its top key must be a language")
    yield text[done:]


def _check_language(name: str, key: str, num_top: int) -> None:
    if num_top > 1 or not _LANGUAGE.fullmatch(key):
        raise InputError(
            f"{name}: is no catalogue of Rails; its only key at the top must be a language, such "
            f"as en, and there is {key[:40]!r}"
        )


def _is_language(event: yaml.ScalarEvent) -> bool:
    """Return whether a value is text for people, and may be written anew."""
    if event.tag not in (None, _STRING):
        return False
    implicit = _RESOLVER.resolve(yaml.ScalarNode, event.value, event.implicit)
    words = _DIRECTIVE.sub("", event.value)
    is_text = implicit == _STRING and has_letters(words) and not is_a_code(event.value)
    return is_text and not _SYMBOL.fullmatch(event.value)


def scalar_unit(
    event: yaml.ScalarEvent | yaml.ScalarNode, original: str, in_flow: bool
) -> TextUnit:
    """Return a value as a unit; what stands after a block of lines is not part of it.

    `in_flow` says that it stands between brackets.
    """
    value = event.value

    def write(translation: str) -> str:
        if event.style == "'" and "\n" not in translation:
            return "'" + translation.replace("'", "''") + "'"
        if event.style in ("|", ">"):
            return _block(translation, original, event.style == ">")
        if not event.style and not in_flow and _is_plain(translation):
            return translation
        return json.dumps(translation, ensure_ascii=False)

    return TextUnit(marked_message(value), original, write)


def _block(translation: str, original: str, is_folded: bool) -> str:
    """Return a translation as a block of lines, with the head and the margin that it had."""
    head, _, body = original.partition("\n")
    margin = body[: len(body) - len(body.lstrip(" "))] if body.strip() else "  "
    ending = body[len(body.rstrip()) :]
    lines = translation.strip("\n").split("\n")
    between = "\n\n" if is_folded else "\n"
    written = between.join(f"{margin}{line}" if line else "" for line in lines)
    return f"{head}\n{written}{ending}"


def _is_plain(text: str) -> bool:
    """Return whether a text means itself without quotes."""
    if "\n" in text or text != text.strip():
        return False
    try:
        return bool(yaml.load(f"a: {text}\n", Loader=_LOADER) == {"a": text})
    except yaml.YAMLError:
        return False
