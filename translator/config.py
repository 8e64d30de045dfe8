"""Configuration of a model and of its decoding, and the strict reader that all configurations use.

`read_dataclass` turns a plain mapping (parsed TOML or JSON) into a frozen dataclass. It checks
every key and every type and reports all problems at once, each with its key path; an unknown key is
answered with the nearest known one. Value checks live in each dataclass's `problems()`.
"""

from __future__ import annotations

import dataclasses
import difflib
import sys
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeVar

from translator.errors import ConfigError

Precision = Literal["auto", "float32", "int8"]
EngineName = Literal["torch", "ctranslate2"]
Activation = Literal["relu", "gelu", "silu"]  # what a new value needs: see `translator/model`
NormPlacement = Literal["pre", "post"]
PositionScheme = Literal["sinusoidal"]
LengthPenalty = Literal["none", "average", "gnmt"]

MAX_BEAM_SIZE = 64
MIN_SOURCE_IDS = 4  # tag, EOS, a piece, and one that cutting a sentence there may split


class Checked(Protocol):
    """A configuration that can say what is wrong with its own values."""

    def problems(self) -> list[str]:
        """Return one sentence per bad value, each beginning with the field's name."""
        ...


def raise_if_wrong(config: Checked) -> None:
    """Raise ConfigError if `config` has a bad value; meant for `__post_init__`."""
    problems = config.problems()
    if problems:
        raise ConfigError(problems, type(config).__name__)


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelConfig:
    """Sizes and kinds of a Transformer (Vaswani et al. 2017, Table 3 gives the classic ones).

    Attributes:
        vocab_size: V, number of pieces, shared by source, target and output.
        d_model: D, width of the residual stream.
        d_ff: F, inner width of the feed-forward layers.
        num_heads: H; must divide `d_model`.
        num_encoder_layers: number of encoder layers.
        num_decoder_layers: number of decoder layers.
        dropout: on embeddings and on every sublayer's output.
        attention_dropout: on the attention weights.
        activation_dropout: inside the feed-forward layers.
        activation: non-linearity of the feed-forward layers.
        norm: `pre` (normalise each sublayer's input, final norm at the end) or `post` (the paper).
        positions: what tells pieces at different places apart.
        pad_id: id that fills batches; never attended to, never scored.
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

    def __post_init__(self) -> None:
        """Refuse bad values."""
        raise_if_wrong(self)

    def problems(self) -> list[str]:
        """Return one sentence per bad value."""
        layers = ("num_encoder_layers", "num_decoder_layers")
        found = [
            f"{name}: must be at least 1, got {getattr(self, name)}"
            for name in ("vocab_size", "d_model", "d_ff", "num_heads", *layers)
            if getattr(self, name) < 1
        ]
        if not found and self.d_model % self.num_heads:
            found.append(f"num_heads: must divide d_model = {self.d_model}, got {self.num_heads}")
        found += [
            f"{name}: must be in [0, 1), got {getattr(self, name)}"
            for name in ("dropout", "attention_dropout", "activation_dropout")
            if not 0 <= getattr(self, name) < 1
        ]
        if not 0 <= self.pad_id < max(self.vocab_size, 1):
            found.append(
                f"pad_id: must be an id below vocab_size = {self.vocab_size}, got {self.pad_id}"
            )
        return found


@dataclass(frozen=True, kw_only=True, slots=True)
class DecodingOptions:
    """How to search for a translation.

    Attributes:
        beam_size: hypotheses kept per sentence; 1 is greedy search.
        num_hypotheses: how many to return, best first; at most `beam_size`.
        length_penalty: divisor of the log-probability: `none` (1), `average` (l^alpha) or `gnmt`
            ((5 + l) / 6)^alpha (Wu et al. 2016, Eq. 14); l counts EOS.
        alpha: exponent of the length penalty.
        reverse_weight: 0, or weight of log P(source | translation) in choosing among the beam's
            hypotheses; for models of both directions (see `engine/reranking.py`).
        no_repeat_ngram_size: no n ids in a row are produced twice in a sentence; 0 allows it.
            Needs a beam of 2 or more.
        search_again: search once more, and wider, what `translate/degeneration.py` flags.
        max_length_factor: a sentence of n source ids may have at most
            `max_length_factor * n + max_length_offset` target ids, EOS included.
        max_length_offset: see `max_length_factor`.
    """

    beam_size: int = 5
    num_hypotheses: int = 1
    length_penalty: LengthPenalty = "average"
    alpha: float = 1.0
    reverse_weight: float = 0.0
    no_repeat_ngram_size: int = 0
    search_again: bool = True
    max_length_factor: float = 2.0
    max_length_offset: int = 20

    def __post_init__(self) -> None:
        """Refuse bad values."""
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
        if not 0 <= self.reverse_weight <= 10:
            found.append(f"reverse_weight: must be in [0, 10], got {self.reverse_weight}")
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
        model: sizes and kinds.
        languages: codes the model translates between, such as `("de", "en")`.
        directions: pairs `source-target` it was trained on, such as `("de-en", "en-de")`.
        max_source_ids: longest source that training has made familiar, tag and EOS included; a
            longer sentence is translated in parts.
        decoding: defaults for search.
        format_version: of the model directory; readers refuse one they do not know.
    """

    model: ModelConfig
    languages: tuple[str, ...]
    directions: tuple[str, ...]
    max_source_ids: int = 256
    decoding: DecodingOptions = field(default_factory=DecodingOptions)
    format_version: int = 1

    def __post_init__(self) -> None:
        """Refuse bad values."""
        raise_if_wrong(self)

    def problems(self) -> list[str]:
        """Return one sentence per bad value."""
        pairs = {f"{one}-{other}" for one in self.languages for other in self.languages}
        found = [
            f"directions: must be two of {', '.join(self.languages)} with a - between, got {pair!r}"
            for pair in self.directions
            if pair not in pairs
        ]
        if self.max_source_ids < MIN_SOURCE_IDS:
            least, got = MIN_SOURCE_IDS, self.max_source_ids
            found.append(f"max_source_ids: must be at least {least}, got {got}")
        return found


