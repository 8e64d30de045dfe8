"""The tables of a report that speak of the run as a whole."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from training.report.record import RunRecord
from training.report.run_log import RunLog
from training.report.sections import cleaning_section, scores_section, training_section
from training.report.sentences import ScoredSentence

LINE = {"kind": "train", "step": 20, "epoch": 1, "loss": 2.0, "train_seconds": 10.0}
DEV = {"kind": "dev", "step": 20, "epoch": 1, "bleu": 30.0, "train_seconds": 10.0}


def record(*lines: dict[str, object], **parts: Any) -> RunRecord:
    empty: dict[str, Any] = {"recipe": {}, "cleaning": {}, "scores": {}, "card": {}}
    log = RunLog.parse("".join(json.dumps(line) + "\n" for line in lines))
    return RunRecord(folder=Path("run"), recipe_text="", log=log, missing=(), **(empty | parts))


def test_without_content_there_is_no_section(tmp_path: Path) -> None:
    empty = record()
    assert scores_section(empty, {}) == cleaning_section(empty) == ""
    assert training_section(empty, tmp_path) == ""


def test_scores_have_signatures_and_length_ratios() -> None:
    scores = {"p": {"bleu": 31.5, "signatures": {"bleu": "v:2"}, "decoding": {"beam_size": 4}}}
    one = ScoredSentence(line=1, source="x", reference="1234", hypothesis="12", chrf=1.0)
    text = scores_section(record(scores=scores), {"p": [one]})
    assert "| test part | BLEU | length ratio |" in text
    assert "| p | 31.50 | 0.500 |" in text
    assert "- BLEU: `v:2`" in text
    assert "- decoding: `beam_size = 4`" in text
    assert "| p | 31.50 | – |" in scores_section(record(scores=scores), {})


def test_the_course_of_training_is_told_and_drawn(tmp_path: Path) -> None:
    card = {"training": {"target_tokens": 500, "device": "cpu"}, "commit": "abc"}
    text = training_section(record(LINE, DEV, card=card), tmp_path)
    for row in ("| steps | 20 |", "| epochs | 2 |", "| target tokens a second | 50 |"):
        assert row in text
    assert "| best dev BLEU | 30.000 at step 20 |" in text
    assert "| commit | abc |" in text
    assert {path.name for path in tmp_path.iterdir()} == {"loss.png", "dev-scores.png"}


def test_reasons_for_dropping_pairs_are_counted() -> None:
    cleaning = {"toy:train de-en": {"num_read": 1000, "dropped": {"empty side": 3, "copy": 4}}}
    text = cleaning_section(record(cleaning=cleaning))
    assert "| toy:train de-en | 1,000 | 7 | empty side: 3; copy: 4 |" in text
