"""Argos packages and CTranslate2 directories: what is read, and what is refused by name."""

from __future__ import annotations

import json
import shutil
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ctranslate2
import numpy as np
import pytest
import torch
from ctranslate2.converters import OpusMTConverter

from tests.translator.store.imports.foreign import model_of
from tests.translator.store.imports.marian.published import published
from translator.cli.convert import write_package, write_packages
from translator.config import DecodingOptions
from translator.engine.running_batch import decode_batch
from translator.errors import ImportedModelError, ModelDirectoryError
from translator.pipeline.translator import Translator
from translator.runtime.arrange import arrange
from translator.runtime.ctranslate2 import make_spec
from translator.runtime.eager import EagerRuntime
from translator.search.rows import Array
from translator.store.imports.importing import import_model
from translator.store.imports.marian.directory import read_marian
from translator.store.imports.opennmt import (
    dequantised,
    own_form,
    read_package,
    read_variables,
    zero_place,
)
from translator.store.model_directory import LoadedModel
from translator.tokens.imported import ImportedVocabulary
from translator.tokens.port import SpecialIds


def package(loaded: LoadedModel, folder: Path, quantization: str = "float32") -> Path:
    write_package(loaded, "de-en", folder, quantization)
    return folder


def zipped(folder: Path, path: Path, extra: dict[str, bytes] | None = None) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                archive.write(file, f"translate-de_en/{file.relative_to(folder)}")
        for name, content in (extra or {}).items():
            archive.writestr(name, content)
    return path


@pytest.mark.parametrize(
    ("quantization", "tolerance"),
    [("float32", 1e-4), ("float16", 0.02), ("bfloat16", 0.2), ("int16", 0.02), ("int8", 0.3)],
)
@pytest.mark.filterwarnings("ignore:overflow encountered in cast")  # the bias of forbidden ids
@torch.inference_mode()
def test_weights_of_every_precision_are_read(
    loaded: LoadedModel, tmp_path: Path, quantization: str, tolerance: float
) -> None:
    src, tgt = torch.tensor([[260, 300, 301, 302, 3]]), torch.tensor([[2, 300, 310]])
    allowed = [
        i for i in range(loaded.tokenizer.vocab_size) if i not in loaded.tokenizer.forbidden_ids
    ]
    expected = loaded.model(src, tgt, None)[..., allowed]
    imported = read_package(package(loaded, tmp_path / "package", quantization))
    found = model_of(imported)(src, tgt, None)[..., allowed]
    assert (found - expected).abs().max() <= tolerance * max(1.0, float(expected.abs().max()))
    assert imported.description.directions == ("de-en",)


def test_a_package_translates_as_the_model_that_it_was_made_from(
    loaded: LoadedModel, tmp_path: Path
) -> None:
    path = zipped(package(loaded, tmp_path / "package"), tmp_path / "de-en.argosmodel")
    imported = import_model(str(path), tmp_path / "model")
    assert imported.kind == "Argos package"
    assert imported.description.decoding.alpha == 0.2, "as Argos Translate searches"
    options = DecodingOptions(beam_size=1, search_again=False, max_length_offset=8)
    text = "der hund sieht die katze."
    with Translator.load(tmp_path / "model", precision="float32") as translator:
        [found] = translator.translate([text], source="de", target="en", options=options)
    with Translator.from_model(loaded, precision="float32") as translator:
        [expected] = translator.translate([text], source="de", target="en", options=options)
    assert found.text == expected.text


@pytest.mark.parametrize("is_separate", [False, True])
@torch.inference_mode()
def test_a_package_of_a_model_of_opus_is_read(tmp_path: Path, is_separate: bool) -> None:
    """Its decoder begins with zeros, and no piece fills its batches."""
    published(tmp_path / "theirs", is_separate=is_separate)
    folder = tmp_path / "package"
    folder.mkdir()
    OpusMTConverter(str(tmp_path / "theirs")).convert(str(folder / "model"))
    shutil.copy(tmp_path / "theirs/source.spm", folder / "sentencepiece.model")
    shutil.copy(tmp_path / "theirs/target.spm", folder / "target.spm")
    (folder / "metadata.json").write_text(json.dumps({"from_code": "de", "to_code": "en"}))
    found, expected = read_package(folder), read_marian(tmp_path / "theirs")
    assert isinstance(found.vocabulary, ImportedVocabulary)
    assert isinstance(expected.vocabulary, ImportedVocabulary)
    assert found.vocabulary.form.pieces == expected.vocabulary.form.pieces
    assert found.vocabulary.form.source_pieces == expected.vocabulary.form.source_pieces
    assert found.vocabulary.start_ids("en") == expected.vocabulary.start_ids("en")
    ids = expected.vocabulary.encode_source("bade kilo.", "en", "de")
    assert found.vocabulary.encode_source("bade kilo.", "en", "de") == ids
    target = torch.tensor([[found.vocabulary.pad_id, 5, 9, 30]])
    one, other = (model_of(each)(torch.tensor([ids]), target, None) for each in (found, expected))
    torch.testing.assert_close(one, other, atol=1e-5, rtol=1e-5)
    path = next((folder / "model").glob("*_vocabulary.json"))
    path.write_text(json.dumps(json.loads(path.read_text())[:-1]))
    with pytest.raises(ImportedModelError, match="a vocabulary has fewer pieces than"):
        read_package(folder)


