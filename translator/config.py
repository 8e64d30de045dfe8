"""Configuration of a model and of its decoding; `strict.py` reads both."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import Literal

from translator.strict import AT_LEAST_ONE, SHARE_BELOW_ONE, raise_if_wrong

Precision = Literal["auto", "float32", "int8"]
Activation = Literal["relu", "gelu", "gelu_tanh", "silu"]
NormPlacement = Literal["pre", "post"]
PositionScheme = Literal["sinusoidal", "sinusoidal_halves", "sinusoidal_fairseq", "learned"]
Tying = Literal["all", "target", "none"]
DecoderKind = Literal["self_attention", "ssru"]
"""Choices of a model's form. What a new value needs: see `translator/model`."""
LengthPenalty = Literal["none", "average", "gnmt"]
StoredWeights = Literal["floats", "int8"]

HOME, REGISTRY = "TRANSLATOR_HOME", "TRANSLATOR_REGISTRY"
"""Environment variables of the library: where downloads are kept, and where they come from."""


ALL_DIRECTIONS = "*"
MAX_BEAM_SIZE = 64
MIN_SOURCE_IDS = 4  # tag, EOS, a piece, and one that cutting a sentence there may split


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelConfig:
    """Sizes and kinds of a Transformer (Vaswani et al. 2017, Table 3 gives the classic ones).

    The fields after `pad_id` describe models of other projects. Their defaults are what training
    makes.

    Attributes:
        vocab_size: V, number of pieces of the vocabulary. A source may have one of its own: see
            `source_vocab_size`.
        d_model: D, width of the residual stream.
        d_ff: F, inner width of the feed-forward layers.
        num_heads: H; must divide `d_model`.
        dropout: on embeddings and on every sublayer's output.
        attention_dropout: on the attention weights.
        activation_dropout: inside the feed-forward layers.
        activation: non-linearity of the feed-forward layers.
        norm: `pre` (normalise each sublayer's input, final norm at the end) or `post` (the paper).
        positions: what tells pieces at different places apart: `sinusoidal` (the paper),
            `sinusoidal_halves` (all sines, then all cosines: Marian), `sinusoidal_fairseq` (halves
            of other wavelengths: M2M100 and NLLB), or `learned` (a stored table).
        pad_id: id that fills batches; never attended to, never scored.
        position_offset: position of the first piece; M2M100 and NLLB begin with 2.
        max_positions: rows of the table of `learned` positions; 0 for the other schemes.
        scale_embedding: whether embeddings are multiplied by √D.
        tied: what shares one matrix: `all` (source embedding, target embedding and output layer),
            `target` (target embedding and output layer) or `none`.
        source_vocab_size: number of pieces of the source's vocabulary; 0 if it has none of its own.
        decoder: how a decoder layer knows the target so far: by `self_attention` (the paper), or by
            `ssru`, a recurrent unit that keeps one vector (see `model/recurrence.py`).
    """

    vocab_size: int
    d_model: int = 256
    d_ff: int = 1024
    num_heads: int = 4
    num_encoder_layers: int = 4
    num_decoder_layers: int = 2
    dropout: float = 0.1
    attention_dropout: float = 0.0
    activation_dropout: float = 0.0
    activation: Activation = "relu"
    norm: NormPlacement = "pre"
    positions: PositionScheme = "sinusoidal"
    pad_id: int = 0
    position_offset: int = 0
    max_positions: int = 0
    scale_embedding: bool = True
    output_bias: bool = False
    tied: Tying = "all"
    source_vocab_size: int = 0
    decoder: DecoderKind = "self_attention"

    def __post_init__(self) -> None:
        raise_if_wrong(self)

    @property
    def num_source_pieces(self) -> int:
        """Number of pieces of the source's vocabulary."""
        return self.source_vocab_size or self.vocab_size

    def problems(self) -> list[str]:
        """Return one sentence per bad value."""
        layers = ("num_encoder_layers", "num_decoder_layers")
        found = AT_LEAST_ONE.problems(self, "vocab_size", "d_model", "d_ff", "num_heads", *layers)
        if not found and self.d_model % self.num_heads:
            found.append(f"num_heads: must divide d_model = {self.d_model}, got {self.num_heads}")
        found += SHARE_BELOW_ONE.problems(
            self, "dropout", "attention_dropout", "activation_dropout"
        )
        if not 0 <= self.pad_id < max(self.vocab_size, 1):
            found.append(
                f"pad_id: must be an id below vocab_size = {self.vocab_size}, got {self.pad_id}"
            )
        return found + self._problems_of_imports()

    def _problems_of_imports(self) -> list[str]:
        found = [
            f"{name}: must be at least 0, got {getattr(self, name)}"
            for name in ("position_offset", "max_positions", "source_vocab_size")
            if getattr(self, name) < 0
        ]
        if (self.positions == "learned") != (self.max_positions > self.position_offset):
            found.append(
                "max_positions: must be beyond position_offset for learned positions, and 0 for "
                f"all others, got {self.max_positions} for {self.positions}"
            )
        if self.source_vocab_size and self.tied == "all":
            found.append(
                "source_vocab_size: a source with a vocabulary of its own cannot be tied to the "
                f"target; set tied to target or none, or it to 0, got {self.source_vocab_size}"
            )
        if self.source_vocab_size and self.pad_id >= self.source_vocab_size:
            found.append(
                f"pad_id: must be an id below source_vocab_size = {self.source_vocab_size}, "
                f"got {self.pad_id}"
            )
        return found


