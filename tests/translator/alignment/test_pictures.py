"""Attention maps can be drawn for any text."""

from __future__ import annotations

from pathlib import Path

import pytest

from translator.alignment.pictures import draw
from translator.alignment.record import KINDS
from translator.errors import InputError
from translator.store.model_directory import LoadedModel

SOURCE, TARGET = "Der Hund sieht die Katze.", "The dog sees the cat."


@pytest.mark.parametrize("name", ["map.png", "map.svg", "map.pdf"])
def test_any_text_can_be_drawn(loaded: LoadedModel, tmp_path: Path, name: str) -> None:
    source = "Preis: $5_a^b$ 😀 漢字 \u200b."  # mathematics and missing glyphs
    out = tmp_path / name
    maps = draw(
        loaded.model, loaded.tokenizer, source=source, target="x", target_language="en", out=out
    )
    assert [item.kind for item in maps] == list(KINDS)
    assert out.stat().st_size > 5000


def test_other_suffixes_are_refused(loaded: LoadedModel, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"map\.bmp: pictures are written as \.png"):
        draw(
            loaded.model,
            loaded.tokenizer,
            source=SOURCE,
            target=TARGET,
            target_language="en",
            out=tmp_path / "map.bmp",
        )
