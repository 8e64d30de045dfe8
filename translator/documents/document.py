"""A text or a file in pieces: what comes back as it stands, and units to translate."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from translator.errors import InputError
from translator.text.marked import MarkedText

Content_co = TypeVar("Content_co", str, bytes, covariant=True)
Content = TypeVar("Content", str, bytes)


class Document(Protocol[Content_co]):
    """A text or a file taken apart."""

    @property
    def units(self) -> Sequence[MarkedText]:
        """What to translate, in the order of the document."""
        ...

    @property
    def left_alone(self) -> Sequence[str]:
        """Texts that stay, since nothing else can be written; all are known after `rebuild`."""
        ...

    def rebuild(self, translations: Iterable[str]) -> Content_co:
        """Return the document with a translation in the place of each unit.

        Args:
            translations: one for each of `units`, in order; they are asked for as they are needed.
                The units' own texts give the document as it was, byte for byte wherever the format
                allows that.

        Raises:
            ValueError: there are not as many translations as units.
        """
        ...


def as_many(translations: Iterable[str], count: int) -> Iterator[str]:
    """Yield translations, and see to it that there is one for each of so many units.

    Raises:
        ValueError: there are more or fewer.
    """
    found, every = 0, iter(translations)
    for translation in itertools.islice(every, count):
        found += 1
        yield translation
    found += sum(1 for _ in every)
    if found != count:
        raise ValueError(
            f"expected one translation per unit: {count} units, got {found} translations"
        )


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


class Embedded:
    """A unit of a text that stands inside another, which has escapes of its own; see `Unit`."""

    __slots__ = ("_escape", "_unit", "inner", "marked")

    def __init__(self, unit: Unit, escape: Callable[[str], str]) -> None:
        """Take the unit, and what writes a part of its text as the outer text has it."""
        self._unit, self._escape, self.marked = unit, escape, unit.marked
        self.inner = tuple(Embedded(one, escape) for one in unit.inner)

    def render(self, translation: str) -> Iterator[Piece]:
        """Yield the translation with all that is not an inner unit escaped."""
        inner = dict(zip(map(id, self._unit.inner), self.inner, strict=True))
        for piece in self._unit.render(translation):
            yield self._escape(piece) if isinstance(piece, str) else inner[id(piece)]


def embedded(pieces: Iterable[Piece], escape: Callable[[str], str]) -> Iterator[Piece]:
    """Yield the pieces of a text that stands inside another; see `Embedded`."""
    for piece in pieces:
        yield escape(piece) if isinstance(piece, str) else Embedded(piece, escape)


class Filler:
    """Puts translations, which come in the order of their units, into the places of these."""

    def __init__(self, translations: Iterable[str]) -> None:
        """Take the translations of all units; they are asked for one by one."""
        self._translations = iter(translations)

    def text(self, pieces: Iterable[Piece]) -> str:
        """Return pieces as one text."""
        return "".join(self.parts(pieces))

    def parts(self, pieces: Iterable[Piece]) -> Iterator[str]:
        """Yield pieces as texts; none of them is held."""
        for piece in pieces:
            if isinstance(piece, str):
                yield piece
            else:
                known = {id(unit): next(self._translations) for unit in units_of(piece)}
                yield from _filled([piece], known)


def _filled(pieces: Iterable[Piece], known: Mapping[int, str]) -> Iterator[str]:
    for piece in pieces:
        if isinstance(piece, str):
            yield piece
        else:
            yield from _filled(piece.render(known[id(piece)]), known)


class PieceDocument(Generic[Content]):
    """Pieces as a document; see `Document`.

    Attributes:
        units: what to translate, in order.
        left_alone: see `Document`; what writes the document says so.
    """

    def __init__(
        self, pieces: Iterable[Piece], name: str, write: Callable[[Filler], Content]
    ) -> None:
        """Take the pieces of all that is written, its name for errors, and what writes it.

        Raises:
            InputError: it has too many units.
        """
        self.units: Sequence[MarkedText] = marked_in(pieces, name)
        self.left_alone: Sequence[str] = ()
        self._write: Callable[[Filler], Content] = write

    def rebuild(self, translations: Iterable[str]) -> Content:
        """Return the document with its translations; see `Document.rebuild`.

        Raises:
            ValueError: there are not as many translations as units.
        """
        told = as_many(translations, len(self.units))
        written = self._write(Filler(told))
        next(told, None)  # complains of those that are left, if there was no place to ask for one
        return written


class TextDocument(PieceDocument[str]):
    """A text as a document.

    Attributes:
        pieces: all of them, in order.
    """

    def __init__(self, pieces: Iterable[Piece], name: str = THE_TEXT) -> None:
        """Take the pieces of the whole text, and its name for errors.

        Raises:
            InputError: it has too many units.
        """
        self.pieces = _gathered(pieces, name)
        super().__init__(self.pieces, name, lambda filler: filler.text(self.pieces))


class FileDocument(PieceDocument[bytes]):
    """A file of text as a document."""

    def __init__(self, pieces: Iterable[Piece], name: str, encode: Callable[[str], bytes]) -> None:
        """Take the pieces of the whole file, its name, and what makes bytes of its text.

        Raises:
            InputError: it has too many units.
        """
        known = _gathered(pieces, name)
        super().__init__(known, name, lambda filler: encode(filler.text(known)))


def marked_in(pieces: Iterable[Piece], name: str) -> tuple[MarkedText, ...]:
    """Return the texts of all units of some pieces, which need not be held.

    Raises:
        InputError: there are more than MAX_UNITS.
    """
    found = list[MarkedText]()
    for piece in pieces:
        if not isinstance(piece, str):
            found += [unit.marked for unit in units_of(piece)]
            check_count(len(found), name)
    return tuple(found)


def units_of(unit: Unit) -> Sequence[Unit]:
    """Return a unit and those that stand inside it, each once."""
    return [*{id(one): one for one in with_inner([unit])}.values()] if unit.inner else [unit]


def with_inner(units: Iterable[Unit]) -> Iterator[Unit]:
    """Yield units, each before those that stand inside it."""
    for unit in units:
        yield unit
        yield from with_inner(unit.inner)


def _gathered(pieces: Iterable[Piece], name: str) -> list[Piece]:
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
