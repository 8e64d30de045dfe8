"""Binary files are read to the byte; damaged ones are refused in one line."""

from __future__ import annotations

import contextlib
import struct
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays_of

from tests.translator.store.imports.marian.binaries import KINDS, MULTIPLIER, binary
from translator.errors import ImportedModelError
from translator.store.imports.marian.binary import read_binary

NAMES = st.text("abcW_:", min_size=1, max_size=20)
ARRAYS = st.sampled_from([*KINDS]).flatmap(
    lambda dtype: arrays_of.arrays(cast(Any, dtype), arrays_of.array_shapes(max_dims=4, max_side=5))
)


@given(st.dictionaries(NAMES, ARRAYS, min_size=1, max_size=6))
def test_arrays_are_those_that_were_written(arrays: dict[str, Any]) -> None:
    found, multipliers = read_binary(binary(arrays), "a.bin")
    assert multipliers == {}
    assert found.keys() == arrays.keys()
    for name, array in arrays.items():
        assert found[name].dtype == array.dtype
        np.testing.assert_array_equal(found[name], array)


@given(
    arrays_of.arrays(
        np.float32,
        arrays_of.array_shapes(min_dims=2, max_dims=2, max_side=9),
        elements=st.floats(-3, 3, width=32),
    ),
    st.sampled_from(["decoder_l1_rnn_W", "Wemb"]),
)
def test_eight_bits_become_floats_in_their_order(array: Any, name: str) -> None:
    arrays, multipliers = read_binary(binary({name: array}, (name,)), "a.bin")
    assert multipliers == {name: MULTIPLIER}
    found = arrays[name]
    assert found.dtype == np.float32
    expected = np.rint(array * MULTIPLIER).astype(np.float32) / np.float32(MULTIPLIER)
    np.testing.assert_array_equal(found, expected)


SAMPLE = {
    "encoder_l1_ffn_W1": np.arange(6, dtype=np.float32).reshape(2, 3),
    "b": np.ones((1, 3), np.float32),
}
WHOLE = binary(SAMPLE, ("encoder_l1_ffn_W1",))
FIRST_KIND, FIRST_RANK, FIRST_BYTES, FIRST_NAME = 24, 32, 40, 80
FIRST_SHAPE = FIRST_NAME + len("encoder_l1_ffn_W1\0b\0")


def test_every_cut_file_is_refused() -> None:
    for end in range(len(WHOLE)):
        with pytest.raises(ImportedModelError, match=r"^a.bin: "):
            read_binary(WHOLE[:end], "a.bin")


@given(st.integers(0, len(WHOLE) - 1), st.binary(min_size=1, max_size=8))
def test_whatever_is_changed_gives_arrays_or_is_refused(at: int, change: bytes) -> None:
    content = (WHOLE[:at] + change + WHOLE[at + len(change) :])[: len(WHOLE)]
    with contextlib.suppress(ImportedModelError):
        found = read_binary(content, "a.bin").arrays
        assert all(array.nbytes <= 4 * len(WHOLE) for array in found.values())


@pytest.mark.parametrize(
    ("at", "change", "message"),
    [
        (0, struct.pack("<Q", 2), "not a binary model of Marian's, or of another version than 1"),
        (8, struct.pack("<Q", 0), "says that it has 0 arrays"),
        (8, struct.pack("<Q", 1 << 60), r"says that it has \d{19} arrays"),
        (8, struct.pack("<Q", 99_999), "truncated or damaged at byte"),
        (16, struct.pack("<Q", 1 << 40), "a name or a shape is too long"),
        (FIRST_RANK, struct.pack("<Q", 9), "a name or a shape is too long"),
        (FIRST_KIND, struct.pack("<Q", 0x1108), "is of type 0x1108, which is not known; take"),
        (FIRST_BYTES, struct.pack("<Q", 1 << 62), "truncated or damaged at byte"),
        (FIRST_BYTES, struct.pack("<Q", 8), r"W1 has 8 bytes for \[2, 3\]; damaged"),
        (FIRST_NAME, b"\xff", "a name is not ASCII"),
        (FIRST_NAME, b"\0", "a name does not end where it should"),
        (FIRST_SHAPE, struct.pack("<i", -2), r"bytes for \[-2, 3\]; damaged"),
        (FIRST_SHAPE, struct.pack("<i", 1 << 30), r"bytes for \[1073741824, 3\]; damaged"),
        (FIRST_SHAPE + 16, struct.pack("<Q", 1 << 50), "bytes of padding"),
        (262, struct.pack("<f", 0), "W1 is to be divided by 0.0; damaged"),
        (262, struct.pack("<f", float("nan")), "W1 is to be divided by nan; damaged"),
    ],
)
def test_hostile_files_are_refused_by_name(at: int, change: bytes, message: str) -> None:
    content = WHOLE[:at] + change + WHOLE[at + len(change) :]
    with pytest.raises(ImportedModelError, match=f"^a.bin: .*{message}"):
        read_binary(content, "a.bin")


def test_what_stands_behind_the_last_array_is_refused() -> None:
    with pytest.raises(ImportedModelError, match="has bytes behind its last array"):
        read_binary(WHOLE + b"\0", "a.bin")


def test_a_name_that_is_there_twice_is_refused() -> None:
    twice = binary({"aa": SAMPLE["b"], "ab": SAMPLE["b"]}).replace(b"aa\0ab\0", b"ab\0ab\0")
    with pytest.raises(ImportedModelError, match="ab is there twice"):
        read_binary(twice, "a.bin")
