"""The service's settings, read from environment variables.

Every field of `ServiceConfig` is one variable: `char_limit` is `TRANSLATOR_CHAR_LIMIT`. A variable
that begins with the prefix but is not known is an error, and all problems are reported at once.
"""

from __future__ import annotations

import dataclasses
import difflib
import math
import os
import re
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from limits import parse_many

from translator import models_folder, raise_if_wrong
from translator.config import HOME, MAX_BEAM_SIZE, REGISTRY, Precision
from translator.errors import ConfigError

PREFIX = "TRANSLATOR_"
BOUNDS = {
    "port": (1, 65535),
    "threads": (1, 256),
    "workers": (1, 256),
    "alternatives_limit": (0, MAX_BEAM_SIZE - 1),
    "timeout_s": (0, math.inf),
    "ban_after": (0, math.inf),
    "trusted_proxies": (0, math.inf),
    "suggestions_limit": (0, math.inf),
    "glossaries_limit": (0, math.inf),
    "cache_bytes": (0, math.inf),
    "model_memory": (0, math.inf),
}
"""Lowest and highest values; other numbers are at least 1."""

OF_LIBRETRANSLATE = {
    "HOST": "host",
    "PORT": "port",
    "CHAR_LIMIT": "char_limit",
    "BATCH_LIMIT": "batch_limit",
    "ALTERNATIVES_LIMIT": "alternatives_limit",
    "REQ_LIMIT": "rate_limit",
    "HOURLY_REQ_LIMIT": "rate_limit",
    "DAILY_REQ_LIMIT": "rate_limit",
    "REQ_LIMIT_STORAGE": "rate_limit_storage",
    "SHARED_STORAGE": "rate_limit_storage",
    "REQ_FLOOD_THRESHOLD": "ban_after",
    "THREADS": "threads",
    "API_KEYS": "api_keys",
    "REQUIRE_API_KEY_ORIGIN": "api_keys",
    "REQUIRE_API_KEY_SECRET": "api_keys",
    "REQUIRE_API_KEY_FINGERPRINT": "api_keys",
    "UNDER_ATTACK": "api_keys",
    "API_KEYS_DB_PATH": "database",
    "API_KEYS_REMOTE": "keys_storage",
    "GET_API_KEY_LINK": "api_keys_url",
    "SUGGESTIONS": "suggestions_limit",
    "DISABLE_FILES_TRANSLATION": "files",
    "METRICS": "metrics",
    "METRICS_AUTH_TOKEN": "metrics_token",
    "TRANSLATION_CACHE": "cache_bytes",
    "FORCE_UPDATE_MODELS": "update_models",
    "URL_PREFIX": "url_prefix",
}
"""Variables of LibreTranslate's without `LT_`, and the field that does the same."""

LT = "LT_"
LT_LANGUAGES, LT_UPDATE = "LT_LOAD_ONLY", "LT_UPDATE_MODELS"
"""Those that are read."""

FROM_FILE = "_FILE"
"""What is added to the name of a variable whose value is in a file."""

OF_THE_LIBRARY = {HOME, REGISTRY}
"""Variables that the library reads."""

NOT_FROM_FILE = {*OF_THE_LIBRARY, "TRANSLATOR_THREADS", "TRANSLATOR_LOG_FORMAT"}
"""Variables that are read before the files are."""

IN_DATABASE = "database"
SECRETS = {"metrics_token"}
"""What must not be empty if it is set: it would be open to all."""

ADDRESSES = ("https://", "http://", "mailto:")
OF_REDIS = ("redis://", "rediss://", "unix://")

