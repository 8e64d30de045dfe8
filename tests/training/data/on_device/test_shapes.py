"""Few shapes, every pair once, and hardly a batch that is not full."""

from __future__ import annotations

import numpy as np
import pytest

from training.data.on_device.shapes import WIDTHS, Shapes
from training.data.sampler import BatchSampler


def some_lengths(count: int, longest: int = 300) -> np.ndarray:
    generator = np.random.default_rng(1)
    return np.clip(generator.gamma(3.0, 9.0, (2, count)).astype(np.int32), 1, longest)


@pytest.mark.parametrize(
    ("longest", "last_widths"),
    [(5, [256]), (256, [256]), (257, [256, 384]), (900, [576, 864, 1296])],
)
def test_the_widest_shape_fits_the_longest_pair(longest: int, last_widths: list[int]) -> None:
    shapes = Shapes.fitting(np.array([[3, longest], [4, 2]]), 1000)
    assert shapes.widths[: len(WIDTHS)] == WIDTHS
    assert list(shapes.widths[-len(last_widths) :]) == last_widths


@pytest.mark.parametrize(
    ("longest", "most", "last_width"),
    [(100, 200, 200), (300, 300, 300), (300, 400, 384), (9, 5, 256)],
)
def test_no_shape_is_wider_than_the_model_has_positions(
    longest: int, most: int, last_width: int
) -> None:
    assert Shapes.fitting(np.array([[longest], [4]]), 1000, most).widths[-1] == last_width


def test_a_batch_has_the_narrowest_shape_that_fits_it() -> None:
    shapes = Shapes((8, 16, 64), max_batch_tokens=100)
    assert shapes.of(np.array([[3, 8], [8, 1]])) == (12, 8)
    assert shapes.of(np.array([[3, 8], [9, 1]])) == (6, 16)
    assert shapes.of(np.array([[17], [1]])) == (1, 64)
    assert Shapes((8, 200), 100).of(np.array([[150], [1]])) == (1, 200)


@pytest.mark.parametrize("count", [1, 7, 5000])
def test_every_pair_is_in_one_batch_and_hardly_a_row_is_empty(count: int) -> None:
    lengths = some_lengths(count)
    shapes = Shapes.fitting(lengths, 2000)
    order = np.random.default_rng(2).permutation(count)
    batches = shapes.group(lengths, order)
    assert sorted(np.concatenate(batches).tolist()) == list(range(count))
    for batch in batches:
        rows, width = shapes.of(lengths[:, batch])
        assert lengths[:, batch].max() <= width
        assert len(batch) <= rows
    missing = [shapes.of(lengths[:, batch])[0] - len(batch) for batch in batches]
    # what is left over of a width may fill a batch of the next one by itself
    assert sum(rows > 0 for rows in missing) <= len(shapes.widths)
    assert sum(missing) <= 2 * shapes.rows_of(8)


def test_pairs_of_one_width_come_in_the_order_given() -> None:
    shapes = Shapes((8, 16), max_batch_tokens=16)
    lengths = np.array([[1, 12, 2, 3, 11, 4, 5], [1, 1, 1, 1, 1, 1, 1]])
    order = np.array([6, 5, 4, 3, 2, 1, 0])
    found = [batch.tolist() for batch in shapes.group(lengths, order)]
    assert found == [[6, 5], [3, 2], [0], [4], [1]], "the pair that is left over goes with the next"


def test_the_sampler_resumes_within_an_epoch_of_shapes() -> None:
    lengths = some_lengths(3000)
    shapes = Shapes.fitting(lengths, 1000)

    def make() -> BatchSampler:
        return BatchSampler(lengths, 1000, seed=3, group=shapes.group)

    stream = iter(make())
    first = [next(stream).tolist() for _ in range(200)]
    resumed = make()
    resumed.restore(0, 50)
    again = iter(resumed)
    assert [next(again).tolist() for _ in range(150)] == first[50:]
