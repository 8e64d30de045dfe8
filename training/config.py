"""The sections of a training recipe: frozen dataclasses that refuse bad values."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass, field
from typing import Literal

from translator.config import Activation, ModelConfig, NormPlacement, raise_if_wrong
from translator.placeholders import MAX_PLACEHOLDERS

DURATION = re.compile(r"(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?")
Consistency = Literal["none", "r-drop", "simcut"]


@dataclass(frozen=True, kw_only=True, slots=True)
class MixConfig:
    """How one corpus takes part in the mixture.

    Attributes:
        weight: how often its pairs are seen, relative to those of other corpora.
        directions: the directions it is used in; all of the recipe's that it has, if empty.
        tag: a mark for its sources, such as `synthetic`, that users' text will not carry
            (Caswell et al. 2019).
    """

    weight: float = 1.0
    directions: tuple[str, ...] = ()
    tag: str = ""

    def __post_init__(self) -> None:
        """Refuse bad values."""
        raise_if_wrong(self)

    def problems(self) -> list[str]:
        """Return one sentence per bad value."""
        found = []
        if self.weight <= 0:
            found.append(f"weight: must be positive, got {self.weight}")
        if self.tag and not self.tag.isalpha():
            found.append(f"tag: must be letters, got {self.tag!r}")
        return found


@dataclass(frozen=True, kw_only=True, slots=True)
class DataConfig:
    """Which text to train and develop on.

    Attributes:
        corpora: names of corpora in the catalogue, whose `train` parts are joined.
        dev: parts scored during training, such as `multi30k:val`.
        directions: `source-target` pairs of languages; every corpus that has both languages is
            used in each.
        test: parts scored at the end only.
        temperature: 1 mixes corpora by their sizes, more makes them more alike
            (Arivazhagan et al. 2019).
        mix: settings of single corpora, by name.
    """

    corpora: tuple[str, ...]
    dev: tuple[str, ...]
    directions: tuple[str, ...]
    test: tuple[str, ...] = ()
    temperature: float = 1.0
    mix: dict[str, MixConfig] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse bad values."""
        raise_if_wrong(self)

    @property
    def languages(self) -> tuple[str, ...]:
        """Codes of all languages named in `directions`, sorted."""
        return tuple(sorted({code for pair in self.directions for code in pair.split("-")}))

    @property
    def tags(self) -> tuple[str, ...]:
        """All tags of the mixture, sorted."""
        return tuple(sorted({mix.tag for mix in self.mix.values() if mix.tag}))

    def mix_of(self, corpus: str) -> MixConfig:
        """Return the settings of one corpus."""
        return self.mix.get(corpus, MixConfig())

    def problems(self) -> list[str]:
        """Return one sentence per bad value."""
        found = []
        if not self.corpora:
            found.append("corpora: name at least one corpus")
        if not self.dev:
            found.append('dev: name at least one part, such as "multi30k:val"')
        if not self.directions:
            found.append('directions: name at least one, such as "de-en"')
        if self.temperature < 1:
            found.append(f"temperature: must be at least 1, got {self.temperature}")
        found += [
            f'directions: must look like "de-en", got {pair!r}'
            for pair in self.directions
            if len(set(pair.split("-"))) != 2 or not all(pair.split("-"))
        ]
        found += [
            f'{name}: must look like "corpus:part", got {part!r}'
            for name, parts in (("dev", self.dev), ("test", self.test))
            for part in parts
            if part.count(":") != 1
        ]
        found += [f"mix.{name}: not one of the corpora" for name in set(self.mix) - {*self.corpora}]
        found += [
            f"mix.{name}.directions: {pair!r} is not one of the recipe's directions"
            for name, mix in self.mix.items()
            for pair in set(mix.directions) - {*self.directions}
        ]
        return found


@dataclass(frozen=True, kw_only=True, slots=True)
class SubwordsConfig:
    """The joint SentencePiece vocabulary, learned from the training part alone.

    Attributes:
        vocab_size: V, the 256 bytes and the special pieces included.
        algorithm: `unigram` (Kudo 2018) or `bpe` (Sennrich et al. 2016).
        character_coverage: share of characters that get a piece of their own; others become bytes.
        placeholders: how many URLs, tags … of a sentence pass by the model: `placeholders.py`.
        marked_share: of the pairs, with placeholders around a phrase, like emphasis; `marking.py`.
    """

    vocab_size: int = 8000
    algorithm: Literal["unigram", "bpe"] = "unigram"
    character_coverage: float = 1.0
    placeholders: int = 0
    marked_share: float = 0.0

    def __post_init__(self) -> None:
        """Refuse bad values."""
        raise_if_wrong(self)

    def problems(self) -> list[str]:
        """Return one sentence per bad value."""
        found = []
        if not 0 <= self.placeholders <= MAX_PLACEHOLDERS:
            found.append(f"placeholders: must be in 0..{MAX_PLACEHOLDERS}, got {self.placeholders}")
        if not 0 <= self.marked_share <= 1:
            found.append(f"marked_share: must be in [0, 1], got {self.marked_share}")
        if not 1 <= self.vocab_size <= 65536:  # ids are stored in 16 bits
            found.append(f"vocab_size: must be in 1..65536, got {self.vocab_size}")
        if not 0 < self.character_coverage <= 1:
            found.append(f"character_coverage: must be in (0, 1], got {self.character_coverage}")
        return found


