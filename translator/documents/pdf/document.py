"""Documents in PDF: each paragraph, heading or cell is a unit, and is set again in its place."""

from __future__ import annotations

import io
import itertools
import re
import threading
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from statistics import mode
from subprocess import SubprocessError
from textwrap import shorten
from typing import NamedTuple

import pikepdf
import pypdfium2
import pypdfium2.raw as pdfium

from translator.documents.code import Code, is_statement, unless_all_is_code
from translator.documents.document import Document, Filler, PieceDocument, TextUnit
from translator.documents.markup.inline import Item, is_sign
from translator.documents.paragraph import Mark, ParagraphUnit, is_read, unit_of
from translator.documents.pdf import thresholds as by
from translator.documents.pdf.blocks import Block, blocks_of
from translator.documents.pdf.figures import has_same_figures, has_same_numbers
from translator.documents.pdf.flows import Words, cut, flows
from translator.documents.pdf.forms import without_forms
from translator.documents.pdf.labels import change_labels, labels_of
from translator.documents.pdf.lines import LETTER, SHOWN, Line
from translator.documents.pdf.links import LinkedWords, around, links_of, move_links
from translator.documents.pdf.reading import SLASHES, Box, Run, contents_of, overlap
from translator.documents.pdf.setting import (
    Placed,
    Sign,
    Style,
    beyond,
    box_of,
    fitted,
    leader_of,
    mark_lined,
    room_of,
    style_of,
    with_signs,
)
from translator.documents.pdf.structure import is_tagged
from translator.documents.pdf.typefaces import EmbeddedFonts, Face, width_of
from translator.documents.pdf.unpacking import check_unpacked
from translator.documents.pdf.writing import change_page, num_shown, signs_of
from translator.errors import InputError

MAX_PAGES, MAX_BLOCKS = 2_000, 2_000
"""Of a document, and of a page."""

_LEAST_READ = 0.4  # of all characters; some are spaces that the reader adds
_NOT_SET = re.compile(
    "(?:am|ar|bn|fa|gu|he|hi|hy|ja|ka|km|kn|ko|lo|ml|mr|my|ne|pa|si|ta|te|th|ur|yi|zh)(?![a-z])",
    re.I,
)
_PDFIUM = threading.Lock()
"""PDFium may be called by one thread at a time."""

_UNREADABLE = (
    *(pikepdf.PdfError, pikepdf.DependencyError, SubprocessError, TypeError, ValueError),
)
"""What a reader of pages raises for one that is damaged, or packed as no text is."""

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

_Told = dict[int, Words | None]
"""The words that paragraphs get, by their identity."""

_UNKNOWN = re.compile("[^\\W\\d_]\ufffd|\ufffd[^\\W\\d_]|[\ufffd\U00100000-\U0010ffff]{2}")
_WRONG = "its numbers are not all in the translation"
_UNTOLD = "its font does not tell all of its letters"
_TRACED = "its letters are drawn once more, as outlines"
_MOST_NAMED = 5  # texts of a page that stay for one reason, each in a line
_STYLED = re.compile("(\\d+)\x1e([^\x1f]*)\x1f")


@dataclass(frozen=True, slots=True, eq=False)
class _Page:
    """What is on a page, its paragraphs with their units, and the links that have words.

    Attributes:
        units: paragraphs with their units; that of one which began before has none.
        lines: drawn below and through the words of each paragraph, by its identity.
        kept: why paragraphs stay, by their identity.
        inside: texts inside forms that stay.
        anchors: around its links.
        left_alone: its paragraphs, if the page cannot be changed; it has no units then.
    """

    runs: Sequence[Run]
    blocks: Sequence[Block]
    drawn: Sequence[Box]
    lines: Mapping[int, Sequence[Box]]
    paper: Box
    units: Sequence[tuple[Block, ParagraphUnit | None]]
    links: Sequence[Sequence[int]]
    num_chars: int
    kept: Mapping[int, str]
    inside: Sequence[str] = ()
    anchors: Sequence[Box] = ()
    left_alone: Sequence[str] = ()

    @property
    def num_read(self) -> int:
        """How many of its characters can be changed."""
        chars = itertools.chain.from_iterable(run.text for run in self.runs)
        return sum(char.isprintable() and char != "\ufffd" for char in chars)


