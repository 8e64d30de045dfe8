"""Without the packages of training, a command says in one line what to install."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from tests.alone import run_alone
from tests.checkout import ROOT
from translator.errors import ConfigError
from translator.extras import BULK, EXTRAS, TRAINING, require_extras

HINT = (
    "not installed; in the project's folder, run `make .venv/installed-training`, "
    "or `pip install '.[training]'` without make"
)


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


def test_commands_say_so_before_they_begin_and_scoring_does_without_them(tmp_path: Path) -> None:
    (tmp_path / "a.de").touch()
    reference, picture = str(tmp_path / "a.en"), str(tmp_path / "a.png")
    evaluate = str(tmp_path), "--input", str(tmp_path / "a.de"), "--reference", reference
    bulk = "nowhere.csv", "--out", "nowhere", "--from", "de", "--to", "en"
    told = {
        ("training", "run", "training/recipes/multi30k-de-en.toml"): (
            f"training extras: matplotlib, pillow, tensorboard: {HINT}"
        ),
        ("training", "evaluate", *evaluate): f"{reference}: no such file",
        ("translator", "bulk", *bulk): (
            f"bulk extras: ray[data], pyarrow: {HINT.replace('training', 'bulk')}"
        ),
        ("translator", "attention", "Hallo.", "--output", picture): (
            f"training extras: matplotlib: {HINT}"
        ),
    }
    code = (
        "import runpy, sys\n"
        f"sys.modules.update(dict.fromkeys({[*EXTRAS]!r}))\n"
        f"for sys.argv[:] in {[*told]!r}:\n"
        "    try: runpy.run_module(sys.argv[0], run_name='__main__')\n"
        "    except SystemExit as ended: assert ended.code == 1\n"
    )
    done = run_alone(code)
    assert done.stderr.splitlines() == [f"error: {message}" for message in told.values()]
    assert done.stdout == ""
