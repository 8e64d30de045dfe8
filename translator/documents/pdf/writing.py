"""Pages changed: what showed the text of a paragraph goes, and its translation is added on top.

All else in the page stays as it is, operator by operator: pictures, drawings, colours, clips.
"""

from __future__ import annotations

import functools
import itertools
import math
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

import pikepdf
from pikepdf import ContentStreamInstruction, Matrix

from translator.documents.pdf import thresholds as by
from translator.documents.pdf.forms import operator
from translator.documents.pdf.runs import Box, Run
from translator.documents.pdf.typefaces import EmbeddedFonts
from translator.documents.pdf.words import Placed, Sign, box_of, from_the_left

_SHOWS = frozenset({"Tj", "TJ", "'", '"'})
_PATHS = {"re": 4, "m": 2, "l": 2, "c": 6, "v": 4, "y": 4}
"""Operators that go on with a path, and how many numbers they have."""

_PAINTS = frozenset({"S", "s", "f", "F", "f*", "B", "B*", "b", "b*", "n"})
_UNCHANGING = ("L", "R", "ON", "ES", "ET", "EN", "CS")
"""Kinds of characters that look the same beside all others."""


class _State(NamedTuple):
    """What `q` keeps."""

    ctm: Matrix
    leading: float


def change_page(
    pdf: pikepdf.Pdf,
    number: int,
    runs: Sequence[Run],
    gone: frozenset[int],
    placed: Sequence[Placed],
    fonts: EmbeddedFonts,
    moved: Mapping[Box, Box | None] | None = None,
) -> None:
    """Change one page, of which all runs are known: `placed` stands in the place of those gone.

    `moved` has badges, and where they go; lines below or through words go, too, and come anew.

    Raises:
        ValueError: the page shows other runs than were read; `num_shown` tells.
    """
    page = pdf.pages[number]
    rewriter = _Rewriter(runs, gone, moved or {})
    content = pikepdf.unparse_content_stream([*rewriter.rewritten(page)])
    ends = b"\nQ" * (1 + rewriter.num_open)
    page.Contents = pdf.make_stream(b"q\n" + content + ends + b"\n" + _shown(placed, fonts, page))


def num_shown(page: pikepdf.Page) -> int:
    """Return how many operators of a page show text."""
    shows = pikepdf.parse_content_stream(page, " ".join(_SHOWS))
    return sum(_has_text([*one.operands]) for one in shows)


def signs_of(page: pikepdf.Page, runs: Sequence[Run]) -> dict[str, Sign]:
    """Return the characters of a page that no face has, as its own fonts show them.

    Letters that change with their neighbours, such as Arabic ones, are left out, and so are runs
    whose codes cannot be told apart.
    """
    signs, number, font, outer = dict[str, Sign](), 0, "", list[str]()
    for instruction in pikepdf.parse_content_stream(page, "q Q Tf Tj TJ ' \""):
        name, operands = str(instruction.operator), [*instruction.operands]
        if name == "q":
            outer.append(font)
        elif name == "Q":
            font = outer.pop() if outer else font
        elif name == "Tf":
            font = str(operands[0]) if operands else ""
        elif _has_text(operands) and number < len(runs):
            run, number = runs[number], number + 1
            codes = _codes(run.text, operands[-1]) if run.signs and font else {}
            for char, width in run.signs:
                if char in codes and unicodedata.bidirectional(char) in _UNCHANGING:
                    signs[f"{run.font} {char}" if run.font else char] = Sign(
                        font, codes[char], width
                    )
                    signs.setdefault(char, Sign(font, codes[char], width))
    return signs


def _codes(text: str, shown: Any) -> dict[str, str]:
    """Return the code of each character of a run, if all have as many bytes."""
    strings = shown if isinstance(shown, pikepdf.Array) else [shown]
    code = b"".join(bytes(one) for one in strings if isinstance(one, pikepdf.String))
    length, rest = divmod(len(code), len(text))
    if rest or length not in (1, 2):
        return {}
    places = enumerate(from_the_left(text))
    return {char: code[length * n : length * (n + 1)].hex() for n, char in places}