def read_pdf(name: str, data: bytes, target: str | None = None) -> Document[bytes]:
    """Read a document in PDF.

    Text inside patterns, pictures and some forms, and what nobody sees, stays as it is, and so does
    what is in a typewriter's font.

    Raises:
        InputError: it is damaged, encrypted or scanned, has too many pages, or is wanted in other
            letters.
    """
    if target is not None and _NOT_SET.match(target):
        raise InputError(
            f"{name}: cannot be set in {target!r}; the letters that there are for PDF are Latin, "
            "Greek and Cyrillic, so translate the document that it was made from"
        )
    check_unpacked(name, data)
    original, styles = data, dict[Style, int]()
    with _PDFIUM:
        data = without_forms(data)
        pages, rests = unless_all_is_code(
            lambda code: _flowing([*_pages(name, data, styles, code)], styles, code)
        )
    _check_letters(name, pages)
    pages = _changeable(name, data, pages)
    labels = labels_of(data)

    def write(filler: Filler) -> bytes:
        told = _Translations(rests, [*styles], filler, target)
        content, document.left_alone = _written(data, pages, labels, told)
        return original if content is data else content

    units = [unit for page in pages for _, unit in page.units]
    document = PieceDocument([*filter(None, units), *filter(None, labels)], name, write)
    return document


def _check_letters(name: str, pages: Sequence[_Page]) -> None:
    """Refuse a file that would come back with nearly all of its text as it was.

    Raises:
        InputError: most of the text is inside forms or hidden, or has unknown letters.
    """
    much = "no text that can be changed"
    if any(run.text.strip() for page in pages for run in page.runs):
        num_chars = sum(page.num_chars for page in pages)
        if sum(page.num_read for page in pages) >= _LEAST_READ * num_chars:
            return
        much = "little text that can be changed"
    raise InputError(
        f"{name}: has {much}: its pages are scanned, their text is inside forms, or its fonts do "
        "not tell which letters they show; recognise the text first, or print the document to a "
        "new PDF"
    )


def _changeable(name: str, data: bytes, pages: Sequence[_Page]) -> list[_Page]:
    """Return pages; one that cannot be changed as it was read is left alone.

    Raises:
        InputError: the file is damaged, or no page with text can be changed.
    """
    known = list[_Page]()
    try:
        with pikepdf.open(io.BytesIO(data)) as pdf:
            for page, own in zip(pages, pdf.pages, strict=True):
                if page.units and not _is_changeable(page, own, pdf):
                    left_alone = [_text_of(block) for block, _ in page.units]
                    page = replace(page, units=(), left_alone=left_alone)
                known.append(page)
            for number, page in enumerate(known):
                if page.left_alone and not any(page.units for page in known):
                    num_shown(pdf.pages[number])  # says what is damaged
                    raise InputError(
                        f"{name}, page {number + 1}: has text that cannot be set again; print the "
                        "document to a new PDF first"
                    )
    except _UNREADABLE as error:
        if isinstance(error, InputError):
            raise
        reason = str(error).rpartition(": ")[2]  # after the name of an object in memory
        raise InputError(f"{name}: is damaged ({reason}); save it again") from error
    return known


def _is_changeable(page: _Page, own: pikepdf.Page, pdf: pikepdf.Pdf) -> bool:
    """Return whether each string that a page shows is a run that was read.

    What comes after operators that cannot be read might be lost.
    """
    pdf.get_warnings()  # of what was read before
    try:
        is_same = num_shown(own) == len(page.runs)
    except _UNREADABLE:
        return False
    return is_same and not any("(content" in str(warning) for warning in pdf.get_warnings())


def _text_of(block: Block) -> str:
    return " ".join(line.text for line in block.lines)


