"""Marian's own form: the model that `transformers` has, and the layouts that are published."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from ctranslate2 import Translator as CTranslate2
from ctranslate2.converters import OpusMTConverter

from tests.translator.store.imports.foreign import piece_model, sentences
from tests.translator.store.imports.marian.binaries import (
    MULTIPLIER,
    marian_arrays,
    small_folder,
    small_model,
)
from tests.translator.store.imports.marian.binaries import WEIGHTS as BINARY
from tests.translator.store.imports.marian.published import (
    CONFIG,
    VOCABULARY,
    WEIGHTS,
    YAML,
    published,
    write_weights,
)
from translator.cli.main import main
from translator.config import DecodingOptions
from translator.errors import ImportedModelError
from translator.model.embedding import pad, padding_mask
from translator.store.imports.importing import import_model
from translator.store.imports.marian.directory import is_marian, read_marian
from translator.store.imports.marian.npz import read_npz
from translator.store.model_directory import load_model_directory
from translator.translate.translator import Translator

OPTIONS = DecodingOptions(
    beam_size=1, search_again=False, max_length_factor=1e-9, max_length_offset=24
)


@pytest.mark.parametrize(
    "given", [{}, {"is_separate": True}, {"tags": ("fra", "eng")}], ids=["one", "two", "tags"]
)
@torch.inference_mode()
def test_logits_are_those_of_transformers(given: dict[str, Any], tmp_path: Path) -> None:
    theirs = published(tmp_path / "theirs", **given)
    imported = read_marian(tmp_path / "theirs")
    vocabulary, pad_id = imported.vocabulary, theirs.config.pad_token_id
    assert vocabulary.pad_id == pad_id
    source = pad([vocabulary.encode_source(t, "en", "de") for t in sentences(9, 3)], pad_id)
    start = vocabulary.start_ids("en")
    target = torch.tensor([[*start, *(vocabulary.encode(t) * 9)[:9]] for t in sentences(9, 4)])
    expected = theirs(
        input_ids=source,
        attention_mask=(source != pad_id).long(),
        decoder_input_ids=target,
        decoder_attention_mask=torch.ones_like(target),
    ).logits
    found = imported.load().model(source, target, padding_mask(source, pad_id))
    torch.testing.assert_close(found, expected, atol=1e-4, rtol=1e-4)
    assert expected.std() > 0.5, "the model says the same everywhere"


def as_pre_norm(folder: Path) -> None:
    """Make it a model with norms before every layer."""
    arrays = read_npz(folder / WEIGHTS)
    del arrays[CONFIG]
    if "Wemb" in arrays:
        arrays["Wemb"][0] /= 2.5  # sentences would end at once
    generator = np.random.default_rng(0)
    named = {f"{n}_pre" if "_ln_" in n else n: array for n, array in arrays.items()}
    for side in ("encoder", "decoder"):
        for kind, std in (("scale", 3), ("bias", 0.1)):
            drawn = generator.normal(scale=std, size=(1, 32))
            named[f"{side}_top_ln_{kind}"] = drawn.astype(np.float32)
    yaml = YAML.replace("postprocess: dan", "postprocess: da").replace("swish", "relu")
    yaml = yaml.replace('top: ""', "top: n").replace('preprocess: ""', "preprocess: n")
    write_weights(folder / WEIGHTS, named, yaml)


@pytest.mark.parametrize("is_separate", [False, True])
@pytest.mark.parametrize("is_pre", [False, True])
def test_translations_are_those_of_ctranslate2(
    is_separate: bool, is_pre: bool, tmp_path: Path
) -> None:
    """Which has a reader of its own for this form."""
    published(tmp_path / "theirs", is_separate=is_separate)
    if is_pre:
        as_pre_norm(tmp_path / "theirs")
    OpusMTConverter(str(tmp_path / "theirs")).convert(str(tmp_path / "converted"))
    theirs = CTranslate2(str(tmp_path / "converted"), compute_type="float32", intra_threads=1)
    imported = import_model(str(tmp_path / "theirs"), tmp_path / "model")
    vocabulary, texts = imported.vocabulary, sentences(40, 5)
    pieces = [
        vocabulary.source_pieces(vocabulary.encode_source(text, "en", "de"))[:-1] for text in texts
    ]
    results = theirs.translate_batch(
        pieces, beam_size=1, max_decoding_length=24, min_decoding_length=0, disable_unk=True
    )
    with Translator.load(tmp_path / "model", precision="float32") as translator:
        found = translator.translate(texts, source="de", target="en", options=OPTIONS)
    ids = [[vocabulary.all_pieces.index(p) for p in r.hypotheses[0]] for r in results]
    expected = [vocabulary.decode(one) for one in ids]
    assert [one.text for one in found] == expected
    assert len({*expected}) > 10, "the model says the same to all"


def test_a_folder_becomes_a_model_directory(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    published(tmp_path / "theirs", tags=("fra", "eng", "cmn_Hant"))
    assert main(["import", str(tmp_path / "theirs"), "--out", str(tmp_path / "model")]) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'model'}: Marian, de-fr, de-en, de-zh-Hant\n"
    loaded = load_model_directory(tmp_path / "model")
    assert loaded.card["imported"]["weights"]["file"] == WEIGHTS
    options = loaded.description.decoding
    assert (options.beam_size, options.length_penalty, options.alpha) == (4, "average", 1.0)


def test_zip_files_and_bare_weights_are_read_as_they_are(tmp_path: Path) -> None:
    published(tmp_path / "theirs")
    path = tmp_path / "opus-2020-02-26.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for file in sorted((tmp_path / "theirs").iterdir()):
            archive.write(file, f"de-en/{file.name}")
    assert import_model(str(path), tmp_path / "one").description.directions == ("de-en",)
    import_model(str(tmp_path / "theirs" / WEIGHTS), tmp_path / "two", languages=("de", "en"))
    one, two = (load_model_directory(tmp_path / name) for name in ("one", "two"))
    assert one.description == two.description
    assert one.tokenizer.files == two.tokenizer.files
    for name, tensor in one.model.state_dict().items():
        assert torch.equal(tensor, two.model.state_dict()[name]), name


def test_without_decoder_yml_files_are_told_by_their_names(tmp_path: Path) -> None:
    published(tmp_path / "de-fi", is_separate=True)
    (tmp_path / "de-fi/decoder.yml").unlink()
    (tmp_path / "de-fi/README.md").write_text("* source language(s): \n* target language(s): \n")
    (tmp_path / "de-fi/model.npz.optimizer.npz").touch()
    imported = read_marian(tmp_path / "de-fi")
    assert imported.description.directions == ("de-fi",)
    assert imported.description.decoding.beam_size == 6
    assert imported.vocabulary.source_pieces([9]) != imported.vocabulary.pieces([9])
    (tmp_path / "de-fi/second.npz").touch()
    with pytest.raises(ImportedModelError, match=r"must have one model, has .*second.npz; give"):
        read_marian(tmp_path / "de-fi")


def test_sentencepiece_models_may_be_the_vocabularies(tmp_path: Path) -> None:
    theirs = published(tmp_path / "theirs")
    folder, model = tmp_path / "theirs", piece_model(0, theirs.config.vocab_size - 1)
    (folder / "vocab.deen.spm").write_bytes(model)
    (folder / "decoder.yml").write_text(f"models: [{WEIGHTS}]\nvocabs: [vocab.deen.spm]\n")
    vocabulary = read_marian(folder).vocabulary
    assert vocabulary.is_shared
    assert vocabulary.pieces(vocabulary.encode("bade.")) == ["▁bade", "."]
    assert vocabulary.unk_id in vocabulary.forbidden_ids


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("decoder.yml", "models: [a.npz, b.npz]", r"must have one model, has a.npz, b.npz"),
        ("decoder.yml", "models: [../../etc/a.npz]", r"theirs/a.npz: No such file"),
        ("decoder.yml", "beam-size: many", "decoder.yml: beam-size must be a number"),
        ("decoder.yml", "normalize: 9", r"decoder.yml: alpha: must be in \[0, 5\]"),
        ("decoder.yml", "vocabs: [a\0]", "decoder.yml: vocabs has a name that no file can have"),
        ("decoder.yml", "- a", "decoder.yml: line 1: a list that belongs to no key"),
        ("README.md", "Nothing.", "theirs: does not tell its languages; give --from and --to"),
        (f"{VOCABULARY}.vocab.yml", "</s>: 0\n", "vocab.yml: has 1 pieces, the model 114"),
        (f"{VOCABULARY}.vocab.yml", "</s>: 0\na: 2\n", "vocab.yml: its ids are not 0 to 1"),
        ("source.bpe", "#version: 0.2", r"source.bpe: only SentencePiece can be read; take a"),
        (WEIGHTS, "PK", "best-perplexity.npz: truncated or damaged"),
    ],
)
def test_a_mixed_up_folder_is_refused(
    name: str, content: str, message: str, tmp_path: Path
) -> None:
    published(tmp_path / "theirs")
    (tmp_path / "theirs" / name).write_text(content)
    with pytest.raises(ImportedModelError, match=message):
        import_model(str(tmp_path / "theirs"), tmp_path / "model")
    assert not (tmp_path / "model").exists()


def test_a_folder_of_marians_is_told_from_others(tmp_path: Path) -> None:
    assert not is_marian(tmp_path)
    (tmp_path / "a.npz").touch()
    assert is_marian(tmp_path)
    assert is_marian(tmp_path / "a.npz")


# --- Mozilla's and Bergamot's ---------------------------------------------------------------------


@pytest.mark.parametrize("is_separate", [False, True])
def test_a_binary_folder_becomes_the_same_model(is_separate: bool, tmp_path: Path) -> None:
    model = small_folder(tmp_path / "deen", is_separate=is_separate)
    (tmp_path / "deen/metadata.json").write_text('{"sourceLanguage": "de", "targetLanguage": "en"}')
    imported = import_model(str(tmp_path / "deen"), tmp_path / "model")
    assert imported.description.directions == ("de-en",)
    assert imported.vocabulary.is_shared != is_separate
    options = imported.description.decoding
    assert (options.beam_size, options.max_length_factor, options.max_length_offset) == (1, 2, 1)
    found = load_model_directory(tmp_path / "model")
    assert found.description.model.decoder == "ssru"
    expected = model.state_dict()
    state = found.model.state_dict()
    assert state.keys() == expected.keys()
    for name, tensor in expected.items():
        assert torch.equal(state[name], tensor), name


def test_weights_of_eight_bits_are_what_they_stand_for(tmp_path: Path) -> None:
    names = ("Wemb", "decoder_l1_rnn_W", "decoder_l2_rnn_Wf", "encoder_l1_ffn_W2")
    model = small_folder(tmp_path / "deen", names)
    found = read_marian(tmp_path / "deen").weights
    for own in (
        "embedding.weight",
        "decoder_layers.0.recurrence.candidate_proj.weight",
        "decoder_layers.1.recurrence.gate_proj.weight",
        "encoder_layers.0.feed_forward.out_proj.weight",
    ):
        levels = (model.state_dict()[own] * MULTIPLIER).round().clamp(-128, 127)
        assert torch.equal(found[own], levels / MULTIPLIER), own
    assert torch.equal(
        found["decoder_layers.0.recurrence.gate_proj.weight"],
        model.state_dict()["decoder_layers.0.recurrence.gate_proj.weight"],
    )


def test_a_model_all_in_eight_bits_stays_so(tmp_path: Path) -> None:
    names = [name for name in marian_arrays(small_model()) if re.search(r"_W[a-z0-9]*$|Wemb", name)]
    model = small_folder(tmp_path / "deen", tuple(names))
    imported = import_model(str(tmp_path / "deen"), tmp_path / "model")
    found = load_model_directory(tmp_path / "model")
    assert found.description.weights == "int8"
    assert found.reference.int8 is not None
    matrix = found.reference.int8.matrices["decoder_layers.1.recurrence.gate_proj.weight"]
    exact = model.state_dict()["decoder_layers.1.recurrence.gate_proj.weight"]
    assert torch.equal(matrix.levels.float(), (exact * MULTIPLIER).round().clamp(-128, 127))
    assert matrix.scales.unique().tolist() == [pytest.approx(1 / MULTIPLIER)]
    for name, tensor in found.model.state_dict().items():
        torch.testing.assert_close(tensor, imported.weights[name], atol=1e-6, rtol=0)


def test_config_yml_tells_how_to_search_and_what_is_what(tmp_path: Path) -> None:
    folder = tmp_path / "deen"
    small_folder(folder)
    (folder / "vocab.deen.spm").rename(folder / "pieces.spm")
    said = f"models: [{BINARY}]\nvocabs: [pieces.spm, pieces.spm]\n"
    rules = "beam-size: 3\nnormalize: 0.6\nmax-length-factor: 2.5\nword-penalty: 0\n"
    (folder / "config.intgemm8bitalpha.yml").write_text(said + rules)
    imported = read_marian(folder)
    options = imported.description.decoding
    assert (options.beam_size, options.alpha, options.max_length_factor) == (3, 0.6, 2.5)
    assert imported.description.max_source_ids == 128
    (folder / "config.intgemm8bitalpha.yml").write_text(said + "word-penalty: 0.5\n")
    with pytest.raises(ImportedModelError, match=r"alpha.yml: word-penalty is 0.5; ours has none"):
        read_marian(folder)


@torch.inference_mode()
def test_a_binary_model_translates_as_its_equations_do(tmp_path: Path) -> None:
    """Greedy, with a decoder that reads everything again at each step."""
    small_folder(tmp_path / "deen")
    imported = import_model(str(tmp_path / "deen" / BINARY), tmp_path / "model")
    vocabulary, model = imported.vocabulary, load_model_directory(tmp_path / "model").model
    texts = sentences(20, 5)
    with Translator.load(tmp_path / "model", precision="float32") as translator:
        found = translator.translate(texts, source="de", target="en", options=OPTIONS)
    for text, answer in zip(texts, found, strict=True):
        source, ids = torch.tensor([vocabulary.encode_source(text, "en", "de")]), [80]
        while len(ids) <= 24:
            logits = model(source, torch.tensor([ids]), None)[0, -1]
            logits[list(vocabulary.forbidden_ids)] = -torch.inf
            ids.append(int(logits.argmax()))
            if ids[-1] == vocabulary.eos_id:
                break
        assert answer.text == vocabulary.decode(ids[1:])
    assert len({answer.text for answer in found}) > 10, "the model says the same to all"
