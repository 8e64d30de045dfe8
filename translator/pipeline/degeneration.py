"""What has visibly gone wrong in a translation, and how to try once more.

Five failures can be told without a reference: running in circles (Holtzman et al. 2020), copying
the source instead of translating it (Ott et al. 2018), losing or repeating a placeholder,
addressing the reader in another form than asked for, and losing a part in brackets. A negation that
seems lost or made up is flagged, and replaces no answer: see `SentenceSearch.result`.
"""

from __future__ import annotations

import dataclasses
import difflib
import itertools
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal

from translator.config import DecodingOptions
from translator.search.hypothesis import Hypothesis
from translator.text.brackets import never
from translator.text.characters import placeholders_in, small_words

Flag = Literal[
    "repetition",
    "copied",
    "placeholders",
    "numbers",
    "formality",
    "negation",
    "brackets",
    "retried",
]

LONGEST_PERIOD = 8
FEWEST_ROUNDS = 4
FEWEST_REPEATED_IDS = 12
"""A circle of ids is at least so many rounds and ids."""

NEEDED = {
    period: max((FEWEST_ROUNDS - 1) * period, FEWEST_REPEATED_IDS - period)
    for period in range(1, LONGEST_PERIOD + 1)
}
"""By the period of a circle, how many ids in a row are those of a period before."""

FEWEST_NEEDED = min(NEEDED.values())

TOKEN = re.compile(r"\w+|[^\w\s]")
MORE_REPEATED_WORDS = 1
"""Words, with the marks between them, are a circle if they come twice and so many come a third
time. Among 9,669 pairs of references no side does without the other."""

WORDS = re.compile(r"[^\W\d_]+")
ROUNDS = re.compile(r"(.{1,60}?)\1{2,}")
REPEATED_LETTERS = re.compile(r"([^\W\d_]{1,12}?)\1{3,}")
"""One to twelve letters that come four times in a row inside a word, as in none of a language."""
FOUR_IN_A_ROW = re.compile(r"(.)\1\1\1")

ENDS = ".,;:!?)\"'»“”…"
"""Marks behind a word."""

FEWEST_COPIED_WORDS = 4
LEAST_COPIED_SHARE = 0.9
"""Only words in lower case tell: names, code and numbers are rightly copied."""

MOST_COMMON_SHARE = 0.5
MOST_LOSS = 0.5
"""What takes a copy's place has fewer words of the source than this, and is not less probable by
more nats an id than this."""

RETRY_BEAM_SIZE = 5
RETRY_NGRAM_SIZE = 4
FEWEST_ROUNDS_OF_WORDS = 3
"""A source with fewer is translated without any."""


@dataclasses.dataclass(frozen=True, slots=True)
class Output:
    """Ids with their text.

    Attributes:
        ids: without tag and EOS.
        text: of them.
        is_own_word: whether a single word is one of the source language only; asked of a source.
        is_other_form: whether a translation addresses its reader in another form than was asked
            for; asked of a source.
        is_turned: whether a translation has lost a negation or made one up; asked of a source.
        has_lost: whether a translation has lost a part in brackets; asked of a source.
        is_rare_word: whether a source is one word that the vocabulary has only in pieces.
        meaning: what a source means by the model's lexicon, which has only single words.
    """

    ids: Sequence[int]
    text: str
    is_own_word: Callable[[str], bool] = never
    is_other_form: Callable[[str], bool] = never
    is_turned: Callable[[str], bool] = never
    has_lost: Callable[[str], bool] = never
    is_rare_word: bool = False
    meaning: str | None = None


def find_flags(source: Output, target: Output) -> tuple[Flag, ...]:
    """Return what is wrong with a translation; the ids are pieces, without tag and EOS."""
    flags: list[Flag] = []
    if _runs_in_circles(target) and (
        not _runs_in_circles(source) or num_rounds(target.text) > num_rounds(source.text)
    ):
        flags.append("repetition")
    words = lower_case_words(source.text)
    is_copy = len(words) >= FEWEST_COPIED_WORDS and _is_copy(words, target.text)
    if is_copy or (source.text == target.text and source.is_own_word(source.text)):
        flags.append("copied")
    if placeholders_in(source.text) != placeholders_in(target.text):
        flags.append("placeholders")
    if source.is_other_form(target.text):
        flags.append("formality")
    if source.has_lost(target.text):
        flags.append("brackets")
    return tuple(flags)


def lower_case_words(text: str) -> list[str]:
    """Return the words in lower case that stand alone, not in addresses, paths or code."""
    return [
        word
        for token in text.split()
        if token.islower()
        and len(word := token.rstrip(ENDS)) > 1
        and (word.isalpha() or WORDS.fullmatch(word))
    ]


def _runs_in_circles(output: Output) -> bool:
    if _is_circle(output.ids):
        return True
    text = output.text.casefold()
    words = TOKEN.findall(text)
    return _is_circle_of_words(words) or _repeats_letters(text, words)