MAY_BE_EMPTY = {
    *("model", "models", "languages", "pivot", "url_prefix"),
    *("api_keys_url", "database", "rate_limit", "metrics_token", "run_folder", "trusted_hosts"),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class ServiceConfig:
    """Settings of the service; docs/reference.md describes each, and a test compares."""

    model: str = ""
    models: str = ""
    languages: str = ""
    update_models: Literal["off", "on"] = "off"
    downloads: Literal["off", "on"] = "off"
    model_memory: int = 0
    pivot: str = "en"
    device: str = "cpu"
    precision: Precision = "auto"
    threads: int = 1
    workers: int = 1
    host: str = "127.0.0.1"
    port: int = 5000
    url_prefix: str = ""
    char_limit: int = 50_000
    batch_limit: int = 1000
    alternatives_limit: int = 3
    glossary_limit: int = 1000
    max_body_bytes: int = 2 * 1024 * 1024
    max_form_bytes: int = 1024 * 1024
    concurrency_limit: int = 48
    timeout_s: int = 300
    graceful_timeout_s: int = 30
    # who may ask, and how often
    api_keys: Literal["off", "optional", "required"] = "off"
    keys_storage: str = IN_DATABASE
    api_keys_url: str = ""
    database: str = ""
    rate_limit: str = ""
    rate_limit_storage: str = "memory://"
    ban_after: int = 0
    ban_s: int = 1800
    trusted_proxies: int = 0
    trusted_hosts: str = ""
    # what is seen of it
    metrics: Literal["off", "on"] = "off"
    metrics_token: str = ""
    log_format: Literal["plain", "json"] = "plain"
    access_log: Literal["off", "on"] = "on"
    # what is kept
    run_folder: str = ""
    cache_bytes: int = 0
    files: Literal["off", "on"] = "on"
    files_limit: int = 100
    files_bytes: int = 64 * 1024 * 1024
    files_keep_s: int = 1800
    suggestions_limit: int = 0
    # what else it speaks
    deepl: Literal["off", "on"] = "on"
    extensions: Literal["off", "on"] = "on"
    glossaries_limit: int = 100

    def __post_init__(self) -> None:
        raise_if_wrong(self)

    def problems(self) -> list[str]:
        """Return one sentence per bad value."""
        problems = []
        for name, kind in typing.get_type_hints(type(self)).items():
            value, choices = getattr(self, name), typing.get_args(kind)
            least, most = BOUNDS.get(name, (1, math.inf))
            if isinstance(value, int) and value < least:
                problems.append(f"{name}: must be at least {least}, got {value}")
            if isinstance(value, int) and value > most:
                problems.append(f"{name}: must be at most {most}, got {value}")
            if choices and value not in choices:
                problems.append(f"{name}: must be one of {', '.join(choices)}, got {value!r}")
            elif value == "" and name not in MAY_BE_EMPTY:
                problems.append(f"{name}: must not be empty")
        if self.model and self.models:
            problems.append("models: there is a model as well; set one of them only")
        if self.model_memory > 0 and not self.has_many_models:
            problems.append(
                "model_memory: there is one model only; set models or languages as well"
            )
        if self.pivot not in ("", "en") and not self.has_many_models:
            problems.append("pivot: there is one model only; set models or languages as well")
        if self.api_keys_url and not self.api_keys_url.startswith(ADDRESSES):
            problems.append(f"api_keys_url: must begin with one of {', '.join(ADDRESSES)}")
        if not re.fullmatch(r"(/[\w.~-]+)*", self.url_prefix, re.ASCII):
            problems.append(f"url_prefix: must be like /translate-api, got {self.url_prefix!r}")
        for host in self.trusted_names:
            if not re.fullmatch(r"\.?\w[\w.-]*|\[[\da-f:.]+\]", host, re.ASCII):
                problems.append(f"trusted_hosts: must be like a.org or .a.org, got {host!r}")
        if not re.fullmatch(r"[!-~]*", self.metrics_token):
            problems.append("metrics_token: must be ASCII without spaces")
        if self.rate_limit and not is_rate_limit(self.rate_limit):
            problems.append(f"rate_limit: {NO_RATE_LIMIT}, got {self.rate_limit!r}")
        is_redis = self.keys_storage.startswith(OF_REDIS)
        if not is_redis and self.keys_storage not in ("", IN_DATABASE):
            problems.append(f"keys_storage: {NO_KEYS_STORAGE}, got {self.keys_storage!r}")
        return problems

    @property
    def model_paths(self) -> tuple[str, ...]:
        """The paths of `models`."""
        return tuple(path for path in self.models.split(os.pathsep) if path)

    @property
    def language_codes(self) -> tuple[str, ...]:
        """The codes of `languages`."""
        return tuple(dict.fromkeys(self.languages.replace(",", " ").split()))

    @property
    def trusted_names(self) -> tuple[str, ...]:
        """The names of `trusted_hosts`, in small letters."""
        return tuple(self.trusted_hosts.lower().replace(",", " ").split())

    @property
    def fetches(self) -> bool:
        """Whether models may be downloaded."""
        return bool(self.languages) or "on" in (self.update_models, self.downloads)

    @property
    def has_many_models(self) -> bool:
        """Whether there is a list of models, which may change, in the place of a named one."""
        return bool(self.models) or self.fetches or not self.model

    @property
    def has_shipped_alone(self) -> bool:
        """Whether nobody has named a model, and none has been downloaded."""
        return not (self.model or self.models or any(models_folder().glob("[!.]*")))

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
        given = {**_of_libretranslate(environment), **environment}
        for variable, text in _with_files(given, fields, problems).items():
            if variable in fields:
                name = fields[variable]
                try:
                    values[name] = int(text) if kinds[name] is int else text
                except ValueError:
                    problems.append(f"{variable}: must be a whole number, got {text!r}")
                if name in SECRETS and not text:
                    problems.append(f"{variable}: must not be empty; leave it out for none")
            elif variable.startswith(PREFIX) and variable not in OF_THE_LIBRARY:
                problems.append(_unknown(variable, list(fields), problems))
        try:
            config = cls(**values)
        except ConfigError as error:
            problems += [_by_variable(problem) for problem in error.problems]
        if problems:
            raise ConfigError(problems, "environment")
        return config


def _with_files(
    environment: Mapping[str, str], fields: Mapping[str, str], problems: list[str]
) -> dict[str, str]:
    """Return the variables, with the first line of a file in the place of its name."""
    variables = dict(environment)
    for variable, path in environment.items():
        meant = variable.removesuffix(FROM_FILE)
        if variable == meant or meant not in {*fields, *NOT_FROM_FILE}:
            continue
        del variables[variable]
        if meant in NOT_FROM_FILE:
            problems.append(f"{variable}: {meant} cannot be read from a file; set it itself")
            continue
        if meant in environment:
            problems.append(f"{variable}: {meant} is set as well; set one of them only")
            continue
        try:
            variables[meant] = Path(path).read_text("utf-8").strip()
        except (OSError, ValueError) as error:
            problems.append(f"{variable}: {path}: {getattr(error, 'strerror', 'is no text')}")
    return variables


def unread_of_libretranslate(environment: Mapping[str, str]) -> str:
    """Return what to set in the place of variables of LibreTranslate's that nobody reads here."""
    unread = sorted(
        name
        for name in environment
        if name.startswith(LT) and name not in (LT_LANGUAGES, LT_UPDATE)
    )
    meant = [(name, OF_LIBRETRANSLATE.get(name.removeprefix(LT))) for name in unread]
    ours = [f"{name} (here {variable_name(field)})" if field else name for name, field in meant]
    more = "docs/coming-from-libretranslate.md has more"
    return f"not read: {', '.join(ours)}; {more}" if ours else ""


def _of_libretranslate(environment: Mapping[str, str]) -> dict[str, str]:
    """Return variables of LibreTranslate's that say which models are wanted, by our names."""
    variables = {}
    if codes := environment.get(LT_LANGUAGES):
        variables[variable_name("languages")] = codes
    if update := environment.get(LT_UPDATE):
        is_on = update.strip().lower() in ("1", "true", "yes", "on")
        variables[variable_name("update_models")] = "on" if is_on else "off"
    return variables


NO_KEYS_STORAGE = "must be 'database' or the URL of a Redis, such as redis://localhost:6379"
NO_RATE_LIMIT = "must be like '6 per minute' or '6 per minute;500 per day'"


def is_rate_limit(text: str) -> bool:
    """Return whether a text says how many requests are allowed in a time."""
    try:
        limits = parse_many(text)
        return bool(limits) and all(limit.amount > 0 for limit in limits)
    except ValueError:
        return False


def variable_name(field_name: str) -> str:
    """Return the environment variable of a field: `char_limit` is `TRANSLATOR_CHAR_LIMIT`."""
    return PREFIX + field_name.upper()


def wrong_setting(field_name: str, problem: str) -> ConfigError:
    """Return the error of a setting that turns out to be wrong when it is used, by its variable."""
    return ConfigError([f"{variable_name(field_name)}: {problem}"], "environment")


def _unknown(variable: str, names: list[str], problems: list[str]) -> str:
    """Return the problem of an unknown variable, naming the nearest known one, or once all."""
    by_name = {name.removeprefix(PREFIX): name for name in names}
    nearest = difflib.get_close_matches(variable.removeprefix(PREFIX), by_name, n=1)
    every = f"known ones: {', '.join(names)}"
    if nearest:
        return f"{variable}: unknown variable; did you mean {by_name[nearest[0]]}?"
    is_listed = any(problem.endswith(every) for problem in problems)
    return f"{variable}: unknown variable" + ("" if is_listed else f"; {every}")


def _by_variable(problem: str) -> str:
    name, colon, rest = problem.partition(":")
    return variable_name(name) + colon + rest
