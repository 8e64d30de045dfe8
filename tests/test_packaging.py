"""What `pip install .` brings is whole: it translates and serves outside the repository."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests.checkout import ROOT, copy_checkout
from translator.pipeline.translator import DEFAULT_MODEL

REQUIREMENTS = sorted(ROOT.glob("requirements*.txt"))
DATA = re.compile(
    r"\.(toml|html|css|js|svg|ttf)$|/OFL\.txt$|/gunicorn\.conf\.py$|/strings/.*\.json$"
)


def required(path: Path) -> list[str]:
    """Return the names of the packages that one file pins."""
    lines = (line.partition("#")[0].strip() for line in path.read_text("utf-8").splitlines())
    pinned = [
        re.fullmatch(r"([\w.-]+)(?:\[\w+\])?==[\w.]+(; .+)?", line)
        for line in lines
        if line[:1] not in "-"
    ]
    assert all(pinned), f"{path.name}: every package needs a version, as in flask==3.1.3"
    return [found[1].lower() for found in pinned if found]


def test_each_version_is_pinned_in_one_place() -> None:
    names = [name for path in REQUIREMENTS for name in required(path)]
    assert len(REQUIREMENTS) == 5
    assert len(names) == len(set(names))


def test_no_other_file_names_a_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert {*project["dynamic"]} == {"dependencies", "optional-dependencies"}
    for name in ("Makefile", "Dockerfile", ".ci/run"):
        assert not re.search(r"==\d", (ROOT / name).read_text(encoding="utf-8")), name


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a wheel of a copy, and unpack it as pip does."""
    folder = tmp_path_factory.mktemp("wheel")
    source = copy_checkout(folder / "source")
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    command = [*pip, "--wheel-dir", str(folder), str(source)]
    subprocess.run(command, check=True, capture_output=True)
    [wheel] = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


@pytest.mark.slow
def test_a_wheel_has_all_code_and_all_that_goes_with_it(installed: Path) -> None:
    wanted = {
        path.relative_to(ROOT).as_posix()
        for package in ("translator", "service", "training")
        for path in (ROOT / package).rglob("*")
        if path.suffix == ".py" or DATA.search(path.as_posix())
    } | {path.relative_to(ROOT).as_posix() for path in DEFAULT_MODEL.iterdir()}
    found = {path.relative_to(installed).as_posix() for path in installed.rglob("*")}
    assert wanted - found == set()
    assert not any(name.startswith(("tests", "docs")) for name in found)


@pytest.mark.slow
def test_its_description_says_what_it_needs(installed: Path) -> None:
    [about] = installed.glob("*.dist-info")
    metadata = (about / "METADATA").read_text(encoding="utf-8")
    named = re.findall(r"(?m)^Requires-Dist: ([\w.-]+)", metadata)
    assert [name.lower() for name in named] == [
        name
        for path in (
            "requirements.txt",
            *(f"requirements-{extra}.txt" for extra in ("bulk", "pdf", "training")),
        )
        for name in required(ROOT / path)
    ]
    assert "\nRequires-Python: >=3.11\n" in metadata
    scripts = (about / "entry_points.txt").read_text(encoding="utf-8")
    commands = ["translator", "translator-serve", "translator-training"]
    assert sorted(re.findall(r"(?m)^([\w-]+) =", scripts)) == commands


@pytest.mark.slow
def test_it_translates_from_another_folder(installed: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "translator", "translate"]
    command += ["--precision", "float32", "--from", "de", "Guten Morgen."]  # int8 compiles first
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    assert "morning" in done.stdout
