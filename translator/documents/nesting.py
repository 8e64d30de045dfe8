"""Marks of a text in a row, before it is known which of them make pairs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Literal, TypeVar

from translator.text.formats.inline import Inline

Mark = TypeVar("Mark")
Kind = Literal["text", "verbatim", "opens", "closes", "stands"]


@dataclass(frozen=True, slots=True)
class Item(Generic[Mark]):
    """A piece of a paragraph.

    Attributes:
        kind: `text`; text that comes back `verbatim`; a mark that `opens` or `closes` something, or
            `stands` alone.
        text: of the first two kinds.
        mark: of the others.
        read: what one that stands alone adds to the sentence, such as a number of a page.
        pair: what a mark that opens has in common with the one that closes it.
    """

    kind: Kind
    text: str = ""
    mark: Mark | None = None
    pair: Hashable = None
    read: str = ""

    @property
    def is_unread(self) -> bool:
        """Whether it is white space, or stands alone and is no part of a sentence."""
        if self.kind == "stands":
            return not self.read
        return self.kind == "text" and not self.text.strip()


def paired(items: Iterable[Item[Mark]]) -> list[Item[Mark]]:
    """Return the items so that all that open are closed, properly nested.

    A mark without its partner stands alone, and so do both of a pair that crosses another.
    """
    result = list(items)
    opened: list[int] = []
    places = defaultdict[Hashable, list[int]](list)  # of those that are open, by what they share
    for number, item in enumerate(result):
        if item.kind == "opens":
            opened.append(number)
            places[item.pair].append(number)
        elif item.kind == "closes":
            if not places[item.pair]:
                result[number] = replace(item, kind="stands")
                continue
            place = places[item.pair].pop()
            while (crossing := opened.pop()) != place:
                places[result[crossing].pair].pop()
                result[crossing] = replace(result[crossing], kind="stands")
    for number in opened:
        result[number] = replace(result[number], kind="stands")
    return result


def without_edges(
    items: Sequence[Item[Mark]],
) -> tuple[Sequence[Item[Mark]], Sequence[Item[Mark]], Sequence[Item[Mark]]]:
    """Return what comes before the words of a paragraph, the paragraph, and what comes behind.

    Marks that stand at an edge need not pass by a model, nor do pairs around the whole.

    Args:
        items: all pairs are complete.
    """
    first, last = 0, len(items)
    partner = _partners(items)
    while first < last:
        item, end = items[first], items[last - 1]
        if item.is_unread:
            first += 1
        elif end.is_unread:
            last -= 1
        elif item.kind == "opens" and partner[first] == last - 1:
            first, last = first + 1, last - 1
        elif item.kind == "opens" and partner[first] == first + 1:
            first += 2
        elif end.kind == "closes" and partner[last - 1] == last - 2:
            last -= 2
        else:
            break
    return items[:first], items[first:last], items[last:]


def inline_of(items: Iterable[Item[Mark]]) -> Inline[Mark]:
    """Return items, whose pairs are complete, as a paragraph to translate."""
    inline: Inline[Mark] = Inline()
    for item in items:
        if item.kind in ("text", "verbatim"):
            (inline.add_text if item.kind == "text" else inline.add_verbatim)(item.text)
            continue
        assert item.mark is not None  # only texts have none
        if item.kind == "opens":
            inline.opens(item.mark)
        elif item.kind == "closes":
            inline.closes(item.mark)
        else:
            inline.stands(item.mark, item.read)
    return inline


def _partners(items: Sequence[Item[Mark]]) -> dict[int, int]:
    partner, opened = dict[int, int](), list[int]()
    for number, item in enumerate(items):
        if item.kind == "opens":
            opened.append(number)
        elif item.kind == "closes":
            partner[number] = opened.pop()
            partner[partner[number]] = number
    return partner
