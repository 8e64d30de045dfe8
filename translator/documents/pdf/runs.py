"""Runs of text on a page, and the boxes around what is drawn."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

from translator.documents.pdf import thresholds as by
from translator.documents.pdf.typefaces import PLAIN, Face

Colour = tuple[int, int, int]
SLASHES = "/", "\u2044", "\u2215"
_LONG_WORD = re.compile(r"[^\W\d_]{5}")  # as no sign has
FROM_THE_RIGHT = re.compile("[\u0590-\u08ff]")
LEADER = re.compile(r"(?:[.·]\s*){5,}|(?:…\s*){2,}")
"""Dots that lead to the number of a page or to a price, or that are to be filled in."""


@dataclass(frozen=True, slots=True)
class Run:
    """What one operator of a page shows.

    Places are those on a page that is turned so that the run is level.

    Attributes:
        number: among all that show text on the page.
        text: as people read it; empty if the font does not tell. It has the spaces of the file;
            `gaps` tell of others.
        left: where its first letter begins.
        right: where its last letter ends, in the room that the font gives it.
        base: height of the line that it stands on.
        size: of the letters.
        angle: that it is turned by, in degrees.
        face: most like its font.
        colour: red, green, blue.
        origin: where it begins on the page itself.
        scale: size of a raised or lowered one, as a share of the size of the word before it.
        rise: how far such a one is above the line of that word, as a share of the same size.
        gaps: from each character to the next, in units of the size; empty if there are none.
        signs: widths, in units of the size, of the characters that its face lacks; of all that are
            set in a font for formulas.
        font: its name, if it is for formulas.
        overlap: how far what follows is set over it, in units of the size, as in `∉`.
        is_underlined: whether a line is drawn below it.
        is_struck: whether a line is drawn through it.
        twins: numbers of others that show the same at nearly the same place, as for a shadow.
        cells: its parts, if it has gaps as between cells, or a leader; none otherwise. They have
            its number.
        paragraph: number of the one that it is in, if the file tells; 0 otherwise.
        badge: that it is in.
    """

    number: int
    text: str
    left: float
    right: float
    base: float
    size: float
    angle: float = 0.0
    face: Face = PLAIN
    colour: Colour = (0, 0, 0)
    origin: tuple[float, float] = (0.0, 0.0)
    scale: float = 1.0
    rise: float = 0.0
    gaps: tuple[float, ...] = ()
    signs: tuple[tuple[str, float], ...] = ()
    font: str = ""
    overlap: float = 0.0
    is_underlined: bool = False
    is_struck: bool = False
    twins: tuple[int, ...] = ()
    cells: tuple[Run, ...] = ()
    paragraph: int = 0
    badge: Badge | None = None

    @property
    def place(self) -> tuple[int, float]:
        """What tells it from others of the page."""
        return self.number, self.left

    @property
    def looks(self) -> tuple[object, ...]:
        """What is the same for letters that look the same."""
        lines = self.is_underlined, self.is_struck, self.badge
        own = self.size, self.rise, self.face, self.colour, self.font, self.overlap
        return *own, *lines


def untold(run: Run) -> Run:
    """Return a run, and its cells, without what the file tells of paragraphs."""
    return replace(run, paragraph=0, cells=tuple(map(untold, run.cells)))


class Box(NamedTuple):
    """Around a line, a drawing or a picture on a page."""

    left: float
    bottom: float
    right: float
    top: float


Badge = tuple[Box, Box]
"""A box around some words of a line, and how far it reaches beyond their ends and their line."""


def with_twins(runs: Sequence[Run]) -> list[Run]:
    """Return runs; those that stand nearly where another does, for a shadow, have no text.

    PDFium finds no text in the second of two that are very near. The last one is on top, and its
    colour is seen.
    """
    by_place = sorted(runs, key=lambda run: run.origin)
    places = [run.origin[0] for run in by_place]
    known = [*runs]
    for run in runs:
        near = by.SHADOW * run.size
        first = bisect_left(places, run.origin[0] - near)
        last = bisect_right(places, run.origin[0] + near)
        for other in by_place[first:last]:
            twin = known[other.number]
            if (
                other.number != run.number
                and known[run.number].text.strip() == run.text.strip()
                and twin.text.strip()
                and run.text.strip() in ("", twin.text.strip())
                and abs(run.origin[1] - other.origin[1]) <= near
                and (run.size, run.angle) == (other.size, other.angle)
            ):
                colour = max(run, twin, key=lambda one: one.number).colour
                known[other.number] = replace(
                    twin, colour=colour, twins=(*twin.twins, run.number, *known[run.number].twins)
                )
                known[run.number] = replace(run, text="", gaps=(), signs=(), cells=())
                break
    return known


def raised_signs(runs: Iterable[Run]) -> dict[tuple[int, float], list[Run]]:
    """Return footnote marks, exponents and indices, by the place of the run that each follows.

    They stand higher or lower than that, and know by how much. All runs are turned alike.
    """
    words = sorted((run for run in runs if run.size), key=lambda run: run.right)
    ends = [run.right for run in words]
    signs = [sign for sign in _strings(words) if _may_be_sign(sign)]
    by_word: dict[tuple[int, float], list[Run]] = {}
    for sign in signs[: by.MOST_SIGNS]:
        start = sign[0].left
        first = bisect_left(ends, start - by.FARTHEST_SIGN)
        last = bisect_right(ends, start + by.FARTHEST_SIGN)
        beside = [word for word in words[first:last] if _is_raised(sign[0], word)]
        if beside:
            word = min(beside, key=lambda word: abs(word.right - start))
            scale, rise = sign[0].size / word.size, (sign[0].base - word.base) / word.size
            known = [replace(run, scale=scale, rise=rise) for run in sign]
            by_word.setdefault(word.place, []).extend(known)
    return by_word


def _strings(runs: Iterable[Run]) -> list[list[Run]]:
    """Return runs that go on in one line and one size; each may be a single letter."""
    strings = list[list[Run]]()
    for run in sorted(runs, key=lambda run: (round(run.base, 1), run.left)):
        last = strings[-1][-1] if strings else None
        if (
            last is not None
            and abs(run.base - last.base) < by.TOUCHES * run.size
            and abs(run.size - last.size) < by.TOUCHES * run.size
            and abs(run.left - last.right) < by.NEXT_TO * run.size
        ):
            strings[-1].append(run)
        else:
            strings.append([run])
    return strings


def _may_be_sign(string: Iterable[Run]) -> bool:
    text = "".join(run.text for run in string).strip()
    return len(text) <= by.LONGEST_SIGN and not _LONG_WORD.search(text)


def _is_raised(sign: Run, word: Run) -> bool:
    """Return whether a sign is raised or lowered behind a word, or before the `/` of a fraction."""
    rise = (sign.base - word.base) / word.size
    gap = abs(sign.left - word.right)
    if word.text.startswith(SLASHES):
        gap = min(gap, abs(word.left - sign.right))
    return (
        sign.size <= by.LARGEST_SIGN * word.size
        and gap <= by.NEXT_TO * word.size
        and (by.RISES[0] <= rise <= by.RISES[1] or by.FALLS[0] <= rise <= by.FALLS[1])
    )


class _Wide(Protocol):
    @property
    def left(self) -> float: ...

    @property
    def right(self) -> float: ...


def overlap_across(one: _Wide, other: _Wide) -> bool:
    """Return whether some of one is above, at or below some of another."""
    return min(one.right, other.right) > max(one.left, other.left)


def overlap(one: Box, other: Box) -> bool:
    """Return whether two boxes have a place in common."""
    is_level = min(one.top, other.top) > max(one.bottom, other.bottom)
    return is_level and overlap_across(one, other)
