"""What one model reads instead of words that it misreads."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from training.sources import main
from translator.errors import ModelDirectoryError
from translator.pipeline.translator import DEFAULT_MODEL, Translator
from translator.tokens.rewrites import REWRITES, Rewrites

TABLE = Rewrites(
    b"# a comment\n"
    b"de\ten\tm\xc3\xb6gen|mag\t\\b([Mm])\xc3\xb6gen\\b\t\\1ag\n"
    b"en\t*\tfortnight\t\\b[Aa] fortnight\\b\ttwo weeks\n"
    b"en\tde\tweeks\ttwo weeks\t14 days\n"
)


@pytest.mark.parametrize(
    ("source", "target", "text", "read"),
    [
        ("de", "en", "Wir mögen es.", "Wir mag es."),
        ("de", "fr", "Wir mögen es.", "Wir mögen es."),
        ("en", "fr", "A fortnight ago, a fortnight", "Two weeks ago, two weeks"),
        ("en-GB", "de-AT", "two weeks", "14 days"),
        ("en", "de", "Nothing here", "Nothing here"),
    ],
)
def test_a_text_is_read_as_the_table_says(source: str, target: str, text: str, read: str) -> None:
    assert TABLE.apply(text, source, target) == read
    assert len(TABLE) == 3


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"de\ten\tword\tpattern\n", "line 1: must have a language, the language wanted"),
        (b"\nde\ten\tword\t(\tread\n", r"line 2: '\(' is no regular expression"),
        (b"de\ten\tword\ta\t\\1\n", "line 1: 'a' is no regular expression"),
        (b"\xff", "is not in UTF-8"),
    ],
)
def test_a_damaged_table_is_refused(content: bytes, message: str) -> None:
    with pytest.raises(ModelDirectoryError, match=f"rewrites.tsv.*{message}"):
        Rewrites(content)


def test_a_model_reads_the_table_that_it_is_given(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = DEFAULT_MODEL / REWRITES
    assert len(Rewrites(table.read_bytes())) > 200
    model = tmp_path / "model"
    shutil.copytree(DEFAULT_MODEL, model)
    (tmp_path / "table.tsv").write_bytes(b"de\ten\thund\tHund\tKatze\n")
    assert main(["rewrites", "--model", str(model), "--input", str(tmp_path / "table.tsv")]) == 0
    assert capsys.readouterr().out == f"1 lines are the rewrites of {model} now\n"
    with Translator.load(model) as translator:
        [answer] = translator.translate(["Der Hund schläft."], source="de", target="en")
    assert answer.text == "The cat is sleeping."
