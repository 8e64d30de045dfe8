from __future__ import annotations

import dataclasses
import typing
from pathlib import Path

import pytest

from service.config import PREFIX, ServiceConfig, unread_of_libretranslate, variable_name
from translator.errors import ConfigError


def test_no_variables_give_the_defaults_which_take_five_thousand_words() -> None:
    config = ServiceConfig.from_environment({"PATH": "/bin"})
    assert config == ServiceConfig()
    assert config.char_limit >= 40_000
    assert config.max_form_bytes >= 12 * config.char_limit  # an emoji is 12 bytes of %F0%9F…
    assert config.max_body_bytes >= config.max_form_bytes


def test_every_field_is_a_variable() -> None:
    choices = {
        "model": "",  # there are models
        "engine": "ctranslate2",
        "precision": "int8",
        "url_prefix": "/x",
        "api_keys": "required",
        "api_keys_url": "https://x.example/keys",
        "keys_storage": "redis://x",
        "rate_limit": "6 per minute",
        "metrics": "on",
        "update_models": "on",
        "downloads": "on",
        "log_format": "json",
        "access_log": "off",
        "files": "off",
        "deepl": "off",
        "extensions": "off",
    }
    wanted: dict[str, str | int] = {
        name: choices.get(name, f"x-{name}" if kind is str else 10 + i)
        for i, (name, kind) in enumerate(typing.get_type_hints(ServiceConfig).items())
    }
    environment = {variable_name(name): str(value) for name, value in wanted.items()}
    assert all(variable.startswith(PREFIX) for variable in environment)
    assert dataclasses.asdict(ServiceConfig.from_environment(environment)) == wanted


def test_all_problems_are_reported_at_once() -> None:
    with pytest.raises(ConfigError) as caught:
        ServiceConfig.from_environment(
            {
                "TRANSLATOR_CHAR_LIMT": "5",
                "TRANSLATOR_Q": "5",
                "TRANSLATOR_PORT": "http",
                "TRANSLATOR_BATCH_LIMIT": "0",
                "TRANSLATOR_ALTERNATIVES_LIMIT": "-1",
                "TRANSLATOR_HOST": "",
                "TRANSLATOR_PRECISION": "int3",
            }
        )
    problems = caught.value.problems
    assert problems[0] == (
        "TRANSLATOR_CHAR_LIMT: unknown variable; did you mean TRANSLATOR_CHAR_LIMIT?"
    )
    assert problems[1].startswith("TRANSLATOR_Q: unknown variable; ")
    assert problems[2] == "TRANSLATOR_PORT: must be a whole number, got 'http'"
    assert set(problems[3:]) == {
        "TRANSLATOR_PRECISION: must be one of auto, float32, int8, got 'int3'",
        "TRANSLATOR_HOST: must not be empty",
        "TRANSLATOR_BATCH_LIMIT: must be at least 1, got 0",
        "TRANSLATOR_ALTERNATIVES_LIMIT: must be at least 0, got -1",
    }
    assert str(caught.value).startswith("environment: ")


@pytest.mark.parametrize(
    ("name", "most"),
    [("PORT", 65535), ("ALTERNATIVES_LIMIT", 63), ("THREADS", 256), ("WORKERS", 256)],
)
def test_some_settings_have_an_upper_bound(name: str, most: int) -> None:
    variable = PREFIX + name
    ServiceConfig.from_environment({variable: str(most)})
    with pytest.raises(ConfigError, match=f"{variable}: must be at most {most}, got {most + 1}"):
        ServiceConfig.from_environment({variable: str(most + 1)})


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("METRICS_TOKEN", "", "must not be empty; leave it out for none"),
        ("METRICS_TOKEN", "größe", "must be ASCII without spaces"),
        ("METRICS_TOKEN", "a b", "must be ASCII without spaces"),
        ("RATE_LIMIT", "often", "must be like '6 per minute' or .*'often'"),
        ("RATE_LIMIT", "0 per minute", "must be like '6 per minute' or .*'0 per minute'"),
        ("RATE_LIMIT", "6 per minute;0 per day", "must be like '6 per minute' or "),
        ("API_KEYS_URL", "javascript:alert(1)", "must begin with one of https://, http://, mailto"),
        ("URL_PREFIX", "translate-api/", "must be like /translate-api, got 'translate-api/'"),
        ("URL_PREFIX", "//evil.example", "must be like /translate-api"),
        (
            "TRUSTED_HOSTS",
            "a.org, localhost:80",
            "must be like a.org or .a.org, got 'localhost:80'",
        ),
        ("TRUSTED_HOSTS", "https://a.org", "must be like a.org or .a.org, got 'https://a.org'"),
        ("TRUSTED_HOSTS", "*.a.org", r"must be like a.org or .a.org, got '\*.a.org'"),
        ("MODEL_MEMORY", "1000", "there is one model only; set models or languages as well"),
        ("PIVOT", "fr", "there is one model only; set models or languages as well"),
    ],
)
def test_what_would_do_harm_or_nothing_is_refused(
    name: str, value: str, problem: str, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match=f"^environment: TRANSLATOR_{name}: {problem}"):
        ServiceConfig.from_environment({PREFIX + name: value, "TRANSLATOR_MODEL": "/model"})


