"""Binary shortlists of Marian's are read to the byte, and refused where they do not fit."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

from tests.translator.store.imports.marian.binaries import small_folder
from translator.errors import ImportedModelError
from translator.store.imports.importing import import_model
from translator.store.imports.marian.shortlist import MAGIC, checksum, read_shortlist
from translator.store.model_directory import load_model_directory


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
