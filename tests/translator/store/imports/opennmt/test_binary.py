"""CTranslate2's `model.bin` is read to the byte, and never beyond its end."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
import torch

from translator.errors import ImportedModelError
from translator.store.imports.opennmt.binary import dequantised, read_variables


def named(text: str) -> bytes:
    content = text.encode() + b"\0"
    return struct.pack("<H", len(content)) + content


def written(variables: list[bytes], aliases: list[bytes]) -> bytes:
    head = struct.pack("<I", 6) + named("TransformerSpec") + struct.pack("<I", 7)
    counted = struct.pack("<I", len(variables)) + b"".join(variables)
    return head + counted + struct.pack("<I", len(aliases)) + b"".join(aliases)


FLOATS = named("a") + struct.pack("<BIBI2f", 1, 2, 0, 8, 1.5, -2.0)
LEVELS = named("b") + struct.pack("<BIIBI2b", 2, 1, 2, 1, 2, 10, -20)
SCALES = named("b_scale") + struct.pack("<BIBIf", 1, 1, 0, 4, 10.0)
CONTENT = written([FLOATS, LEVELS, SCALES], [named("c") + named("b")])


def test_variables_aliases_and_scales(tmp_path: Path) -> None:
    path = tmp_path / "model.bin"
    path.write_bytes(CONTENT)
    found = read_variables(path)
    assert sorted(found) == ["a", "b", "b_scale", "c", "c_scale"]
    assert found["a"].tolist() == [1.5, -2.0]
    assert dequantised(found, "c").tolist() == [[1.0, -2.0]]


def test_every_truncated_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.bin"
    for end in range(len(CONTENT)):
        path.write_bytes(CONTENT[:end])
        with pytest.raises(ImportedModelError):
            read_variables(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (struct.pack("<I", 5) + CONTENT[4:], "binary version 5; only 6 is known"),
        (CONTENT.replace(b"Transformer", b"Transfarmer"), "holds a 'TransfarmerSpec'"),
        (written([FLOATS], [named("c") + named("x")]), "c stands for x, which is not there"),
        (written([named("a") + struct.pack("<BIBI", 1, 2, 0, 4)], []), r"a has 4 bytes for \[2\]"),
        (written([named("a") + struct.pack("<BIBI", 1, 2, 9, 8)], []), "unknown type, number 9"),
    ],
)
def test_damage_is_named(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "model.bin"
    path.write_bytes(content)
    with pytest.raises(ImportedModelError, match=message):
        read_variables(path)


def test_levels_without_scales_are_refused() -> None:
    levels = torch.zeros(2, 3, dtype=torch.int8)
    with pytest.raises(ImportedModelError, match=r"b lacks scales of its shape"):
        dequantised({"b": levels, "b_scale": torch.ones(3)}, "b")
    with pytest.raises(ImportedModelError, match=r"model.bin: lacks x"):
        dequantised({}, "x")