def test_the_list_of_names_comes_once() -> None:
    with pytest.raises(ConfigError) as caught:
        ServiceConfig.from_environment({"TRANSLATOR_XYZZY": "1", "TRANSLATOR_QQQQ": "1"})
    assert str(caught.value).count("known ones: TRANSLATOR_MODEL, TRANSLATOR_MODELS, ") == 1
    assert caught.value.problems[1] == "TRANSLATOR_QQQQ: unknown variable"


def test_a_value_can_be_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("secret\n")
    read = ServiceConfig.from_environment
    variable = "TRANSLATOR_METRICS_TOKEN_FILE"
    assert read({variable: str(tmp_path / "token")}).metrics_token == "secret"
    for environment, problem in (
        ({variable: "/nowhere"}, f"{variable}: /nowhere: No such file or directory"),
        ({variable: "/x", "TRANSLATOR_METRICS_TOKEN": "a"}, "METRICS_TOKEN is set as well; set"),
        ({"TRANSLATOR_XYZZY_FILE": "/x"}, "TRANSLATOR_XYZZY_FILE: unknown variable"),
        ({"TRANSLATOR_HOME_FILE": "/x"}, "TRANSLATOR_HOME cannot be read from a file; set it"),
        ({"TRANSLATOR_THREADS_FILE": "/x"}, "TRANSLATOR_THREADS cannot be read from a file"),
    ):
        with pytest.raises(ConfigError, match=problem):
            read(environment)


def test_what_is_left_of_libretranslate_is_told_with_our_names() -> None:
    read = {"LT_LOAD_ONLY": "de", "LT_UPDATE_MODELS": "true", "LANG": "C"}
    assert unread_of_libretranslate(read) == ""
    left = {**read, "LT_REQ_LIMIT": "6", "LT_API_KEYS": "true", "LT_SSL": "1"}
    assert unread_of_libretranslate(left) == (
        "not read: LT_API_KEYS (here TRANSLATOR_API_KEYS), LT_REQ_LIMIT (here "
        "TRANSLATOR_RATE_LIMIT), LT_SSL; docs/coming-from-libretranslate.md has more"
    )


def test_models_are_paths_in_order_and_take_the_place_of_a_model() -> None:
    config = ServiceConfig.from_environment(
        {"TRANSLATOR_MODELS": "/a:/b/c:", "TRANSLATOR_PIVOT": ""}
    )
    assert config.model_paths == ("/a", "/b/c")
    assert (config.pivot, config.model_memory) == ("", 0)
    assert ServiceConfig().model_paths == ()
    both = {"TRANSLATOR_MODELS": "/a", "TRANSLATOR_MODEL": "/b", "TRANSLATOR_MODEL_MEMORY": "-1"}
    with pytest.raises(ConfigError) as caught:
        ServiceConfig.from_environment(both)
    assert caught.value.problems == (
        "TRANSLATOR_MODEL_MEMORY: must be at least 0, got -1",
        "TRANSLATOR_MODELS: there is a model as well; set one of them only",
    )


def test_keys_are_in_the_database_or_in_a_redis() -> None:
    assert ServiceConfig().keys_storage == "database"
    assert ServiceConfig(keys_storage="rediss://x:6379/1").keys_storage == "rediss://x:6379/1"
    with pytest.raises(ConfigError, match=r"keys_storage: must be 'database' or .*, got 'file'"):
        ServiceConfig(keys_storage="file")


def test_languages_are_named_as_libretranslate_does() -> None:
    read = ServiceConfig.from_environment
    config = read({"LT_LOAD_ONLY": "en,fr, pt", "LT_UPDATE_MODELS": "true"})
    assert config.language_codes == ("en", "fr", "pt")
    assert config.update_models == "on"
    assert config.fetches
    config = read({"LT_LOAD_ONLY": "en", "TRANSLATOR_LANGUAGES": "de fr de"})
    assert config.language_codes == ("de", "fr"), "ours goes before theirs"
    assert not read({"LT_UPDATE_MODELS": "false", "TRANSLATOR_HOME": "/x"}).fetches
