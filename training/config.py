"""A training recipe: one TOML file, read strictly into frozen dataclasses."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from translator.config import (
    Activation,
    DecodingOptions,
    ModelConfig,
    NormPlacement,
    raise_if_wrong,
    read_dataclass,
)
from translator.errors import ConfigError


Consistency = Literal["none", "r-drop", "simcut"]


@dataclass(frozen=True, kw_only=True, slots=True)
class DataConfig:
    """Which text to train and develop on.

    Attributes:
        corpora: names of corpora in `training/corpora.toml`, whose `train` parts are joined.
        dev: `corpus:part` scored during training, such as `multi30k:val`.
        test: parts scored at the end only.
        directions: `source-target` pairs of languages; every sentence pair is used in each.
        max_words: pairs with a longer side are dropped.
        max_length_ratio: pairs whose sides differ by more than this factor in characters are
            dropped (short ones are given some room).
        deduplicate: drop exact repetitions of a pair.
    """

    corpora: tuple[str, ...]
    dev: str
    directions: tuple[str, ...]
    test: tuple[str, ...] = ()
    max_words: int = 200
    max_length_ratio: float = 4.0
    deduplicate: bool = True

    def __post_init__(self) -> None:
        """Refuse bad values."""
        raise_if_wrong(self)

    @property
    def languages(self) -> tuple[str, ...]:
        """Codes of all languages named in `directions`, sorted."""
        return tuple(sorted({code for pair in self.directions for code in pair.split("-")}))

    def problems(self) -> list[str]:
        """Return one sentence per bad value."""
        found = []
        if not self.corpora:
            found.append("corpora: name at least one corpus")
        if not self.directions:
            found.append('directions: name at least one, such as "de-en"')
        found += [
            f'directions: must look like "de-en", got {pair!r}'
            for pair in self.directions
            if len(pair.split("-")) != 2 or not all(pair.split("-"))
        ]
        if len(self.languages) > 2:
            found.append(f"directions: must join two languages, got {', '.join(self.languages)}")
        found += [
            f'{name}: must look like "corpus:part", got {part!r}'
            for name, parts in (("dev", (self.dev,)), ("test", self.test))
            for part in parts
            if part.count(":") != 1
        ]
        if self.max_words < 1:
            found.append(f"max_words: must be at least 1, got {self.max_words}")
        if self.max_length_ratio < 1:
            found.append(f"max_length_ratio: must be at least 1, got {self.max_length_ratio}")
        return found


@dataclass(frozen=True, kw_only=True, slots=True)
class SubwordsConfig:
    """The joint SentencePiece vocabulary, learned from the training part alone.

    Attributes:
        vocab_size: V, the 256 bytes and the special pieces included.
        algorithm: `unigram` (Kudo 2018) or `bpe` (Sennrich et al. 2016).
        character_coverage: share of characters that get a piece of their own; others become bytes.
    """

    vocab_size: int = 8000
    algorithm: Literal["unigram", "bpe"] = "unigram"
    character_coverage: float = 1.0

    def __post_init__(self) -> None:
        """Refuse bad values."""
        raise_if_wrong(self)

    def problems(self) -> list[str]:
        """Return one sentence per bad value."""
        found = []
        if not 1 <= self.vocab_size <= 65536:  # ids are stored in 16 bits
            found.append(f"vocab_size: must be in 1..65536, got {self.vocab_size}")
        if not 0 < self.character_coverage <= 1:
            found.append(f"character_coverage: must be in (0, 1], got {self.character_coverage}")
        return found


@dataclass(frozen=True, kw_only=True, slots=True)
class ArchitectureConfig:
    """Sizes and kinds of the model; the vocabulary adds the rest (see `translator.ModelConfig`)."""

    d_model: int = 256
    d_ff: int = 1024
    num_heads: int = 4
    num_encoder_layers: int = 4
    num_decoder_layers: int = 2
    dropout: float = 0.3
    attention_dropout: float = 0.0
    activation_dropout: float = 0.0
    activation: Activation = "relu"
    norm: NormPlacement = "pre"

    def __post_init__(self) -> None:
        """Refuse bad values."""
        self.with_vocabulary(vocab_size=1, pad_id=0)

    def with_vocabulary(self, vocab_size: int, pad_id: int) -> ModelConfig:
        """Return the whole configuration of the model.

        Raises:
            ConfigError: listing every bad value.
        """
        return ModelConfig(vocab_size=vocab_size, pad_id=pad_id, **dataclasses.asdict(self))


@dataclass(frozen=True, kw_only=True, slots=True)
class TrainingConfig:
    """How to optimise.

    Attributes:
        max_steps: optimizer steps of the whole run.
        max_batch_tokens: padded tokens of a batch on its longer side, per micro-batch.
        accumulate: micro-batches per optimizer step.
        optimizer: `adamw`, or `muon` for the matrices and AdamW for the rest.
        learning_rate: the highest, reached after `warmup_steps`.
        schedule: after warm-up, `inverse_sqrt` (Vaswani et al. 2017, §5.3) or `linear` to zero.
        warmup_steps: steps of linear rise from zero.
        label_smoothing: share of the target probability spread over the vocabulary (§5.4).
        weight_decay: of AdamW; biases, norms and embeddings are exempt.
        adam_beta2: decay of AdamW's second moment.
        clip_norm: largest norm of the gradient; 0 switches clipping off.
        ema_decay: decay of the exponential moving average of the weights; 0 switches it off.
        consistency: `none`, or two views of each batch that must agree: `r-drop`, `simcut`.
        consistency_weight: α, the weight of their divergence.
        cut: probability that the second view lacks a piece of what it reads.
        bf16: run matrix products in bfloat16.
        checkpoint_every: steps between checkpoints, each with a dev score.
        keep_checkpoints: how many of the last, and of the best, to keep.
        average_checkpoints: how many of them to average at the end.
        average_of: the `last` checkpoints, or the `best` by dev score.
        dev_metric: what early stopping and "best" go by.
        dev_sentences: of the dev set that are translated at each checkpoint (all for its loss).
        patience: checkpoints without a better dev score before stopping early; 0 never stops.
    """

    max_steps: int
    max_batch_tokens: int = 4096
    accumulate: int = 1
    optimizer: Literal["adamw", "muon"] = "adamw"
    learning_rate: float = 1e-3
    schedule: Literal["inverse_sqrt", "linear"] = "linear"
    warmup_steps: int = 1000
    label_smoothing: float = 0.1
    weight_decay: float = 0.01
    adam_beta2: float = 0.98
    clip_norm: float = 1.0
    ema_decay: float = 0.0
    consistency: Consistency = "none"
    consistency_weight: float = 3.0
    cut: float = 0.0
    bf16: bool = True
    checkpoint_every: int = 500
    keep_checkpoints: int = 5
    average_checkpoints: int = 5
    average_of: Literal["last", "best"] = "last"
    dev_metric: Literal["chrf", "bleu"] = "chrf"
    dev_sentences: int = 200
    patience: int = 0

    def __post_init__(self) -> None:
        """Refuse bad values."""
        raise_if_wrong(self)

    def problems(self) -> list[str]:
        """Return one sentence per bad value."""
        at_least_one = (
            "max_steps",
            "max_batch_tokens",
            "accumulate",
            "checkpoint_every",
            "keep_checkpoints",
            "average_checkpoints",
            "dev_sentences",
        )
        found = [
            f"{name}: must be at least 1, got {getattr(self, name)}"
            for name in at_least_one
            if getattr(self, name) < 1
        ]
        found += [
            f"{name}: must be in [0, 1), got {getattr(self, name)}"
            for name in ("label_smoothing", "adam_beta2", "ema_decay")
            if not 0 <= getattr(self, name) < 1
        ]
        found += [
            f"{name}: must not be negative, got {getattr(self, name)}"
            for name in ("warmup_steps", "weight_decay", "clip_norm", "patience")
            if getattr(self, name) < 0
        ]
        if self.learning_rate <= 0:
            found.append(f"learning_rate: must be positive, got {self.learning_rate}")
        if self.average_checkpoints > self.keep_checkpoints:
            found.append(
                f"average_checkpoints: must not exceed keep_checkpoints = {self.keep_checkpoints}, "
                f"got {self.average_checkpoints}"
            )
        return found


@dataclass(frozen=True, kw_only=True, slots=True)
class Recipe:
    """Everything that decides what a run produces.

    Attributes:
        name: of the run and of its model.
        seed: of initialisation, shuffling and dropout.
    """

    name: str
    data: DataConfig
    training: TrainingConfig
    seed: int = 1
    subwords: SubwordsConfig = field(default_factory=SubwordsConfig)
    model: ArchitectureConfig = field(default_factory=ArchitectureConfig)
    decoding: DecodingOptions = field(default_factory=DecodingOptions)

    def fingerprint(self, *sections: str) -> str:
        """Return a short hash of some sections, to know whether a finished stage still holds."""
        chosen = {name: dataclasses.asdict(self)[name] for name in sections}
        return hashlib.sha256(json.dumps(chosen, sort_keys=True).encode()).hexdigest()[:16]


def load_recipe(path: str | Path, overrides: Sequence[str] = ()) -> Recipe:
    """Read a recipe file.

    Args:
        path: a TOML file.
        overrides: `section.key=value` settings that win over the file; values are TOML.

    Raises:
        ConfigError: the file is missing, is not TOML, or has wrong keys or values (all listed).
    """
    try:
        table = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError([error.strerror or str(error)], str(path)) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError([str(error)], str(path)) from error
    for override in overrides:
        _apply(table, override)
    return read_dataclass(Recipe, table, str(path))


def _apply(table: dict[str, Any], override: str) -> None:
    key, equals, text = override.partition("=")
    if not equals:
        raise ConfigError([f"{override!r}: must look like section.key=value"], "--set")
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        value = text
    *sections, last = key.strip().split(".")
    for section in sections:
        table = table.setdefault(section, {})
        if not isinstance(table, dict):
            raise ConfigError([f"{key}: {section} is not a section"], "--set")
    table[last] = value