def _pages(name: str, data: bytes, styles: dict[Style, int], code: Code) -> Iterator[_Page]:
    links, has_tags = links_of(data), is_tagged(data)
    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower():
            raise InputError(
                f"{name}: is encrypted; save it without a password", "encrypted_file"
            ) from error
        raise InputError(f"{name}: is damaged, or no PDF; save it again") from error
    try:
        if pdfium.FPDF_GetSecurityHandlerRevision(document) >= 0:
            raise InputError(f"{name}: is encrypted; save it without a password", "encrypted_file")
        if len(document) > MAX_PAGES:
            raise InputError(
                f"{name}: has {len(document):,} pages, and {MAX_PAGES:,} is the most; split it",
                "file_too_large",
            )
        for number in range(len(document)):
            page = _opened(name, document, number)
            runs, drawn, inside, num_chars = contents_of(page, has_tags)
            paper = Box(*page.get_cropbox())
            page.close()
            blocks = blocks_of(runs, drawn)
            if len(blocks) > MAX_BLOCKS:
                raise InputError(
                    f"{name}, page {number + 1}: has more than {MAX_BLOCKS:,} texts, as a map has",
                    "file_too_large",
                )
            own_links = links[number] if number < len(links) else ()
            linked = LinkedWords(own_links)
            lines = {id(block): mark_lined(block, drawn) for block in blocks}
            shapes = sorted(drawn)
            kept = {id(block): reason for block in blocks if (reason := _reason(block, shapes))}
            units = [
                (block, unit)
                for block in blocks
                if id(block) not in kept and (unit := _unit(block, styles, linked, code))
            ]
            found = linked.found, num_chars, kept, [text for text in inside if is_read(text)]
            anchors = [link.box for link in own_links]
            yield _Page(runs, blocks, drawn, lines, paper, units, *found, anchors)
    finally:
        document.close()


def _flowing(
    pages: Sequence[_Page], styles: dict[Style, int], code: Code
) -> tuple[list[_Page], dict[int, Block]]:
    """Return pages whose texts that go on elsewhere are one unit, and where, by identity.

    Those with links stay two: a link is on one page.
    """
    units = {id(block): unit for page in pages for block, unit in page.units}
    anchors = {id(block): page.anchors for page in pages for block in page.blocks}
    rests = dict[int, Block]()
    for block, rest in flows([page.blocks for page in pages]):
        both, whole = (block, rest), Block([*block.lines, *rest.lines], block.has_dot)
        has_link = any(overlap(box, one.box) for one in both for box in anchors[id(one)])
        are_whole = all(units.get(id(one)) is not None for one in both)
        if are_whole and not has_link and (unit := _unit(whole, styles, LinkedWords(()), code)):
            units |= {id(block): unit, id(rest): None}
            rests[id(block)] = rest
    return [
        replace(page, units=[(block, units[id(block)]) for block, _ in page.units])
        for page in pages
    ], rests


def _opened(name: str, document: pypdfium2.PdfDocument, number: int) -> pypdfium2.PdfPage:
    try:
        return document[number]
    except pypdfium2.PdfiumError as error:
        raise InputError(f"{name}, page {number + 1}: is damaged; save it again") from error


def _unit(
    block: Block, styles: dict[Style, int], linked: LinkedWords, code: Code
) -> ParagraphUnit | None:
    """Return a paragraph as a unit: words in other styles than most, and links, are marks."""
    whole = _text_of(block)
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


class _Plan(NamedTuple):
    """What becomes of a page: the paragraphs that go, and those that stay; see `_placed`."""

    going: Sequence[Block]
    stay: Sequence[Block]
    wrong: Collection[int]
    gone: frozenset[int]
    moving: dict[Box, Box | None]
    placed: Sequence[Placed]


