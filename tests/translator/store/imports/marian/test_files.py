"""Marian's own files: YAML, NumPy's archives, binary files and shortlists, whole and damaged."""

from __future__ import annotations

import contextlib
import io
import struct
import zipfile
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays_of

from tests.translator.store.imports.marian.binaries import KINDS, MULTIPLIER, binary, small_folder
from tests.translator.store.imports.test_reading import Touch
from translator.errors import ImportedModelError
from translator.store.imports.importing import import_model
from translator.store.imports.marian.arrays import read_binary, read_npz
from translator.store.imports.marian.flat_yaml import read_yaml
from translator.store.imports.marian.vocabulary import MAGIC, checksum, read_shortlist
from translator.store.model_directory import load_model_directory

SETTINGS = """\
# how to decode
---
models:
  - opus.npz
vocabs:
- "a b.yml"
- 'it''s.yml'
devices: [0, '1']
empty: []
tied:
  []
path: /a:b/c   # a comment
nothing:
quoted: "\\xe4 \\u20ac \\t\\"\\\\"
...
"""


def test_settings_are_read_as_yaml_means_them() -> None:
    assert read_yaml(SETTINGS, "decoder.yml") == {
        "models": ["opus.npz"],
        "vocabs": ["a b.yml", "it's.yml"],
        "devices": ["0", "1"],
        "empty": [],
        "tied": [],
        "path": "/a:b/c",
        "nothing": "",
        "quoted": 'ä € \t"\\',
    }


def test_pieces_are_taken_as_they_are_written() -> None:
    text = (
        '"</s>": 0\n▁the: 1\n~: 2\nno: 3\n"\\x85": 4\n\u2028: 5\n\u3000: 6\n\'"\': 7\na::b:: 8\n'
        '":": 9\n? "long: er"\n: 10\n"#": 11\n<<: 12\n\r\n'
    )
    pieces = ["</s>", "▁the", "~", "no", "\x85", "\u2028", "\u3000", '"', "a::b:", ":", "long: er"]
    expected = {piece: str(number) for number, piece in enumerate([*pieces, "#", "<<"])}
    assert [*read_yaml(text, "vocab.yml").items()] == [*expected.items()]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1\nb", "x.yml: line 2: expected `key: value`, got 'b'"),
        ("b" * 81, f"line 1: expected `key: value`, got '{'b' * 80}'$"),
        ("a: 1\na: 2", "line 2: 'a' is there twice"),
        ("- 1", "line 1: a list that belongs to no key"),
        ("a: 1\n- 1", "line 2: a list that belongs to no key"),
        ("a: {b: 1}", "line 1: only scalars and lists are known"),
        ("a: &b c\nd: *b", "line 1: only scalars and lists are known, got '&b c'"),
        ("a: !!python/object:os.system x", "line 1: only scalars and lists"),
        ("a: [1, 2", "line 1: expected a list in one line"),
        ('"\\ud800": 1', "line 1: \\\\ud800 is no character"),
    ],
)
def test_anything_else_is_named_by_its_line(text: str, message: str) -> None:
    with pytest.raises(ImportedModelError, match=message):
        read_yaml(text, "x.yml")


def archive(path: Path, contents: dict[str, bytes], compression: int = zipfile.ZIP_STORED) -> Path:
    with zipfile.ZipFile(path, "w", compression) as opened:
        for name, content in contents.items():
            opened.writestr(name, content)
    return path


def npy(array: Any) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array, allow_pickle=True)
    return stream.getvalue()


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_arrays_are_those_that_numpy_wrote(tmp_path: Path, save: Any) -> None:
    generator = np.random.default_rng(0)
    arrays: dict[str, Any] = {
        "one": generator.normal(size=(3, 4)).astype(np.float32),
        "two": np.asfortranarray(generator.normal(size=(5, 2)).astype(np.float16)),
        "special:model.yml": np.frombuffer(b"a: 1\0", np.int8),
    }
    with (tmp_path / "a.npz").open("wb") as stream:
        save(stream, **arrays)
    found = read_npz(tmp_path / "a.npz")
    assert found.keys() == arrays.keys()
    for name, array in arrays.items():
        assert found[name].dtype == array.dtype
        np.testing.assert_array_equal(found[name], array)


def test_objects_are_refused_and_not_made(tmp_path: Path) -> None:
    pickled = npy(np.array([Touch(tmp_path / "made")], dtype=object))
    path = archive(tmp_path / "a.npz", {"a.npy": pickled})
    with pytest.raises(ImportedModelError, match=r"a.npy: holds Python objects, and could run"):
        read_npz(path)
    assert not (tmp_path / "made").exists()


def test_a_shape_that_is_larger_than_its_bytes_takes_no_memory(tmp_path: Path) -> None:
    large = npy(np.zeros((2, 8), np.float32)).replace(b"(2, 8), }    ", b"(99999, 99999), }")
    with pytest.raises(ImportedModelError, match=r"damaged: has other bytes than \(99999, 99999\)"):
        read_npz(archive(tmp_path / "a.npz", {"a.npy": large[:-4]}))


def test_a_zip_bomb_is_refused(tmp_path: Path) -> None:
    content = {"a.npy": npy(np.zeros(10_000_000, np.int8))}
    path = archive(tmp_path / "a.npz", content, zipfile.ZIP_DEFLATED)
    with pytest.raises(ImportedModelError, match=r"would grow to 10000\d\d\d bytes; refused"):
        read_npz(path)


