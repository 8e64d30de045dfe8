"""Set phrases: the file is sound, and those that a model does not know come into its lexicon."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from training.lexicon import SET_PHRASES, read_set_phrases
from training.sources import main
from translator.store.home import DEFAULT_MODEL
from translator.text.formality import has_other_form
from translator.translate.translator import Translator


def test_each_phrase_has_one_meaning_and_addresses_no_one() -> None:
    """German has two forms of address, and who asks for one must not get the other."""
    lines = SET_PHRASES.read_text().splitlines()
    entries = [tuple(line.split("\t")) for line in lines]
    assert {len(entry) for entry in entries} == {4}
    assert {entry[:2] for entry in entries} == {("de", "en"), ("en", "de")}
    assert len({entry[:3] for entry in entries}) == len(entries) > 250
    for _, target, phrase, meaning in entries:
        assert phrase.strip() == phrase
        assert meaning.strip() == meaning
        if target == "de":
            assert not has_other_form(meaning, phrase, "formal")
            assert not has_other_form(meaning, phrase, "informal")


def test_small_letters_come_behind_each(tmp_path: Path) -> None:
    path = tmp_path / "phrases.tsv"
    path.write_text("de\ten\tGern geschehen\tMy pleasure\nde\ten\tAch so\tI see\n")
    assert [*read_set_phrases(path)] == [
        ("de", "en", "Gern geschehen", "My pleasure"),
        ("de", "en", "gern geschehen", "my pleasure"),
        ("de", "en", "Ach so", "I see"),
        ("de", "en", "ach so", "I see"),
    ]


@pytest.mark.parametrize("line", ["de\ten\tGern geschehen", "de\ten\t\tMy pleasure", "Gern", ""])
def test_a_line_with_other_columns_is_told(
    line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "phrases.tsv"
    path.write_text(f"de\ten\tAch so\tI see\n{line}\n")
    assert main(["set-phrases", "--model", str(DEFAULT_MODEL), "--input", str(path)]) == 1
    assert capsys.readouterr().err.startswith(f"error: {path}, line 2: must have a language, ")


def test_those_that_a_model_does_not_know_are_added(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model, path = tmp_path / "model", tmp_path / "phrases.tsv"
    shutil.copytree(DEFAULT_MODEL, model)
    path.write_text("de\ten\tHut ab vor dir\tChapeau\nde\ten\tGuten Morgen\tGood morning\n")
    assert main(["set-phrases", "--model", str(model), "--input", str(path)]) == 0
    assert capsys.readouterr().out.startswith("2 phrases that it does not know added to ")
    with Translator.load(model) as translator:
        texts = ["Hut ab vor dir!", "HUT AB VOR DIR", "Perücke"]
        answers = translator.translate(texts, source="de", target="en")
    assert [answer.text for answer in answers] == ["Chapeau!", "CHAPEAU", "wig"]
    assert answers[0].alternatives == ()
