"""The sections of a training recipe about the model and its training."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass
from typing import Any, Literal

from translator.config import Activation, DecoderKind, ModelConfig, NormPlacement, StoredWeights
from translator.strict import raise_if_wrong

DURATION = re.compile(r"(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?")

ARCHITECTURE: dict[str, Any] = {
    "d_model": 256,
    "d_ff": 1024,
    "num_heads": 4,
    "num_encoder_layers": 4,
    "num_decoder_layers": 2,
    "dropout": 0.3,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class ArchitectureConfig:
    """Sizes and kinds of the model, as in `translator.config.ModelConfig`.

    A value of None is that of `ARCHITECTURE`, or of the base when a model is fine-tuned. The size
    of the vocabulary is known only after `subwords`.
    """

    d_model: int | None = None
    d_ff: int | None = None
    num_heads: int | None = None
    num_encoder_layers: int | None = None
    num_decoder_layers: int | None = None
    dropout: float | None = None
    attention_dropout: float | None = None
    activation_dropout: float | None = None
    activation: Activation | None = None
    norm: NormPlacement | None = None
    decoder: DecoderKind | None = None

    def __post_init__(self) -> None:
        self.with_vocabulary(vocab_size=1, pad_id=0)

    @property
    def given(self) -> dict[str, Any]:
        """What the recipe says, by name."""
        values = dataclasses.asdict(self).items()
        return {name: value for name, value in values if value is not None}

    def with_vocabulary(self, vocab_size: int, pad_id: int) -> ModelConfig:
        """Return the whole configuration of the model; a ConfigError lists every bad value."""
        return ModelConfig(vocab_size=vocab_size, pad_id=pad_id, **{**ARCHITECTURE, **self.given})


@dataclass(frozen=True, kw_only=True, slots=True)
class TrainingConfig:
    """How to optimise.

    Attributes:
        max_steps: optimizer steps of the whole run; 0 for a run without an end, which takes the
            schedule `wsd` with a `decay_share` of 0.
        max_batch_tokens: padded tokens of a batch on its longer side, per micro-batch.
        accumulate: micro-batches per optimizer step.
        optimizer: `adamw`, or `muon` for the matrices and AdamW for the rest.
        learning_rate: the highest, reached after `warmup_steps`.
        schedule: after warm-up, `inverse_sqrt` (Vaswani et al. 2017, §5.3), `linear` to zero, or
            `wsd`: constant, then linear to zero (Hu et al. 2024).
        decay_share: of `wsd`, the last part of the run, in which the rate falls to zero; 0 if it
            never falls, as in a run whose end is not known yet.
        warmup_steps: steps of linear rise from zero.
        label_smoothing: share of the target probability spread over the vocabulary (§5.4).
        weight_decay: of AdamW; biases, norms and embeddings are exempt.
        muon_weight_decay: the same of Muon, whose learning rate is 16 times as high. With hardly
            any, matrices grow until attention dies.
        adam_beta2: decay of AdamW's second moment.
        clip_norm: largest norm of the gradient; 0 switches clipping off.
        ema_decay: decay of the exponential moving average of the weights; 0 switches it off.
        bf16: run matrix products in bfloat16, if the machine has instructions for that.
        checkpoint_every: steps between checkpoints, each with a dev score.
        save_every: such as `15m`: how often the run is saved between checkpoints, so that a crash
            loses no more. Empty for never.
        keep_checkpoints: how many of the last, and of the best, to keep.
        average_checkpoints: how many of them to average at the end.
        compile: compile layers and loss with torch.compile: on a GPU, where half a minute of
            waiting makes each step faster.
        cuda_graphs: on a GPU, record a step of each shape of batches and play it back.
        workers: processes that make batches ahead; 0 for none. On a GPU they are only needed where
            words are split anew.
        unigram_alpha: split words anew each time, in proportion to P^alpha of a `unigram`
            vocabulary (Kudo 2018); 0 keeps the best split.
        bpe_dropout: the same for `bpe`: chance that a merge is left out (Provilkov et al. 2020).
        time_budget: such as `25m` or `1h30m`: how long to train, all sittings together. It takes
            the place of `max_steps`, also in the schedule. Empty for no limit.
        max_skipped: steps in a row without a finite gradient before the run gives up.
        average_of: `last` or, by dev score, `best`.
        dev_metric: score by which checkpoints are compared.
        dev_sentences: how many sentences of each dev part are translated at a checkpoint; the dev
            loss is always that of all sentences.
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
    muon_weight_decay: float = 0.1
    adam_beta2: float = 0.98
    clip_norm: float = 1.0
    ema_decay: float = 0.0
    bf16: bool = True
    compile: bool = False
    cuda_graphs: bool = True
    workers: int = 0
    unigram_alpha: float = 0.0
    bpe_dropout: float = 0.0
    time_budget: str = ""
    max_skipped: int = 20
    checkpoint_every: int = 500
    save_every: str = "15m"
    keep_checkpoints: int = 5
    average_checkpoints: int = 5
    average_of: Literal["last", "best"] = "last"
    dev_metric: Literal["chrf", "bleu"] = "chrf"
    dev_sentences: int = 200
    patience: int = 0

    def __post_init__(self) -> None:
        raise_if_wrong(self)

    @property
    def time_budget_s(self) -> float:
        """The time budget in seconds; 0 for no limit."""
        return _seconds(self.time_budget)

    @property
    def save_every_s(self) -> float:
        """Seconds between two savings; 0 for never."""
        return _seconds(self.save_every)

    def problems(self) -> list[str]:
        """Return one sentence per bad value."""
        at_least_one = (
            *("max_batch_tokens", "accumulate", "max_skipped", "checkpoint_every"),
            *("keep_checkpoints", "average_checkpoints", "dev_sentences"),
        )
        shares = (
            *("label_smoothing", "adam_beta2", "ema_decay"),
            *("bpe_dropout", "decay_share"),
        )
        problems = [
            f"{name}: must be at least 1, got {getattr(self, name)}"
            for name in at_least_one
            if getattr(self, name) < 1
        ]
        problems += [
            f"{name}: must be in [0, 1), got {getattr(self, name)}"
            for name in shares
            if not 0 <= getattr(self, name) < 1
        ]
        problems += [
            f"{name}: must not be negative, got {getattr(self, name)}"
            for name in (
                *("warmup_steps", "weight_decay", "clip_norm", "patience", "workers"),
                *("muon_weight_decay", "unigram_alpha"),
            )
            if getattr(self, name) < 0
        ]
        problems += [
            f"{name}: must look like 25m or 1h30m, got {getattr(self, name)!r}"
            for name in ("time_budget", "save_every")
            if not DURATION.fullmatch(getattr(self, name))
        ]
        problems += [
            f"{name}: must be at least 1s, or empty for none, got {given!r}"
            for name in ("time_budget", "save_every")
            if (given := getattr(self, name)) and DURATION.fullmatch(given) and not _seconds(given)
        ]
        if self.learning_rate <= 0:
            problems.append(f"learning_rate: must be positive, got {self.learning_rate}")
        if self.average_checkpoints > self.keep_checkpoints:
            problems.append(
                f"average_checkpoints: must not exceed keep_checkpoints = {self.keep_checkpoints}, "
                f"got {self.average_checkpoints}"
            )
        return problems + self._problems_of_length()

    def _problems_of_length(self) -> list[str]:
        """Return what does not fit the number of steps."""
        if self.max_steps < 0:
            return [f"max_steps: must be at least 1, or 0 for no end, got {self.max_steps}"]
        if self.max_steps or (self.schedule == "wsd" and not self.decay_share):
            return []
        return [
            'max_steps: 0 means no end, for which the rate must be constant: set schedule = "wsd" '
            "and decay_share = 0.0, or say how many steps to take"
        ]


@dataclass(frozen=True, kw_only=True, slots=True)
class ExportConfig:
    """What the model directory is like.

    Attributes:
        weights: how its matrices are stored: as `floats` of 16 bits, or in `int8`, in half the
            space; then they are rounded so before they are scored. See `translator/model/int8.py`.
    """

    weights: StoredWeights = "floats"


def _seconds(duration: str) -> float:
    """Return what `1h30m` is in seconds; 0 for nothing."""
    match = DURATION.fullmatch(duration)
    units = zip(match.groups("0"), (3600, 60, 1), strict=True) if match else ()
    return float(sum(int(number) * unit for number, unit in units))