class _Translations:
    """The words of paragraphs, which are asked for page by page.

    Attributes:
        in_two: identities of the paragraphs that share a translation, two by two.
    """

    def __init__(
        self,
        rests: Mapping[int, Block],
        styles: Sequence[Style],
        filler: Filler,
        target: str | None,
    ) -> None:
        """Take where paragraphs go on, by identity, all styles, and the translations."""
        self._rests, self._styles, self.filler, self.target = rests, styles, filler, target
        self.in_two = list[set[int]]()
        self._of_rests = dict[int, Words | None]()
        self._wrong = set[int]()

    def of_page(self, page: _Page, signs: Mapping[str, Sign]) -> tuple[_Told, set[int]]:
        """Return the words of each paragraph, and which are wrong: they have other numbers."""
        told: _Told = {}
        for block, unit in page.units:
            if unit is not None:
                self._tell(told, block, _at_their_words(_words(self.filler, unit, self._styles)))
        for block, unit in page.units:
            if unit is None:
                told[id(block)] = self._of_rests.pop(id(block), None)
        own = {block: words and with_signs(words, signs) for block, words in told.items()}
        return own, self._wrong & told.keys()

    def _tell(self, told: _Told, block: Block, words: Words) -> None:
        """Note the words of a paragraph, and those of where it goes on."""
        rest = self._rests.get(id(block))
        read, own = _text_of(block), {id(block)}
        told[id(block)] = words
        if rest is not None:
            self._of_rests[id(rest)] = words
            read, own = f"{read} {_text_of(rest)}", {id(block), id(rest)}
        if rest is not None and words:
            self.in_two.append(own)
            before, after = cut(words, len(_text_of(block)) / len(read))
            told[id(block)], self._of_rests[id(rest)] = before or None, after
        if words and not has_same_numbers(read, "".join(text for text, _ in words), self.target):
            self._wrong |= own


def _written(
    data: bytes, pages: Sequence[_Page], labels: Sequence[TextUnit | None], told: _Translations
) -> tuple[bytes, list[str]]:
    """Return the file with translations, and the texts that it keeps.

    A translation that is the text itself changes nothing.
    """
    left_alone = list[str]()
    with pikepdf.open(io.BytesIO(data)) as pdf:
        fonts, is_changed = EmbeddedFonts(pdf), False
        for number, (page, plan) in enumerate(zip(pages, _plans(pdf, pages, told), strict=True)):
            kept = [block for block in page.blocks if id(block) in page.kept]
            stays = [(text, "") for text in (*page.inside, *page.left_alone)]
            stays += [(_text_of(block), page.kept[id(block)]) for block in kept]
            left_alone += _said(number, stays)
            named = [block for block in plan.stay if id(block) not in page.kept]
            why = ((_text_of(block), _WRONG * (id(block) in plan.wrong)) for block in named)
            left_alone += _said(number, why)
            if plan.going:
                is_changed = True
                for one in plan.placed:
                    if one.style.badge and one.text.strip():
                        box, reach = one.style.badge
                        moved = [*filter(None, [plan.moving[box]]), box_of(one, reach)]
                        plan.moving[box] = around(moved)
                change_page(pdf, number, page.runs, plan.gone, plan.placed, fonts, plan.moving)
                move_links(pdf.pages[number], page.links, plan.placed)
        is_changed |= change_labels(pdf, labels, told.filler)
        if not is_changed:
            return data, left_alone
        fonts.embed()
        if told.target is not None:
            pdf.Root.Lang = pikepdf.String(told.target)
        written = io.BytesIO()
        pdf.save(written)
        return written.getvalue(), left_alone


def _plans(pdf: pikepdf.Pdf, pages: Sequence[_Page], told: _Translations) -> list[_Plan]:
    """Return what becomes of each page; of what goes on elsewhere, both parts go or stay."""
    known = list[tuple[_Told, set[int], Mapping[str, Sign]]]()
    for number, page in enumerate(pages):
        has_signs = page.units and any(run.signs for run in page.runs)
        signs = signs_of(pdf.pages[number], page.runs) if has_signs else {}
        known.append((*told.of_page(page, signs), signs))
    plans = [_plan(page, *its) for page, its in zip(pages, known, strict=True)]
    places = {id(block): number for number, page in enumerate(pages) for block in page.blocks}
    while torn := _torn(plans, told.in_two):
        for number in {places[block] for block in torn}:
            its_words = known[number][0]
            its_words.update(dict.fromkeys(torn & its_words.keys()))
            plans[number] = _plan(pages[number], *known[number])
    return plans


