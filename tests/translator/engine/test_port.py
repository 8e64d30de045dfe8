"""Times and statistics of several engines."""

from __future__ import annotations

import dataclasses

from translator.engine.port import Statistics, Times


def test_times_around_several_sentences() -> None:
    both = Times.around([Times(1.0, 3.0, 4.0), None, Times(2.0, 2.5, 6.0)])
    assert both == Times(1.0, 2.5, 6.0)
    assert (both.queue_ms, both.compute_ms) == (1500.0, 3500.0)
    assert Times.around([None]) is None


def test_statistics_of_engines_add_up() -> None:
    names = [field.name for field in dataclasses.fields(Statistics)]
    ones = Statistics(**dict.fromkeys(names, 1))
    assert ones + ones == Statistics(**dict.fromkeys(names, 2))
