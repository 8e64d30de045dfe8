"""The typefaces that translations are set in: three families of four, with Latin, Greek, Cyrillic.

They are as wide as Helvetica, Times and Courier, so that most text fits where it stood. A file gets
the letters that are used and no others.
"""

from __future__ import annotations

import functools
import io
import re
import struct
from collections import Counter, defaultdict
from pathlib import Path
from typing import Literal, NamedTuple

import pikepdf
from fontTools import subset
from fontTools.ttLib import TTFont, TTLibError
from pikepdf import Array, Dictionary, Name

FOLDER = Path(__file__).parent / "fonts"
Family = Literal["Sans", "Serif", "Mono"]

_MONO = re.compile(
    r"mono|courier|consol|typewriter|menlo|nimbusmon|lettergothic|cmtt|sftt|lmmono", re.I
)
_SANS = re.compile(r"sans|arial|helvetica|verdana|calibri|tahoma|gothic|nimbussan|cmss|lmss", re.I)
_SERIF = re.compile(
    r"serif|times|(?<!-)roman|georgia|garamond|cambria|palatino|palladio|bookman|nimbusrom|minion"
    r"|libertine|century|charter|caslon|baskerville|bodoni|utopia|merriweather"
    r"|freight ?text|simsun|mincho|batang"
    r"|\b(?:[A-Z]{6}\+)?(?:cm[a-z]|sf[brt]|lmr)",
    re.I,
)
_BOLD = re.compile(
    r"bold|black|heavy|semib|demi|medi(?!um)|cmbx|sf(?:bx|sx|bi|so)|(?-i:Bd(?![a-z])|\.BI?\b)",
    re.I,
)
_ITALIC = re.compile(
    r"ital|oblique|obli|slant|cmti|cmsl|sf(?:ti|bi|so)|(?-i:(?<=[a-z])It(?![a-z])|\.B?I\b)",
    re.I,
)
_WEIGHT = re.compile(
    r"(thin|light|(?-i:Lt\b))|(medium|(?-i:Md\b))|regular|roman|book|[-, ]|^[A-Z]{6}\+", re.I
)
"""Light (1) and medium (2) in the name of a font, and what else is not its family."""
FOR_FORMULAS = re.compile(
    r"\b(?:[A-Z]{6}\+)?(?:cm(?:mi|sy|ex|bsy)|ms[ab]m|euf[mb]|rsfs|stmary|lmmath|(?:lm|tx|px)(?:mi|sy|ex))"
    r"|\wmath\b|\bmt-?extra",
    re.I,
)
"""A font that TeX or Word sets formulas in."""
FOR_SIGNS = re.compile(
    r"dings|dingbat|awesome|icon(?:s|moon|font)|ornament|marlett|(?-i:[a-zI]Pi\b)"
    r"|(?<!segoeui)(?<!segoe ui )symbol",
    re.I,
)
"""A font with arrows, bullets or icons in the place of letters."""
CORK = {
    **dict(enumerate("`´ˆ˜¨˝˚ˇ˘¯˙¸˛‚‹›“”„«»–—\u200b\u200bıȷﬀﬁﬂﬃﬄ")),
    **dict(enumerate("ĂĄĆČĎĚĘĞĹĽŁŃŇŊŐŔŘŚŠŞŤŢŰŮŸŹŽŻĲİđ§ăąćčďěęğĺľłńňŋőŕřśšşťţűůÿźžżĳ¡¿£", 128)),
} | dict(zip(b"'`\x7f\xd7\xdf\xf7\xff", "’‘-Œẞœß", strict=True))
"""What TeX's fonts of 256 letters (T1, from Cork) have at codes where Latin-1 has other letters."""
_EM = 1000  # units in which PDF measures letters
_SYMBOLIC = 4
_HEAVY, _HEAVIEST = 700, 1000  # some files have higher ones for all of their fonts
_FIXED_FLAG, _SERIF_FLAG, _ITALIC_FLAG, _BOLD_FLAG = 1, 1 << 1, 1 << 6, 1 << 18


