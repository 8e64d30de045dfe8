"""Pictures of attention weights, drawn by matplotlib, which only training needs otherwise."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from translator.alignment.record import AttentionMap
from translator.errors import InputError
from translator.extras import require_extras

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.image import AxesImage


def draw(maps: Sequence[AttentionMap], out: Path) -> None:
    """Draw maps side by side: keys across, queries down, one colour bar.

    Raises:
        InputError: `out` is not a .png, .svg or .pdf file.
    """
    require_extras("matplotlib")
    from matplotlib.figure import Figure

    if out.suffix.lower() not in (".png", ".svg", ".pdf"):
        raise InputError(f"{out}: pictures are written as .png, .svg or .pdf")
    cell = 0.28  # inches for one piece
    widths = [max(len(item.keys) * cell, 2.5) for item in maps]
    height = max(max(len(item.queries) * cell for item in maps), 2.5)
    figure = Figure(figsize=(sum(widths) + 1.6 * len(maps) + 1, height + 2.0), layout="constrained")
    axes = figure.subplots(1, len(maps), squeeze=False, width_ratios=widths)[0]
    for item, ax in zip(maps, axes, strict=True):
        image = _draw_one(item, ax)
    figure.colorbar(image, ax=list(axes), shrink=0.6, label="attention weight")
    figure.savefig(out, dpi=150)


def _draw_one(item: AttentionMap, ax: Axes) -> AxesImage:
    image = ax.imshow(item.weights.cpu().numpy(), cmap="viridis", vmin=0.0, vmax=1.0)
    ax.set_title(item.title, fontsize=10)
    ax.set_xlabel("keys")
    ax.set_ylabel("queries")
    ax.set_xticks(range(len(item.keys)), [_printable(p) for p in item.keys], rotation=90)
    ax.set_yticks(range(len(item.queries)), [_printable(p) for p in item.queries])
    ax.tick_params(labelsize=8, length=0)
    return image


def _printable(piece: str) -> str:
    """Return a piece as a label: `$` kept from starting a formula, missing glyphs as U+XXXX."""
    from matplotlib.font_manager import FontProperties, findfont, get_font

    glyphs = get_font(findfont(FontProperties())).get_charmap()
    shown = (
        c if ord(c) in glyphs and not unicodedata.category(c).startswith("C") else f"U+{ord(c):04X}"
        for c in piece
    )
    return "".join(shown).replace("$", r"\$")