def num_rounds(text: str) -> int:
    """Return how often the same letters come in a row at most, whatever stands between words."""
    letters = "".join(WORDS.findall(text.casefold()))
    return max((len(run[0]) // len(run[1]) for run in ROUNDS.finditer(letters)), default=1)


def _is_circle(ids: Sequence[int]) -> bool:
    if len(ids) - len({*ids}) < FEWEST_NEEDED:
        return False  # as nearly always
    return any(
        end - start >= needed
        for period, needed in NEEDED.items()
        for start, end in _repeats(ids, period, needed)
    )


def _repeats_letters(text: str, words: Sequence[str]) -> bool:
    """Return whether a word of a text has `REPEATED_LETTERS`.

    If those are several different letters, they are in a long word, and at least six come again.
    """
    return any(
        REPEATED_LETTERS.search(word)
        for word in words
        if len(word) > 7 and len(word) - len({*word}) > 5  # as in hardly any
    ) or (FOUR_IN_A_ROW.search(text) is not None and REPEATED_LETTERS.search(text) is not None)


def _is_circle_of_words(words: Sequence[str]) -> bool:
    """Return whether a run of words comes twice, and the first of them a third time.

    Without a word of two letters a run does not count: dots, rulers and numbers may repeat.
    """
    if len({*itertools.pairwise(words)}) == max(len(words) - 1, 0):
        return False  # as nearly always: no two neighbours come again
    return any(
        end - start >= period + MORE_REPEATED_WORDS
        and any(len(word) > 1 and word.isalpha() for word in words[start : start + period])
        for period in range(1, LONGEST_PERIOD + 1)
        for start, end in _repeats(words, period, period + MORE_REPEATED_WORDS)
    )


def _repeats(
    items: Sequence[int] | Sequence[str], period: int, needed: int
) -> Iterator[tuple[int, int]]:
    """Yield start and end of each longest run of items that are those of a period before.

    There may be none if fewer than `needed` are.
    """
    if sum(map(operator.eq, items, items[period:])) < needed:
        return  # as nearly always
    start = period
    for end in range(period, len(items) + 1):
        if end == len(items) or items[end] != items[end - period]:
            if start < end:
                yield start, end
            start = end + 1


def _is_copy(words: list[str], target: str) -> bool:
    """Return whether nearly all words of a source are there again, in their order."""
    num_common = sum(map(small_words(target).__contains__, map(str.casefold, words)))
    if 2 * num_common < LEAST_COPIED_SHARE * (len(words) + num_common):
        return False  # as nearly always: the ratio is no higher
    matcher = difflib.SequenceMatcher(None, words, lower_case_words(target), autojunk=False)
    return matcher.ratio() >= LEAST_COPIED_SHARE


def _is_apart(source: Output, output: Output) -> bool:
    if source.is_own_word(source.text):
        return output.text.casefold() != source.text.casefold()
    return common_share(source.text, output.text) < MOST_COMMON_SHARE


def common_share(source: str, target: str) -> float:
    """Return the share of a translation's words in lower case that are words of the source."""
    words, known = lower_case_words(target), set(lower_case_words(source))
    return sum(word in known for word in words) / len(words) if words else 1.0


def retry_options(options: DecodingOptions, flags: Sequence[Flag], source: str) -> DecodingOptions:
    """Return how to search once more: wider, and without repeated n-grams after a circle.

    Those are as long as the source repeats a word, so that the translation can do so, too.
    """
    beam_size = min(max(2 * options.beam_size, RETRY_BEAM_SIZE), 64)
    ngram_size = options.no_repeat_ngram_size
    if "repetition" in flags:
        rounds = num_rounds(source)
        ngram_size = rounds if rounds >= FEWEST_ROUNDS_OF_WORDS else RETRY_NGRAM_SIZE
    return dataclasses.replace(
        options, beam_size=beam_size, num_hypotheses=beam_size, no_repeat_ngram_size=ngram_size
    )


def better(
    source: Output,
    first: Hypothesis,
    flags: Sequence[Flag],
    others: Iterable[tuple[Hypothesis, Output]],
    has_right_numbers: Callable[[str], bool] = lambda _: True,
) -> Iterator[Hypothesis]:
    """Yield those of `others` that are to take the place of `first`, which has `flags`: best first.

    They have no flags themselves. A copy is replaced only by what shares few words with the source
    and is nearly as probable, since copies may be right and the beam is full of copies that lack a
    word; a translation without a part in brackets by what is nearly as probable; anything else by
    anything.
    """
    is_copy = tuple(flags) == ("copied",)
    may_be_right = {*flags} <= {"copied", "brackets"}
    lowest = log_prob_per_id(first) - MOST_LOSS
    by_ids = {hypothesis.ids: (hypothesis, output) for hypothesis, output in others}
    for hypothesis, output in sorted(by_ids.values(), key=lambda one: one[0].score, reverse=True):
        if (
            hypothesis.ids
            and has_right_numbers(output.text)
            and not find_flags(source, output)
            and (not is_copy or _is_apart(source, output))
            and (not may_be_right or log_prob_per_id(hypothesis) >= lowest)
        ):
            yield hypothesis


def log_prob_per_id(hypothesis: Hypothesis) -> float:
    """Return the log-probability of a hypothesis, in nats, divided by its ids and EOS."""
    return hypothesis.log_prob / (len(hypothesis.ids) + 1)
