"""What a model attends to: weights from a second, teacher-forced pass, and pictures of them."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import torch
from torch import Tensor

from translator.errors import InputError
from translator.extras import require_extras
from translator.model.padding import pad
from translator.model.transformer import AttentionWeights, Transformer
from translator.text.protection import protect_pair
from translator.tokens.tokenizer import Tokenizer

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.image import AxesImage

Kind = Literal["encoder", "decoder", "cross"]
KINDS: tuple[Kind, ...] = ("encoder", "decoder", "cross")
MOST_PIECES = 100  # larger pictures cannot be read, and take gigabytes
TITLES = {
    "encoder": "encoder self-attention",
    "decoder": "decoder masked self-attention",
    "cross": "cross-attention",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class AttentionMap:
    """One picture's worth of attention.

    Attributes:
        kind: where it was taken.
        layer: from 1.
        head: from 1; None for the mean of all heads.
        weights: (queries, keys) float32; every row sums to one.
        queries: piece of each row.
        keys: piece of each column.
    """

    kind: Kind
    layer: int
    head: int | None
    weights: Tensor
    queries: tuple[str, ...]
    keys: tuple[str, ...]

    @property
    def title(self) -> str:
        """Say which weights these are."""
        head = "mean of heads" if self.head is None else f"head {self.head}"
        return f"{TITLES[self.kind]}\nlayer {self.layer}, {head}"


@dataclass(frozen=True, kw_only=True, slots=True)
class AttentionRecord:
    """All attention weights of one sentence pair.

    Attributes:
        weights: (1, H, T or S, T or S) a layer.
        source: pieces the encoder read: tag, text, EOS.
        target: pieces the decoder read: BOS, text; the state at a piece predicts the next one.
    """

    weights: AttentionWeights
    source: tuple[str, ...]
    target: tuple[str, ...]

    def select(self, kind: Kind, layer: int | None = None, head: int | None = None) -> AttentionMap:
        """Return one map.

        Args:
            kind: `encoder`, `decoder` or `cross`.
            layer: from 1; the last if None.
            head: from 1; the mean of all if None.

        Raises:
            InputError: there is no such layer or head; the message says which there are.
        """
        layers: list[Tensor] = getattr(self.weights, kind)
        layer = len(layers) if layer is None else layer
        if not 1 <= layer <= len(layers):
            raise InputError(f"layer {layer}: {TITLES[kind]} has layers 1 to {len(layers)}")
        by_head = layers[layer - 1][0].float()  # (H, queries, keys)
        if head is not None and not 1 <= head <= by_head.size(0):
            raise InputError(f"head {head}: this model has heads 1 to {by_head.size(0)}")
        return AttentionMap(
            kind=kind,
            layer=layer,
            head=head,
            weights=by_head.mean(dim=0) if head is None else by_head[head - 1],
            queries=self.source if kind == "encoder" else self.target,
            keys=self.target if kind == "decoder" else self.source,
        )


@torch.inference_mode()
def record_attention(
    model: Transformer, tokenizer: Tokenizer, *, source: str, target: str, target_language: str
) -> AttentionRecord:
    """Run encoder and decoder once over a sentence pair, keeping all attention weights.

    Args:
        model: in evaluation mode.
        tokenizer: of that model.
        source: one source sentence.
        target: its translation, by the model or by anyone else.
        target_language: code of the language of `target`.

    Raises:
        UnsupportedLanguageError: the model has no such language.
        InputError: a side has more than MOST_PIECES.
    """
    count, scripts = tokenizer.num_placeholders, tokenizer.scripts
    source, target = protect_pair(source, target, count, scripts)
    src_ids = tokenizer.encode_source(source, target_language)
    tgt_ids = [tokenizer.bos_id, *tokenizer.encode(target)]
    for side, ids in (("source", src_ids), ("target", tgt_ids)):
        if len(ids) > MOST_PIECES:
            raise InputError(
                f"{side}: has {len(ids)} pieces, attention can be shown of {MOST_PIECES}; "
                "take one sentence"
            )
    device = model.embedding.weight.device
    src = pad([src_ids], tokenizer.pad_id).to(device)
    tgt_in = pad([tgt_ids], tokenizer.pad_id).to(device)
    weights = AttentionWeights()
    memory = model.encode(src, None, weights)
    model.decode(tgt_in, memory, None, weights)
    return AttentionRecord(
        weights=weights,
        source=tuple(tokenizer.pieces(src_ids)),
        target=tuple(tokenizer.pieces(tgt_ids)),
    )


def draw(
    model: Transformer,
    tokenizer: Tokenizer,
    *,
    source: str,
    target: str,
    target_language: str,
    out: Path,
    kinds: Sequence[Kind] = KINDS,
    layer: int | None = None,
    head: int | None = None,
) -> list[AttentionMap]:
    """Record a sentence pair's attention, draw the chosen maps to `out`, and return them.

    Raises:
        InputError: no such layer or head, a side is too long, or `out` is not a .png, .svg or .pdf
            file.
    """
    record = record_attention(
        model, tokenizer, source=source, target=target, target_language=target_language
    )
    maps = [record.select(kind, layer, head) for kind in kinds]
    plot(maps, out)
    return maps


def plot(maps: Sequence[AttentionMap], out: Path) -> None:
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