def test_without_a_table_positions_are_those_that_ctranslate2_computes(
    loaded: LoadedModel, tmp_path: Path
) -> None:
    tokenizer, special = loaded.tokenizer, SpecialIds.of(loaded.tokenizer)
    with torch.no_grad():  # away from neutral values, so that what it says depends on positions
        for parameter in loaded.model.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.2)
    plan = arrange(loaded.model, special.forbidden_ids)
    pieces = tokenizer.all_pieces
    spec = make_spec(plan, pieces, special, tokenizer.unk_id, pieces)
    for side in (spec.encoder, spec.decoder):
        side.position_encodings.encodings = "__optional"
    spec.validate()
    folder = tmp_path / "theirs"
    folder.mkdir()
    spec.save(str(folder))
    (folder / "tokenizer.model").write_bytes(tokenizer.files["tokenizer.model"])
    said = (folder / "config.json").read_text()
    (folder / "config.json").write_text(json.dumps(json.loads(said) | {"add_source_bos": True}))
    imported = read_package(folder, ("de", "en"))
    (folder / "config.json").write_text(said)
    assert imported.description.model.positions == "sinusoidal_fairseq"
    ids = [[4, *range(300, 300 + length), 3] for length in range(1, 20)]
    results = ctranslate2.Translator(str(folder), compute_type="float32").translate_batch(
        [tokenizer.pieces(one) for one in ids],
        beam_size=1,
        max_decoding_length=9,
        min_decoding_length=0,
        return_scores=True,
    )
    runtime = EagerRuntime(arrange(model_of(imported), special.forbidden_ids))
    greedy = DecodingOptions(beam_size=1, max_length_factor=1e-9, max_length_offset=9)
    found = decode_batch(runtime, ids, greedy, special)
    for result, [hypothesis] in zip(results, found, strict=True):
        assert tokenizer.pieces(hypothesis.ids) == result.hypotheses[0]
        assert hypothesis.score == pytest.approx(result.scores[0], abs=1e-5)


def test_every_direction_becomes_a_package(loaded: LoadedModel, tmp_path: Path) -> None:
    paths = write_packages(loaded, tmp_path / "packages", None)
    assert [path.name for path in paths] == [
        "translate-de-en.argosmodel",
        "translate-en-de.argosmodel",
    ][: len(paths)]
    for path, direction in zip(paths, loaded.description.directions, strict=True):
        imported = import_model(str(path), tmp_path / direction)
        assert imported.description.directions == (direction,)
    with pytest.raises(ModelDirectoryError, match="packages: exists; name another"):
        write_packages(loaded, tmp_path / "packages", None)


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("bpe.model", lambda _: b"", r"bpe.model: only SentencePiece .*; take a pack"),
        ("model/model.bin", lambda whole: whole[: len(whole) // 2], "truncated or damaged"),
        (
            "model/model.bin",
            lambda whole: whole.replace(b"multi_query_attention", b"multi_query_attentiom"),
            "multi_query_attentiom: this project's model has no",
        ),
        (
            "model/shared_vocabulary.json",
            lambda whole: json.dumps([*json.loads(whole), "one more"]).encode(),
            "they do not belong together",
        ),
    ],
)
def test_a_package_that_is_not_whole_or_not_ours_is_refused(
    loaded: LoadedModel, tmp_path: Path, name: str, change: Callable[[bytes], bytes], message: str
) -> None:
    folder = package(loaded, tmp_path / "package")
    path = folder / name
    path.write_bytes(change(path.read_bytes() if path.exists() else b""))
    with pytest.raises(ImportedModelError, match=message):
        read_package(folder)


