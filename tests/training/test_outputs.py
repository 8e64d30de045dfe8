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
from training.data import Stream
from training.outputs import LOST_SHARE, learn, written
from training.store import TokenStore
from translator.checkpoint import LoadedModel, load_model_directory, save_model_directory
from translator.output_pieces import pack, unpack
from translator.tokenizer import Tokenizer

PAIRS = toy_pairs(200, random.Random(0))


def spelling(tokenizer: Tokenizer) -> set[int]:
    """Return what is always produced."""
    ids = range(tokenizer.vocab_size)
    return {one for one in ids if not tokenizer.is_several_characters(one)}


def stream(folder: Path, tokenizer: Tokenizer, target: str) -> Stream:
    sides = {"de": [pair[0] for pair in PAIRS], "en": [pair[1] for pair in PAIRS]}
    for language, lines in sides.items():
        TokenStore.write(folder / language, tokenizer.encode_lines(lines))
    source = "de" if target == "en" else "en"
    return Stream(
        source=TokenStore(folder / source),
        target=TokenStore(folder / target),
        tag_ids=(tokenizer.tag_id(target),),
    )


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


def test_each_language_has_its_own(tmp_path: Path, tokenizer: Tokenizer) -> None:
    streams = [stream(tmp_path, tokenizer, target) for target in ("de", "en")]
    found = {language: set(unpack(text)) for language, text in learn(tokenizer, streams).items()}
    for target, side in (("de", 0), ("en", 1)):
        occurring = {one for pair in PAIRS for one in tokenizer.encode(pair[side])}
        assert found[target] == occurring | spelling(tokenizer)
    assert found["de"] != found["en"]
    assert set(learn(tokenizer, streams[:1])) == {"de"}


def test_a_base_goes_on_producing_its_own(tmp_path: Path, tokenizer: Tokenizer) -> None:
    streams = [stream(tmp_path, tokenizer, target) for target in ("de", "en")]
    fresh = learn(tokenizer, streams)
    more = sorted(set(range(tokenizer.vocab_size)) - set(unpack(fresh["en"])))[:2]
    found = learn(tokenizer, streams, {"en": pack(more)})
    assert list(found) == ["en"], "a base that produced everything goes on to do so"
    assert set(unpack(found["en"])) == {*unpack(fresh["en"]), *more}


def test_the_command_changes_nothing_else(
    tmp_path: Path, loaded: LoadedModel, capsys: pytest.CaptureFixture[str]
) -> None:
    model = tmp_path / "model"
    weights = loaded.model.state_dict()
    save_model_directory(model, loaded.description, loaded.tokenizer, weights, {"name": "toy"})
    before = {path.name: path.read_bytes() for path in model.iterdir()}
    text = tmp_path / "text.en.xz"
    text.write_bytes(lzma.compress("\n".join(pair[1] for pair in PAIRS).encode()))
    assert main(["output-pieces", str(model), str(text)]) == 0
    changed = {path.name for path in model.iterdir() if path.read_bytes() != before[path.name]}
    assert changed == {"config.json", "checksums.json"}
    description = load_model_directory(model).description
    ids = unpack(description.output_pieces["en"])
    assert f"en: {len(ids)} of {loaded.tokenizer.vocab_size} pieces" in capsys.readouterr().out
    assert dataclasses.replace(description, output_pieces={}) == loaded.description
    assert main(["output-pieces", str(model), str(tmp_path / "text.fr")]) == 1
    assert "its name must end in one of .de, .en" in capsys.readouterr().err
