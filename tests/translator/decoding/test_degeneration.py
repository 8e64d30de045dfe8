"""What is flagged, what is not, and which of two searches is believed."""

from __future__ import annotations

import pytest

from translator.config import DecodingOptions
from translator.decoding.degeneration import choose, find_flags, retry_options
from translator.decoding.hypothesis import Hypothesis

TAG, EOS = 4, 3
SENTENCE = list(range(100, 112))


def source(pieces: list[int]) -> list[int]:
    return [TAG, *pieces, EOS]


def found(ids: list[int], log_prob: float = -1.0) -> Hypothesis:
    return Hypothesis(ids=tuple(ids), score=log_prob, log_prob=log_prob, finish_reason="eos")


@pytest.mark.parametrize(
    ("target", "flags"),
    [
        ([7] * 12, ("repetition",)),
        ([1, 2, *([7] * 12), 9], ("repetition",)),
        ([1, *([7, 8, 9] * 4), 2], ("repetition",)),
        ([*range(20, 28)] * 4, ("repetition",)),
        ([7] * 11, ()),  # three dots, a ruler: not long enough
        ([7, 8, 9] * 3, ()),
        ([7, 7, 8, 8] * 2, ()),
        ([*range(20, 29)] * 4, ()),  # a refrain longer than a circle
        (SENTENCE, ("copied",)),
        ([*SENTENCE, 50], ("copied",)),
        ([*SENTENCE[:6], 50, 51, 52, *SENTENCE[6:]], ()),
        (SENTENCE[::-1], ()),
        ([], ()),
    ],
)
def test_circles_and_copies_are_flagged(target: list[int], flags: tuple[str, ...]) -> None:
    assert find_flags(source(SENTENCE), target) == flags


def test_a_source_that_repeats_itself_may_be_translated_so() -> None:
    assert find_flags(source([8] * 15), [7] * 15) == ()


def test_short_sources_may_be_copied() -> None:
    assert find_flags(source(SENTENCE[:7]), SENTENCE[:7]) == ()


def test_the_second_search_is_wider_and_blocks_ngrams_only_after_a_circle() -> None:
    options = DecodingOptions(beam_size=1, alpha=0.7)
    again = retry_options(options, ["repetition"])
    assert (again.beam_size, again.num_hypotheses, again.alpha) == (5, 5, 0.7)
    assert again.no_repeat_ngram_size == 4
    assert retry_options(options, ["copied"]).no_repeat_ngram_size == 0
    assert retry_options(DecodingOptions(beam_size=9), ["copied"]).beam_size == 9


def test_a_translation_without_flags_is_preferred_to_a_circle() -> None:
    circle, good = found([7] * 30, -1.0), found([20, 21, 22], -30.0)
    assert choose(source(SENTENCE), [circle], [circle, good]) == ([good], ("retried",))


def test_a_circle_that_cannot_be_mended_stays_and_is_flagged() -> None:
    circle, empty = found([7] * 30), found([])
    hypotheses, flags = choose(source(SENTENCE), [circle], [circle, empty])
    assert (hypotheses, flags) == ([circle], ("repetition", "retried"))


def test_a_copy_is_replaced_only_by_what_is_nearly_as_probable() -> None:
    copy, near, far = (
        found(SENTENCE, -1.0),
        found([20] * 4 + [21] * 5, -4.0),
        found([20] * 9, -20.0),
    )
    assert choose(source(SENTENCE), [copy], [copy, near])[1] == ("retried",)
    assert choose(source(SENTENCE), [copy], [copy, far]) == ([copy], ("copied", "retried"))


def test_as_many_hypotheses_as_were_asked_for_are_given() -> None:
    circle, other, good = found([7] * 30), found([9, 9]), found([20, 21])
    assert choose(source(SENTENCE), [circle, other], [circle, good])[0] == [good, circle]
