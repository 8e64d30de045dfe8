"""`python -m service keys`."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import pytest

from service.access.commands import main, make_parser
from service.access.keys import KeyStore
from tests.checkout import ROOT
from tests.docs.pages import code_spans, read


@pytest.fixture(autouse=True)
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "keys"
    monkeypatch.setenv("TRANSLATOR_DATABASE", str(path))
    return path


def test_an_added_key_is_printed_once_and_listed_without_its_secret(
    database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--days", "3", "--rate", "60 per minute", "--characters", "9"]
    assert main(["add", "mastodon", *options]) == 0
    key = capsys.readouterr().out.strip()
    store = KeyStore(database)
    assert store.find(key) is not None
    store.close()
    assert main(["list"]) == 0
    listed = capsys.readouterr().out
    assert re.fullmatch(
        r"mastodon\t[0-9a-f]{8}\texpires 2\d{3}-\d\d-\d\d \d\d:\d\d UTC\t60 per minute, "
        r"9 characters a text\n",
        listed,
    )
    assert key.partition(".")[2] not in listed


def test_limits_are_changed_and_keys_removed(capsys: pytest.CaptureFixture[str]) -> None:
    main(["add", "a"])
    assert main(["limit", "a", "--rate", "none"]) == 0
    capsys.readouterr()
    main(["list"])
    assert capsys.readouterr().out.endswith("\tnever expires\tno rate limit\n")
    assert main(["remove", "a"]) == 0
    main(["list"])
    assert capsys.readouterr().out == ""


def test_an_error_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["remove", "nobody"]) == 1
    assert capsys.readouterr().err == (
        "error: there is no key named 'nobody'; `keys list` shows all\n"
    )


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (["--rate", "often"], "must be like '6 per minute' or .*, or 'none'; got 'often'"),
        (["--days", "0"], "must be a whole number of at least 1, got '0'"),
        (["--characters", "x"], "must be a whole number of at least 1, got 'x'"),
    ],
)
def test_wrong_options_say_what_is_right(
    option: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["add", "a", *option])
    assert re.search(message, capsys.readouterr().err)


def test_every_command_and_flag_is_described() -> None:
    [commands] = [a for a in make_parser()._actions if isinstance(a, argparse._SubParsersAction)]
    spans = " ".join(code_spans(read(ROOT / "docs" / "serving.md")))
    wanted = {f"keys {name}" for name in commands.choices}
    for parser in commands.choices.values():
        wanted |= {flag for a in parser._actions for flag in a.option_strings if flag[:2] == "--"}
    assert {name for name in wanted - {"--help"} if name not in spans} == set()