@pytest.mark.parametrize("content", [b"", b"\x93NUMPY\x01\x00", b"\x93NUMPY\x07\x00", b"abc" * 9])
def test_damage_is_one_line(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(ImportedModelError, match=r"a.npy: (damaged|NumPy's format)"):
        read_npz(archive(tmp_path / "a.npz", {"a.npy": content}))


def test_every_truncated_archive_is_refused(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.npz", {"a.npy": npy(np.zeros(3))})
    whole = path.read_bytes()
    for end in range(len(whole)):
        path.write_bytes(whole[:end])
        with pytest.raises(ImportedModelError):
            read_npz(path)
    with pytest.raises(ImportedModelError, match="No such file"):
        read_npz(tmp_path / "b.npz")


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
@example(263, b"\0\0\1")  # a divisor by which the largest levels are not finite
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


def lexicon(starts: list[int], ids: list[int], frequent: int = 2, magic: int = MAGIC) -> bytes:
    checked = struct.pack("<4Q", frequent, 50, len(starts), len(ids))
    checked += np.array(starts, "<u8").tobytes() + np.array(ids, "<u4").tobytes()
    return struct.pack("<2Q", magic, checksum(checked)) + checked


def altered(content: bytes, place: int) -> bytes:
    return content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]


def test_lists_are_those_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "lex.bin"
    path.write_bytes(lexicon([0, 2, 2, 3], [7, 5, 9]))
    found = read_shortlist(path, 4, 11, eos_id=3, is_shared=False)
    assert [found.of([i]).tolist() for i in range(4)] == [
        [0, 1, 3, 5, 7],
        [0, 1, 3],
        [0, 1, 3, 9],
        [0, 1, 3],
    ]
    shared = read_shortlist(path, 4, 11, eos_id=0, is_shared=True)
    assert [shared.of([i]).tolist() for i in range(4)] == [
        [0, 1, 5, 7],
        [0, 1],
        [0, 1, 2, 9],
        [0, 1],
    ]
    assert shared.problem(4, 11, 0) is None


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not a binary shortlist of Marian's"),
        (b"aaa aab 0.5\n" * 9, "not a binary shortlist of Marian's"),
        (lexicon([0, 1], [5], magic=MAGIC + 1), "not a binary shortlist of Marian's"),
        (lexicon([0, 2, 2, 3], [7, 5, 9])[:-1], "truncated or damaged: has"),
        (lexicon([0, 2, 2, 3], [7, 5, 9]) + b"a", "truncated or damaged: has"),
        (altered(lexicon([0, 2, 2, 4], [7, 5, 9, 8]), -5), "damaged: its checksum is another"),
        (altered(lexicon([0, 2, 2, 4], [7, 5, 9, 8]), 8), "damaged: its checksum is another"),
        (lexicon([0, 1, 1, 1, 1, 1], [5]), "has lists for 5 source pieces, the model 3"),
        (lexicon([0, 2, 1, 3], [7, 5, 9]), "its lists do not follow one another"),
        (lexicon([0, 9, 9, 9], [7, 5, 9]), "they do not belong together"),
        (lexicon([0, 1, 1, 1], [11]), "has ids beyond the 11 pieces of the target"),
        (lexicon([0, 1, 1, 1], [1 << 31]), "has ids beyond the 11 pieces of the target"),
        (struct.pack("<6Q", MAGIC, 0, 1, 1, 1 << 60, 1), "damaged: says that it has"),
    ],
)
def test_what_is_damaged_is_refused(content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "lex.bin"
    path.write_bytes(content)
    with pytest.raises(ImportedModelError, match=message):
        read_shortlist(path, 4, 11, eos_id=0, is_shared=False)


def test_the_checksum_is_that_of_marian() -> None:
    """Worked by hand from the formula in `common/hash.h`, with numbers that overflow."""
    assert checksum(b"") == 0
    assert checksum(struct.pack("<Q", 1)) == 0x9E3779BA
    assert checksum(struct.pack("<Q", (1 << 64) - 1)) == 0x9E3779B8
    first = 0x9E3779BA
    second = first ^ (2 + 0x9E3779B9 + (first << 6) + (first >> 2))
    assert checksum(struct.pack("<2Q", 1, 2) + b"left") == second


def test_a_model_directory_keeps_it(tmp_path: Path) -> None:
    small_folder(tmp_path / "deen")
    starts = [*range(0, 160, 2), 160]
    (tmp_path / "deen/lex.50.50.deen.s2t.bin").write_bytes(lexicon(starts, [*range(80)] * 2, 3))
    import_model(str(tmp_path / "deen"), tmp_path / "model")
    found = load_model_directory(tmp_path / "model").tokenizer.shortlist
    assert found is not None
    assert found.of([10]).tolist() == [0, 1, 2, 10, 20, 21]
    (tmp_path / "deen/lex.50.50.deen.s2t.bin").write_bytes(lexicon(starts, [99] * 160, 3))
    with pytest.raises(ImportedModelError, match=r"s2t.bin: has ids beyond the 81 pieces"):
        import_model(str(tmp_path / "deen"), tmp_path / "other")
