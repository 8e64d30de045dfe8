"""The steps `terms`, `beginnings`, `amounts` and `spacing`.

They are for terms of a glossary, for the first letters of headings and cells, for numbers in
tables, and for languages without spaces.
"""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Mapping

from translator.alignment.readable import Readable, readable
from translator.documents.markup.inline import TOKEN
from translator.pipeline.steps import BringUp, Texts, TextStep
from translator.pipeline.translation import SentenceTranslation
from translator.rules.capitals import WORD
from translator.text.glossary import Applied, Glossary
from translator.text.marked import MarkedText
from translator.text.spans import Span, find_spans, span_at

_FULL_WIDTH_END = ("。", "！", "？", "．", "」", "』", "”", "）")
_SPACE_BEHIND_END = re.compile(r"(?<=[。！？．」』”）]) (?=\S)")

_FIRST_WORD = re.compile(rf"(?:{TOKEN.pattern}|[^\w<])*(?P<word>{WORD.pattern})(?!\w|[./@:]\w)")
_LONGEST_ALIKE = 2
"""Letters of a word that both languages may have, as `in`; a longer one is a name: `npm`."""


class Terms(TextStep):
    """Puts the translations of terms in their places, and the terms back into the sources."""

    name = "terms"

    def __init__(self, glossary: Glossary) -> None:
        """Take the terms."""
        super().__init__()
        self._glossary = glossary

    def take_down(self, text: MarkedText) -> tuple[MarkedText, BringUp | None]:
        """Return a text with its terms translated; they are spans, which all models leave alone."""
        applied = self._glossary.apply(text)
        return applied.text, _as_sent(applied) if applied.terms else None


def _as_sent(applied: Applied) -> BringUp:
    """Return what gives sentences their own words back, and says which terms they have."""
    end, left = 0, set(applied.terms)

    def bring_up(sentence: SentenceTranslation) -> SentenceTranslation:
        nonlocal end
        start = end + len(sentence.separator)
        end = start + len(sentence.source)
        if not sentence.source:
            return dataclasses.replace(sentence, terms=tuple(sorted(left)))
        sent, terms, readable_source = _own(applied, start, end)
        left.difference_update(terms)
        words = sentence.words and tuple(
            word._replace(
                sources=tuple(
                    source._replace(
                        start=readable_source.place_of(source.start),
                        end=readable_source.place_of(source.end),
                    )
                    for source in word.sources
                )
            )
            for word in sentence.words
        )
        return dataclasses.replace(sentence, source=sent, terms=terms, words=words)

    return bring_up


def _own(applied: Applied, start: int, end: int) -> tuple[str, tuple[str, ...], Readable]:
    """Return what was sent for a part of a text, its terms, and the part as a reading of it."""
    text, pieces, shown = applied.text.text, list[str](), list[tuple[Span, str]]()
    replaced = [one for one in applied.replaced if start <= one.start and one.end <= end]
    length, done = 0, start
    for term in replaced:
        pieces += [text[done : term.start], term.sent]
        length += term.start - done + len(term.sent)
        shown.append(((length - len(term.sent), length), text[term.start : term.end]))
        done = term.end
    sent = "".join([*pieces, text[done:end]])
    terms = tuple(sorted({term.entry for term in replaced}))
    return sent, terms, readable(sent, shown)


class Beginnings(TextStep):
    """Lets a sentence that begins with a capital keep it.

    A model takes a German heading of one word for an entry of a dictionary, and writes `overview`.
    """

    name = "beginnings"

    def take_down(self, text: MarkedText) -> tuple[MarkedText, BringUp | None]:
        """Return the text as it is."""
        return text, _with_capital


def _with_capital(sentence: SentenceTranslation) -> SentenceTranslation:
    """Return a sentence whose first word has a capital if its source has; names and terms stay."""
    first, word = _FIRST_WORD.match(sentence.source), _FIRST_WORD.match(sentence.text)
    if not (first and word and first["word"][0].isupper() and word["word"].islower()):
        return sentence
    is_copied = len(word["word"]) > _LONGEST_ALIKE and word["word"] in WORD.findall(sentence.source)
    if is_copied or span_at(word.start("word"), find_spans(sentence.text)):
        return sentence
    text, start = sentence.text, word.start("word")
    return dataclasses.replace(
        sentence, text=text[:start] + text[start].title() + text[start + 1 :]
    )


class Amounts(TextStep):
    """Writes numbers that stand alone, and that their neighbours show to be amounts."""

    name = "amounts"

    def __init__(self, amounts: Mapping[int, str]) -> None:
        """Take how they are written, by the numbers of their texts."""
        super().__init__()
        self._amounts = amounts

    def down(self, texts: Texts) -> Texts:
        """Return the texts as they are."""
        for number, written in self._amounts.items():
            self._bring_ups[number] = functools.partial(_as_amount, texts[number].text, written)
        return texts


def _as_amount(text: str, written: str, sentence: SentenceTranslation) -> SentenceTranslation:
    """Return a sentence with a number as it is written, wherever it stands in it."""
    if sentence.separator == text:
        return dataclasses.replace(sentence, separator=written)
    return dataclasses.replace(sentence, text=written) if sentence.text == text else sentence


class Spacing(TextStep):
    """Lets the sentences of a language without spaces close up, where the first has an end mark.

    Below this step, separators are those of the source, by which places in it are found.
    """

    name = "spacing"

    def take_down(self, text: MarkedText) -> tuple[MarkedText, BringUp | None]:
        """Return the text as it is."""
        pieces, before = list[str](), ""

        def bring_up(sentence: SentenceTranslation) -> SentenceTranslation:
            nonlocal before
            separator = sentence.separator
            if separator == " " and sentence.source and before.endswith(_FULL_WIDTH_END):
                separator = ""
            before = sentence.text
            pieces.append(separator + sentence.text)
            if not sentence.alternatives:
                return dataclasses.replace(sentence, separator=separator)
            others = (_SPACE_BEHIND_END.sub("", other) for other in sentence.alternatives)
            best = "".join(pieces)
            alternatives = tuple(dict.fromkeys(other for other in others if other != best))
            return dataclasses.replace(sentence, separator=separator, alternatives=alternatives)

        return text, bring_up
