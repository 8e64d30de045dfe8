"""Paragraphs of PDF as units of text, and the words with their styles that come back."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import mode

from translator.documents.code import Code, is_statement
from translator.documents.document import Filler
from translator.documents.markup.inline import Item, is_sign
from translator.documents.paragraph import Mark, ParagraphUnit, is_read, unit_of
from translator.documents.pdf.blocks import Block
from translator.documents.pdf.lines import LETTER, SHOWN
from translator.documents.pdf.links import LinkedWords
from translator.documents.pdf.runs import SLASHES, Run
from translator.documents.pdf.words import Style, Words, style_of

_OF_FORMULAS = re.compile(r"[=<>+×÷±−√∂∇°]|[\u2190-\u21ff\u2200-\u22ff]")
_WORD = re.compile(
    r"(?!(?:a?(?:sin|cos|tan)h?|log|exp|min|max|sup|inf|lim|det|dim|ker|mod|arg)(?![^\W\d_]))"
    r"(?<![^\W\d_])[^\W\d_]{3,}"
)
"""What a formula has, and does not have."""

_GOES_ON = re.compile(
    r"(?:\s*\d*[])}|]+|[\d([{]*)(?:\s*[=<>+−∈:]+\s*(?:[\d()\[\]{}|]|,\s?(?=\d))*)*(?:\s+$)?"
)
_BEGINS = re.compile(r"(?:(?<![^\s([{|])\d*[(\[{|\d+−]+)?$")
"""What of the text behind and before a letter of a formula belongs to it: `(0, 1) =`."""

_ORDINAL = re.compile(r"\d(?:st|nd|rd|th|er|re|nde?|e|ème)$", re.I)
"""A number whose ending may be raised; it is a word like others."""

_STYLED = re.compile("(\\d+)\x1e([^\x1f]*)\x1f")


def unit_in(
    block: Block, styles: dict[Style, int], linked: LinkedWords, code: Code
) -> ParagraphUnit | None:
    """Return a paragraph as a unit: words in other styles than most, and links, are marks."""
    whole = block.text
    if block.lines[0].is_marker or not is_read(whole) or _is_formula(whole):
        return None
    if is_statement(whole) or (_is_listing(block) and code.has(whole, is_in_format=True)):
        return None
    linked.begin_paragraph()
    pieces = [
        (part, run, styles.setdefault(style_of(run, link), len(styles)))
        for text, run in _spaced(block.parts())
        for part, link in linked.parts(text, run)
    ]
    items = list[Item[Mark]]()
    for is_formula, group in itertools.groupby(_cut_at_formulas(pieces), lambda one: one[0]):
        if is_formula:
            items += _formula([piece for _, piece in group], items[-1].mark if items else None)
            continue
        for _, (part, run, number) in group:
            is_ordinal = run.rise and items and _ORDINAL.search(items[-1].text + part.strip())
            if is_ordinal:
                items.append(replace(items[-1], text=part))
            elif run.rise and items and part.strip():
                items += _raised(part, number, items[-1].mark)
            else:
                items.append(Item("text", part, Mark(style=f"{number} {run.face}")))
    if not is_read("".join(item.text for item in items if item.kind == "text")):
        return None
    return unit_of(items, (), lambda text, style, _: _shown(style.split()[0], text), code)


_Piece = tuple[str, Run, int]
"""A text, how it looks, and the number of its style."""


def _cut_at_formulas(pieces: Sequence[_Piece]) -> Iterator[tuple[bool, _Piece]]:
    """Yield pieces, each with whether it belongs to a formula inside the line.

    What is raised in it, and digits, brackets and signs that touch it, belong to it too.
    """
    is_inside = False
    for number, (text, run, style) in enumerate(pieces):
        is_before = number + 1 < len(pieces) and pieces[number + 1][1].font
        has_letters = LETTER.search(text) is not None
        is_own = run.font and text.strip()
        if is_own or (is_inside and (run.rise or (is_before and not has_letters))):
            is_inside = True
            yield True, (text, run, style)
            continue
        goes_on, begins = _GOES_ON.match(text), _BEGINS.search(text)
        end = goes_on.end() if is_inside and goes_on else 0
        start = max(begins.start() if is_before and begins else len(text), end)
        parts = ((True, text[:end]), (False, text[end:start]), (True, text[start:]))
        yield from ((known, (part, run, style)) for known, part in parts if part)
        is_inside = end == len(text)


def _formula(pieces: Sequence[_Piece], around: Mark | None) -> list[Item[Mark]]:
    """Return a formula that stands in its sentence as it is, and the spaces around it."""
    texts = [text for text, _, _ in pieces]
    whole = "".join(texts)
    texts[0], texts[-1] = texts[0].lstrip(), texts[-1].rstrip() if len(texts) > 1 else whole.strip()
    markup = (_shown(style, text) for text, (_, _, style) in zip(texts, pieces, strict=True))
    formula: Item[Mark] = Item("stands", mark=Mark(tuple(markup)), read=whole.strip())
    _, run, style = pieces[0]
    own = Mark(style=f"{style} {run.face}")
    space: list[Item[Mark]] = [Item("text", " ", around if around and around.style else own)]
    return [*space * whole[0].isspace(), formula, *space * whole[-1].isspace()]


def _is_formula(text: str) -> bool:
    """Return whether a text has signs of mathematics, and no word but names of functions."""
    return _OF_FORMULAS.search(text) is not None and _WORD.search(text) is None


def _is_listing(block: Block) -> bool:
    """Return whether a block is typewriter text alone, or with words of code set in bold."""
    sizes = {True: 0, False: 0}
    for text, run in block.parts():
        is_code = run.face.family == "Mono"
        if text.strip() and not is_code and not run.face.is_bold:
            return False
        sizes[is_code] += len(text.strip())
    return sizes[True] > sizes[False]


def _shown(style: int | str, text: str) -> str:
    """Return a text with the number of its style; see `_STYLED`."""
    return f"{style}\x1e{text}\x1f"


def _raised(text: str, style: int, around: Mark | None) -> list[Item[Mark]]:
    """Return a sign that follows its word and is not translated, and the spaces around it."""
    bare = text.strip()
    read = bare if is_sign(bare) else ""
    sign: Item[Mark] = Item("stands", mark=Mark((_shown(style, bare),)), read=read)
    space: list[Item[Mark]] = [Item("text", " ", around)] if around and around.style else []
    return [*space * text.startswith(" "), sign, *space * text.endswith(" ")]


def _spaced(parts: Sequence[tuple[str, Run]]) -> list[tuple[str, Run]]:
    """Return texts with the spaces around code outside of it, since code comes back as it is.

    Those without letters and digits have the usual face, or one of a text beside them. Where a
    model moves a comma with a face of its own, another word would get that.
    """
    texts, runs = [text for text, _ in parts], [run for _, run in parts]
    usual = mode(run.face for text, run in parts for _ in SHOWN.findall(text) or "-")
    for number, run in enumerate(runs):
        bare = texts[number].strip()
        beside = (*runs[max(number - 1, 0) : number], *runs[number + 1 : number + 2])
        faces = [one.face for one in beside if one.face.family != "Mono" and not one.font]
        if run.face.family != "Mono" or not bare:
            is_bare = run.face.family != "Mono" and not run.font and not SHOWN.search(bare)
            if is_bare and faces and run.face not in (usual, *faces):
                runs[number] = replace(run, face=faces[0])
            continue
        if number + 1 < len(parts) and texts[number].endswith(" "):
            texts[number + 1] = f" {texts[number + 1]}"
        if number and texts[number].startswith(" "):
            texts[number - 1] += " "
        texts[number] = bare
    return [*zip(texts, runs, strict=True)]


def words_of(filler: Filler, unit: ParagraphUnit, styles: Sequence[Style]) -> Words:
    """Return the words of a translation with their styles; none if it is the text itself.

    A raised sign is right after the word before it, not after a space; but the upper figure of a
    fraction is none of that word's.
    """
    words = [(text, styles[int(style)]) for style, text in _STYLED.findall(filler.text([unit]))]
    result, is_space_due = Words(), False
    following = [*(text for text, _ in words[1:]), ""]
    for (text, style), after in zip(words, following, strict=False):
        is_sign = style.rise and not after.startswith(SLASHES)
        if is_sign and result and result[-1][0].endswith(" ") and result[-1][0].strip():
            before, its_style = result[-1]
            result[-1] = (before.rstrip(" "), its_style)
            is_space_due = True
        elif is_space_due and not style.rise:
            text, is_space_due = text if text.startswith(" ") else f" {text}", False
        result.append((text, style))
    return result
