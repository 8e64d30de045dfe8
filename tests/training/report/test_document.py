"""A report is written of every run, and says what is there and what is not."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.toyrun import run_until, toy_run
from training.report import document
from training.report.document import (
    ReportError,
    add_command,
    cleaning_section,
    duration,
    escaped,
    fenced,
    number,
    scores_section,
    table,
    write_report,
)
from training.report.record import RunLog, RunRecord, ScoredSentence
from translator.commands import CommandParser

SHORT = ("training.max_steps=20", "training.checkpoint_every=10", "training.dev_sentences=3")
PART = "toy.test.de-en"


def pictures(text: str) -> list[str]:
    return re.findall(r"!\[.*?\]\(<?(.*?)>?\)", text)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a short but whole run, with the sources and references of its test."""
    root = tmp_path_factory.mktemp("toy")
    run = toy_run(root, *SHORT)
    run_until(run, "export")
    for direction in ("de-en", "en-de"):
        for side, language in zip(("src", "ref"), direction.split("-"), strict=True):
            copy = run.folder / "scores" / f"toy.test.{direction}.{side}.txt"
            shutil.copy(root / "raw" / f"test.{language}", copy)
    return run.folder


@pytest.fixture
def without_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw nothing: a picture takes longer than all else here."""
    for name in ("plot_loss", "plot_dev_scores", "plot_optimization", "plot_sentences"):
        monkeypatch.setattr(document, name, lambda *_: None)


@pytest.fixture
def folder(finished: Path, tmp_path: Path) -> Path:
    """Return a copy of that run which a test may spoil."""
    copy = tmp_path / "run"
    shutil.copytree(finished, copy, ignore=shutil.ignore_patterns("step-*", "tensorboard"))
    return copy


def test_a_whole_run_is_told(folder: Path) -> None:
    path = write_report(folder)
    assert path == folder / "report" / "report.md"
    text = path.read_text()
    assert text.startswith("# toy\n")
    assert "Missing" not in text
    scores = json.loads((folder / "scores" / "scores.json").read_text())
    assert f"{PART}: {scores[PART]['bleu']:.2f} BLEU" in text
    assert f"`{scores[PART]['signatures']['chrf']}`" in text
    assert "decoding: `beam_size = 2," in text
    assert "| steps | 20 |" in text
    card = json.loads((folder / "model" / "card.json").read_text())
    assert f"| target tokens | {card['training']['target_tokens']:,} |" in text
    assert "| best dev BLEU |" in text
    assert re.search(r"\| toy:train de-en \| [\d,]+ \| \d+ \| .* \|", text)
    assert (folder / "recipe.toml").read_text().strip() in text
    assert pictures(text) == [
        *("loss.png", "dev-scores.png", "optimization.png"),
        *(f"sentences-toy.test.{direction}.png" for direction in ("de-en", "en-de")),
    ]
    assert all((path.parent / name).stat().st_size > 1000 for name in pictures(text))


@pytest.mark.usefixtures("without_pictures")
def test_sentences_are_quoted_with_source_reference_and_translation(folder: Path) -> None:
    sources, references = (
        (folder / "scores" / f"{PART}.{side}.txt").read_text().split("\n")[:-1]
        for side in ("src", "ref")
    )
    hypotheses = [*references[:4], "", references[5] * 20, *references[6:]]
    (folder / "scores" / f"{PART}.txt").write_text("".join(f"{text}\n" for text in hypotheses))
    text = write_report(folder).read_text()
    worst = text.split(r"### Worst by chrF: toy.test.de-en")[1].split("###")[0]
    assert "**line 5**: chrF 0.0, length ratio 0.00" in worst
    assert f"- source: {sources[4]}\n" in worst
    assert f"- reference: {references[4]}\n- translation: *(empty)*" in worst
    lengthened = text.split(r"### Most lengthened: toy.test.de-en")[1].split("###")[0]
    assert "**line 6**" in lengthened.split("\n\n")[1]
    assert f"*(and {20 * len(references[5]) - 600} characters more)*" in lengthened
    assert (
        "20 sentences. Of their translations 18 equal the reference, 0 equal the source, and 1 "
        in text
    )


@pytest.mark.usefixtures("without_pictures")
def test_half_a_run_says_what_is_missing(folder: Path) -> None:
    for name in ("scores", "model", "report"):
        shutil.rmtree(folder / name, ignore_errors=True)
    (folder / ".train.done").unlink()
    log = folder / "checkpoints" / "log.jsonl"
    log.write_text(log.read_text()[:-9])
    text = write_report(folder).read_text()
    for missing in (
        r"- test scores \(scores/scores.json: not written yet\)",
        r"- the card of the exported model \(model/card.json: not written yet\)",
        "- log.jsonl has damaged lines, left out here: 1",
        "- training is not finished: what follows is how it stands",
    ):
        assert re.search(missing, text)
    assert "## Test scores" not in text
    assert re.search(r"\| target tokens \| about [\d,]{3,} \|", text)
    assert pictures(text) == ["loss.png", "dev-scores.png", "optimization.png"]


@pytest.mark.usefixtures("without_pictures")
def test_sentences_without_their_sources_are_missing(folder: Path) -> None:
    (folder / "scores" / f"{PART}.src.txt").unlink()
    text = write_report(folder).read_text()
    assert "- sentences of toy.test.de-en (toy.test.de-en.src.txt: No such file" in text
    assert "sentences-toy.test.en-de.png" in text
    assert "sentences-toy.test.de-en.png" not in text


@pytest.mark.usefixtures("without_pictures")
@pytest.mark.parametrize(
    ("content", "is_told"),
    [("", True), ("{", True), ("[1]", True), ('{"a": 1}', False), ('{"a": {"b": null}}', False)],
)
def test_damaged_results_do_not_stop_the_report(folder: Path, content: str, is_told: bool) -> None:
    for path in (folder / "scores").glob("*.txt"):
        path.unlink()
    for name in ("scores/scores.json", "data/report.json", "model/card.json"):
        (folder / name).write_text(content)
    (folder / "recipe.toml").write_text("name = ")
    text = write_report(folder).read_text()
    assert "- recipe.toml is damaged: " in text
    assert ("- test scores (scores/scores.json: is not a JSON object)" in text) == is_told
    assert "| steps | 20 |" in text


def test_a_run_that_only_has_a_recipe_is_not_an_error(tmp_path: Path) -> None:
    (tmp_path / "recipe.toml").write_text('name = "new_run"')
    text = write_report(tmp_path).read_text()
    assert text.startswith("# new\\_run\n\n- not trained yet\n")
    assert "- the course of training (checkpoints/log.jsonl: not written yet)" in text
    assert pictures(text) == []


def test_a_folder_that_is_no_run_is_refused(tmp_path: Path) -> None:
    message = r"holds no recipe\.toml, log or scores; name a folder that `python -m training run`"
    with pytest.raises(ReportError, match=message):
        write_report(tmp_path)
    with pytest.raises(ReportError, match="absent: holds no recipe"):
        write_report(tmp_path / "absent")


def test_a_folder_that_cannot_be_written_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "recipe.toml").write_text('name = "toy"')
    (tmp_path / "report").write_text("a file in the way")
    with pytest.raises(ReportError, match="report: the report cannot be written: File exists"):
        write_report(tmp_path)


def test_the_command_prints_where_the_report_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "recipe.toml").write_text('name = "toy"')
    parser = CommandParser()
    add_command(parser.add_subparsers())
    options = parser.parse_args(["report", str(tmp_path)])
    options.execute(options)
    assert capsys.readouterr().out == f"{tmp_path / 'report' / 'report.md'}\n"


def record(*lines: dict[str, object], **parts: Any) -> RunRecord:
    empty: dict[str, Any] = {"recipe": {}, "cleaning": {}, "scores": {}, "card": {}}
    log = RunLog.parse("".join(json.dumps(line) + "\n" for line in lines))
    return RunRecord(folder=Path("run"), recipe_text="", log=log, missing=(), **(empty | parts))


def test_scores_have_signatures_and_length_ratios() -> None:
    scores = {"p": {"bleu": 31.5, "signatures": {"bleu": "v:2"}, "decoding": {"beam_size": 4}}}
    one = ScoredSentence(line=1, source="x", reference="1234", hypothesis="12", chrf=1.0)
    text = scores_section(record(scores=scores), {"p": [one]})
    assert "| test part | BLEU | length ratio |" in text
    assert "| p | 31.50 | 0.500 |" in text
    assert "- BLEU: `v:2`" in text
    assert "- decoding: `beam_size = 4`" in text
    assert "| p | 31.50 | – |" in scores_section(record(scores=scores), {})


def test_reasons_for_dropping_pairs_are_counted() -> None:
    cleaning = {"toy:train de-en": {"num_read": 1000, "dropped": {"empty side": 3, "copy": 4}}}
    text = cleaning_section(record(cleaning=cleaning))
    assert "| toy:train de-en | 1,000 | 7 | empty side: 3; copy: 4 |" in text


def test_foreign_text_is_one_line_without_mark_up() -> None:
    assert escaped("# a_b *c*\n<b>|`d`") == r"\# a\_b \*c\* \<b\>\|\`d\`"


def test_a_table_has_a_line_a_row() -> None:
    assert table(["part", "BLEU"], [["dev", "1"]]) == "| part | BLEU |\n| --- | ---: |\n| dev | 1 |"


def test_a_block_of_code_may_hold_fences() -> None:
    assert fenced("a\n````\n", "toml") == "`````toml\na\n````\n`````"


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(42.4, "42 s"), (185, "3 min 5 s"), (4130.8, "1 h 9 min"), (3600 * 30, "30 h 0 min")],
)
def test_durations(seconds: float, expected: str) -> None:
    assert duration(seconds) == expected


@pytest.mark.parametrize(
    ("value", "expected"), [(29000, "29,000"), (41.3, "41.30"), (None, "–"), ("c|d", r"c\|d")]
)
def test_numbers(value: object, expected: str) -> None:
    assert number(value) == expected
