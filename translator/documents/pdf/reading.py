"""Runs of text on a page with their places, fonts and colours, as PDFium finds them."""

from __future__ import annotations

import ctypes
import itertools
import math
import re
import sys
import unicodedata
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

import pypdfium2
import pypdfium2.raw as pdfium

from translator.documents.pdf import thresholds as by
from translator.documents.pdf.pixels import unseen
from translator.documents.pdf.structure import paragraphs_of
from translator.documents.pdf.typefaces import (
    CORK,
    FOR_FORMULAS,
    FOR_SIGNS,
    PLAIN,
    Face,
    face_like,
    has_sign,
    heavier,
    name_inside,
    width_of,
)

Colour = tuple[int, int, int]
_WHITE: Colour = (255, 255, 255)
SLASHES = "/", "\u2044", "\u2215"
_OUTLINED, _INVISIBLE = 2, 3  # ways to show text; those above make a clip of it
_DRAWN = (pdfium.FPDF_PAGEOBJ_PATH, pdfium.FPDF_PAGEOBJ_IMAGE)
_MOST_NAME = 200  # characters of the name of a font
_NAMELESS = re.compile(r"(?:[A-Z]{6}\+)?(?:CIDFont)?(?:\+?[FT][\d_]+)?(?:\s|$)")
_UNTOLD = 0x100000  # private use: the codes of letters that their font does not tell
_MARKS = str.maketrans("`´ˆ˜¯˘˙¨˚˝ˇ¸", unicodedata.normalize("NFD", "ÀÁÂÃĀĂĖÄÅŐŠÇ")[1::2])
_BARE = re.compile(r"[\W\d_]*")  # as amounts are
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f©®]")
_LONG_WORD = re.compile(r"[^\W\d_]{5}")  # as no sign has
FROM_THE_RIGHT = re.compile("[\u0590-\u08ff]")
LEADER = re.compile(r"(?:[.·]\s*){5,}|(?:…\s*){2,}")
"""Dots that lead to the number of a page or to a price, or that are to be filled in."""
_END_OF_LEADER = re.compile(r"^\s*(?:[.·…]\s*){2,}(?=\d+\s*$)")
_HYPHENS = str.maketrans({"\x02": "-", "\ufffe": "-", "\u00ad": "-", "\r": " ", "\n": " "})


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

_Font = tuple[Face, str, bool]
"""The face most like a font, its name if it is for formulas, and whether it is one of signs."""

_Place = tuple[float, float]
"""Where a letter begins and ends on its line."""


class _Letter(NamedTuple):
    """A character where it is shown: its origin, a box as wide as its font says, and its ink."""

    char: str
    x: float
    y: float
    box: Box
    ink: Box


