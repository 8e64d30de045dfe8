"""Without the packages of training, a command says in one line what to install."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from translator.errors import ConfigError
from translator.extras import BULK, EXTRAS, TRAINING, require_extras

ROOT = Path(__file__).parents[2]
HINT = (
    "not installed; in the project's folder, run `make .venv/installed-training`, "
    "or `pip install '.[training]'` without make"
)


def run_without(
    modules: list[str], package: str, *arguments: str
) -> subprocess.CompletedProcess[str]:
    """Run `python -m package` where some modules cannot be imported."""
    code = (
        "import runpy, sys\n"
        f"sys.modules.update(dict.fromkeys({modules!r}))\n"
        f"sys.argv[:] = [{package!r}, *{[*arguments]!r}]\n"
        f"runpy.run_module({package!r}, run_name='__main__')\n"
    )
    command = [sys.executable, "-c", code]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("extra", "modules"), [("training", TRAINING), ("bulk", BULK)])
def test_they_are_those_of_the_requirements(extra: str, modules: dict[str, str]) -> None:
    lines = (ROOT / f"requirements-{extra}.txt").read_text(encoding="utf-8").splitlines()
    required = {line.partition("==")[0] for line in lines if not line.startswith("#")}
    assert required == {*modules.values()}


def test_all_that_are_missing_are_named_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    require_extras()
    for name in ("matplotlib", "PIL"):
        monkeypatch.setitem(sys.modules, name, None)
    require_extras("tensorboard")
    message = f"training extras: matplotlib, pillow: {HINT}"
    with pytest.raises(ConfigError, match=f"^{re.escape(message)}$"):
        require_extras()


def test_training_says_so_before_it_begins() -> None:
    recipe = "training/recipes/multi30k-de-en.toml"
    done = run_without(["tensorboard", "matplotlib"], "training", "run", recipe)
    assert done.stderr == f"error: training extras: matplotlib, tensorboard: {HINT}\n"
    assert (done.returncode, done.stdout) == (1, "")


def test_scoring_does_without_them(tmp_path: Path) -> None:
    (tmp_path / "a.de").touch()
    files = "--input", str(tmp_path / "a.de"), "--reference", str(tmp_path / "a.en")
    done = run_without([*EXTRAS], "training", "evaluate", str(tmp_path), *files)
    assert done.stderr == f"error: {tmp_path / 'a.en'}: no such file\n"


def test_bulk_says_so_before_it_begins() -> None:
    flags = "--out", "nowhere", "--from", "de", "--to", "en"
    done = run_without(["ray", "pyarrow"], "translator", "bulk", "nowhere.csv", *flags)
    hint = HINT.replace("training", "bulk")
    assert done.stderr == f"error: bulk extras: ray[data], pyarrow: {hint}\n"


def test_pictures_say_so(tmp_path: Path) -> None:
    output = "--output", str(tmp_path / "a.png")
    done = run_without(["matplotlib"], "translator", "attention", "Hallo.", *output)
    assert done.stderr == f"error: training extras: matplotlib: {HINT}\n"
