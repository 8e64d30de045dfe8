"""A network learns from tagged files which lines go on in others."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from tests.pdf_files import drawn, tagged
from training import paragraphs
from translator.documents.pdf import joins

TEXT = "A line of text that is about as long as those around it and"
"""Of 59 characters, which is 250 points or so."""


def page(*lines: tuple[int, str]) -> bytes:
    """Return a page of lines, each with the number of its paragraph."""
    return tagged(
        *((f"P {one}", 50.0, 700 - 12.0 * n, text) for n, (one, text) in enumerate(lines))
    )


def labels(tmp_path: Path, *lines: tuple[int, str]) -> list[bool]:
    (tmp_path / "a.pdf").write_bytes(page(*lines))
    [(runs, boxes)] = paragraphs.tagged_pages(tmp_path / "a.pdf")
    return [goes_on for _, goes_on in paragraphs.examples_of(runs, boxes)]


def test_lines_of_one_paragraph_go_on_but_for_those_broken_by_hand(tmp_path: Path) -> None:
    assert labels(tmp_path, (1, TEXT), (1, "goes on."), (2, TEXT))[:2] == [True, False]
    by_hand = labels(tmp_path, (1, "Max Smith"), (1, "Berlin Road 12"), (1, TEXT))
    assert not any(by_hand)
    assert labels(tmp_path, (1, "Max Smith"), (1, "went on"), (1, TEXT))[0]


def test_pages_that_are_read_from_the_right_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(page((1, TEXT), (1, "goes on.")))
    [(runs, boxes)] = paragraphs.tagged_pages(tmp_path / "a.pdf")
    hebrew = [dataclasses.replace(run, text="שלום") for run in runs]
    assert not [*paragraphs.examples_of(hebrew, boxes)]


@pytest.fixture
def few_epochs(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(paragraphs, "NUM_EPOCHS", 2)
    with torch.random.fork_rng():
        yield


@pytest.mark.usefixtures("few_epochs")
def test_the_reader_reads_what_the_network_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [tmp_path / f"{n}.pdf" for n in range(6)]
    for n, path in enumerate(files):
        path.write_bytes(page((1, TEXT), (1, f"goes on {n}."), (2, TEXT), (2, "and ends")))
    out = tmp_path / "weights"
    assert paragraphs.main([*map(str, files), "--out", str(out)]) == 0
    assert "right of files not trained on" in capsys.readouterr().out

    [(runs, boxes)] = paragraphs.tagged_pages(files[0])
    examples = [paragraphs.Example("a", *one) for one in paragraphs.examples_of(runs, boxes)]
    network = paragraphs.trained(examples)
    weights = {name: value.astype("float32") for name, value in network.weights().items()}
    monkeypatch.setattr(joins, "_weights", lambda: weights)
    features = [one.features for one in examples]
    said = network(torch.from_numpy(joins.inputs(features))).detach()
    assert joins.log_odds(features) == pytest.approx(said.numpy(), abs=0.02)


def test_files_without_tags_are_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.pdf").write_bytes(drawn(lambda canvas: canvas.drawString(50, 400, "Text")))
    assert paragraphs.main([str(tmp_path / "a.pdf")]) != 0
    assert "none of the files is a PDF whose tags" in capsys.readouterr().err
    assert paragraphs.main([str(tmp_path / "missing.pdf")]) != 0
    assert "missing.pdf" in capsys.readouterr().err
