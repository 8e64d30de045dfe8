"""The sections of a training recipe: the model, its training, text and subwords."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass, field
from typing import Any, Literal

from translator.config import Activation, DecoderKind, ModelConfig, NormPlacement, StoredWeights
from translator.rules.formality import LANGUAGES as FORMALITY_LANGUAGES
from translator.rules.formality import MARKS as FORMALITY_MARKS
from translator.strict import (
    AT_LEAST_ONE,
    NOT_NEGATIVE,
    POSITIVE,
    SHARE,
    SHARE_BELOW_ONE,
    raise_if_wrong,
)
from translator.text.characters import MAX_PLACEHOLDERS

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
    """How to optimise; `docs/recipes.md` describes every field.

    Sources: Vaswani et al. 2017, §5.3 (`inverse_sqrt`) and §5.4 (label smoothing); Hu et al. 2024
    (`wsd`: constant, then linear to zero in the last `decay_share`); Kudo 2018 (`unigram_alpha`);
    Provilkov et al. 2020 (`bpe_dropout`).

    Attributes:
        max_steps: 0 for a run without an end, which takes `wsd` with a `decay_share` of 0.
        max_batch_tokens: padded tokens of a batch on its longer side, per micro-batch.
        muon_weight_decay: of Muon, whose learning rate is 16 times as high. With hardly any,
            matrices grow until attention dies.
        time_budget: such as `25m`: of all sittings together, in the place of `max_steps`, also in
            the schedule. Empty for no limit.
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
        problems = [
            *AT_LEAST_ONE.problems(
                *(self, "max_batch_tokens", "accumulate", "max_skipped", "checkpoint_every"),
                *("keep_checkpoints", "average_checkpoints", "dev_sentences"),
            ),
            *SHARE_BELOW_ONE.problems(
                self, "label_smoothing", "adam_beta2", "ema_decay", "bpe_dropout", "decay_share"
            ),
            *NOT_NEGATIVE.problems(
                *(self, "warmup_steps", "weight_decay", "clip_norm", "patience", "workers"),
                *("muon_weight_decay", "unigram_alpha"),
            ),
            *POSITIVE.problems(self, "learning_rate"),
        ]
        for name, given in (("time_budget", self.time_budget), ("save_every", self.save_every)):
            if not DURATION.fullmatch(given):
                problems.append(f"{name}: must look like 25m or 1h30m, got {given!r}")
            elif given and not _seconds(given):
                problems.append(f"{name}: must be at least 1s, or empty for none, got {given!r}")
        if self.average_checkpoints > self.keep_checkpoints:
            problems.append(
                f"average_checkpoints: must not exceed keep_checkpoints = {self.keep_checkpoints}, "
                f"got {self.average_checkpoints}"
            )
        return problems + self._problems_of_length()

    def _problems_of_length(self) -> list[str]:
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


