"""What becomes of each page of a PDF: which paragraphs go, and where translations stand."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

import pikepdf

from translator.documents.paragraph import ParagraphUnit
from translator.documents.pdf import thresholds as by
from translator.documents.pdf.blocks import Block
from translator.documents.pdf.figures import has_same_figures, has_same_numbers
from translator.documents.pdf.flows import cut
from translator.documents.pdf.lines import Line
from translator.documents.pdf.links import around
from translator.documents.pdf.pages import Page
from translator.documents.pdf.rooms import room_of
from translator.documents.pdf.runs import Box, Run
from translator.documents.pdf.setting import beyond, fitted, leader_of
from translator.documents.pdf.typefaces import Face, width_of
from translator.documents.pdf.words import Placed, Sign, Words, box_of, style_of, with_signs
from translator.documents.pdf.writing import signs_of

_OfPage = dict[int, Words | None]
"""The words that paragraphs get, by their identities; None if one stays as it is."""


class Plan(NamedTuple):
    """What becomes of a page: the paragraphs that go, and those that stay; see `_placed`."""

    going: Sequence[Block]
    stay: Sequence[Block]
    wrong: Collection[int]
    gone: frozenset[int]
    moving: dict[Box, Box | None]
    placed: Sequence[Placed]


class Told(NamedTuple):
    """What paragraphs get, by their identities.

    Attributes:
        words: of each; an empty list if its translation is the text itself.
        in_two: the paragraphs that share a translation, two by two.
        wrong: those whose translations have other numbers.
    """

    words: _OfPage
    in_two: list[set[int]]
    wrong: set[int]


def told_of(
    pages: Sequence[Page],
    rests: Mapping[int, Block],
    words_of: Callable[[ParagraphUnit], Words],
    target: str | None,
) -> Told:
    """Return the words of all paragraphs, with those of where they go on, by identity."""
    told = Told({}, [], set())
    for block, unit in itertools.chain.from_iterable(page.units for page in pages):
        if unit is None:
            continue  # it went on from another
        words, rest = words_of(unit), rests.get(id(block))
        read, own = block.text, {id(block)}
        told.words[id(block)] = words
        if rest is not None:
            read, own = f"{read} {rest.text}", {id(block), id(rest)}
            before, after = cut(words, len(block.text) / len(read)) if words else ([], [])
            told.words[id(block)], told.words[id(rest)] = words and (before or None), after
            told.in_two.append(own)
        if words and not has_same_numbers(read, "".join(text for text, _ in words), target):
            told.wrong.update(own)
    return told


def plans_of(pdf: pikepdf.Pdf, pages: Sequence[Page], told: Told) -> list[Plan]:
    """Return what becomes of each page; of what goes on elsewhere, both parts go or stay."""
    known = list[tuple[_OfPage, Mapping[str, Sign]]]()
    for number, page in enumerate(pages):
        has_signs = page.units and any(run.signs for run in page.runs)
        signs = signs_of(pdf.pages[number], page.runs) if has_signs else {}
        own = ((id(block), told.words[id(block)]) for block, _ in page.units)
        known.append(({block: words and with_signs(words, signs) for block, words in own}, signs))
    plans = [_plan(page, told.wrong, *its) for page, its in zip(pages, known, strict=True)]
    places = {id(block): number for number, page in enumerate(pages) for block in page.blocks}
    while torn := _torn(plans, told.in_two):
        for number in {places[block] for block in torn}:
            its_words = known[number][0]
            its_words.update(dict.fromkeys(torn & its_words.keys()))
            plans[number] = _plan(pages[number], told.wrong, *known[number])
    return plans


def _torn(plans: Iterable[Plan], in_two: Iterable[set[int]]) -> set[int]:
    """Return the identities of paragraphs that go where their other parts stay, and of those."""
    gone = {id(block) for plan in plans for block in plan.going}
    return {block for both in in_two if len(both & gone) == 1 for block in both}


def _plan(page: Page, wrong: Collection[int], words: _OfPage, signs: Mapping[str, Sign]) -> Plan:
    if not page.units:
        return Plan((), (), (), frozenset(), {}, ())
    told = words | dict.fromkeys({*wrong, *page.kept})
    stay = _complete(told, page.blocks, signs)
    going = [block for block in page.blocks if told.get(id(block))]
    lines = (box for block in going for box in page.lines[id(block)])
    moving = dict[Box, Box | None].fromkeys(lines)
    placed = _placed(page, going, told, moving)
    gone = frozenset[int]().union(*(block.numbers for block in going))
    read = (run.text for run in page.runs if run.number in gone)
    texts = (text for block in going for text, _ in told[id(block)] or ())
    for one in placed:
        if one.style.badge and one.text.strip():
            box, reach = one.style.badge
            moving[box] = around([*filter(None, [moving[box]]), box_of(one, reach)])
    is_right = has_same_figures(read, (block.text for block in going))
    if not is_right or not has_same_figures(texts, (one.text for one in placed)):
        stay, wrong, going, placed = [*stay, *going], {*wrong, *map(id, going)}, [], []
    return Plan(going, stay, wrong, gone, moving, placed)


def _complete(
    told: _OfPage,
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


def _placed(
    page: Page, going: Sequence[Block], told: _OfPage, moving: Collection[Box]
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
            own = fitted(told[id(block)] or [], room, most, widths)
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