class Face(NamedTuple):
    """A typeface; the name of its file is its text."""

    family: Family = "Sans"
    is_bold: bool = False
    is_italic: bool = False

    def __str__(self) -> str:
        """Return a name such as `Serif-BoldItalic`."""
        style = "Bold" * self.is_bold + "Italic" * self.is_italic
        return f"{self.family}-{style or 'Regular'}"


PLAIN = Face()


def face_like(name: str, flags: int, weight: int = 0) -> Face:
    """Return the face that is most like a font of a document.

    Args:
        name: of the font, such as `ABCDEF+Arial-BoldMT`.
        flags: of its descriptor (ISO 32000-1, table 123).
        weight: how heavy its stems are, where 400 is usual; 0 if that is not known.
    """
    family: Family = "Sans"
    is_named = _SANS.search(name) or _SERIF.search(name)  # and its flags may be wrong
    if _MONO.search(name) or (flags & _FIXED_FLAG and not is_named):
        family = "Mono"
    elif not _SANS.search(name) and (_SERIF.search(name) or flags & _SERIF_FLAG):
        family = "Serif"
    is_bold = _BOLD.search(name) is not None or flags & _BOLD_FLAG != 0
    is_bold = is_bold or _HEAVY <= weight <= _HEAVIEST
    return Face(family, is_bold, _ITALIC.search(name) is not None or flags & _ITALIC_FLAG != 0)


def heavier(letters: Counter[str]) -> set[str]:
    """Return fonts of a page that are heavier than what most letters of their family are in."""
    families = defaultdict[str, list[tuple[int, str]]](list)
    for name, _ in letters.most_common():
        weight = sum(bool(one[2]) - bool(one[1]) for one in _WEIGHT.finditer(name))
        families[_WEIGHT.sub("", name)].append((weight, name))
    fonts = (one for own in families.values() for one in own if one[0] > own[0][0])
    return {name for _, name in fonts if not _ITALIC.search(name)}


def name_inside(file: bytes) -> str:
    """Return the name that a font file has in it; empty if it has none, or is of another kind."""
    try:
        with TTFont(io.BytesIO(file), lazy=True) as font:
            return str(font["name"].getDebugName(4) or "")
    except (TTLibError, KeyError, AssertionError, ValueError, struct.error):
        return ""


@functools.cache
def _metrics(face: Face) -> tuple[dict[int, float], float]:
    """Return the width of each character in units of the size, and of one that is missing."""
    with TTFont(FOLDER / f"{face}.ttf", lazy=True) as font:
        unit: int = font["head"].unitsPerEm
        advances = font["hmtx"].metrics
        widths = {code: advances[glyph][0] / unit for code, glyph in font.getBestCmap().items()}
        return widths, advances[".notdef"][0] / unit


def width_of(text: str, face: Face) -> float:
    """Return the width of a text in units of its size."""
    widths, missing = _metrics(face)
    return sum(widths.get(ord(char), missing) for char in text)


def shown(text: str, face: Face) -> str:
    """Return a text without what nobody sees, and with plain spaces for those a face lacks."""
    widths, _ = _metrics(face)
    return "".join(
        " " if char.isspace() and ord(char) not in widths else char
        for char in text
        if char not in "\u00ad\u200b\u200c\u200d\u2060\ufeff"
    )


def has_sign(char: str, face: Face) -> bool:
    """Return whether a face has a character."""
    return ord(char) in _metrics(face)[0]