def _shown(placed: Sequence[Placed], fonts: EmbeddedFonts, page: pikepdf.Page) -> bytes:
    lines, drawn = ["BT"], list[str]()
    name_of = functools.cache(functools.partial(fonts.name_on, page))
    for one, following in itertools.zip_longest(placed, placed[1:]):
        angle = math.radians(one.angle)
        cos, sin = math.cos(angle), math.sin(angle)
        x, y = one.left * cos - one.base * sin, one.left * sin + one.base * cos
        colour = " ".join(f"{part / 255:.3f}" for part in one.style.colour)
        sign = one.style.sign
        name = name_of(one.style.face) if sign is None else sign.font
        lines += [
            f"{colour} rg {name} {one.size:.3f} Tf {100 * one.style.width:.1f} Tz",
            f"{cos:.5f} {sin:.5f} {-sin:.5f} {cos:.5f} {x:.3f} {y:.3f} Tm",
            f"<{fonts.codes(one.text, one.style.face) if sign is None else sign.code}> Tj",
        ]
        heights = {-by.UNDERLINE: one.style.is_underlined, by.STRUCK: one.style.is_struck}
        for height in (height for height, is_drawn in heights.items() if is_drawn):
            right = box_of(one).right
            if following and (following.style, following.base) == (one.style, one.base):
                right = following.left  # in a justified line
            place = f"{x:.3f} {y + height * one.size:.3f}"
            extent = f"{right - one.left:.3f} {by.WEIGHT * one.size:.3f}"
            drawn.append(f"{colour} rg {place} {extent} re f")
    return "\n".join([*lines, "ET", *drawn, ""]).encode()


