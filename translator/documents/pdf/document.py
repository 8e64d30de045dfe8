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
from translator.documents.pdf.forms import without_forms
from translator.documents.pdf.labels import change_labels, labels_of
from translator.documents.pdf.lines import LETTER, SHOWN, Line
from translator.documents.pdf.links import LinkedWords, around, links_of, move_links
from translator.documents.pdf.reading import Box, Run, contents_of
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

_Told = dict[int, list[tuple[str, Style]] | None]
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
        lines: drawn below and through the words of each paragraph, by its identity.
        kept: why paragraphs stay, by their identity.
        inside: texts inside forms that stay.
        left_alone: its paragraphs, if the page cannot be changed; it has no units then.
    """

    runs: Sequence[Run]
    blocks: Sequence[Block]
    drawn: Sequence[Box]
    lines: Mapping[int, Sequence[Box]]
    paper: Box
    units: Sequence[tuple[Block, ParagraphUnit]]
    links: Sequence[Sequence[int]]
    num_chars: int
    kept: Mapping[int, str]
    inside: Sequence[str] = ()
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
        pages = unless_all_is_code(lambda code: [*_pages(name, data, styles, code)])
    _check_letters(name, pages)
    pages = _changeable(name, data, pages)
    labels = labels_of(data)

    def write(filler: Filler) -> bytes:
        content, document.left_alone = _written(data, pages, labels, [*styles], filler, target)
        return original if content is data else content

    words = [unit for page in pages for _, unit in page.units]
    document = PieceDocument([*words, *filter(None, labels)], name, write)
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
            linked = LinkedWords(links[number] if number < len(links) else ())
            lines = {id(block): mark_lined(block, drawn) for block in blocks}
            shapes = sorted(drawn)
            kept = {id(block): reason for block in blocks if (reason := _reason(block, shapes))}
            units = [
                (block, unit)
                for block in blocks
                if id(block) not in kept and (unit := _unit(block, styles, linked, code))
            ]
            found = linked.found, num_chars, kept, [text for text in inside if is_read(text)]
            yield _Page(runs, blocks, drawn, lines, paper, units, *found)
    finally:
        document.close()


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


def _written(
    data: bytes,
    pages: Sequence[_Page],
    labels: Sequence[TextUnit | None],
    styles: Sequence[Style],
    filler: Filler,
    target: str | None,
) -> tuple[bytes, list[str]]:
    """Return the file with translations, and the texts that it keeps.

    A translation that is the text itself changes nothing.
    """
    left_alone = list[str]()
    with pikepdf.open(io.BytesIO(data)) as pdf:
        fonts, is_changed = EmbeddedFonts(pdf), False
        for number, page in enumerate(pages):
            kept = [block for block in page.blocks if id(block) in page.kept]
            stays = [(text, "") for text in (*page.inside, *page.left_alone)]
            stays += [(_text_of(block), page.kept[id(block)]) for block in kept]
            left_alone += _said(number, stays)
            if not page.units:
                continue
            has_signs = any(run.signs for run in page.runs)
            signs = signs_of(pdf.pages[number], page.runs) if has_signs else {}
            told = {
                id(block): with_signs(_at_their_words(_words(filler, unit, styles)), signs)
                for block, unit in page.units
            }
            wrong = _with_other_numbers(page, told, target)
            told |= dict.fromkeys({*wrong, *page.kept})
            stay = _complete(told, page.blocks, signs)
            going = [block for block in page.blocks if told.get(id(block))]
            lines = (box for block in going for box in page.lines[id(block)])
            moving = dict[Box, Box | None].fromkeys(lines)
            placed = _placed(page, going, told, moving)
            gone = frozenset[int]().union(*(block.numbers for block in going))
            read = (run.text for run in page.runs if run.number in gone)
            words = (text for block in going for text, _ in told[id(block)] or ())
            if not has_same_figures(read, map(_text_of, going)) or not has_same_figures(
                words, (one.text for one in placed)
            ):
                stay, wrong, going = [*stay, *going], {*wrong, *map(id, going)}, []
            named = [block for block in stay if id(block) not in page.kept]
            left_alone += _said(number, ((_text_of(b), _WRONG * (id(b) in wrong)) for b in named))
            if going:
                is_changed = True
                for one in placed:
                    if one.style.badge and one.text.strip():
                        box, reach = one.style.badge
                        moving[box] = around([*filter(None, [moving[box]]), box_of(one, reach)])
                change_page(pdf, number, page.runs, gone, placed, fonts, moving)
                move_links(pdf.pages[number], page.links, placed)
        is_changed |= change_labels(pdf, labels, filler)
        if not is_changed:
            return data, left_alone
        fonts.embed()
        if target is not None:
            pdf.Root.Lang = pikepdf.String(target)
        written = io.BytesIO()
        pdf.save(written)
        return written.getvalue(), left_alone


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


def _with_other_numbers(page: _Page, told: _Told, target: str | None) -> set[int]:
    """Return the identities of paragraphs whose numbers are not all in their translations."""
    return {
        id(block)
        for block, _ in page.units
        if (words := told[id(block)])
        and not has_same_numbers(_text_of(block), "".join(text for text, _ in words), target)
    }


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
    """Return the size that all but a few of one style can have, and the width of most."""
    likely = sorted(size for size in sizes if size >= by.LEAST_SHARED) or [1.0]
    size = likely[min(int(by.OUTLIERS * len(sizes)), len(likely) - 1)]
    return size, sorted(widths)[len(widths) // 2]


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
    """Return words with the raised signs right after the word before them, not after a space."""
    result, is_space_due = list[tuple[str, Style]](), False
    for text, style in words:
        if style.rise and result and result[-1][0].endswith(" ") and result[-1][0].strip():
            before, its_style = result[-1]
            result[-1] = (before.rstrip(" "), its_style)
            is_space_due = True
        elif is_space_due and not style.rise:
            text, is_space_due = text if text.startswith(" ") else f" {text}", False
        result.append((text, style))
    return result
