"""A model that goes to CTranslate2 and comes back is the same model, or is refused."""

from __future__ import annotations

import builtins
import json
import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from tests.disk import small_disk
from tests.toy import toy_pairs
from tests.translator.store.imports.marian.published import published
from translator.cli.main import main
from translator.config import DecodingOptions
from translator.pipeline.translator import Translator
from translator.runtime.ctranslate2 import convert
from translator.store.imports.importing import import_model
from translator.store.model_directory import LoadedModel, load_model_directory, save_model_directory

CARD = {"name": "toy", "licence": "ours", "scores": {"toy.test.de-en": {"bleu": 39.3}}}
OPTIONS = DecodingOptions(
    beam_size=1, length_penalty="gnmt", alpha=0.7, search_again=False, max_length_offset=4
)


@pytest.fixture
def original(loaded: LoadedModel, tmp_path: Path) -> Path:
    """Return a model directory with a search of its own, whose weights say something."""
    torch.manual_seed(1)
    with torch.no_grad():
        for parameter in loaded.model.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.1)
    description = replace(loaded.description, decoding=OPTIONS)
    weights = loaded.model.state_dict()
    save_model_directory(tmp_path / "original", description, loaded.tokenizer, weights, CARD)
    return tmp_path / "original"


def texts_of(model: Path, lines: list[str]) -> list[str]:
    with Translator.load(model, precision="float32", threads=1) as translator:
        found = translator.translate(lines, source="de", target="en")
        return [answer.text for answer in found]


def test_a_model_comes_back_as_it_was(original: Path, tmp_path: Path) -> None:
    there, back = tmp_path / "there", tmp_path / "back"
    convert(load_model_directory(original), there)
    assert main(["import", str(there), "--out", str(back)]) == 0
    before, after = load_model_directory(original), load_model_directory(back)
    assert after.description == before.description
    assert after.tokenizer.files == before.tokenizer.files
    assert CARD.items() <= after.card.items()
    for name, tensor in before.model.state_dict().items():
        assert torch.equal(after.model.state_dict()[name], tensor), name
    assert (back / "weights.safetensors").stat().st_size == (
        original / "weights.safetensors"
    ).stat().st_size
    lines = [german for german, _ in toy_pairs(10, random.Random(5))]
    assert texts_of(back, lines) == texts_of(original, lines)


@pytest.mark.parametrize("quantization", ["int8", "float16"])
@pytest.mark.filterwarnings("ignore:overflow encountered in cast")  # the bias of forbidden ids
def test_rounded_weights_come_back_with_the_same_tags_and_search(
    original: Path, tmp_path: Path, quantization: str
) -> None:
    convert(load_model_directory(original), tmp_path / "there", quantization)
    import_model(str(tmp_path / "there"), tmp_path / "back")
    before, after = load_model_directory(original), load_model_directory(tmp_path / "back")
    assert after.description == before.description
    source = before.tokenizer.encode_source("Der Hund.", "en", "de")
    assert after.tokenizer.encode_source("Der Hund.", "en", "de") == source


def test_the_readme_says_how_the_model_is_fed(
    original: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    convert(load_model_directory(original), tmp_path / "there")
    readme = (tmp_path / "there" / "README.md").read_text()
    assert "| de-en | `<2en>` | `</s>` |  |" in readme
    assert "| en-de | `<2de>` | `</s>` |  |" in readme
    example = re.search(r"```python\n(.*?)```", readme, re.DOTALL)
    assert example is not None
    sentence = "Der Hund sieht die Katze."
    monkeypatch.chdir(tmp_path / "there")
    monkeypatch.setattr(builtins, "input", lambda: sentence)
    lengths = ", max_decoding_length=16, min_decoding_length=0)"
    exec(example[1].replace("beam_size=1)", f"beam_size=1{lengths}"), {})
    found = capsys.readouterr().out.strip()
    [expected] = texts_of(original, [sentence])
    assert found
    assert expected.casefold().startswith(found.casefold())


def test_a_model_of_another_project_comes_back_as_well(tmp_path: Path) -> None:
    published(tmp_path / "theirs", is_separate=True)
    import_model(str(tmp_path / "theirs"), tmp_path / "first")
    first = load_model_directory(tmp_path / "first")
    convert(first, tmp_path / "there")
    import_model(str(tmp_path / "there"), tmp_path / "back")
    back = load_model_directory(tmp_path / "back")
    assert back.tokenizer.files == first.tokenizer.files
    assert back.description.decoding == first.description.decoding
    ids = first.tokenizer.encode_source("bade kilo.", "en", "de")
    target = torch.tensor([[first.tokenizer.bos_id, 5, 9, 30]])
    allowed = [
        i for i in range(first.tokenizer.vocab_size) if i not in first.tokenizer.forbidden_ids
    ]
    one, other = (each.model(torch.tensor([ids]), target, None) for each in (first, back))
    torch.testing.assert_close(other[..., allowed], one[..., allowed], atol=1e-5, rtol=1e-5)


def test_what_earlier_versions_have_converted_is_refused(
    original: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    convert(load_model_directory(original), tmp_path / "there")
    (tmp_path / "there" / "translator.json").unlink()
    command = ["import", str(tmp_path / "there"), "--out", str(tmp_path / "back")]
    assert main([*command, "--from", "de", "--to", "en"]) == 1
    told = capsys.readouterr().err
    assert "reads a tag such as <2en> before each text, and does not say so: it lacks trans" in told
    assert not (tmp_path / "back").exists()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"num_heads": 2}, r"says num_heads = 2, and model\.bin has 4; they do not belong"),
        ({"vocab_size": 7}, r"has 330 pieces but config\.json says vocab_size = 7"),
        (None, r"translator\.json: "),
    ],
)
def test_notes_that_do_not_fit_are_refused(
    original: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    change: dict[str, int] | None,
    message: str,
) -> None:
    convert(load_model_directory(original), tmp_path / "there")
    path = tmp_path / "there" / "translator.json"
    told = json.loads(path.read_text())
    told["description"]["model"] |= change or {}
    path.write_text(json.dumps(told) if change else "{}")
    assert main(["import", str(tmp_path / "there"), "--out", str(tmp_path / "back")]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert re.search(message, lines[0])
    assert not (tmp_path / "back").exists()


@pytest.mark.parametrize(
    "flags", [["--format", "ctranslate2"], ["--format", "argos"], ["--weights", "int8"]]
)
def test_a_full_disk_is_one_line_and_leaves_nothing(
    original: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], flags: list[str]
) -> None:
    with small_disk(30_000):
        assert main(["convert", str(original), "--out", str(tmp_path / "out"), *flags]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert re.search(r"out.*MB are free\); free some space, and run the same command", lines[0])
    assert [path.name for path in tmp_path.iterdir()] == ["original"]
