"""Front matter of Markdown: what people read of it, in YAML or TOML."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterator

import yaml

from translator.documents.catalogues.rails import scalar_unit
from translator.documents.document import Piece, TextUnit
from translator.text.characters import has_letters, word_set
from translator.text.marked import MarkedText

_READ_KEYS = word_set("description summary title")
_TOML = re.compile(r"^(?:description|summary|title)\s*=\s*(\"(?:[^\"\\\n]|\\[\"\\bfnrt])*\")", re.M)


def front_matter(text: str) -> Iterator[Piece]:
    """Yield front matter in YAML or TOML, with the values of some keys as units."""
    done, body = 0, text.index("\n") + 1
    write = functools.partial(json.dumps, ensure_ascii=False)
    values = [
        (*found.span(1), TextUnit(MarkedText(json.loads(found[1], strict=False)), found[1], write))
        for found in (_TOML.finditer(text) if "+++" in text[:4] else ())
    ]
    try:
        root = yaml.compose(text[body:].rstrip().rstrip("-+."), Loader=yaml.SafeLoader)
    except (yaml.YAMLError, ValueError, OverflowError, RecursionError):
        root = None
    for key, value in root.value if isinstance(root, yaml.MappingNode) else ():
        is_scalar = isinstance(value, yaml.ScalarNode) and str(key.value) in _READ_KEYS
        if is_scalar and has_letters(value.value):
            start, end = body + value.start_mark.index, body + value.end_mark.index
            values.append((start, end, scalar_unit(value, text[start:end], in_flow=False)))
    for start, end, unit in values:
        yield from (text[done:start], unit)
        done = end
    yield text[done:]