MAX_VOCAB_SIZE = 65_536
"""Ids are stored in 16 bits."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MixConfig:
    """How one corpus takes part in the mixture; `docs/recipes.md` describes every field.

    Attributes:
        tag: a mark before each of its sources, such as `synthetic`, by which the model tells them
            from users' text (Caswell et al. 2019).
        clean: whether its pairs are cleaned. What a program has written is good as it is, and
            looks like repetitions: sentences that differ in their numbers only.
    """

    weight: float = 1.0
    directions: tuple[str, ...] = ()
    tag: str = ""
    clean: bool = True

    def __post_init__(self) -> None:
        raise_if_wrong(self)

    def problems(self) -> list[str]:
        """Return one sentence per bad value."""
        problems = POSITIVE.problems(self, "weight")
        if self.tag and not self.tag.isalpha():
            problems.append(f"tag: must be letters, got {self.tag!r}")
        return problems


@dataclass(frozen=True, kw_only=True, slots=True)
class DataConfig:
    """Which text to train and develop on; `docs/recipes.md` describes every field.

    `varied_share` and `formality_share` are explained in `rewriting.py`. Source of `temperature`:
    Arivazhagan et al. 2019.
    """

    corpora: tuple[str, ...]
    dev: tuple[str, ...]
    directions: tuple[str, ...]
    test: tuple[str, ...] = ()
    temperature: float = 1.0
    varied_share: float = 0.0
    formality_share: float = 0.0
    mix: dict[str, MixConfig] = field(default_factory=dict)

    def __post_init__(self) -> None:
        raise_if_wrong(self)

    @property
    def languages(self) -> tuple[str, ...]:
        """Codes of all languages named in `directions`, sorted."""
        return tuple(sorted({code for pair in self.directions for code in pair.split("-")}))

    @property
    def tags(self) -> tuple[str, ...]:
        """All marks that sources can carry: tags of the mixture, and forms of address; sorted."""
        forms = FORMALITY_MARKS if self.formality_share else ()
        return tuple(sorted({*(mix.tag for mix in self.mix.values() if mix.tag), *forms}))

    @property
    def formality_targets(self) -> tuple[str, ...]:
        """Codes of the target languages in which a form of address can be asked for, sorted."""
        targets = {pair.partition("-")[2] for pair in self.directions} & FORMALITY_LANGUAGES
        return tuple(sorted(targets)) if self.formality_share else ()

    def mix_of(self, corpus: str) -> MixConfig:
        """Return the settings of one corpus."""
        return self.mix.get(corpus, MixConfig())

    def problems(self) -> list[str]:
        """Return one sentence per bad value."""
        problems = []
        if not self.corpora:
            problems.append("corpora: name at least one corpus")
        if not self.dev:
            problems.append('dev: name at least one part, such as "multi30k:val"')
        if not self.directions:
            problems.append('directions: name at least one, such as "de-en"')
        problems += AT_LEAST_ONE.problems(self, "temperature")
        problems += SHARE.problems(self, "varied_share", "formality_share")
        if self.formality_share and not self.formality_targets:
            with_forms = ", ".join(sorted(FORMALITY_LANGUAGES))
            problems.append(
                f"formality_share: no direction leads to a language with forms: {with_forms}"
            )
        problems += [
            f'directions: must look like "de-en", got {pair!r}'
            for pair in self.directions
            if len(set(pair.split("-"))) != 2 or not all(pair.split("-"))
        ]
        problems += [
            f'{name}: must look like "corpus:part", got {part!r}'
            for name, parts in (("dev", self.dev), ("test", self.test))
            for part in parts
            if part.count(":") != 1
        ]
        problems += [
            f"mix.{name}: not one of the corpora" for name in set(self.mix) - {*self.corpora}
        ]
        problems += [
            f"mix.{name}.directions: {pair!r} is not one of the recipe's directions"
            for name, mix in self.mix.items()
            for pair in set(mix.directions) - {*self.directions}
        ]
        return problems


@dataclass(frozen=True, kw_only=True, slots=True)
class SubwordsConfig:
    """The joint SentencePiece vocabulary; `docs/recipes.md` describes every field.

    Sources: Kudo 2018 (`unigram`), Sennrich et al. 2016 (`bpe`). `translator/text/placeholders.py`
    explains `placeholders`, and `rewriting.py` `marked_share`.
    """

    model: str = ""
    vocab_size: int = 8000
    algorithm: Literal["unigram", "bpe"] = "unigram"
    character_coverage: float = 1.0
    placeholders: int = 0
    marked_share: float = 0.0

    def __post_init__(self) -> None:
        raise_if_wrong(self)

    def problems(self) -> list[str]:
        """Return one sentence per bad value."""
        problems = SHARE.problems(self, "marked_share")
        if not 0 <= self.placeholders <= MAX_PLACEHOLDERS:
            problems.append(
                f"placeholders: must be in 0..{MAX_PLACEHOLDERS}, got {self.placeholders}"
            )
        if not 1 <= self.vocab_size <= MAX_VOCAB_SIZE:
            problems.append(f"vocab_size: must be in 1..{MAX_VOCAB_SIZE}, got {self.vocab_size}")
        if not 0 < self.character_coverage <= 1:
            problems.append(f"character_coverage: must be in (0, 1], got {self.character_coverage}")
        learned = ("vocab_size", "algorithm", "character_coverage")
        defaults = {setting.name: setting.default for setting in dataclasses.fields(self)}
        return problems + [
            f"{name}: a vocabulary that comes from a file is not learned; leave this out"
            for name in learned
            if self.model and getattr(self, name) != defaults[name]
        ]
