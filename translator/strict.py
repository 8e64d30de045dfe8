"""The strict reader that all configurations use.

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
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeVar

from translator.errors import ConfigError

T = TypeVar("T")

KINDS = {
    tuple: "a list",
    dict: "a table",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    str: "a text in quotes",
}
"""What users call the types of settings."""


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


@dataclass(frozen=True, slots=True)
class Requirement:
    """What a number must be: `is_met` tests it, and `text` says it."""

    text: str
    is_met: Callable[[float], bool]

    def problems(self, config: object, *names: str) -> list[str]:
        """Return one sentence for each of these fields that does not meet it."""
        values = {name: getattr(config, name) for name in names}
        wrong = (item for item in values.items() if not self.is_met(item[1]))
        return [f"{name}: must {self.text}, got {value}" for name, value in wrong]


AT_LEAST_ONE = Requirement("be at least 1", lambda number: number >= 1)
NOT_NEGATIVE = Requirement("not be negative", lambda number: number >= 0)
POSITIVE = Requirement("be positive", lambda number: number > 0)
SHARE = Requirement("be in [0, 1]", lambda number: 0 <= number <= 1)
SHARE_BELOW_ONE = Requirement("be in [0, 1)", lambda number: 0 <= number < 1)


def read_dataclass(cls: type[T], mapping: Mapping[str, Any], source: str = "configuration") -> T:
    """Build the dataclass `cls` from `mapping`, checking every key, type and value.

    It has scalars, literals, tuples, optionals, mappings and dataclasses. The mapping is parsed
    TOML or JSON, whose source the message names.

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
        expected = KINDS.get(origin or kind) or f"of type {kind.__name__}"
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
