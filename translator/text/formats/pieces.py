"""A text or a file in pieces: what comes back as it stands, and units to translate."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from translator.errors import InputError
from translator.text.marked import MarkedText

Content = TypeVar("Content", str, bytes)

THE_TEXT = "the text"
"""What a text without a name is called in errors."""

MAX_UNITS = 200_000
"""More would take gigabytes of memory."""


class Unit(Protocol):
    """A text of a file, and how the file writes its translation."""

    @property
    def marked(self) -> MarkedText:
        """What to translate."""
        ...

    @property
    def inner(self) -> Sequence[Unit]:
        """Units that stand inside this one, such as a footnote in a paragraph."""
        ...

    def render(self, translation: str) -> Iterable[str | Unit]:
        """Return the translation as it stands in the file, with every inner unit in its place.

        The unit's own text gives the pieces as they were.
        """
        ...


Piece = str | Unit


@dataclass(frozen=True, slots=True, eq=False)
class TextUnit:
    """A unit with nothing inside.

    Attributes:
        marked: what to translate.
        original: how it stands in the file; None if the file has a place for the translation only.
        write: returns how a translation stands there.
    """

    marked: MarkedText
    original: str | None
    write: Callable[[str], str]

    @property
    def inner(self) -> Sequence[Unit]:
        """Nothing."""
        return ()

    def render(self, translation: str) -> Iterable[Piece]:
        """Return the original for its own text, and otherwise what `write` returns."""
        if self.original is not None and translation == self.marked.text:
            yield self.original
        else:
            yield self.write(translation)


@dataclass(frozen=True, slots=True, eq=False)
class Prose:
    """A unit that stands in the text as it is to be translated, and so does its translation.

    Attributes:
        marked: what to translate.
    """

    marked: MarkedText

    @property
    def inner(self) -> Sequence[Unit]:
        """Nothing."""
        return ()

    def render(self, translation: str) -> Iterable[Piece]:
        """Return the translation."""
        yield translation


class Units:
    """The units of some pieces: each once, in order, those inside a unit behind it."""

    def __init__(self, pieces: Iterable[Piece], name: str) -> None:
        """Gather them.

        Args:
            pieces: of the whole file.
            name: of the file, for errors.

        Raises:
            InputError: there are more than MAX_UNITS.
        """
        found: dict[int, Unit] = {}
        for unit in with_inner(piece for piece in pieces if not isinstance(piece, str)):
            found.setdefault(id(unit), unit)
            check_count(len(found), name)
        self._units = found
        self.marked = tuple(unit.marked for unit in found.values())

    def filled(self, translations: Sequence[str]) -> Filler:
        """Return what puts translations into their places.

        Raises:
            ValueError: there are not as many translations as units.
        """
        if len(translations) != len(self._units):
            raise ValueError(
                f"expected one translation per unit: {len(self._units)} units, "
                f"got {len(translations)} translations"
            )
        return Filler(dict(zip(self._units, translations, strict=True)))


class Filler:
    """Joins pieces, with translations in the places of the units."""

    def __init__(self, translations: dict[int, str]) -> None:
        """Take the translations, by the identities of their units."""
        self._translations = translations

    def text(self, pieces: Iterable[Piece]) -> str:
        """Return the pieces as one text."""
        return "".join(self._parts(pieces))

    def _parts(self, pieces: Iterable[Piece]) -> Iterator[str]:
        for piece in pieces:
            if isinstance(piece, str):
                yield piece
            else:
                yield from self._parts(piece.render(self._translations[id(piece)]))


class PieceDocument(Generic[Content]):
    """Pieces as a document; see `translator.text.formats.document.Document`.

    Attributes:
        pieces: all of them, in order.
    """

    def __init__(
        self, pieces: Sequence[Piece], name: str, write: Callable[[Filler], Content]
    ) -> None:
        """Take the pieces of all that is written, its name for errors, and what writes it.

        Raises:
            InputError: it has too many units.
        """
        self.pieces = pieces
        self._write: Callable[[Filler], Content] = write
        self._found = Units(pieces, name)

    @property
    def units(self) -> Sequence[MarkedText]:
        """What to translate, in order."""
        return self._found.marked

    def rebuild(self, translations: Sequence[str]) -> Content:
        """Return the document with its translations.

        Raises:
            ValueError: there are not as many translations as units.
        """
        return self._write(self._found.filled(translations))


class TextDocument(PieceDocument[str]):
    """A text as a document."""

    def __init__(self, pieces: Iterable[Piece], name: str = THE_TEXT) -> None:
        """Take the pieces of the whole text, and its name for errors.

        Raises:
            InputError: it has too many units.
        """
        known = gathered(pieces, name)
        super().__init__(known, name, lambda filler: filler.text(known))


class FileDocument(PieceDocument[bytes]):
    """A file of text as a document."""

    def __init__(self, pieces: Iterable[Piece], name: str, encode: Callable[[str], bytes]) -> None:
        """Take the pieces of the whole file, its name, and what makes bytes of its text.

        Raises:
            InputError: it has too many units.
        """
        known = gathered(pieces, name)
        super().__init__(known, name, lambda filler: encode(filler.text(known)))


def with_inner(units: Iterable[Unit]) -> Iterator[Unit]:
    """Yield units, each before those that stand inside it."""
    for unit in units:
        yield unit
        yield from with_inner(unit.inner)


def gathered(pieces: Iterable[Piece], name: str) -> list[Piece]:
    """Return pieces as a list, which ends with an error before it fills the memory.

    Raises:
        InputError: there are more than MAX_UNITS units.
    """
    found, count = list[Piece](), 0
    for piece in pieces:
        found.append(piece)
        count += not isinstance(piece, str)
        check_count(count, name)
    return found


def check_count(count: int, name: str) -> None:
    """Refuse a file with more units than there may be.

    Raises:
        InputError: naming the file and the limit.
    """
    if count > MAX_UNITS:
        raise InputError(
            f"{name}: has more than {MAX_UNITS:,} texts to translate; split it", "file_too_large"
        )
