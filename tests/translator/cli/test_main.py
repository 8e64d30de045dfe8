"""`python -m translator` as a person uses it."""

from __future__ import annotations

import pytest

from tests.alone import run_alone
from translator.cli.main import main


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("", "the following arguments are required: command"),
        ("translate --source de x", "unrecognized arguments: --source"),
        ("translate --in x", "unrecognized arguments: --in;"),
        ("attention x --out o.png", "the following arguments are required: --output"),
        ("attention x --output o.png --target y", "unrecognized arguments: --target y"),
        ("attention --output o.png", "the following arguments are required: text"),
        (
            "convert model --out o --to ctranslate2",
            "one of the arguments --format --weights is required",
        ),
        ("convert model --format ctranslate2", "the following arguments are required: --out"),
        ("convert model --out o --format onnx", "argument --format: invalid choice: 'onnx'"),
    ],
)
def test_a_wrong_command_line_is_answered_in_one_line(
    capsys: pytest.CaptureFixture[str], arguments: str, message: str
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments.split())
    assert stopped.value.code == 2
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith(f"error: {message}")
    assert line.endswith(" --help")


def test_help_loads_no_model() -> None:
    code = "import sys; from translator.cli.main import main; main(['--help'])"
    check = "import atexit, sys; atexit.register(lambda: print('torch' in sys.modules)); "
    done = run_alone(check + code)
    assert done.stdout.endswith("False\n")
