"""Every sitting of a run leaves a line with all that it depended on."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from tests.toyrun import toy_run

SHORT = ("training.max_steps=2", "training.checkpoint_every=2", "training.dev_sentences=1")


def test_each_sitting_is_recorded(tmp_path: Path) -> None:
    for steps in (2, 3):
        run = toy_run(tmp_path, *SHORT, f"training.max_steps={steps}")
        for stage in ("prepare", "subwords", "train"):
            run.run(only=stage)
    lines = (tmp_path / "run" / "sittings.jsonl").read_text().splitlines()
    first, second = map(json.loads, lines)
    assert (first["recipe"]["training"]["max_steps"], first["recipe"]["seed"]) == (2, 1)
    assert second["recipe"]["training"]["max_steps"] == 3
    assert first["data_sha256"] == second["data_sha256"]
    tokenizer = (tmp_path / "run" / "data" / "tokenizer.model").read_bytes()
    assert first["data_sha256"]["tokenizer.model"] == hashlib.sha256(tokenizer).hexdigest()
    assert "train/toy.train.de-en.de.ids" in first["data_sha256"]
    assert {"python", "torch", "sentencepiece", "sacrebleu", "numpy"} == first["versions"].keys()
    assert (first["device"], first["processes"]) == ("cpu", 1)
