"""What is never written in a language is left out, but nothing that others are spelled with."""

from __future__ import annotations

import dataclasses
import lzma
import random
from pathlib import Path

import numpy as np
import pytest

from tests.toy import toy_pairs
from training.__main__ import main
from training.stages.outputs import LOST_SHARE, written
from translator.store.model_directory import LoadedModel, load_model_directory, save_model_directory
from translator.store.output_pieces import unpack
from translator.tokens.tokenizer import Tokenizer

PAIRS = toy_pairs(200, random.Random(0))


def spelling(tokenizer: Tokenizer) -> set[int]:
    """Return what is always produced."""
    ids = range(tokenizer.vocab_size)
    return {one for one in ids if not tokenizer.is_several_characters(one)}


def test_bytes_characters_and_control_symbols_always_are(tokenizer: Tokenizer) -> None:
    kept = spelling(tokenizer)
    assert {tokenizer.eos_id, tokenizer.tag_id("de"), *tokenizer.encode("\u4e16")[1:]} <= kept
    assert kept == set(written(np.zeros(tokenizer.vocab_size, np.int64), tokenizer))
    assert len(kept) < tokenizer.vocab_size


def test_the_rarest_pieces_are_left_out(tokenizer: Tokenizer) -> None:
    long = sorted(set(range(tokenizer.vocab_size)) - spelling(tokenizer))
    counts = np.zeros(tokenizer.vocab_size, np.int64)
    counts[long[:4]] = 1_000_000, 10, 20, 1000
    assert 30 < LOST_SHARE * counts.sum() < 1030
    assert set(written(counts, tokenizer)) - spelling(tokenizer) == {long[0], long[3]}


def test_the_command_changes_nothing_else(
    tmp_path: Path, loaded: LoadedModel, capsys: pytest.CaptureFixture[str]
) -> None:
    model = tmp_path / "model"
    weights = loaded.model.state_dict()
    save_model_directory(model, loaded.description, loaded.tokenizer, weights, {"name": "toy"})
    before = {path.name: path.read_bytes() for path in model.iterdir()}
    texts = []
    for side, language in enumerate(("de", "en")):
        texts.append(tmp_path / f"text.{language}.xz")
        texts[-1].write_bytes(lzma.compress("\n".join(pair[side] for pair in PAIRS).encode()))
    assert main(["output-pieces", str(model), *map(str, texts)]) == 0
    changed = {path.name for path in model.iterdir() if path.read_bytes() != before[path.name]}
    assert changed == {"config.json", "checksums.json"}
    description = load_model_directory(model).description
    assert dataclasses.replace(description, output_pieces={}) == loaded.description
    assert set(description.output_pieces) == {"de", "en"}
    printed = capsys.readouterr().out
    for side, (language, text) in enumerate(description.output_pieces.items()):
        occurring = {one for pair in PAIRS for one in loaded.tokenizer.encode(pair[side])}
        assert set(unpack(text)) == occurring | spelling(loaded.tokenizer)
        assert f"{language}: {len(unpack(text))} of {loaded.tokenizer.vocab_size}" in printed
    assert main(["output-pieces", str(model), str(tmp_path / "text.fr")]) == 1
    assert "its name must end in one of .de, .en" in capsys.readouterr().err
    assert main(["output-pieces", str(model)]) == 0
    assert {path.name: path.read_bytes() for path in model.iterdir()} == before