@dataclass(frozen=True, kw_only=True, slots=True)
class ArchitectureConfig:
    """Sizes and kinds of the model; the vocabulary adds the rest: `config.ModelConfig`."""

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
        schedule: after warm-up, `inverse_sqrt`, `linear`, or `wsd`; see `schedule.py`.
        decay_share: of `wsd`, the part of the run that falls; 0 for a run without an end.
        warmup_steps: steps of linear rise from zero.
        label_smoothing: share of the target probability spread over the vocabulary (§5.4).
        weight_decay: of AdamW; biases, norms and embeddings are exempt.
        adam_beta2: decay of AdamW's second moment.
        clip_norm: largest norm of the gradient; 0 switches clipping off.
        ema_decay: decay of the exponential moving average of the weights; 0 switches it off.
        consistency: `none`, or two views of each batch that must agree: `r-drop`, `simcut`.
        consistency_from: first step that has two views.
        consistency_weight: α, the weight of their divergence.
        cut: probability that the second view lacks a piece of what it reads.
        int8_share: last part of the run that rounds linear layers' inputs to 8 bits; `rounding.py`.
        bf16: run matrix products in bfloat16, if the machine has instructions for that.
        checkpoint_every: steps between checkpoints, each with a dev score.
        keep_checkpoints: how many of the last, and of the best, to keep (and at the end average).
        compile: use torch.compile (worth its minutes of waiting on a GPU).
        workers: processes that make batches ahead; 0 for none.
        unigram_alpha: split words anew each time, in proportion to P^alpha (Kudo 2018).
        bpe_dropout: the same for `bpe`: chance that a merge is left out (Provilkov et al. 2020).
        time_budget: such as `1h30m`: train for so long in all, whatever `max_steps` says.
        max_skipped: steps in a row without a finite gradient before the run gives up.
        average_of: `last` or, by dev score, `best`.
        dev_metric: what early stopping and "best" go by.
        dev_sentences: of the dev set that are translated at each checkpoint (all for its loss).
        patience: checkpoints without a better dev score before stopping early; 0 never stops.
    """

    max_steps: int
    max_batch_tokens: int = 4096
    accumulate: int = 1
    optimizer: Literal["adamw", "muon"] = "adamw"
    learning_rate: float = 1e-3
    schedule: Literal["inverse_sqrt", "linear", "wsd"] = "linear"
    decay_share: float = 0.2
    warmup_steps: int = 1000
    label_smoothing: float = 0.1
    weight_decay: float = 0.01
    adam_beta2: float = 0.98
    clip_norm: float = 1.0
    ema_decay: float = 0.0
    consistency: Consistency = "none"
    consistency_from: int = 0
    consistency_weight: float = 3.0
    cut: float = 0.0
    int8_share: float = 0.0
    bf16: bool = True
    compile: bool = False
    workers: int = 0
    unigram_alpha: float = 0.0
    bpe_dropout: float = 0.0
    time_budget: str = ""
    max_skipped: int = 20
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

    @property
    def time_budget_s(self) -> float:
        """The time budget in seconds; 0 for no limit."""
        found = DURATION.fullmatch(self.time_budget)
        units = zip(found.groups("0"), (3600, 60, 1), strict=True) if found else ()
        return float(sum(int(number) * unit for number, unit in units))

    def problems(self) -> list[str]:
        """Return one sentence per bad value."""
        at_least_one = (
            *("max_steps", "max_batch_tokens", "accumulate", "max_skipped", "checkpoint_every"),
            *("keep_checkpoints", "average_checkpoints", "dev_sentences"),
        )
        shares = (
            *("label_smoothing", "adam_beta2", "ema_decay"),
            *("cut", "bpe_dropout", "int8_share", "decay_share"),
        )
        found = [
            f"{name}: must be at least 1, got {getattr(self, name)}"
            for name in at_least_one
            if getattr(self, name) < 1
        ]
        found += [
            f"{name}: must be in [0, 1), got {getattr(self, name)}"
            for name in shares
            if not 0 <= getattr(self, name) < 1
        ]
        found += [
            f"{name}: must not be negative, got {getattr(self, name)}"
            for name in (
                *("warmup_steps", "weight_decay", "clip_norm", "patience", "workers"),
                *("consistency_from", "consistency_weight", "unigram_alpha"),
            )
            if getattr(self, name) < 0
        ]
        if not DURATION.fullmatch(self.time_budget):
            found.append(f"time_budget: must look like 25m or 1h30m, got {self.time_budget!r}")
        if self.learning_rate <= 0:
            found.append(f"learning_rate: must be positive, got {self.learning_rate}")
        if self.average_checkpoints > self.keep_checkpoints:
            found.append(
                f"average_checkpoints: must not exceed keep_checkpoints = {self.keep_checkpoints}, "
                f"got {self.average_checkpoints}"
            )
        return found
