"""The Transformer: encode once, then decode all at once (training) or stepwise (translation)."""

from __future__ import annotations

from dataclasses import dataclass, field

from torch import Tensor, nn

from translator.config import ModelConfig
from translator.model.attention import causal_mask
from translator.model.layers import DecoderLayer, Embedding, EncoderLayer, is_pre_norm


@dataclass(slots=True)
class AttentionWeights:
    """Attention weights of one teacher-forced pass, one tensor a layer.

    Attributes:
        encoder: (B, H, S, S) each.
        decoder: (B, H, T, T) each, causal.
        cross: (B, H, T, S) each.
    """

    encoder: list[Tensor] = field(default_factory=list)
    decoder: list[Tensor] = field(default_factory=list)
    cross: list[Tensor] = field(default_factory=list)


class Transformer(nn.Module):
    """Encoder-decoder with one tied embedding matrix for source, target and output.

    Source: Vaswani et al. 2017, §3 and Figure 1.
    """

    def __init__(self, config: ModelConfig) -> None:
        """Create a freshly initialised model; see ModelConfig for the sizes."""
        super().__init__()
        self.config = config
        self.embedding = Embedding(config)
        self.encoder_layers = nn.ModuleList(
            EncoderLayer(config) for _ in range(config.num_encoder_layers)
        )
        self.decoder_layers = nn.ModuleList(
            DecoderLayer(config) for _ in range(config.num_decoder_layers)
        )
        # post-norm layers end in a norm of their own
        is_pre = is_pre_norm(config)
        self.encoder_norm = nn.LayerNorm(config.d_model) if is_pre else nn.Identity()
        self.decoder_norm = nn.LayerNorm(config.d_model) if is_pre else nn.Identity()
        if isinstance(self.decoder_norm, nn.LayerNorm):
            # at first the residual stream is mostly the piece just read, which with tied
            # embeddings would be predicted again: half the gain keeps a fresh model undecided
            nn.init.constant_(self.decoder_norm.weight, 0.5)

    def encode(
        self, src: Tensor, src_mask: Tensor | None, weights: AttentionWeights | None = None
    ) -> Tensor:
        """Read the source.

        Args:
            src: (B, S) int64 ids.
            src_mask: (B, 1, 1, S) bool, True = attend; None if nothing is padded.
            weights: receives the attention weights, if given.

        Returns:
            memory (B, S, D).
        """
        x = self.embedding(src)
        for layer in self.encoder_layers:
            x = layer(x, src_mask, weights.encoder if weights else None)
        memory: Tensor = self.encoder_norm(x)
        return memory

    def decode(
        self,
        tgt_in: Tensor,
        memory: Tensor,
        src_mask: Tensor | None,
        weights: AttentionWeights | None = None,
    ) -> Tensor:
        """Run the decoder over a whole target (teacher forcing).

        Padding needs no mask of its own here: it stands at the end, where causality already hides
        it from every real position, and its own outputs are scored by no one.

        Args:
            tgt_in: (B, T) int64 ids, BOS first.
            memory: (B, S, D) from `encode`.
            src_mask: (B, 1, 1, S) bool, True = attend.
            weights: receives the attention weights, if given.

        Returns:
            states (B, T, D); `logits` turns them into scores.
        """
        x = self.embedding(tgt_in)
        tgt_mask = causal_mask(tgt_in.size(1), tgt_in.device)
        kept = (weights.decoder, weights.cross) if weights else None
        for layer in self.decoder_layers:
            x = layer(x, memory, tgt_mask, src_mask, kept)
        states: Tensor = self.decoder_norm(x)
        return states

    def logits(self, states: Tensor) -> Tensor:
        """Return the scores (..., V) of decoder states (..., D)."""
        return self.embedding.logits(states)

    def forward(self, src: Tensor, tgt_in: Tensor, src_mask: Tensor | None) -> Tensor:
        """Return the logits (B, T, V) of every next piece."""
        return self.logits(self.decode(tgt_in, self.encode(src, src_mask), src_mask))


def make_model(config: ModelConfig) -> Transformer:
    """Return a freshly initialised Transformer."""
    return Transformer(config)
