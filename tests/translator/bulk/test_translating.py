"""Rows: each by its own language, and a fault stays with its row."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.engines import CopyEngine
from tests.small_models import write_model
from translator.bulk import translating
from translator.bulk.formats.rows import Row
from translator.bulk.translating import BulkModels, RowOptions, RowTranslator, model_version
from translator.errors import InputError, ModelDirectoryError, UnsupportedLanguageError
from translator.pipeline.translation import Translation
from translator.pipeline.translator import Translator
from translator.store.model_directory import LoadedModel


def options(source: str = "de", **more: Any) -> RowOptions:
    return RowOptions(**{"source": source, "target": "en", **more})


def test_a_row_has_translation_and_model(copying: Translator) -> None:
    [found] = RowTranslator(copying, options()).translate([Row("Der Hund.")])
    assert (found.text, found.language, found.error) == ("Der Hund.", "de", "")
    assert found.model == "copy 0123456789ab"


@pytest.mark.usefixtures("shouting")
def test_a_row_has_the_flags_of_its_translation(copying: Translator) -> None:
    found = RowTranslator(copying, options()).translate([Row("6 Hunde"), Row("7 Hunde")])
    assert [(row.text, row.flags) for row in found] == [("6 HUNDE", ()), ("7 HUNDE", ("numbers",))]


def test_rows_that_cannot_be_translated_do_not_stop_others(copying: Translator) -> None:
    rows = [
        Row("Der Hund."),
        Row(None),
        Row("x", error="is not UTF-8"),
        Row("a\ud800"),
        Row("Le chien.", "fr"),
        Row("The dog.", "en"),
        Row(""),
    ]
    found = RowTranslator(copying, options()).translate(rows)
    assert [row.text for row in found] == ["Der Hund.", *[None] * 4, "The dog.", ""]
    assert found[1].error == ""
    assert found[2].error == "is not UTF-8"
    assert found[3].error == r"is not valid Unicode: it has half of a pair, '\ud800'"
    assert found[4].error.startswith("fr is not supported")
    assert (found[5].language, found[5].model) == ("en", "")


def test_one_bad_text_is_found_among_many(
    copying: Translator, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def translate(_: object, texts: list[str], __: object) -> list[Translation]:
        asked.append(len(texts))
        if "bad" in texts:
            raise InputError("is bad")
        return [Translation(text=text.upper()) for text in texts]

    monkeypatch.setattr(translating, "translate_texts", translate)
    texts = [f"t{number}" for number in range(63)]
    texts[40] = "bad"
    found = RowTranslator(copying, options()).translate([Row(text) for text in texts])
    assert [row.error for row in found if row.error] == ["is bad"]
    assert [row.text for row in found] == [
        None if text == "bad" else text.upper() for text in texts
    ]
    assert len(asked) < 15


def test_the_language_is_found(copying: Translator) -> None:
    rows = [
        Row("Das ist ein Satz über den Hund und die Katze."),
        Row("This is a sentence about the dog and the cat."),
        Row("12"),
        Row("Ceci est une phrase qui parle du chien et du chat de la maison."),
        Row("Le chien", "de"),
    ]
    found = RowTranslator(copying, options("auto")).translate(rows)
    assert [row.language for row in found] == ["de", "en", "en", "fr", "de"]
    assert found[3].error.startswith("the text seems to be in French (fr, ")


def test_languages_that_no_model_has_are_refused_at_once(copying: Translator) -> None:
    with pytest.raises(UnsupportedLanguageError, match="--to fr: the models translate to de, en"):
        RowTranslator(copying, options(target="fr"))
    with pytest.raises(UnsupportedLanguageError, match="fr is not supported"):
        RowTranslator(copying, options("fr"))


def test_several_models_and_a_pair_by_way_of_english(tmp_path: Path) -> None:
    write_model(tmp_path / "a", "de-en", seed=1)
    write_model(tmp_path / "b", "en-fr", seed=2)
    with BulkModels.load([tmp_path]) as models:
        version = model_version(models, "de", "fr")
    assert version.count(" + ") == 1
    assert version.split(" + ")[0].startswith("a ")
    assert version.split(" + ")[1].startswith("b ")


def test_the_beam_size_is_that_of_the_job(tmp_path: Path, loaded: LoadedModel) -> None:
    write_model(tmp_path / "a", "de-en")
    engine = CopyEngine()
    models = BulkModels([tmp_path], lambda _: Translator(loaded, engine))
    models.beam_size = 3
    RowTranslator(models, options()).translate([Row("Der Hund.")])
    assert [searched.beam_size for _, searched in engine.submitted] == [3]
    models.close()


def test_a_model_that_cannot_be_loaded_is_no_fault_of_a_row(tmp_path: Path) -> None:
    model = write_model(tmp_path / "a", "de-en")
    content = bytearray((model / "weights.safetensors").read_bytes())
    content[-1] ^= 1
    (model / "weights.safetensors").write_bytes(content)
    with BulkModels.load([model]) as models:
        translator = RowTranslator(models, options(), models.faults)
        assert translator.translate([Row(None)])[0].error == ""
        with pytest.raises(ModelDirectoryError, match=r"weights\.safetensors: SHA-256 differs"):
            translator.translate([Row("Der Hund.")])