def test_a_directory_without_languages_asks_for_them(loaded: LoadedModel, tmp_path: Path) -> None:
    folder = package(loaded, tmp_path / "package")
    (folder / "metadata.json").unlink()
    with pytest.raises(ImportedModelError, match="give --from and --to"):
        read_package(folder)
    assert read_package(folder, ("deu", "eng")).description.directions == ("de-en",)


def named(text: str) -> bytes:
    content = text.encode() + b"\0"
    return struct.pack("<H", len(content)) + content


def written(variables: list[bytes], aliases: list[bytes]) -> bytes:
    head = struct.pack("<I", 6) + named("TransformerSpec") + struct.pack("<I", 7)
    counted = struct.pack("<I", len(variables)) + b"".join(variables)
    return head + counted + struct.pack("<I", len(aliases)) + b"".join(aliases)


FLOATS = named("a") + struct.pack("<BIBI2f", 1, 2, 0, 8, 1.5, -2.0)
LEVELS = named("b") + struct.pack("<BIIBI2b", 2, 1, 2, 1, 2, 10, -20)
SCALES = named("b_scale") + struct.pack("<BIBIf", 1, 1, 0, 4, 10.0)
CONTENT = written([FLOATS, LEVELS, SCALES], [named("c") + named("b")])


def test_variables_aliases_and_scales(tmp_path: Path) -> None:
    path = tmp_path / "model.bin"
    path.write_bytes(CONTENT)
    found = read_variables(path)
    assert sorted(found) == ["a", "b", "b_scale", "c", "c_scale"]
    assert found["a"].tolist() == [1.5, -2.0]
    assert dequantised(found, "c").tolist() == [[1.0, -2.0]]


def test_every_truncated_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.bin"
    for end in range(len(CONTENT)):
        path.write_bytes(CONTENT[:end])
        with pytest.raises(ImportedModelError):
            read_variables(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (struct.pack("<I", 5) + CONTENT[4:], "binary version 5; only 6 is known"),
        (CONTENT.replace(b"Transformer", b"Transfarmer"), "holds a 'TransfarmerSpec'"),
        (written([FLOATS], [named("c") + named("x")]), "c stands for x, which is not there"),
        (written([named("a") + struct.pack("<BIBI", 1, 2, 0, 4)], []), r"a has 4 bytes for \[2\]"),
        (written([named("a") + struct.pack("<BIBI", 1, 2, 9, 8)], []), "unknown type, number 9"),
    ],
)
def test_damage_is_named(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "model.bin"
    path.write_bytes(content)
    with pytest.raises(ImportedModelError, match=message):
        read_variables(path)


def test_levels_without_scales_are_refused() -> None:
    levels = np.zeros((2, 3), np.int8)
    with pytest.raises(ImportedModelError, match=r"b lacks scales of its shape"):
        dequantised({"b": levels, "b_scale": np.ones(3)}, "b")
    with pytest.raises(ImportedModelError, match=r"model.bin: lacks x"):
        dequantised({}, "x")


@pytest.fixture
def variables(loaded: LoadedModel, tmp_path: Path) -> dict[str, Array]:
    write_package(loaded, "de-en", tmp_path / "package", "float32")
    return read_variables(tmp_path / "package/model/model.bin")


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"decoder/layer_0/rotary/weight": np.ones(1)}, "rotary.*no such layer or setting"),
        ({"decoder/alibi": np.array(1)}, "decoder/alibi: .*no such layer or setting"),
        ({"decoder/num_heads": np.array(3)}, "num_heads must be the same on both sides"),
        ({"encoder/scale_embeddings": np.array(2.5)}, "only 1 or √D are known"),
        (
            {f"{side}/activation": np.array(4) for side in ("encoder", "decoder")},
            "activation GELUSigmoid: this project's model has no such; only CTranslate2 itself",
        ),
        ({"decoder/position_encodings/encodings": None}, "must be on both sides, or on none"),
    ],
)
def test_what_ours_has_not_is_named(
    variables: dict[str, Array], changed: dict[str, Any], message: str
) -> None:
    given = {name: value for name, value in (variables | changed).items() if value is not None}
    with pytest.raises(ImportedModelError, match=message):
        own_form(given, pad_id=0)


def test_a_decoder_that_begins_with_zeros_gets_a_piece(variables: dict[str, Array]) -> None:
    assert zero_place(variables) is None
    given = variables | {"decoder/start_from_zero_embedding": np.array(1, np.int8)}
    size = variables["decoder/embeddings/weight"].shape[0]
    assert zero_place(given) == size
    config, weights = own_form(given, pad_id=size)
    assert (config.vocab_size, config.pad_id) == (size + 1, size)
    assert not weights["embedding.weight"][size].any()
    assert not weights["output_bias"][size]