class EmbeddedFonts:
    """The faces of one file; what is shown is noted, and written by `embed`."""

    def __init__(self, pdf: pikepdf.Pdf) -> None:
        """Begin with none."""
        self._pdf = pdf
        self._fonts: dict[Face, tuple[TTFont, pikepdf.Object, dict[int, int]]] = {}
        self._used = defaultdict[Face, dict[int, str]](dict)

    def name_on(self, page: pikepdf.Page, face: Face) -> Name:
        """Return what a page calls a face."""
        _, font, _ = self._font(face)
        name = Name(f"/Translation{str(face).replace('-', '')}")
        resources = page.obj.get(Name.Resources)
        if not isinstance(resources, Dictionary):
            page.obj.Resources = Dictionary(dict(page.resources.items()))
            resources = page.obj.Resources
        if not isinstance(resources.get(Name.Font), Dictionary):
            resources.Font = Dictionary()
        resources.Font[name] = font
        return name

    def codes(self, text: str, face: Face) -> str:
        """Return a text as the file has it: the number of each letter in the face."""
        _, _, known = self._font(face)
        glyphs = [known.get(ord(char), 0) for char in text]
        self._used[face] |= dict(zip(glyphs, text, strict=True))
        return "".join(f"{glyph:04x}" for glyph in glyphs)

    def embed(self) -> None:
        """Write the faces into the file."""
        for face, (font, place, _) in self._fonts.items():
            self._embed(face, font, place)
            font.close()

    def _font(self, face: Face) -> tuple[TTFont, pikepdf.Object, dict[int, int]]:
        if face not in self._fonts:
            empty = self._pdf.make_indirect(Dictionary(Type=Name.Font))
            font = TTFont(FOLDER / f"{face}.ttf")
            names = font.getBestCmap().items()
            glyphs = {code: font.getGlyphID(name) for code, name in names}
            self._fonts[face] = (font, empty, glyphs)
        return self._fonts[face]

    def _embed(self, face: Face, font: TTFont, place: pikepdf.Object) -> None:
        used = self._used[face]
        scale = _EM / font["head"].unitsPerEm
        order = font.getGlyphOrder()
        widths: list[int | Array] = []
        for glyph in sorted(used):
            widths += [glyph, Array([round(font["hmtx"][order[glyph]][0] * scale)])]
        head, hhea = font["head"], font["hhea"]
        name = Name(f"/AAAAAA+Translator{str(face).replace('-', '')}")
        descriptor = Dictionary(
            Type=Name.FontDescriptor,
            FontName=name,
            Flags=_SYMBOLIC,
            FontBBox=Array(
                [round(side * scale) for side in (head.xMin, head.yMin, head.xMax, head.yMax)]
            ),
            ItalicAngle=round(font["post"].italicAngle),
            Ascent=round(hhea.ascent * scale),
            Descent=round(hhea.descent * scale),
            CapHeight=round(hhea.ascent * scale),
            StemV=80,
            FontFile2=self._pdf.make_stream(_subset(font, used)),
        )
        descendant = Dictionary(
            Type=Name.Font,
            Subtype=Name.CIDFontType2,
            BaseFont=name,
            CIDSystemInfo=Dictionary(Registry="Adobe", Ordering="Identity", Supplement=0),
            FontDescriptor=self._pdf.make_indirect(descriptor),
            W=Array(widths),
            CIDToGIDMap=Name.Identity,
        )
        place.Subtype = Name.Type0
        place.BaseFont = name
        place.Encoding = Name("/Identity-H")
        place.DescendantFonts = Array([self._pdf.make_indirect(descendant)])
        place.ToUnicode = self._pdf.make_stream(unicode_map(used))


def _subset(font: TTFont, used: dict[int, str]) -> bytes:
    """Return a face with some letters, which keep their numbers."""
    options = subset.Options(retain_gids=True, hinting=False, notdef_outline=True)
    options.drop_tables += ["post"]
    subsetter = subset.Subsetter(options)
    subsetter.populate(gids=used, unicodes=[ord(char) for char in used.values()])
    subsetter.subset(font)
    written = io.BytesIO()
    font.save(written)
    return written.getvalue()


def unicode_map(used: dict[int, str]) -> bytes:
    """Return which letter each number means, so that text can be copied and searched."""
    rows = [
        f"<{glyph:04x}> <{char.encode('utf-16-be').hex()}>" for glyph, char in sorted(used.items())
    ]
    blocks = [rows[start : start + 100] for start in range(0, len(rows), 100)]
    maps = "\n".join(
        f"{len(block)} beginbfchar\n" + "\n".join(block) + "\nendbfchar" for block in blocks
    )
    return (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n"
        "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n"
        "/CMapName /Adobe-Identity-UCS def /CMapType 2 def\n"
        "1 begincodespacerange <0000> <ffff> endcodespacerange\n"
        f"{maps}\nendcmap CMapName currentdict /CMap defineresource pop end end\n"
    ).encode()
