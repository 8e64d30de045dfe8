"""The step `capitals`: shouted words are read as ordinary ones, and shouted again in capitals."""

from __future__ import annotations

import bisect
import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING

from translator.text.capitals import WORD
from translator.text.emphasis import Emphasised, kinds_of, read_emphasis, shout
from translator.text.marked import MarkedText
from translator.text.spans import Span, find_spans, span_at
from translator.translate.ladder import BringUp, Question
from translator.translate.marks.words import Words
from translator.translate.translation import SentenceTranslation, TranslatedWord

if TYPE_CHECKING:
    from translator.patience import Patience
    from translator.translate.marks.alignment import Aligner
    from translator.translate.marks.tags import Tags


class Capitals(Words):
    """Finds shouted words; texts whose tags attention places keep theirs."""

    name = "capitals"

    def __init__(
        self, aligner: Aligner, target: str, patience: Patience, source: str, tags: Tags
    ) -> None:
        """Take what aligns, the language of the texts, and the step that takes their tags out."""
        super().__init__(aligner, target, patience)
        self._source, self._tags = source, tags

    def take_down(self, text: MarkedText) -> tuple[MarkedText, BringUp | None]:
        """Return a text without its shouted words; a prefix says itself how it is written."""
        if text.prefix is not None:
            return text, None
        tokenizer = self.aligner.tokenizer
        keeps_code = tokenizer.num_placeholders > 0
        emphasised = read_emphasis(text, self._source, tokenizer.log_prob, keeps_code)
        if not emphasised.places or self._tags.takes_from(text):
            return text, None
        return emphasised.text, self._shouting(text, emphasised)

    def _shouting(self, original: MarkedText, emphasised: Emphasised) -> BringUp:
        end = 0

        def bring_up(sentence: SentenceTranslation) -> SentenceTranslation | Question:
            nonlocal end
            start = end + len(sentence.separator)
            end = start + len(sentence.source)
            places = emphasised.places[
                bisect.bisect_left(emphasised.places, (start,)) : bisect.bisect_left(
                    emphasised.places, (end,)
                )
            ]
            within = [(first - start, last - start) for first, last in places]
            sent = original.text[start:end]
            if not within:
                return dataclasses.replace(sentence, source=sent)

            def shout_words(words: Sequence[TranslatedWord] | None) -> SentenceTranslation:
                text = shouted(sentence.text, sent, within, words or ())
                return dataclasses.replace(sentence, source=sent, text=text)

            if sentence.words is not None:
                return shout_words(sentence.words)
            return self.asked(sentence, (), shout_words)

        return bring_up


def shouted(text: str, source: str, places: Sequence[Span], words: Sequence[TranslatedWord]) -> str:
    """Return a translation with the words in capitals that come from shouted ones.

    Args:
        text: translated from ordinary words.
        source: with the shouted ones.
        places: of the shouted words in it.
        words: of the translation.
    """
    spans = find_spans(text)  # such as an address, which may be linked to a shouted word
    for word in reversed(_loud(text, source, places, words)):
        if span_at(word.start, spans):
            continue
        loud = shout(text[word.start : word.end])
        if loud == "A" and word.start > 0:
            loud = "ONE"  # of `EIN`
        text = text[: word.start] + loud + text[word.end :]
    return text


def _loud(
    text: str, source: str, places: Sequence[Span], words: Sequence[TranslatedWord]
) -> list[TranslatedWord]:
    """Return the words that are shouted.

    Negations and modal verbs come from their like. Others come from the word that they attend to
    most; of those that attend to one shouted word but do not stand together, the surest is shouted.
    """
    kinds = [kinds_of(text[word.start : word.end]) for word in words]
    loud, quiet = _kinds_in(source, places)
    same = (loud - quiet) & frozenset[str]().union(*kinds)
    found = {number for number, kind in enumerate(kinds) if kind & same}
    free = [number for number, kind in enumerate(kinds) if not kind & (same | (quiet - loud))]
    for first, last in places:
        if not (kinds_of(source[first:last]) & same):
            found |= _from_place(first, last, [(number, words[number]) for number in free])
    return [words[number] for number in sorted(found)]


def _kinds_in(source: str, places: Sequence[Span]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the kinds of the shouted words of a sentence, and those of its other words."""
    loud, quiet = set[str](), set[str]()
    for word in WORD.finditer(source):
        is_loud = any(first < word.end() and word.start() < last for first, last in places)
        (loud if is_loud else quiet).update(kinds_of(word[0]))
    return frozenset(loud), frozenset(quiet)


def _from_place(first: int, last: int, words: Sequence[tuple[int, TranslatedWord]]) -> set[int]:
    """Return the numbers of the words that come from a place: neighbours, the surest of them."""
    groups, weights = list[list[int]](), dict[int, float]()
    for number, word in words:
        source = word.sources[0] if word.sources else None
        if source and first < source.end and source.start < last:
            weights[number] = source.weight
            if groups and groups[-1][-1] == number - 1:
                groups[-1].append(number)
            else:
                groups.append([number])
    best = max(groups, key=lambda group: max(weights[number] for number in group), default=[])
    return {*best}