def _torn(plans: Iterable[_Plan], in_two: Iterable[set[int]]) -> set[int]:
    """Return the identities of paragraphs that go where their other parts stay, and of those."""
    gone = {id(block) for plan in plans for block in plan.going}
    return {block for both in in_two if len(both & gone) == 1 for block in both}


def _plan(page: _Page, words: _Told, wrong: Collection[int], signs: Mapping[str, Sign]) -> _Plan:
    if not page.units:
        return _Plan((), (), (), frozenset(), {}, ())
    told = words | dict.fromkeys({*wrong, *page.kept})
    stay = _complete(told, page.blocks, signs)
    going = [block for block in page.blocks if told.get(id(block))]
    lines = (box for block in going for box in page.lines[id(block)])
    moving = dict[Box, Box | None].fromkeys(lines)
    placed = _placed(page, going, told, moving)
    gone = frozenset[int]().union(*(block.numbers for block in going))
    read = (run.text for run in page.runs if run.number in gone)
    texts = (text for block in going for text, _ in told[id(block)] or ())
    is_right = has_same_figures(read, map(_text_of, going))
    if not is_right or not has_same_figures(texts, (one.text for one in placed)):
        stay, wrong, going, placed = [*stay, *going], {*wrong, *map(id, going)}, [], []
    return _Plan(going, stay, wrong, gone, moving, placed)


def _reason(block: Block, drawn: Sequence[Box]) -> str:
    """Return why a paragraph stays, if it must: paths, sorted, may be letters of a bold face."""
    if _UNKNOWN.search(_text_of(block)):
        return _UNTOLD
    num_traced = 0
    for run in itertools.chain.from_iterable(line.runs for line in block.lines):
        near = by.TRACED * run.size
        if len(run.text.strip()) == 1 and run.text.strip().isalpha() and not run.angle:
            first, last = (bisect_left(drawn, (run.left + far,)) for far in (-near, near))
            num_traced += any(
                abs(box.right - run.right) < near
                and -2 * near < box.bottom - run.base < near < box.top - run.base < run.size
                for box in drawn[first:last]
            )
    return _TRACED if num_traced >= by.FEWEST_TRACED else ""


def _said(number: int, texts: Iterable[tuple[str, str]]) -> list[str]:
    """Return what a person reads of texts that stay on a page, each with its reason or none."""
    found = list[str]()
    for reason, group in itertools.groupby(sorted(texts, key=itemgetter(1)), itemgetter(1)):
        own, place = [text for text, _ in group], f"page {number + 1}{': ' * bool(reason)}{reason}"
        if len(own) > _MOST_NAMED:
            found.append(f"{len(own)} texts, such as “{shorten(own[0], 80)}” ({place})")
        else:
            found += [f"{text} ({place})" if reason else text for text in own]
    return found


