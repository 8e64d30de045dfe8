"""Names of sheets, which are translated on request: with them, every reference to a sheet changes.

How a reference is written, the readers of both formats know. A name that a formula has in quotes,
as a text, stays, and so do all names where a formula makes references out of texts.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from translator.documents.code import is_a_code
from translator.documents.document import Document, as_many, check_count
from translator.text.characters import has_letters
from translator.text.marked import MarkedText

MOST_CHARACTERS = 31
"""Of a name, in Excel."""

_FORBIDDEN = re.compile(r"[\[\]:*?/\\\x00-\x1f]+")
_RESERVED = frozenset({"history"})
_MAKES_REFERENCES = re.compile(r"\b(?:INDIRECT|SHEET)\s*\(", re.I)
_TEXT = re.compile(r'"((?:[^"]|"")*)"')

Renames = Mapping[str, str]
"""New names by the old ones."""

Rename = Callable[[bytes, Renames], bytes]


class NamedSheets:
    """A document whose last units are names of sheets."""

    def __init__(
        self,
        name: str,
        document: Document[bytes],
        sheets: Sequence[str],
        formulas: Iterable[str],
        rename: Rename,
    ) -> None:
        """Take a document of sheets.

        Args:
            name: of the file, for errors.
            document: all but the names.
            sheets: names of all sheets.
            formulas: all of the document.
            rename: changes names and references in a file.

        Raises:
            InputError: there are too many units.
        """
        self._document, self._sheets, self._rename = document, sheets, rename
        stays = _named_in_texts(sheets, formulas)
        self._wanted = [
            sheet
            for sheet in sheets
            if has_letters(sheet) and not is_a_code(sheet) and sheet not in stays
        ]
        check_count(len(document.units) + len(self._wanted), name)

    @property
    def units(self) -> Sequence[MarkedText]:
        """What to translate, names of sheets last."""
        return (*self._document.units, *map(MarkedText, self._wanted))

    @property
    def left_alone(self) -> Sequence[str]:
        """What the document leaves."""
        return self._document.left_alone

    def rebuild(self, translations: Iterable[str]) -> bytes:
        """Return the document with its translations; see `Document.rebuild`."""
        count = len(self._document.units)
        told = as_many(translations, count + len(self._wanted))
        written = self._document.rebuild(itertools.islice(told, count))
        renames = new_names(self._sheets, dict(zip(self._wanted, told, strict=True)))
        return self._rename(written, renames) if renames else written


def new_names(sheets: Sequence[str], wanted: Renames) -> dict[str, str]:
    """Return the new names of those sheets that get one, as programs of sheets take them.

    They are short, lack some characters, and no two are alike.
    """
    renames = dict[str, str]()
    taken = {sheet.lower() for sheet in sheets if sheet not in wanted} | _RESERVED
    for sheet in sheets:
        if sheet not in wanted:
            continue
        said = " ".join(_FORBIDDEN.sub(" ", wanted[sheet]).split()).strip("' ")
        new = sheet if wanted[sheet] == sheet else _cut(said) or sheet
        number = 1
        while new.lower() in taken:
            number += 1
            new = _cut(said, f" ({number})")
        taken.add(new.lower())
        if new != sheet:
            renames[sheet] = new
    return renames


def _cut(name: str, end: str = "") -> str:
    """Return a name and its end, with no more units of UTF-16 than a name may have."""
    while len((name + end).encode("utf-16-le")) > 2 * MOST_CHARACTERS:
        name = name[:-1]
    return f"{name.rstrip()}{end}"


def _named_in_texts(sheets: Iterable[str], formulas: Iterable[str]) -> set[str]:
    """Return the names that formulas have as texts; all if one makes references out of texts."""
    texts = list[str]()
    for formula in formulas:
        if _MAKES_REFERENCES.search(_TEXT.sub('""', formula)):
            return {*sheets}
        texts += _TEXT.findall(formula)
    return {sheet for sheet in sheets if any(sheet in text for text in texts)}
