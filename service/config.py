"""The service's settings, read from environment variables.

Every field of `ServiceConfig` is one variable: `char_limit` is `TRANSLATOR_CHAR_LIMIT`. A variable
that begins with the prefix but is not known is an error, and all problems are reported at once.
"""

from __future__ import annotations

import dataclasses
import difflib
import math
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from translator.config import MAX_BEAM_SIZE, EngineName, Precision, raise_if_wrong
from translator.errors import ConfigError

PREFIX = "TRANSLATOR_"
BOUNDS = {
    "port": (1, 65535),
    "alternatives_limit": (0, MAX_BEAM_SIZE - 1),
    "timeout_s": (0, math.inf),
}
"""Lowest and highest values; other numbers are at least 1."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ServiceConfig:
    """Settings of the service.

    Attributes:
        model: path of the model directory to serve; the shipped one if empty.
        device: torch device to decode on, such as `cpu`, `cuda` or `cuda:1`.
        engine: `torch`, or `ctranslate2` where that package is installed.
        precision: `float32`, `int8`, or `auto`: int8 where the CPU allows it (with
            `ctranslate2` always).
        threads: CPU threads for decoding, per worker.
        workers: processes, each with its own copy of the model and its own limits.
        host: address to listen on; `0.0.0.0` for every interface.
        port: TCP port to listen on.
        char_limit: characters allowed in one text of `q`.
        batch_limit: texts allowed in one array `q`.
        alternatives_limit: alternatives a request may ask for; 0 switches them off.
        glossary_limit: entries allowed in a glossary.
        max_body_bytes: bytes allowed in a request body; 50,000 emoji as JSON escapes take 600,000.
        max_form_bytes: bytes allowed in one field of a multipart form.
        concurrency_limit: translations in progress at once, per worker; the next one is
            answered 503 at once rather than left waiting.
        timeout_s: seconds that one translation may take, after which it is answered 504; 0 is as
            long as it takes.
        graceful_timeout_s: seconds that running requests get to finish when the server stops.
    """

    model: str = ""
    device: str = "cpu"
    engine: EngineName = "torch"
    precision: Precision = "auto"
    threads: int = 1
    workers: int = 1
    host: str = "127.0.0.1"
    port: int = 5000
    char_limit: int = 50_000
    batch_limit: int = 100
    alternatives_limit: int = 3
    glossary_limit: int = 1000
    max_body_bytes: int = 2 * 1024 * 1024
    max_form_bytes: int = 1024 * 1024
    concurrency_limit: int = 48
    timeout_s: int = 0
    graceful_timeout_s: int = 30

    def __post_init__(self) -> None:
        """Refuse bad values."""
        raise_if_wrong(self)

    def problems(self) -> list[str]:
        """Return one sentence per bad value."""
        found = []
        for name, kind in typing.get_type_hints(type(self)).items():
            value, choices = getattr(self, name), typing.get_args(kind)
            least, most = BOUNDS.get(name, (1, math.inf))
            if isinstance(value, int) and value < least:
                found.append(f"{name}: must be at least {least}, got {value}")
            if isinstance(value, int) and value > most:
                found.append(f"{name}: must be at most {most}, got {value}")
            if choices and value not in choices:
                found.append(f"{name}: must be one of {', '.join(choices)}, got {value!r}")
            elif value == "" and name != "model":
                found.append(f"{name}: must not be empty")
        return found

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> ServiceConfig:
        """Read every variable of `environment` that begins with `TRANSLATOR_`.

        Raises:
            ConfigError: listing every unknown variable and every bad value at once.
        """
        fields = {variable_name(f.name): f.name for f in dataclasses.fields(cls)}
        kinds = typing.get_type_hints(cls)
        problems: list[str] = []
        values: dict[str, Any] = {}
        for variable, text in environment.items():
            if variable in fields:
                name = fields[variable]
                try:
                    values[name] = int(text) if kinds[name] is int else text
                except ValueError:
                    problems.append(f"{variable}: must be a whole number, got {text!r}")
            elif variable.startswith(PREFIX):
                problems.append(_unknown(variable, list(fields)))
        try:
            config = cls(**values)
        except ConfigError as error:
            problems += [_by_variable(problem) for problem in error.problems]
        if problems:
            raise ConfigError(problems, "environment")
        return config


def variable_name(field_name: str) -> str:
    """Return the environment variable of a field: `char_limit` is `TRANSLATOR_CHAR_LIMIT`."""
    return PREFIX + field_name.upper()


def _unknown(variable: str, known: list[str]) -> str:
    """Return the problem of an unknown variable, naming the nearest known one."""
    by_name = {name.removeprefix(PREFIX): name for name in known}
    nearest = difflib.get_close_matches(variable.removeprefix(PREFIX), by_name, n=1)
    hint = f"did you mean {by_name[nearest[0]]}?" if nearest else f"known ones: {', '.join(known)}"
    return f"{variable}: unknown variable; {hint}"


def _by_variable(problem: str) -> str:
    """Rename the field that a problem begins with to its environment variable."""
    name, colon, rest = problem.partition(":")
    return variable_name(name) + colon + rest