def _placed(
    page: _Page, going: Sequence[Block], told: _Told, moving: Collection[Box]
) -> list[Placed]:
    """Return where translations stand; those of one style get the size that nearly all can have.

    The few that need less become smaller alone. What stays counts as what needs nothing.
    """
    boxes: dict[float, dict[Box, list[Box]]] = {}
    drawn = [box for box in page.drawn if box not in moving]
    for block in page.blocks:
        boxes.setdefault(block.angle, {})[block.box] = [Block([one]).box for one in block.lines]
    narrow, shares = _narrowness(page.runs), dict[_Look, tuple[float, float]]()
    needs = dict.fromkeys(map(id, page.blocks), (1.0, 1.0))  # of size and width
    for _ in range(2):
        placed, taken = list[Placed](), list[Box]()
        for block in going:
            look = _look(block.lines[0])
            (most, widest), own_width = shares.get(look, (1.0, 1.0)), narrow.get(look, 1.0)
            widths = [own_width * width for width in by.WIDTHS if width <= widest + by.LEVEL]
            room = room_of(block, boxes[block.angle], [*drawn, *taken], page.paper)
            own = fitted(told[id(block)] or (), room, most, widths)
            style = own[0].style
            needs[id(block)] = own[0].size / (room.size * style.scale), style.width / own_width
            placed += [*own, *leader_of(block, own)]
            taken += beyond(block, own)
        alike = defaultdict[_Look, list[tuple[float, float]]](list)
        for block in page.blocks:
            alike[_look(block.lines[0])].append(needs[id(block)])
        shares = {look: _shared(*zip(*own, strict=True)) for look, own in alike.items()}
        if min(shares.values()) == (1.0, 1.0):
            break  # as mostly: nothing is to become as small as another
    return placed


_Look = tuple[float, Face]


def _look(letters: Run | Line) -> _Look:
    return round(letters.size, 1), letters.face


def _shared(sizes: Sequence[float], widths: Sequence[float]) -> tuple[float, float]:
    """Return the size and the width that all but a few of one style can have."""
    likely = sorted(size for size in sizes if size >= by.LEAST_SHARED) or [1.0]
    size = likely[min(int(by.OUTLIERS * len(sizes)), len(likely) - 1)]
    return size, sorted(widths)[int(by.OUTLIERS * len(widths))]


def _narrowness(runs: Iterable[Run]) -> dict[_Look, float]:
    """Return how wide letters are, as shares of their faces, and not wider than these."""
    real, usual = (defaultdict[_Look, float](float) for _ in range(2))
    for run in runs:
        if run.text.strip() and not run.font:
            real[_look(run)] += run.right - run.left
            usual[_look(run)] += width_of(run.text.strip(), run.face) * run.size
    shares = {look: max(real[look] / usual[look], by.NARROWEST) for look in usual}
    return {look: min(share, 1.0) for look, share in shares.items()}


def _words(filler: Filler, unit: ParagraphUnit, styles: Sequence[Style]) -> list[tuple[str, Style]]:
    """Return the words of a translation with their styles; none if it is the text itself."""
    return [(text, styles[int(style)]) for style, text in _STYLED.findall(filler.text([unit]))]


def _complete(
    told: _Told,
    blocks: Sequence[Block],
    signs: Mapping[str, Sign],
) -> list[Block]:
    """Have a string that is in several paragraphs go from all or none; return those that stay.

    Args:
        told: the words that each paragraph gets, by its identity; None if they cannot be set. It
            gets the words that paragraphs have, if their string goes.
        blocks: all paragraphs of the page.
        signs: that no face has.
    """
    shown: dict[int, list[Block]] = {}
    for block in blocks:
        for number in block.numbers:
            shown.setdefault(number, []).append(block)
    stay = {id(block) for block in blocks if id(block) in told and told[id(block)] is None}
    waiting = [together for together in shown.values() if len(together) > 1]
    is_done = False
    while not is_done:
        is_done = True
        for together in waiting:
            going = [block for block in together if told.get(id(block))]
            for block in together if going else ():
                if id(block) not in stay and not told.get(id(block)):
                    shown_already = [(text, style_of(run)) for text, run in block.parts()]
                    told[id(block)] = with_signs(shown_already, signs)
                    is_done = False
                    if told[id(block)] is None:
                        stay.add(id(block))
            if going and any(id(block) in stay for block in together):
                stay |= {id(block) for block in together}
                told.update({id(block): None for block in together})
                is_done = False
    return [block for block in blocks if id(block) in stay]


def _at_their_words(words: Sequence[tuple[str, Style]]) -> list[tuple[str, Style]]:
    """Return words with the raised signs right after the word before them, not after a space.

    The upper figure of a fraction is none of that word's.
    """
    result, is_space_due = list[tuple[str, Style]](), False
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