T = TypeVar("T")


def read_dataclass(cls: type[T], mapping: Mapping[str, Any], source: str = "configuration") -> T:
    """Build the dataclass `cls` from `mapping`, checking every key, type and value.

    Args:
        cls: a dataclass of scalars, literals, tuples, optionals, mappings and dataclasses.
        mapping: parsed TOML or JSON.
        source: where it came from, for the message.

    Returns:
        an instance of `cls`.

    Raises:
        ConfigError: listing every problem at once, each with its key path.
    """
    problems: list[str] = []
    value = _read(cls, mapping, "", problems)
    if problems:
        raise ConfigError(problems, source)
    return typing.cast(T, value)


def _read(kind: Any, value: Any, path: str, problems: list[str]) -> Any:
    """Return `value` as a `kind`, or add to `problems` and return None."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        return _read_fields(kind, value, path, problems)
    if origin is Literal:
        if value in arguments:
            return value
        problems.append(f"{path}: must be one of {', '.join(map(repr, arguments))}, got {value!r}")
    elif origin in (typing.Union, types.UnionType):
        inner = [argument for argument in arguments if argument is not type(None)]
        return None if value is None else _read(inner[0], value, path, problems)
    elif origin is tuple and isinstance(value, list | tuple):
        return tuple(
            _read(arguments[0], item, f"{path}[{i}]", problems) for i, item in enumerate(value)
        )
    elif origin is dict and isinstance(value, Mapping):
        return {
            str(key): _read(arguments[1], item, f"{path}.{key}", problems)
            for key, item in value.items()
        }
    elif kind is float and isinstance(value, int | float) and not isinstance(value, bool):
        if abs(value) <= sys.float_info.max:
            return float(value)
        problems.append(f"{path}: must be a finite number, got {value}")
    elif type(value) is kind:  # to isinstance() a bool is an int as well
        return value
    else:
        expected = {tuple: "a list", dict: "a table"}.get(origin) or f"of type {kind.__name__}"
        problems.append(f"{path}: must be {expected}, got {value!r}")
    return None


def _read_fields(cls: type[Any], value: Any, path: str, problems: list[str]) -> Any:
    if not isinstance(value, Mapping):
        problems.append(f"{path or cls.__name__}: must be a table, got {value!r}")
        return None
    prefix = f"{path}." if path else ""
    hints = typing.get_type_hints(cls)
    fields = {f.name: f for f in dataclasses.fields(cls)}
    before = len(problems)
    for key in value:
        if key not in fields:
            nearest = difflib.get_close_matches(str(key), fields, n=1, cutoff=0.5)
            hint = (
                f"; did you mean {prefix}{nearest[0]}?"
                if nearest
                else f"; known keys: {', '.join(fields)}"
            )
            problems.append(f"{prefix}{key}: unknown key{hint}")
    for name, definition in fields.items():
        is_needed = definition.default is definition.default_factory is dataclasses.MISSING
        if is_needed and name not in value:
            problems.append(f"{prefix}{name}: missing")
    arguments = {
        name: _read(hints[name], value[name], f"{prefix}{name}", problems)
        for name in fields
        if name in value
    }
    if len(problems) > before:
        return None
    try:
        return cls(**arguments)
    except ConfigError as error:
        problems.extend(f"{prefix}{problem}" for problem in error.problems)
        return None
