"""The Transformer: encode once, then decode all at once (training) or stepwise (translation)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.overrides import TorchFunctionMode

from translator.config import ModelConfig
from translator.model.attention import causal_mask
from translator.model.choices import OWN_MATRICES, chosen, is_pre_norm
from translator.model.embedding import Embedding
from translator.model.layers import DecoderLayer, EncoderLayer


@dataclass(slots=True)
class AttentionWeights:
    """Attention weights of one teacher-forced pass, one tensor for each layer."""

    encoder: list[Tensor] = field(default_factory=list)  # (B, H, S, S) each
    decoder: list[Tensor] = field(default_factory=list)  # (B, H, T, T) each, causal
    cross: list[Tensor] = field(default_factory=list)  # (B, H, T, S) each


class Transformer(nn.Module):
    """Encoder-decoder, by default with one tied matrix for source, target and output.

    Attributes:
        embedding: of the source, and of the target unless that has its own.
        decoder_embedding: of the target; None if it is the source's.
        output: the output matrix (V, D); None if it is that of the target's embedding.
        output_bias: (V,), added to the logits; None if there is none.

    Source: Vaswani et al. 2017, §3 and Figure 1.
    """

    decoder_embedding: Embedding | None
    output: nn.Parameter | None
    output_bias: nn.Parameter | None

    def __init__(self, config: ModelConfig) -> None:
        """Create a freshly initialised model; see ModelConfig for the sizes."""
        super().__init__()
        self.config = config
        matrices = chosen(config, "tied", OWN_MATRICES)
        self.embedding = Embedding(config, config.num_source_pieces)
        self.decoder_embedding = Embedding(config) if "embedding" in matrices else None
        self.register_parameter("output", None)
        self.register_parameter("output_bias", None)
        if "output" in matrices:
            std = config.d_model**-0.5
            self.output = nn.Parameter(torch.randn(config.vocab_size, config.d_model) * std)
        if config.output_bias:
            self.output_bias = nn.Parameter(torch.zeros(config.vocab_size))
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

    @property
    def target_embedding(self) -> Embedding:
        """The embedding of the decoder's input."""
        return self.embedding if self.decoder_embedding is None else self.decoder_embedding

    @property
    def output_weight(self) -> Tensor:
        """The output matrix (V, D), tied or not."""
        return self.target_embedding.weight if self.output is None else self.output

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

        Padding of the target needs no mask: it is at the end, where the causal mask hides it from
        every real position, and its own outputs are not scored.

        Args:
            tgt_in: (B, T) int64 ids, BOS first.
            memory: (B, S, D) from `encode`.
            src_mask: (B, 1, 1, S) bool, True = attend.
            weights: receives the attention weights, if given.

        Returns:
            states (B, T, D); `logits` turns them into scores.
        """
        x = self.target_embedding(tgt_in)
        tgt_mask = causal_mask(tgt_in.size(1), tgt_in.device)
        kept = (weights.decoder, weights.cross) if weights else None
        for layer in self.decoder_layers:
            x = layer(x, memory, tgt_mask, src_mask, kept)
        states: Tensor = self.decoder_norm(x)
        return states

    def logits(self, states: Tensor) -> Tensor:
        """Return the scores (..., V) of decoder states (..., D)."""
        return F.linear(states, self.output_weight, self.output_bias)

    def forward(self, src: Tensor, tgt_in: Tensor, src_mask: Tensor | None) -> Tensor:
        """Return the logits (B, T, V) of every next piece."""
        return self.logits(self.decode(tgt_in, self.encode(src, src_mask), src_mask))


def make_model(config: ModelConfig) -> Transformer:
    """Return a freshly initialised Transformer."""
    return Transformer(config)


class _NoRandomNumbers(TorchFunctionMode):
    """Skip the random initialisation of layers.

    Weights without memory need none, and PyTorch's version of it for such weights imports half of
    its compiler, which takes over a second.
    """

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: object,
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        if func in (Tensor.normal_, Tensor.uniform_, nn.init.normal_, nn.init.uniform_):
            return args[0] if args else (kwargs or {})["tensor"]
        return func(*args, **(kwargs or {}))


def make_empty_model(config: ModelConfig) -> Transformer:
    """Return a Transformer whose weights have no memory yet.

    `load_state_dict(weights, assign=True)` gives it weights.
    """
    with torch.device("meta"), _NoRandomNumbers():
        return Transformer(config)
