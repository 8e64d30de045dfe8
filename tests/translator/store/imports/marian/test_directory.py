"""Directories of Marian's, as they are published: what is read, and what is refused by name."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from ctranslate2 import Translator as CTranslate2
from ctranslate2.converters import OpusMTConverter

from tests.translator.store.imports.foreign import foreign_model, model_of, piece_model, sentences
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
    yaml_vocabulary,
)
from tests.translator.store.imports.marian.published import marian_arrays as published_arrays
from translator.cli.main import main
from translator.config import DecodingOptions, ModelConfig
from translator.errors import ImportedModelError
from translator.model.embedding import pad, padding_mask
from translator.model.int8 import Int8Matrix
from translator.model.weights import problem_with
from translator.pipeline.translator import Translator
from translator.store.imports.importing import import_model
from translator.store.imports.marian.arrays import Arrays, read_npz
from translator.store.imports.marian.directory import (
    check_digest,
    is_marian,
    model_card,
    model_pair,
    read_marian,
)
from translator.store.imports.marian.flat_yaml import Table, read_yaml
from translator.store.imports.marian.vocabulary import listed_pieces, marian_vocabulary
from translator.store.imports.marian.weights import model_form, number, own_weights, scalar
from translator.store.model_directory import load_model_directory

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
    found = model_of(imported)(source, target, padding_mask(source, pad_id))
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
        np.testing.assert_array_equal(found[own], levels / MULTIPLIER, own)
    exact = "decoder_layers.0.recurrence.gate_proj.weight"
    np.testing.assert_array_equal(found[exact], model.state_dict()[exact])


def test_a_model_all_in_eight_bits_stays_so(tmp_path: Path) -> None:
    names = [name for name in marian_arrays(small_model()) if re.search(r"_W[a-z0-9]*$|Wemb", name)]
    model = small_folder(tmp_path / "deen", tuple(names))
    imported = import_model(str(tmp_path / "deen"), tmp_path / "model")
    found = load_model_directory(tmp_path / "model")
    assert found.description.weights == "int8"
    matrix = found.reference.weights.arrays["decoder_layers.1.recurrence.gate_proj.weight"]
    assert isinstance(matrix, Int8Matrix)
    exact = model.state_dict()["decoder_layers.1.recurrence.gate_proj.weight"]
    np.testing.assert_array_equal(matrix.levels, (exact * MULTIPLIER).round().clamp(-128, 127))
    assert np.unique(matrix.scales).tolist() == [pytest.approx(1 / MULTIPLIER)]
    for name, tensor in found.model.state_dict().items():
        np.testing.assert_allclose(tensor, imported.weights[name], atol=1e-6, rtol=0)


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


@pytest.mark.parametrize(
    ("name", "table", "pair"),
    [
        ("metadata.json", {"sourceLanguage": "cs", "targetLanguage": "en"}, ("cs", "en")),
        ("metadata.json", {"fromLang": "zh-Hans", "toLang": "en"}, ("zh-Hans", "en")),
        ("model_info.json", {"srcTags": {"de": "German"}, "trgTag": "fr"}, ("de", "fr")),
        ("model_info.json", {"shortName": "en-pt-tiny"}, ("en", "pt")),
        ("modelMeta.json", {"shortName": "nb-en"}, ("nb", "en")),
    ],
)
def test_tables_tell_the_languages(
    name: str, table: dict[str, Any], pair: tuple[str, str], tmp_path: Path
) -> None:
    (tmp_path / name).write_text(json.dumps(table))
    assert model_pair(tmp_path, "model.xxyy.bin") == pair


@pytest.mark.parametrize(
    ("folder", "weights", "pair"),
    [
        ("data", "model.csen.intgemm8.bin", ("cs", "en")),
        ("opus-mt-de-fi", "a.npz", ("de", "fi")),
        ("de-en-tiny", "a.npz", ("de", "en")),
        ("downloads", "model.enja.intgemm.alphas.bin", ("en", "ja")),
        ("downloads", "model.enja.bin", ("en", "ja")),
    ],
)
def test_names_tell_them_otherwise(
    folder: str, weights: str, pair: tuple[str, str], tmp_path: Path
) -> None:
    (tmp_path / folder).mkdir()
    (tmp_path / folder / "modelMeta.json").write_text('{"modelUrl": ""}')
    assert model_pair(tmp_path / folder, weights) == pair


def test_who_tells_nothing_is_asked(tmp_path: Path) -> None:
    (tmp_path / "downloads").mkdir()
    with pytest.raises(ImportedModelError, match="does not tell its languages; give --from and"):
        model_pair(tmp_path / "downloads", "model.intgemm8.bin")


def test_the_card_has_licence_and_version(tmp_path: Path) -> None:
    assert model_card(tmp_path) == {}
    (tmp_path / "metadata.json").write_text('{"license": "MPL-2.0", "version": 2.1}')
    assert model_card(tmp_path) == {"licence": "MPL-2.0", "package_version": "2.1"}


def test_weights_must_have_the_digest_that_mozilla_says(tmp_path: Path) -> None:
    small_folder(tmp_path / "theirs")
    weights, about = tmp_path / "theirs" / BINARY, tmp_path / "theirs/metadata.json"
    content = weights.read_bytes()
    table = {"sourceLanguage": "cs", "targetLanguage": "en"}
    about.write_text(json.dumps(table | {"hash": hashlib.sha256(content).hexdigest()}))
    weights.with_name(f"{BINARY}.gz").write_bytes(gzip.compress(content))
    weights.unlink()
    import_model(str(tmp_path / "theirs"), tmp_path / "ours")  # the digest is of what is unpacked
    about.write_text(json.dumps(table | {"hash": hashlib.sha256(b"another").hexdigest()}))
    with pytest.raises(ImportedModelError, match=r"or another model's: has the SHA-256 \w+…, meta"):
        import_model(str(tmp_path / "theirs"), tmp_path / "others")


@pytest.mark.parametrize("told", ["{}", '{"hash": 7}', '{"hash": "abc"}'])
def test_without_a_digest_none_is_compared(told: str, tmp_path: Path) -> None:
    check_digest(tmp_path / "model.bin", b"1")
    (tmp_path / "metadata.json").write_text(told)
    check_digest(tmp_path / "model.bin", b"1")


def settings(**changed: str | list[str]) -> Table:
    return read_yaml(YAML, "yaml") | {name.replace("_", "-"): v for name, v in changed.items()}


def test_the_usual_form_is_post_norm_with_swish() -> None:
    assert model_form(settings()) == {
        "num_heads": 4,
        "num_encoder_layers": 2,
        "num_decoder_layers": 2,
        "activation": "silu",
        "norm": "post",
        "decoder": "self_attention",
    }


def test_norms_may_be_before_the_layers() -> None:
    steps = {"preprocess": "nd", "postprocess": "da", "postprocess_top": "n"}
    form = model_form(settings(**{f"transformer_{name}": step for name, step in steps.items()}))
    assert form["norm"] == "pre"


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"type": "s2s"}, "type is 's2s'; only transformer can be imported"),
        (
            {"transformer_decoder_autoreg": "rnn"},
            "autoreg is 'rnn of gru'; only self-attention, rnn of ssru",
        ),
        ({"transformer_tied_layers": ["1", "1"]}, r"tied-layers is \['1', '1'\]; only none can"),
        ({"transformer_postprocess_emb": "nd"}, "postprocess-emb is 'nd'; only d can"),
        ({"right_left": "true"}, "right-left is 'true'; only false"),
        ({"transformer_ffn_activation": "gelu"}, "activation is 'gelu'; only relu, swish are"),
        ({"transformer_postprocess": "hn"}, "transformer-postprocess 'hn'.*norms must be behind"),
        ({"enc_depth": "six"}, "enc-depth must be a number, got 'six'"),
        ({"enc_depth": "nan"}, "enc-depth must be a number, got 'nan'"),
        ({"enc_depth": "inf"}, "enc-depth must be a number, got 'inf'"),
        ({"enc_depth": ["6"]}, r"enc-depth must be one value, got \['6'\]"),
    ],
)
def test_what_ours_has_not_is_named(changed: dict[str, str | list[str]], message: str) -> None:
    with pytest.raises(ImportedModelError, match=f"special:model.yml: .*{message}"):
        model_form(settings(**changed))


def test_settings_have_a_usual_value_and_a_place() -> None:
    assert scalar({}, "a", "b") == "b"
    with pytest.raises(ImportedModelError, match=r"decoder.yml: a must be a number, got ''"):
        number({}, "a", "decoder.yml")


PIECES = ["</s>", "<unk>", "▁ba", "de", ".", "\u2028"]


def test_every_form_gives_the_same_pieces(tmp_path: Path) -> None:
    (tmp_path / "a.yml").write_text(yaml_vocabulary(PIECES), encoding="utf-8")
    (tmp_path / "a.json").write_text(json.dumps({p: i for i, p in enumerate(PIECES)}))
    (tmp_path / "a.vocab").write_bytes("\n".join([*PIECES, ""]).encode())
    for name in ("a.yml", "a.json", "a.vocab"):
        assert listed_pieces(tmp_path / name) == PIECES, name
    (tmp_path / "a.spm").write_bytes(piece_model())
    assert listed_pieces(tmp_path / "a.spm")[:3] == ["<unk>", "<s>", "</s>"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.yml", b"a: b", "an id is no number"),
        ("a.yml", b"a: 1", "its ids are not 0 to 0, each once"),
        ("a.vocab", b"\xff", "is not UTF-8"),
        ("a.spm", b"no", "not a SentencePiece model"),
    ],
)
def test_damage_is_named(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ImportedModelError, match=f"{name}: {message}"):
        listed_pieces(tmp_path / name)


def test_what_is_unknown_is_produced_only_where_that_is_allowed(tmp_path: Path) -> None:
    (tmp_path / "a.vocab").write_text("\n".join(PIECES), encoding="utf-8")
    for name in ("source.spm", "target.spm"):
        (tmp_path / name).write_bytes(piece_model())
    config = ModelConfig(vocab_size=8, pad_id=7)
    given = [tmp_path / "a.vocab"] * 2, config, ("deu", "eng")
    vocabulary, pairs = marian_vocabulary(*given, allows_unk=False)
    assert pairs == [("de", "en")]
    assert vocabulary.all_pieces == [*PIECES, "<unused 6>", "<pad>"]
    assert vocabulary.start_ids("en") == (7,)
    assert vocabulary.forbidden_ids == (1, 7)
    vocabulary, _ = marian_vocabulary(*given, allows_unk=True)
    assert vocabulary.forbidden_ids == (7,)


FORM = model_form(read_yaml(YAML, "yaml"))


@pytest.fixture
def arrays() -> Arrays:
    return published_arrays(foreign_model("marian").state_dict())


def floats(*shape: int) -> Any:
    return np.random.default_rng(0).normal(size=shape).astype(np.float32)


def test_which_matrices_are_one_is_told_by_their_names(arrays: Arrays) -> None:
    shared = arrays.pop("Wemb")
    config, weights = own_weights(arrays | {"encoder_Wemb": floats(40, 32), "Wemb": shared}, FORM)
    assert (config.tied, config.vocab_size, config.source_vocab_size) == ("target", 60, 41)
    assert config.pad_id == 40, "the smaller one's last, in both"
    assert not weights["decoder_embedding.weight"][40].any()
    assert not weights["output_bias"][40]
    np.testing.assert_array_equal(weights["decoder_embedding.weight"][41], shared[40])
    output = floats(32, 59)
    config, weights = own_weights(arrays | {"Wemb": shared, "decoder_ff_logit_out_W": output}, FORM)
    assert config.tied == "none"
    np.testing.assert_array_equal(weights["output"][:59], output.T)
    assert problem_with(config, {name: array.shape for name, array in weights.items()}) == ""


def test_learned_positions_come_with_unscaled_embeddings(arrays: Arrays) -> None:
    config, weights = own_weights(arrays | {"Wpos": floats(50, 32)}, FORM)
    assert (config.positions, config.max_positions) == ("learned", 50)
    assert not config.scale_embedding
    assert problem_with(config, {name: array.shape for name, array in weights.items()}) == ""


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"decoder_l1_rnn_U": floats(2, 2)}, "decoder_l1_rnn_U: this project's model has no such"),
        (
            {"Wemb": floats(59)},
            r"Wemb: must be a matrix in float32 or float16, got float32 \(59,\)",
        ),
        ({"Wemb": np.zeros((59, 32), ">f4")}, "Wemb: must be a matrix in float32 or float16"),
        ({"Wemb": None}, "the weights have neither Wemb nor encoder_Wemb and decoder_Wemb"),
        ({"encoder_l1_ffn_W1": None}, "the weights have no encoder_l1_ffn_W1"),
        ({"decoder_ff_logit_out_W": floats(32, 9)}, r"logit_out_W has the shape \(9, 32\)"),
    ],
)
def test_what_has_no_place_is_named(arrays: Arrays, changed: Any, message: str) -> None:
    given = {name: array for name, array in (arrays | changed).items() if array is not None}
    with pytest.raises(ImportedModelError, match=message):
        own_weights(given, FORM)