@dataclass(frozen=True, kw_only=True, slots=True)
class DecodingOptions:
    """How to search for a translation.

    Attributes:
        beam_size: hypotheses kept per sentence; 1 is greedy search.
        num_hypotheses: how many translations of a text to return, the best and its alternatives; at
            most `beam_size`.
        length_penalty: what the log-probability of l ids, EOS included, is divided by: `none` (1),
            `average` (l^alpha) or `gnmt`: ((5 + l) / 6)^alpha (Wu et al. 2016, Eq. 14).
        alpha: exponent of the length penalty.
        no_repeat_ngram_size: no sequence of so many ids is produced twice in a sentence; 0 switches
            that off. Needs a beam of 2 or more.
        search_again: search once more, and wider, if `pipeline/degeneration.py` flags a sentence.
        max_length_factor: a sentence of n source ids may have at most
            `max_length_factor * n + max_length_offset` target ids, EOS included.
        max_length_offset: see `max_length_factor`.
    """

    beam_size: int = 5
    num_hypotheses: int = 1
    length_penalty: LengthPenalty = "average"
    alpha: float = 1.0
    no_repeat_ngram_size: int = 0
    search_again: bool = True
    max_length_factor: float = 2.0
    max_length_offset: int = 20

    def __post_init__(self) -> None:
        raise_if_wrong(self)

    def problems(self) -> list[str]:
        """Return one sentence per bad value."""
        found = []
        if not 1 <= self.beam_size <= MAX_BEAM_SIZE:
            found.append(f"beam_size: must be in 1..{MAX_BEAM_SIZE}, got {self.beam_size}")
        elif not 1 <= self.num_hypotheses <= self.beam_size:
            found.append(
                f"num_hypotheses: must be in 1..beam_size = {self.beam_size}, "
                f"got {self.num_hypotheses}"
            )
        if not 0 <= self.alpha <= 5:
            found.append(f"alpha: must be in [0, 5], got {self.alpha}")
        if self.no_repeat_ngram_size < 0:
            found.append(
                f"no_repeat_ngram_size: must be 0 or more, got {self.no_repeat_ngram_size}"
            )
        if self.no_repeat_ngram_size and self.beam_size == 1:
            found.append("no_repeat_ngram_size: needs a beam_size of 2 or more")
        if not 0 < self.max_length_factor <= 20:
            found.append(f"max_length_factor: must be in (0, 20], got {self.max_length_factor}")
        if not 1 <= self.max_length_offset <= 1000:
            found.append(f"max_length_offset: must be in 1..1000, got {self.max_length_offset}")
        return found

    def max_length(self, num_source_ids: int) -> int:
        """Return the largest number of target ids, EOS included, for a source of that many ids."""
        return int(self.max_length_factor * num_source_ids) + self.max_length_offset


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelDescription:
    """The contents of a model directory's `config.json`.

    Attributes:
        languages: codes the model translates between, such as `("de", "en")`.
        directions: pairs `source-target` it was trained on, such as `("de-en", "en-de")`, or `"*"`
            for all pairs of its languages.
        max_source_ids: length of the longest source that the model knows from training, in ids,
            tag and EOS included. A longer sentence is translated in parts.
        decoding: defaults for search.
        format_version: of the model directory; readers refuse one they do not know.
        weights: how the matrices are stored: as `floats`, or in `int8` as the engine uses them
            (see `model/int8.py`). The file has this field only if it is `int8`.
        formality: codes of the target languages in which the model can be told how to address the
            reader, Sie or du. The file has this field only if there are some.
    """

    model: ModelConfig
    languages: tuple[str, ...]
    directions: tuple[str, ...]
    max_source_ids: int = 256
    decoding: DecodingOptions = field(default_factory=DecodingOptions)
    format_version: int = 1
    weights: StoredWeights = "floats"
    formality: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        raise_if_wrong(self)

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The directions as pairs of codes, which may have a - themselves."""
        every = [*itertools.permutations(self.languages, 2)]
        if ALL_DIRECTIONS in self.directions:
            return tuple(every)
        by_name = {f"{one}-{other}": (one, other) for one, other in every}
        return tuple(by_name[direction] for direction in self.directions)

    def problems(self) -> list[str]:
        """Return one sentence per bad value."""
        pairs = {"-".join(pair) for pair in itertools.permutations(self.languages, 2)}
        found = [
            f"directions: must be two of {', '.join(self.languages)} with a - between, got {pair!r}"
            for pair in self.directions
            if pair not in pairs and pair != ALL_DIRECTIONS
        ]
        if self.max_source_ids < MIN_SOURCE_IDS:
            least, got = MIN_SOURCE_IDS, self.max_source_ids
            found.append(f"max_source_ids: must be at least {least}, got {got}")
        found += [
            f"formality: must be languages of the model, got {code!r}"
            for code in self.formality
            if code not in self.languages
        ]
        return found