def contents_of(
    page: pypdfium2.PdfPage, has_tags: bool = False
) -> tuple[list[Run], list[Box], list[str], int]:
    """Return the runs of a page in the order in which they are shown, and what else is drawn.

    Then come the texts that stay, which are unreadable or inside forms, and how many characters
    are on the page in all. Runs know their paragraphs if the file `has_tags`.
    """
    text_page = page.get_textpage()
    runs, boxes, inside = list[tuple[Run, list[_Place]]](), list[Box](), list[str]()
    middles, covers = dict[int, tuple[object, Box]](), list[tuple[int, Box]]()
    count = pdfium.FPDFPage_CountObjects(page)
    objects = [pdfium.FPDFPage_GetObject(page, index) for index in range(count)]
    paragraphs = paragraphs_of(page) if has_tags else {}
    try:
        num_chars, letters = text_page.count_chars(), _letters(text_page)
        texts = [
            (_name_of(pdfium.FPDFTextObj_GetFont(shown)), letters.pop(_address(shown), []))
            for shown in objects
            if pdfium.FPDFPageObj_GetType(shown) == pdfium.FPDF_PAGEOBJ_TEXT
        ]
        _tell_letters(texts)
        _close_ligatures(texts)
        twins, faces = _join_accents(texts), dict[int, _Font]()
        heavy = heavier(Counter(name for name, own in texts for _ in own))
        for shown in objects:
            kind = pdfium.FPDFPageObj_GetType(shown)
            if kind == pdfium.FPDF_PAGEOBJ_TEXT:
                name, own = texts[len(runs)]
                run, places = _run(len(runs), shown, own, faces)
                is_seen = pdfium.FPDFTextObj_GetTextRenderMode(shown) != _INVISIBLE
                if own and is_seen and not run.text:  # as a drawing
                    boxes.append(_box(shown))
                    inside.append("".join(one.char for one in own if one.char.isprintable()))
                told = paragraphs.get(pdfium.FPDFPageObj_GetMarkedContentID(shown), 0)
                if told or name in heavy or run.number in twins:
                    face = run.face._replace(is_bold=run.face.is_bold or name in heavy)
                    run = replace(run, paragraph=told, twins=twins.get(run.number, ()), face=face)
                runs.append((run, places))
                if ink := [one.ink for one in own if one.char.isalnum()]:
                    middles[run.number] = shown, ink[len(ink) // 2]
            elif kind in _DRAWN and len(boxes) < by.MOST_BOXES:
                box = _box(shown)
                covers.append((len(runs), box))
                if not _is_white(shown) or any(
                    overlap(box, one) for one in boxes[: by.MOST_COVERS]
                ):
                    boxes.append(box)
        pale = {run.number for run, _ in runs if run.colour == _WHITE}
        for number in unseen(page, middles, covers[-by.MOST_COVERS :], pale):
            runs[number] = replace(runs[number][0], text="", gaps=(), signs=()), []
        inside += ("".join(letter.char for letter in own) for own in letters.values())
    finally:
        text_page.close()
    return _with_twins(_with_cells(runs, boxes)), [*boxes, *_ticks(page)], inside, num_chars


def _ticks(page: pypdfium2.PdfPage) -> Iterator[Box]:
    """Yield a dot for each small field of a form, as one to tick: it is before its option."""
    for index in range(min(pdfium.FPDFPage_GetAnnotCount(page), by.MOST_LINKS)):
        note = pdfium.FPDFPage_GetAnnot(page, index)
        place = pdfium.FS_RECTF()
        is_field = pdfium.FPDFAnnot_GetSubtype(note) == pdfium.FPDF_ANNOT_WIDGET
        pdfium.FPDFAnnot_GetRect(note, place)
        pdfium.FPDFPage_CloseAnnot(note)
        width, height = place.right - place.left, place.top - place.bottom
        if is_field and max(width, height) < min(by.HIGHEST_TICK, by.WIDEST_TICK * height):
            middle = place.bottom + by.MIDDLE * height
            yield Box(place.right - by.NEAR, middle, place.right, middle + by.NEAR)


def _with_twins(runs: Sequence[Run]) -> list[Run]:
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


def _box(shown: object) -> Box:
    sides = [ctypes.c_float() for _ in Box._fields]
    pdfium.FPDFPageObj_GetBounds(shown, *sides)
    return Box(*(side.value for side in sides))


def _is_white(shown: object) -> bool:
    """Return whether what is drawn is white and without a border, as paper is."""
    fill, has_border = ctypes.c_int(), ctypes.c_int()
    is_path = pdfium.FPDFPath_GetDrawMode(shown, fill, has_border)
    return bool(is_path and fill.value and not has_border.value) and _colour(shown) == _WHITE


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


def _address(shown: object) -> int:
    return ctypes.cast(shown, ctypes.c_void_p).value or 0  # type: ignore[arg-type]


def _letters(text_page: pypdfium2.PdfTextPage) -> dict[int, list[_Letter]]:
    """Return the characters that each object of a page shows, without the spaces PDFium adds."""
    letters = dict[int, list[_Letter]]()
    x, y, box = ctypes.c_double(), ctypes.c_double(), pdfium.FS_RECTF()
    left, bottom, right, top = (ctypes.c_double() for _ in Box._fields)
    origin, around = (ctypes.byref(x), ctypes.byref(y)), ctypes.byref(box)
    ink = [ctypes.byref(side) for side in (left, right, bottom, top)]
    for index in range(text_page.count_chars()):
        code = pdfium.FPDFText_GetUnicode(text_page, index)
        if pdfium.FPDFText_IsGenerated(text_page, index) == 1 or not 0 < code <= sys.maxunicode:
            continue
        code += _UNTOLD * (pdfium.FPDFText_HasUnicodeMapError(text_page, index) == 1)
        shown = pdfium.FPDFText_GetTextObject(text_page, index)
        pdfium.FPDFText_GetCharOrigin(text_page, index, *origin)
        pdfium.FPDFText_GetLooseCharBox(text_page, index, around)
        pdfium.FPDFText_GetCharBox(text_page, index, *ink)
        letter = _Letter(
            *(chr(code).translate(_HYPHENS), x.value, y.value),
            Box(box.left, box.bottom, box.right, box.top),
            Box(left.value, bottom.value, right.value, top.value),
        )
        letters.setdefault(_address(shown), []).append(letter)
    return letters


def _tell_letters(texts: Sequence[tuple[str, list[_Letter]]]) -> None:
    """Put letters for codes that fonts do not tell; U+FFFD among others if nothing tells a letter.

    Codes that are mostly small letters are characters. TeX's fonts without a name have ASCII, and
    Cork's letters if they have other codes, too. Else a font without a letter has signs.
    """
    codes, telling = defaultdict[str, str](str), set[str]()
    for name, own in texts:
        chars = "".join([one.char for one in own])
        telling |= {name} if any(map(str.isalpha, chars)) else set()
        codes[name] += "".join(chr(ord(one) - _UNTOLD) for one in chars if ord(one) >= _UNTOLD)
    num_ascii = sum(map(str.isascii, codes[""]))
    cork = CORK if len(codes[""]) / 2 < num_ascii < len(codes[""]) else {}
    for name, own in texts:
        is_plain = not name or 2 * sum(map(str.islower, codes[name])) > len(codes[name])
        for at, one in enumerate(own if is_plain or name in telling else ()):
            if ord(one.char) >= _UNTOLD:
                char = chr(ord(one.char) - _UNTOLD).translate({} if name else cork)
                is_known = is_plain and char.isprintable() and (name or cork or char.isascii())
                own[at] = one._replace(char=char if is_known else "\ufffd")


def _close_ligatures(texts: Sequence[tuple[str, list[_Letter]]]) -> None:
    """Drop each space that InDesign shows in the second half of a ligature."""
    places = [(own, one) for _, own in texts for one in own]
    four = zip(places, places[1:], places[2:], places[3:], strict=False)
    for (_, first), (_, last), (own, space), (_, after) in four:
        if space.char == " " and first.box == last.box:
            _, bottom, end, top = last.box
            if math.dist((after.x, after.y), (end, last.y)) < by.TOUCHES * (top - bottom):
                own.remove(space)


def _join_accents(texts: Sequence[tuple[str, list[_Letter]]]) -> dict[int, tuple[int]]:
    """Put each accent into the letter that TeX shows next, at the same place.

    Return the numbers of runs that show accents by those of others, which show their letters.
    """
    twins = dict[int, tuple[int]]()
    places = [(run, at, one) for run, (_, own) in enumerate(texts) for at, one in enumerate(own)]
    accents = [at for at, (_, _, one) in enumerate(places[:-1]) if ord(one.char) in _MARKS]
    for (run, at, accent), (below, to, base) in (places[at : at + 2] for at in reversed(accents)):
        if base.x < (accent.ink.left + accent.ink.right) / 2 < base.box.right:
            char = unicodedata.normalize("NFC", base.char + accent.char.translate(_MARKS))
            if len(char) == 1 and texts[run][0] == texts[below][0]:
                texts[below][1][to] = base._replace(char=char)
                del texts[run][1][at]
                twins |= {below: (run,)} if run != below else {}
    return twins


def _run(
    number: int,
    shown: object,
    letters: Sequence[_Letter],
    faces: dict[int, _Font],
) -> tuple[Run, list[_Place]]:
    """Return what an object shows, and where each letter begins and ends on its line.

    It adds to the `faces` of fonts, by their addresses.
    """
    matrix, font_size = pdfium.FS_MATRIX(), ctypes.c_float()
    pdfium.FPDFPageObj_GetMatrix(shown, matrix)
    pdfium.FPDFTextObj_GetFontSize(shown, font_size)
    angle = math.atan2(matrix.b, matrix.a)
    cos, sin = math.cos(angle), math.sin(angle)
    across = math.hypot(matrix.a, matrix.b) or 1.0
    size = abs(font_size.value * (matrix.a * matrix.d - matrix.b * matrix.c)) / across
    slant = (matrix.a * matrix.c + matrix.b * matrix.d) / across**2
    is_straight = min(abs(cos), abs(sin)) < by.LEVEL and abs(slant) < by.LEVEL
    text = "".join(letter.char for letter in letters)
    mode = pdfium.FPDFTextObj_GetTextRenderMode(shown)
    font = pdfium.FPDFTextObj_GetFont(shown)
    if _address(font) not in faces:
        faces[_address(font)] = _face(font)
    face, name, has_signs = faces[_address(font)]
    least = sys.maxunicode if has_signs else _UNTOLD
    is_known = all(char.isprintable() or char.isspace() or ord(char) >= least for char in text)
    if mode >= _INVISIBLE or not is_known or (has_signs and _LATIN.search(text)):
        text = ""
    scale = abs(font_size.value) * across
    is_told = _is_told(shown)
    known = None if is_told or (is_straight and _is_wrong(font, letters, angle, scale)) else font
    places = [_place(letter, angle, known, scale, is_straight) for letter in letters]
    if is_told:
        ends = [*itertools.chain.from_iterable(places)] or [0.0]
        if width_of(text.strip(), face) * size > (max(ends) - min(ends)) * by.MOST_TOLD:
            text = ""  # says what an icon means, or where a link goes
        size /= by.SMALL_CAPITALS if text.islower() else 1.0
    seen = [place for place, char in zip(places, text, strict=False) if not char.isspace()]
    start = matrix.e * cos + matrix.f * sin
    if mode == _OUTLINED or slant > by.LEAST_SLANT:  # for lack of a bold or slanted face
        is_bold, is_italic = face.is_bold or mode == _OUTLINED, slant > by.LEAST_SLANT
        face = Face(face.family, is_bold, face.is_italic or is_italic)
    is_level = bool(name) and angle == 0  # slanted letters of formulas need the room of their ink
    run = Run(
        number=number,
        text=text,
        left=min((left for left, _ in seen), default=start),
        right=max((right for _, right in seen), default=start),
        base=matrix.f * cos - matrix.e * sin,
        size=size,
        angle=round(math.degrees(angle), 1),
        face=face,
        colour=_colour(shown),
        origin=(matrix.e, matrix.f),
        gaps=_gaps(places, size) if text else (),
        signs=tuple(
            (letter.char, (max(right, letter.ink.right * is_level) - left) / (size or 1.0))
            for letter, (left, right) in zip(letters, places, strict=False)
            if text and not letter.char.isspace() and (name or not has_sign(letter.char, face))
        ),
        font=name,
    )
    return run, places if is_straight else []


class _Gap(NamedTuple):
    """What is between two words of a run; its width is in units of the size."""

    left: float
    right: float
    width: float
    end: int  # where the second word begins in the text


def _word_gaps(run: Run, places: Sequence[_Place]) -> list[_Gap]:
    """Return the gaps of a run, also where it shows spaces; none of one from the right."""
    gaps = list[_Gap]()
    seen = [number for number, char in enumerate(run.text) if not char.isspace()]
    for before, number in itertools.pairwise(() if FROM_THE_RIGHT.search(run.text) else seen):
        left, right = places[before][1], places[number][0]
        if (width := (right - left) / (run.size or 1.0)) > by.SPACE:
            gaps.append(_Gap(left, right, width, number))
    return gaps


def _with_cells(shown: Sequence[tuple[Run, Sequence[_Place]]], boxes: Iterable[Box]) -> list[Run]:
    """Return the runs of a page; what one string shows over several cells is in parts.

    Cells are parted by lines that are drawn between words, by gaps that no justified line has, and
    by those that are above each other in several rows. No space is wide between amounts, or in a
    typewriter's face.
    """
    rules = sorted(
        box for box in boxes if box.right - box.left < by.THIN < box.top - box.bottom - by.THIN
    )
    gaps = [_word_gaps(run, places) if places else [] for run, places in shown]
    wide = sorted(
        (run.base, gap)
        for (run, _), own in zip(shown, gaps, strict=True)
        for gap in own
        if gap.width > by.CELL_GAP and not _is_justified(run, own)
    )
    found = list[Run]()
    for (run, places), own in zip(shown, gaps, strict=True):
        widths = sorted(gap.width for gap in own)
        usual = widths[len(widths) // 2 - 1] if len(widths) > 2 else 0.0
        least = min(max(by.CELL_GAP, by.MUCH_WIDER * usual), by.WIDEST_SPACE)
        least = by.CELL_GAP if run.face.family == "Mono" else least
        least = least if _is_prose(run, own) else by.NEW_CELL
        ends = {gap.end for gap in own if gap.width > least} | {*_between_numbers(run, own)}
        aligned = {gap.end for gap in own if _is_in_column(gap, run, wide)}
        if not _is_justified(run, own):
            ends |= aligned
        elif 2 * len(aligned) > len(own):
            ends |= {gap.end for gap in own}
        middle = run.base + by.MIDDLE * run.size
        for gap in own if rules else ():
            between = rules[bisect_left(rules, (gap.left,)) : bisect_left(rules, (gap.right,))]
            if any(box.bottom <= middle <= box.top for box in between):
                ends.add(gap.end)
        if places and not FROM_THE_RIGHT.search(run.text):
            leaders = (*LEADER.finditer(run.text), *_END_OF_LEADER.finditer(run.text))
            ends = ends.union(*(leader.span() for leader in leaders))
        ends -= {0, len(run.text)}
        found.append(replace(run, cells=_cells(run, places, ends)) if ends else run)
    return found


def _are_bare(run: Run, gaps: Sequence[_Gap]) -> list[bool]:
    """Return whether each word of a run has no letter."""
    starts = [0, *(gap.end for gap in gaps), len(run.text)]
    return [bool(_BARE.fullmatch(run.text[s:end])) for s, end in itertools.pairwise(starts)]


def _is_prose(run: Run, gaps: Sequence[_Gap]) -> bool:
    """Return whether most words have letters, and spaces may be wide, as in a justified line."""
    bare = _are_bare(run, gaps)
    return 2 * sum(bare) < len(bare)


def _between_numbers(run: Run, gaps: Sequence[_Gap]) -> Iterator[int]:
    """Yield where gaps between numbers of a row end, as in a timetable."""
    bare = _are_bare(run, gaps)
    if 2 * sum(bare) > len(bare):
        least = by.NEW_CELL if run.face.family == "Mono" else by.LETTER_CELL
        for gap, (before, after) in zip(gaps, itertools.pairwise(bare), strict=True):
            if before and after and gap.width > least:
                yield gap.end


def _is_justified(run: Run, gaps: Sequence[_Gap]) -> bool:
    """Return whether all gaps of a line of prose are alike, and wide, but less than its words."""
    widths = [gap.width for gap in gaps] or [0.0]
    is_even = max(widths) < min(min(widths) + by.SPACE, by.WIDEST_SPACE)
    is_even = is_even and 2 * sum(widths) * run.size < run.right - run.left
    return len(gaps) > 1 and is_even and run.face.family != "Mono" and _is_prose(run, gaps)


def _is_in_column(gap: _Gap, run: Run, wide: Sequence[tuple[float, _Gap]]) -> bool:
    """Return whether wide gaps of other rows are above or below one."""
    near, least = by.SAME_TEXT * run.size, by.SPACE * run.size
    first = bisect_left(wide, run.base - near, key=lambda one: one[0])
    last = bisect_right(wide, run.base + near, key=lambda one: one[0])
    rows = {
        round(base)
        for base, other in wide[first:last]
        if min(gap.right, other.right) - max(gap.left, other.left) >= least
    }
    return gap.width > by.NEW_CELL and len(rows - {round(run.base)}) >= by.FEWEST_ROWS - 1


def _cells(run: Run, places: Sequence[_Place], ends: Iterable[int]) -> tuple[Run, ...]:
    """Return the parts of a run between some of its characters; none if all but one are empty."""
    cells = list[Run]()
    for start, end in itertools.pairwise((0, *sorted(ends), len(run.text))):
        text = run.text[start:end]
        seen = [place for place, char in zip(places[start:end], text, strict=True) if char.strip()]
        if seen:
            left, right = min(left for left, _ in seen), max(right for _, right in seen)
            signs = tuple(sign for sign in run.signs if sign[0] in text)
            gaps = run.gaps[start : end - 1]
            cells.append(replace(run, text=text, left=left, right=right, gaps=gaps, signs=signs))
    return tuple(cells) if len(cells) > 1 else ()


def _is_told(shown: object) -> bool:
    """Return whether the file tells the text of an object apart from its letters (ActualText)."""
    marks = range(pdfium.FPDFPageObj_CountMarks(shown))
    length = ctypes.c_ulong()
    return any(
        pdfium.FPDFPageObjMark_GetParamStringValue(
            pdfium.FPDFPageObj_GetMark(shown, mark), b"ActualText", None, 0, length
        )
        for mark in marks
    )


def _is_wrong(font: object, letters: Iterable[_Letter], angle: float, scale: float) -> bool:
    """Return whether a font gives another width than its room to a letter that fits into it.

    PDFium takes the width of a wrong sign if the font does not tell which characters it has.
    """
    told = ctypes.c_float()
    for letter in itertools.islice(filter(lambda one: one.char.isalnum(), letters), by.COMPARED):
        left, right, end_of_ink = _extent(letter, angle)
        if end_of_ink < right - by.LEVEL * scale:
            pdfium.FPDFFont_GetGlyphWidth(font, ord(letter.char), scale, told)
            if abs(right - left - told.value) > by.TOUCHES * scale:
                return True
    return False


def _extent(letter: _Letter, angle: float) -> tuple[float, float, float]:
    """Return where a letter begins on its line, and where its room and its ink end."""
    if not angle:  # as nearly always
        return letter.x, letter.box.right, letter.ink.right
    cos, sin = math.cos(angle), math.sin(angle)
    right, end_of_ink = (
        max(x * cos + y * sin for x in (box.left, box.right) for y in (box.bottom, box.top))
        for box in (letter.box, letter.ink)
    )
    return letter.x * cos + letter.y * sin, right, end_of_ink


def _place(
    letter: _Letter, angle: float, font: object, scale: float, is_straight: bool
) -> tuple[float, float]:
    """Return where a letter begins and ends on its line.

    PDFium's box of a letter is as wide as the font says, but wider if the letter hangs over, is
    turned or slanted; then the font is asked for the width of the character. That alone would not
    do, since two signs of a font may stand for one character.
    """
    left, right, end_of_ink = _extent(letter, angle)
    if is_straight and end_of_ink < right - by.LEVEL * scale:
        return left, right
    told = ctypes.c_float()
    pdfium.FPDFFont_GetGlyphWidth(font, ord(letter.char), scale, told)
    is_likely = 0 <= right - left - told.value < by.MOST_OVERHANG * scale
    return left, left + told.value if told.value > 0 and (is_likely or not is_straight) else right


def _gaps(places: Sequence[_Place], size: float) -> tuple[float, ...]:
    """Return how far apart letters are; some scripts go from the right to the left."""
    return tuple(
        max(left - before_right, before_left - right) / (size or 1.0)
        for (before_left, before_right), (left, right) in itertools.pairwise(places)
    )


def _face(font: object) -> _Font:
    """Return the face most like a font, which may have a name of its family and wrong flags.

    Then come the name of one for formulas, and whether it is one of signs.
    """
    name, family = _name_of(font), ctypes.create_string_buffer(_MOST_NAME)
    pdfium.FPDFFont_GetFamilyName(font, family, _MOST_NAME)
    narrow, wide = ctypes.c_float(), ctypes.c_float()
    pdfium.FPDFFont_GetGlyphWidth(font, ord("i"), 1.0, narrow)
    pdfium.FPDFFont_GetGlyphWidth(font, ord("m"), 1.0, wide)
    is_set_apart = 0 < narrow.value < wide.value  # whatever its flags say
    flags = max(pdfium.FPDFFont_GetFlags(font), 0) & ~int(is_set_apart)
    names = f"{name} {family.value.decode('utf-8', 'replace')}"
    weight = pdfium.FPDFFont_GetWeight(font)
    if _NAMELESS.match(names) and (inside := name_inside(_file_of(font))):
        names, flags, weight = inside, 0, 0
    formulas = names if FOR_FORMULAS.search(names) else ""
    return face_like(names, flags, weight), formulas, FOR_SIGNS.search(names) is not None


def _name_of(font: object) -> str:
    name = ctypes.create_string_buffer(_MOST_NAME)
    pdfium.FPDFFont_GetBaseFontName(font, name, _MOST_NAME)
    return name.value.decode("utf-8", "replace")


def _file_of(font: object) -> bytes:
    """Return the file of a font; that of a substitute if it is not in the document."""
    length = ctypes.c_size_t()
    pdfium.FPDFFont_GetFontData(font, None, 0, length)
    data = (ctypes.c_uint8 * length.value)()
    pdfium.FPDFFont_GetFontData(font, data, length, length)
    return bytes(data)


def _colour(shown: object) -> Colour:
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    pdfium.FPDFPageObj_GetFillColor(shown, red, green, blue, alpha)
    seen = alpha.value / 255  # as it looks on white
    on_white = (round(255 - (255 - part.value) * seen) for part in (red, green, blue))
    return next(on_white), next(on_white), next(on_white)
