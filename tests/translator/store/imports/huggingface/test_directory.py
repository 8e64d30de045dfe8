"""Directories of `transformers` translate here as they do there."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.reference import ReferenceModel
from tests.translator.store.imports.foreign import m2m100_folder, marian_folder, sentences
from translator.config import DecodingOptions, Precision
from translator.engine.running_batch import decode_batch
from translator.errors import ImportedModelError
from translator.store.imports.huggingface.directory import read_huggingface
from translator.store.imports.imported import ImportedModel
from translator.store.imports.importing import import_model
from translator.store.model_directory import load_model_directory
from translator.tokens.special_ids import SpecialIds
from translator.translate.translator import Translator

FOLDERS: dict[str, Callable[[Path], Any]] = {
    "marian": marian_folder,
    "marian-separate": lambda folder: marian_folder(folder, is_separate=True),
    "marian-tags": lambda folder: marian_folder(folder, tags=("fra", "eng", "cmn_Hant")),
    "m2m100": m2m100_folder,
    "nllb": lambda folder: m2m100_folder(folder, is_nllb=True),
}
LENGTH = 24


def ours(imported: ImportedModel, texts: list[str], target: str, beam_size: int) -> Any:
    """Return source ids, and the ids of translations."""
    loaded, vocabulary = imported.load(), imported.vocabulary
    sources = [vocabulary.encode_source(text, target, "de") for text in texts]
    options = DecodingOptions(beam_size=beam_size, max_length_factor=1e-9, max_length_offset=LENGTH)
    model = ReferenceModel(loaded.model, vocabulary.forbidden_ids, keeps_share=True)
    starts = [vocabulary.start_ids(target)] * len(sources)
    found = decode_batch(model, sources, options, SpecialIds.of(vocabulary), starts)
    return sources, [list(hypotheses[0].ids) for hypotheses in found]


def theirs(model: Any, imported: ImportedModel, sources: Any, target: str, beam_size: int) -> Any:
    """Return the ids that `generate` gives, without start ids and EOS."""
    start = imported.vocabulary.start_ids(target)
    pad_id, eos_id = imported.vocabulary.pad_id, imported.vocabulary.eos_id
    longest = max(map(len, sources))
    padded = torch.tensor([[*ids, *[pad_id] * (longest - len(ids))] for ids in sources])
    forced = {"forced_bos_token_id": start[1]} if len(start) > 1 else {}
    found = model.generate(
        input_ids=padded,
        attention_mask=(padded != pad_id).long(),
        num_beams=beam_size,
        max_new_tokens=LENGTH + len(start) - 1,
        max_length=None,
        early_stopping=False,
        length_penalty=1.0,
        **forced,
    )
    rows = [row[len(start) :] for row in found.tolist()]
    return [
        row[: row.index(eos_id)] if eos_id in row else [i for i in row if i != pad_id]
        for row in rows
    ]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", FOLDERS)
@pytest.mark.parametrize(
    ("count", "beam_size", "least"),
    [
        (40, 1, 1.0),
        (40, 4, 0.95),
        pytest.param(200, 1, 1.0, marks=pytest.mark.slow),
        pytest.param(200, 4, 0.95, marks=pytest.mark.slow),
    ],
)
def test_translations_are_those_of_transformers(
    kind: str, count: int, beam_size: int, least: float, tmp_path: Path
) -> None:
    """By greedy search all are, by beam search most: the rules for stopping are not the same."""
    model = FOLDERS[kind](tmp_path / "theirs")
    imported = read_huggingface(tmp_path / "theirs")
    target = "fr" if kind == "marian-tags" else "en"
    sources, found = ours(imported, sentences(count, 5), target, beam_size)
    expected = theirs(model, imported, sources, target, beam_size)
    same = [one == other for one, other in zip(found, expected, strict=True)]
    assert sum(same) >= least * len(same), [p for p in zip(found, expected, strict=True)][:3]
    assert len({*map(tuple, expected)}) > len(expected) / 3, "the model says the same to all"


@pytest.mark.parametrize("kind", FOLDERS)
def test_an_imported_model_is_a_model_directory(kind: str, tmp_path: Path) -> None:
    FOLDERS[kind](tmp_path / "theirs")
    imported = read_huggingface(tmp_path / "theirs")
    imported.save(tmp_path / "model", {"licence": "CC-BY"})
    loaded = load_model_directory(tmp_path / "model")
    assert loaded.description == imported.description
    assert loaded.tokenizer.files == imported.vocabulary.files
    assert loaded.card["licence"] == "CC-BY"
    assert loaded.card["imported"]["weights"]["file"] == "model.safetensors"
    for name, tensor in imported.load().model.state_dict().items():
        assert torch.equal(tensor, loaded.model.state_dict()[name]), name


def test_languages_have_the_names_of_this_project(tmp_path: Path) -> None:
    marian_folder(tmp_path / "one")
    assert read_huggingface(tmp_path / "one").description.directions == ("de-en",)
    marian_folder(tmp_path / "tags", tags=("fra", "eng", "cmn_Hant"))
    description = read_huggingface(tmp_path / "tags").description
    assert [*description.pairs] == [("de", "fr"), ("de", "en"), ("de", "zh-Hant")]
    m2m100_folder(tmp_path / "nllb", is_nllb=True)
    description = read_huggingface(tmp_path / "nllb").description
    assert description.languages == ("de", "en", "zh")
    assert description.directions == ("*",)
    assert ("zh", "de") in description.pairs


def test_text_comes_back_from_its_ids(tmp_path: Path) -> None:
    m2m100_folder(tmp_path / "nllb", is_nllb=True)
    vocabulary = read_huggingface(tmp_path / "nllb").vocabulary
    ids = vocabulary.encode_source("bade kilo.", "en", "de")
    assert vocabulary.source_pieces(ids)[0] == "deu_Latn"
    assert vocabulary.source_pieces(ids)[-1] == "</s>"
    assert vocabulary.decode_source(ids) == "bade kilo."
    assert vocabulary.pieces(vocabulary.start_ids("zh")) == ["</s>", "zho_Hans"]


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("config.json", {"model_type": "bart"}, "model_type is 'bart'; only marian"),
        ("config.json", {"activation_function": "mish"}, "activation_function is 'mish'"),
        ("config.json", {"decoder_ffn_dim": 7}, "encoder_ffn_dim is 48 and decoder_ffn_dim 7"),
        ("config.json", {"d_model": "wide"}, "d_model must be a number, got 'wide'"),
        ("config.json", {"d_model": 64}, "has the shape .* the configuration says"),
        ("config.json", {"encoder_layers": 3}, "lacks the weights of encoder_layers.2"),
        ("config.json", {"encoder_layers": 10**9}, "too few for 1000000002 layers"),
        ("generation_config.json", {"bad_words_ids": [[10**6]]}, "bad_words_ids has 1000000"),
        ("generation_config.json", {"num_beams": 10**6}, "beam_size: must be in"),
        ("vocab.json", {"one more": 10**6}, "its ids are not 0 to"),
        ("vocab.json", {"a": 0, "</s>": 1, "<unk>": 2}, "its ids are not"),
    ],
)
def test_a_mixed_up_directory_is_refused(
    name: str, change: dict[str, Any], message: str, tmp_path: Path
) -> None:
    marian_folder(tmp_path / "theirs")
    table = json.loads((tmp_path / "theirs" / name).read_text())
    (tmp_path / "theirs" / name).write_text(json.dumps(table | change))
    with pytest.raises(ImportedModelError, match=message):
        read_huggingface(tmp_path / "theirs").save(tmp_path / "model", {})
    assert not (tmp_path / "model").exists()


def test_a_vocabulary_of_the_wrong_size_is_refused(tmp_path: Path) -> None:
    marian_folder(tmp_path / "theirs")
    path = tmp_path / "theirs" / "vocab.json"
    table = json.loads(path.read_text())
    path.write_text(json.dumps({piece: i for piece, i in table.items() if i < len(table) - 1}))
    with pytest.raises(ImportedModelError, match="they do not belong together"):
        read_huggingface(tmp_path / "theirs")


def test_mixed_up_tensors_are_refused(tmp_path: Path) -> None:
    marian_folder(tmp_path / "theirs")
    imported = read_huggingface(tmp_path / "theirs")
    swapped = dict(imported.weights)
    first, second = (
        "encoder_layers.0.feed_forward.inner_proj.weight",
        "encoder_layers.0.feed_forward.out_proj.weight",
    )
    swapped[first], swapped[second] = swapped[second], swapped[first]
    with pytest.raises(ImportedModelError, match=r"inner_proj.weight has the shape \(32, 48\)"):
        replace(imported, weights=swapped).save(tmp_path / "model", {})


@pytest.mark.parametrize("precision", ["float32", "int8"])
@pytest.mark.parametrize("kind", FOLDERS)
def test_a_translator_serves_an_imported_model(
    kind: str, precision: Precision, tmp_path: Path
) -> None:
    """In floats as the reference; alone as in company; in int8 most of it."""
    FOLDERS[kind](tmp_path / "theirs")
    target = "fr" if kind == "marian-tags" else "en"
    imported = import_model(str(tmp_path / "theirs"), tmp_path / "model")
    options = DecodingOptions(
        beam_size=1, search_again=False, max_length_factor=1e-9, max_length_offset=LENGTH
    )
    texts, vocabulary = sentences(12, 6), imported.vocabulary
    model = ReferenceModel(imported.load().model, vocabulary.forbidden_ids)
    starts = [vocabulary.start_ids(target)] * len(texts)
    sources = [vocabulary.encode_source(text, target, "de") for text in texts]
    expected = decode_batch(model, sources, options, SpecialIds.of(vocabulary), starts)
    with Translator.load(tmp_path / "model", precision=precision) as translator:
        found = translator.translate(texts, source="de", target=target, options=options)
        [alone] = translator.translate(texts[3:4], source="de", target=target, options=options)
    assert alone.text == found[3].text
    same = [
        one.text == vocabulary.decode(other.ids)
        for one, [other] in zip(found, expected, strict=True)
    ]
    assert sum(same) >= (len(same) if precision == "float32" else 1)
