"""The YAML that Marian writes: a table of scalars and of lists of scalars, nothing inside them.

Vocabularies have tens of thousands of lines, and pieces such as `~`, `no` or U+0085, which YAML's
libraries take for null, false and the end of a line. All values are strings here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from translator.errors import ImportedModelError

Table = dict[str, str | list[str]]

_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)")
_ESCAPED = dict(zip("0abtnvfreN_LP", "\0\a\b\t\n\v\f\r\x1b\x85\xa0\u2028\u2029", strict=True))
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"|' + r"'(?:[^']|'')*'")
_SPACES = " \t\r"


def read_yaml(text: str, name: str) -> Table:
    """Return the table of a file; `name` is for messages, which have the line's number."""
    table = Table()
    key = ""
    for number, line in _lines(text):
        try:
            if line.startswith("? "):
                key, rest = _scalar(line[2:]), None
            elif line.startswith(": "):
                rest = line[2:]
            elif line == "-" or line.startswith("- ") or line == "[]":
                _listed(table, key).extend([_scalar(line[1:])] if line != "[]" else [])
                continue
            else:
                key, rest = _split(line)
            if rest is None:
                continue
            if table.get(key):
                raise ValueError(f"{key!r} is there twice")
            table[key] = _value(rest.strip(_SPACES))
        except ValueError as error:
            raise ImportedModelError(f"{name}: line {number}: {error}") from error
    return table


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that say something, without what surrounds them, and their numbers."""
    for number, line in enumerate(text.split("\n"), start=1):
        kept = line.strip(_SPACES)
        if kept and not kept.startswith("#") and kept not in ("---", "..."):
            yield number, kept


def _split(line: str) -> tuple[str, str]:
    """Return key and value; a quoted key may contain the sign between them."""
    quoted = _QUOTED.match(line)
    end = quoted.end() if quoted else line.find(": ")
    if end < 0 and line.endswith(":"):
        end = len(line) - 1
    if end < 0 or line[end : end + 1] != ":":
        raise ValueError(f"expected `key: value`, got {line[:80]!r}")
    return _scalar(line[:end]), line[end + 1 :]


def _value(written: str) -> str | list[str]:
    """Return a scalar, or a list that is written in one line; what follows may be a list, too."""
    if written.startswith("["):
        if not written.endswith("]"):
            raise ValueError(f"expected a list in one line, got {written[:80]!r}")
        inner = written[1:-1].strip(_SPACES)
        return [_scalar(item) for item in inner.split(",")] if inner else []
    if written[:1] in ("{", "&", "*", "!", "|", ">"):
        raise ValueError(f"only scalars and lists are known, got {written[:80]!r}")
    return _scalar(written)


def _listed(table: Table, key: str) -> list[str]:
    if table.get(key) == "":
        table[key] = []
    items = table.get(key)
    if not isinstance(items, list):
        raise ValueError("a list that belongs to no key")
    return items


def _scalar(written: str) -> str:
    kept = written.strip(_SPACES)
    quoted = _QUOTED.match(kept)
    if not quoted:
        return kept.partition(" #")[0].strip(_SPACES)
    inside = quoted[0][1:-1]
    if kept[0] == "'":
        return inside.replace("''", "'")
    return _ESCAPE.sub(lambda escape: _unescaped(escape[1]), inside)


def _unescaped(escape: str) -> str:
    if len(escape) == 1:
        return _ESCAPED.get(escape, escape)
    number = int(escape[1:], 16)
    if number > 0x10FFFF or 0xD800 <= number < 0xE000:
        raise ValueError(f"\\{escape} is no character")
    return chr(number)
