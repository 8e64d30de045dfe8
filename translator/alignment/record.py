"""What a model attends to: weights and vectors from a second, teacher-forced pass."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from translator.alignment.alignment import Aligner, places_of
from translator.alignment.vectors import Head, HeadVectors, kept_vectors
from translator.errors import InputError
from translator.model.embedding import pad
from translator.model.transformer import AttentionWeights, Transformer
from translator.text.protection import protect_pair
from translator.text.spans import Span
from translator.tokens.port import Vocabulary

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
        source_places: where each piece of the source is in the sentence; empty for tag and EOS.
        target_places: the same for the target, and BOS.
        vectors: of the head that was asked for.
    """

    weights: AttentionWeights
    source: tuple[str, ...]
    target: tuple[str, ...]
    source_places: tuple[Span, ...]
    target_places: tuple[Span, ...]
    vectors: HeadVectors | None = None

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
        if not layers:
            raise InputError("this model's decoder is recurrent and has no self-attention")
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
    model: Transformer,
    tokenizer: Vocabulary,
    *,
    source: str,
    target: str,
    target_language: str,
    source_language: str,
    vectors_of: Head | None = None,
) -> AttentionRecord:
    """Run encoder and decoder once over a sentence pair, keeping all attention weights.

    Args:
        model: in evaluation mode.
        tokenizer: of that model.
        source: one source sentence.
        target: its translation, by the model or by anyone else.
        target_language: code of the language of `target`.
        source_language: code of the language of `source`, which only some models need.
        vectors_of: a head whose queries, keys and values are kept as well.

    Raises:
        UnsupportedLanguageError: the model has no such language.
        InputError: a side has more than MOST_PIECES, or there is no such head.
    """
    count, alphabet = tokenizer.num_placeholders, tokenizer.alphabet
    read, written = protect_pair(source, target, count, alphabet)
    src_ids = tokenizer.encode_source(read, target_language, source_language)
    start_ids = tokenizer.start_ids(target_language)
    tgt_ids = [*start_ids, *tokenizer.encode(written)]
    for side, ids in (("source", src_ids), ("target", tgt_ids)):
        if len(ids) > MOST_PIECES:
            raise InputError(
                f"{side}: has {len(ids)} pieces, attention is shown for at most {MOST_PIECES}; "
                "send one sentence",
                "too_many_pieces",
                MOST_PIECES,
            )
    device = model.embedding.weight.device
    src = pad([src_ids], tokenizer.pad_id).to(device)
    tgt_in = pad([tgt_ids], tokenizer.pad_id).to(device)
    weights = AttentionWeights()
    with kept_vectors(model, vectors_of) if vectors_of else nullcontext() as vectors:
        memory = model.encode(src, None, weights)
        model.decode(tgt_in, memory, None, weights)
    src_pieces, tgt_pieces = tokenizer.source_pieces(src_ids), tokenizer.pieces(tgt_ids)
    before, after = tokenizer.frame
    text = src_pieces[before : len(src_pieces) - after]
    end = (len(source), len(source))
    return AttentionRecord(
        weights=weights,
        source=tuple(src_pieces),
        target=tuple(tgt_pieces),
        source_places=(*[(0, 0)] * before, *places_of(source, text), *[end] * after),
        target_places=(
            *[(0, 0)] * len(start_ids),
            *places_of(target, tgt_pieces[len(start_ids) :]),
        ),
        vectors=vectors,
    )


def record_alone(
    aligner: Aligner,
    *,
    source: str,
    target: str,
    target_language: str,
    vectors_of: Head | None = None,
) -> AttentionRecord:
    """Record in turn with all others who ask an aligner; see `record_attention`."""
    with aligner.alone():
        return record_attention(
            aligner.model,
            aligner.tokenizer,
            source=source,
            target=target,
            target_language=target_language,
            source_language=aligner.source_language,
            vectors_of=vectors_of,
        )
