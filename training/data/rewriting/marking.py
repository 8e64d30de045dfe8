"""Training pairs get placeholders around a phrase and its translation, as emphasis and links have.

Training text has hardly any mark-up. A model that sees placeholders only beside names learns to
copy what is there, and does not translate the words of `**Close the window**` or of a link.
Marked pairs teach it otherwise. Which words translate each other is found by a small lexicon.
"""

from __future__ import annotations

import random
import re
import zlib

from training.data.rewriting.lexicon import WORD, Lexicon, Span, phrases
from translator.text.placeholders import placeholders_in, symbols

TITLE = re.compile(r"([^:.]{1,40}):\s")
ENDS = re.compile(r"[.!?…:]*$")
LONG_WORD = (
    4  # characters, at least, of some word of a phrase; short words are often linked wrongly
)
WHOLE_WORDS, WHOLE_SHARE = 8, 0.5  # of sentences with at most 8 words, half are marked as a whole


class Marker:
    """Marks a share of the pairs it is shown; which ones depends on their sources alone."""

    def __init__(self, lexicon: Lexicon, share: float, num_placeholders: int) -> None:
        """Mark so many of all pairs, with so many placeholders at most."""
        self.lexicon, self.share, self.num_placeholders = lexicon, share, num_placeholders

    def mark(self, source: str, target: str) -> tuple[str, str]:
        """Return the pair, with a placeholder before and behind some phrase and its translation."""
        chance = random.Random(zlib.crc32(source.encode()))
        used = placeholders_in(source)
        if chance.random() >= self.share or used != placeholders_in(target):
            return source, target
        is_room = len(used) + 2 <= self.num_placeholders
        found = self._spans(source, target, chance) if is_room else None
        return self._insert(source, target, found, chance) if found else (source, target)

    def _spans(self, source: str, target: str, chance: random.Random) -> tuple[Span, Span] | None:
        """Return the characters to be marked: a title, everything, or a phrase; None for nothing.

        Both spans have a letter and the same placeholders, and they differ: marked names would
        teach the model to copy.
        """
        sides = source, target
        words = [list(WORD.finditer(text)) for text in sides]
        titles = [TITLE.match(text) for text in sides]
        if titles[0] and titles[1]:
            found = [(titles[0].span(1), titles[1].span(1))]
        elif max(map(len, words)) <= WHOLE_WORDS and chance.random() < WHOLE_SHARE:
            found = [((0, len(ENDS.sub("", source))), (0, len(ENDS.sub("", target))))]
        else:
            found = self._phrases(words, chance)
        spans = chance.choice(found) if found else None
        if spans is None:
            return None
        texts = [text[start:end] for text, (start, end) in zip(sides, spans, strict=True)]
        is_fit = texts[0] != texts[1] and all(WORD.search(text) for text in texts)
        is_fit = is_fit and placeholders_in(texts[0]) == placeholders_in(texts[1])
        return spans if is_fit else None

    def _phrases(
        self, words: list[list[re.Match[str]]], chance: random.Random
    ) -> list[tuple[Span, Span]]:
        """Return the characters of all phrases of one length, and of their translations."""
        links = self.lexicon.links(*([word[0].lower() for word in side] for side in words))
        by_length: dict[int, list[tuple[Span, Span]]] = {}
        for run in phrases(links):
            if self._is_content(words, run):
                ours, theirs = (
                    (side[first].start(), side[last].end())
                    for side, (first, last) in zip(words, run, strict=True)
                )
                by_length.setdefault(run[0][1] - run[0][0], []).append((ours, theirs))
        return by_length[chance.choice(sorted(by_length))] if by_length else []

    @staticmethod
    def _is_content(words: list[list[re.Match[str]]], run: tuple[Span, Span]) -> bool:
        """Whether there is a word of some length on both sides."""
        sides = zip(words, run, strict=True)
        return all(max(len(w[0]) for w in side[a : b + 1]) >= LONG_WORD for side, (a, b) in sides)

    def _insert(
        self, source: str, target: str, spans: tuple[Span, Span], chance: random.Random
    ) -> tuple[str, str]:
        """Put two placeholders in, and number all anew in the order of the source."""
        names = symbols(self.num_placeholders)
        free = [name for name in names if name not in source + target][:2]
        marked = []
        for text, (start, end) in zip((source, target), spans, strict=True):
            # a word behind the first keeps its pieces; see `Protected.apart`
            marked.append(f"{text[:start]}{free[0]} {text[start:end]}{free[1]}{text[end:]}")
        order = list(dict.fromkeys(char for char in marked[0] if char in set(names)))
        first = chance.randrange(len(names))
        table = str.maketrans({old: names[(first + n) % len(names)] for n, old in enumerate(order)})
        return marked[0].translate(table), marked[1].translate(table)
