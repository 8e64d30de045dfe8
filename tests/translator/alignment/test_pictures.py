"""Attention maps can be drawn for any text."""

from __future__ import annotations

from pathlib import Path

import pytest

from translator.alignment.pictures import draw
from translator.alignment.record import KINDS, AttentionMap, record_attention
from translator.errors import InputError
from translator.store.model_directory import LoadedModel


def maps_of(loaded: LoadedModel, source: str) -> list[AttentionMap]:
    record = record_attention(
        loaded.model,
        loaded.tokenizer,
        source=source,
        target="x",
        source_language="de",
        target_language="en",
    )
    return [record.select(kind) for kind in KINDS]


@pytest.mark.parametrize("name", ["map.png", "map.svg", "map.pdf"])
def test_any_text_can_be_drawn(loaded: LoadedModel, tmp_path: Path, name: str) -> None:
    out = tmp_path / name
    draw(maps_of(loaded, "Preis: $5_a^b$ 😀 漢字 \u200b."), out)  # mathematics, missing glyphs
    assert out.stat().st_size > 5000


def test_other_suffixes_are_refused(loaded: LoadedModel, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"map\.bmp: pictures are written as \.png"):
        draw(maps_of(loaded, "Der Hund sieht die Katze."), tmp_path / "map.bmp")
