"""`python -m translator` and `python -m training` as a person uses them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.alone import run_alone
from training import cli as training_main
from translator.cli import main as translator_main

PROGRAMS: dict[str, Callable[[list[str]], object]] = {
    "translator": translator_main.main,
    "training": training_main.main,
}


@pytest.mark.parametrize(
    ("command_line", "message"),
    [
        ("translator", "the following arguments are required: command"),
        ("translator translate --source de x", "unrecognized arguments: --source"),
        ("translator translate --in x", "unrecognized arguments: --in;"),
        ("translator attention x --out o.png", "the following arguments are required: --output"),
        (
            "translator attention x --output o.png --target y",
            "unrecognized arguments: --target y",
        ),
        ("translator attention --output o.png", "the following arguments are required: text"),
        (
            "translator convert model --out o --to ctranslate2",
            "one of the arguments --format --weights is required",
        ),
        (
            "translator convert model --format ctranslate2",
            "the following arguments are required: --out",
        ),
        (
            "translator convert model --out o --format onnx",
            "argument --format: invalid choice: 'onnx'",
        ),
        (
            "training evaluate model --input a --reference b --out c",
            "unrecognized arguments: --out c",
        ),
        (
            "training clean --src a.de b.en --out o",
            "the following arguments are required: --input",
        ),
    ],
)
def test_a_wrong_command_line_is_answered_in_one_line(
    capsys: pytest.CaptureFixture[str], command_line: str, message: str
) -> None:
    program, *arguments = command_line.split()
    with pytest.raises(SystemExit) as stopped:
        PROGRAMS[program](arguments)
    assert stopped.value.code == 2
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith(f"error: {message}")
    assert line.endswith(" --help")


def test_help_loads_no_model() -> None:
    code = "import sys; from translator.cli.main import main; main(['--help'])"
    check = "import atexit, sys; atexit.register(lambda: print('torch' in sys.modules)); "
    done = run_alone(check + code)
    assert done.stdout.endswith("False\n")