class _Rewriter:
    """Goes once through the operators of a page, and knows where the next text would stand."""

    def __init__(
        self, runs: Sequence[Run], gone: frozenset[int], moved: Mapping[Box, Box | None]
    ) -> None:
        self._runs, self._gone = runs, gone
        self._moved, self._path = moved, list[tuple[float, float]]()
        self._number = 0
        self._states: list[_State] = []
        self._state = _State(Matrix(), 0.0)
        self._line = Matrix()
        self._is_moved = False  # something is gone from the line, so the next must say where it is

    @property
    def num_open(self) -> int:
        """How many `q` have had no `Q` so far."""
        return len(self._states)

    @property
    def _is_visible(self) -> bool:
        """Whether the page is not pressed to a line."""
        a, b, c, d, _, _ = self._state.ctm.shorthand
        return a * d != b * c

    def rewritten(self, page: pikepdf.Page) -> Iterable[Any]:
        """Yield the operators that stay, with badges where they go."""
        done, start = list[Any](), 0  # where the path in hand begins
        for instruction in pikepdf.parse_content_stream(page):
            name = str(instruction.operator)
            start = start if self._path else len(done)
            if name in _SHOWS:
                done += self._show(name, [*instruction.operands])
                continue
            moved = self._box() if name in _PAINTS - {"n"} else None
            to = self._moved[moved] if moved else None
            if moved and to:
                done[start:start] = [operator("q"), _matrix(self._shift(moved, to), "cm")]
                done += [instruction, operator("Q")]
            else:
                done.append(operator("n") if moved else instruction)
            if name in _PAINTS:
                self._path.clear()
            elif not isinstance(instruction, pikepdf.ContentStreamInlineImage):
                self._follow(name, [*instruction.operands])
        if self._number != len(self._runs):
            raise ValueError("runs: the page shows fewer")
        return done

    def _box(self) -> Box | None:
        """Return the line or the badge that the path in hand draws."""
        if not self._path or not self._moved or not self._is_visible:
            return None
        across, up = zip(*self._path, strict=True)
        own = min(across), max(across), min(up) + max(up)
        for box in self._moved:
            sides = zip(own, (box.left, box.right, box.bottom + box.top), strict=True)
            if all(abs(one - other) < by.SAME_PLACE for one, other in sides):
                return box
        return None

    def _shift(self, old: Box, new: Box) -> Matrix:
        """Return what moves a box of the page to another, in the space of the path in hand."""
        wide = (new.right - new.left) / (old.right - old.left)
        high = (new.top - new.bottom) / (old.top - old.bottom)
        left, bottom = new.left - wide * old.left, new.bottom - high * old.bottom
        ctm = self._state.ctm
        return ctm @ Matrix(wide, 0, 0, high, left, bottom) @ ctm.inverse()

    def _follow_path(self, name: str, operands: list[Any]) -> None:
        """Keep the corners of the path in hand, on the page itself."""
        places = _numbers(operands, _PATHS[name])
        if name == "re":
            x, y, width, height = places
            places = [x, y, x + width, y + height]
        for x, y in zip(places[::2], places[1::2], strict=True):
            self._path.append(self._state.ctm.transform((x, y)))

    def _show(self, name: str, operands: list[Any]) -> Iterable[ContentStreamInstruction]:
        if name == '"':
            yield operator("Tw", operands[:1])
            yield operator("Tc", operands[1:2])
        if name in ("'", '"'):
            self._follow("T*", [])
            yield operator("T*")
        shown = "TJ" if name == "TJ" else "Tj"
        if not _has_text(operands):
            yield operator(shown, operands[-1:])
            return
        texts = operands[-1]
        if self._number >= len(self._runs):
            raise ValueError("runs: the page shows more")
        run = self._runs[self._number]
        self._number += 1
        if run.number in self._gone:
            self._is_moved = True
        elif not self._is_moved or not self._is_visible:
            yield operator(shown, [texts])
        else:
            x, y = self._state.ctm.inverse().transform(run.origin)
            a, b, c, d, _, _ = self._line.shorthand
            yield _matrix(Matrix(a, b, c, d, x, y))
            yield operator(shown, [_without_start(texts)])
            yield _matrix(self._line)

    def _follow(self, name: str, operands: list[Any]) -> None:
        """Keep up with what moves the place of text and of lines."""
        if name in _PATHS and self._moved:
            self._follow_path(name, operands)
        elif name == "q":
            self._states.append(self._state)
        elif name == "Q" and self._states:
            self._state = self._states.pop()
        elif name == "cm":
            matrix = Matrix(*_numbers(operands, 6))
            self._state = self._state._replace(ctm=matrix @ self._state.ctm)
        elif name == "TL":
            self._state = self._state._replace(leading=_numbers(operands, 1)[0])
        elif name in ("BT", "Tm", "Td", "TD", "T*"):
            self._is_moved = False
            if name == "BT":
                self._line = Matrix()
            elif name == "Tm":
                self._line = Matrix(*_numbers(operands, 6))
            else:
                x, y = _numbers(operands, 2)
                if name == "TD":
                    self._state = self._state._replace(leading=-y)
                if name == "T*":
                    y = -self._state.leading
                self._line = Matrix(1, 0, 0, 1, x, y) @ self._line


def _matrix(matrix: Matrix, name: str = "Tm") -> ContentStreamInstruction:
    return operator(name, [*matrix.shorthand])


def _numbers(operands: list[Any], count: int) -> list[float]:
    """Return the last operands as numbers; what is missing or none is 0, as readers take it."""
    known = [float(one) if isinstance(one, int | float | Decimal) else 0.0 for one in operands]
    return [0.0] * (count - len(known)) + known[-count:]


def _has_text(operands: list[Any]) -> bool:
    texts = operands[-1] if operands else pikepdf.String("")
    if isinstance(texts, pikepdf.Array):
        return any(isinstance(one, pikepdf.String) and bytes(one) for one in texts)
    return isinstance(texts, pikepdf.String) and bool(bytes(texts))


def _without_start(texts: Any) -> Any:
    """Return texts without the numbers before the first, which its place has in it already."""
    if not isinstance(texts, pikepdf.Array):
        return texts
    known = [*texts]
    while known and not isinstance(known[0], pikepdf.String):
        known.pop(0)
    return pikepdf.Array(known)
