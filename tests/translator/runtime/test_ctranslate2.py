"""A converted model translates as the original does."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import ctranslate2
import pytest
import torch

from translator.cli.main import main
from translator.config import Activation, DecodingOptions, NormPlacement
from translator.engine.running_batch import decode_batch
from translator.errors import ConfigError, ModelDirectoryError
from translator.model.reference import Reference
from translator.model.transformer import make_model
from translator.runtime.arrange import arrange
from translator.runtime.ctranslate2 import convert
from translator.runtime.eager import EagerRuntime
from translator.store.model_directory import LoadedModel
from translator.store.names import TOKENIZER
from translator.tokens.port import SpecialIds, Vocabulary
from translator.tokens.tokenizer import Tokenizer

GREEDY = DecodingOptions(beam_size=1, max_length_factor=1e-9, max_length_offset=20)


def sources(tokenizer: Vocabulary) -> list[list[int]]:
    generator, special = random.Random(0), {*tokenizer.forbidden_ids, tokenizer.eos_id}
    text_ids = [i for i in range(tokenizer.vocab_size) if i not in special]
    return [
        [
            *tokenizer.encode_source("", "en")[:1],
            *generator.choices(text_ids, k=length),
            tokenizer.eos_id,
        ]
        for length in range(1, 40)
    ]


@pytest.mark.parametrize(("norm", "activation"), [("pre", "relu"), ("post", "gelu")])
@torch.inference_mode()
def test_greedy_translations_are_the_same(
    loaded: LoadedModel, tmp_path: Path, norm: NormPlacement, activation: Activation
) -> None:
    torch.manual_seed(0)
    config = replace(loaded.model.config, norm=norm, activation=activation)
    model, tokenizer = make_model(config).eval(), loaded.tokenizer
    model.embedding.weight[tokenizer.eos_id] *= 3  # end sentences at various lengths
    convert(replace(loaded, reference=Reference.of(model)), tmp_path / "converted")
    translator = ctranslate2.Translator(str(tmp_path / "converted"), compute_type="float32")
    special_ids, batch = SpecialIds.of(tokenizer), sources(tokenizer)
    inference = EagerRuntime(arrange(model, special_ids.forbidden_ids))
    expected = decode_batch(inference, batch, GREEDY, special_ids)
    results = translator.translate_batch(
        [tokenizer.pieces(ids) for ids in batch],
        beam_size=1,
        max_decoding_length=20,
        min_decoding_length=0,
        return_scores=True,
    )
    assert len({len(found[0].ids) for found in expected}) > 3
    for [ours], theirs in zip(expected, results, strict=True):
        assert tokenizer.pieces(ours.ids) == theirs.hypotheses[0]
        length = len(ours.ids) + (ours.finish_reason == "eos")
        assert ours.log_prob / length == pytest.approx(theirs.scores[0], rel=1e-4)
    stored = Tokenizer((tmp_path / "converted" / TOKENIZER).read_bytes())
    assert stored.vocab_size == tokenizer.vocab_size


def test_nothing_is_overwritten(loaded: LoadedModel, tmp_path: Path) -> None:
    with pytest.raises(ModelDirectoryError, match="exists; name another"):
        convert(loaded, tmp_path)


def test_an_unknown_quantization_leaves_nothing(loaded: LoadedModel, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"quantization: .*int3"):
        convert(loaded, tmp_path / "converted", "int3")
    assert list(tmp_path.iterdir()) == []


def test_the_command_converts_the_shipped_model(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shipped = "translator/pretrained/multi30k-de-en"
    out = tmp_path / "converted"
    command = ["convert", shipped, "--format", "ctranslate2", "--out", str(out)]
    assert main([*command, "--quantization", "int8"]) == 0
    assert "a CTranslate2 model" in capsys.readouterr().out
    assert ctranslate2.contains_model(str(out))
    assert main(command) != 0
    assert "exists; name another" in capsys.readouterr().err


@pytest.mark.parametrize("quantization", ["int8", "int16"])
def test_quantisation_leaves_the_model_as_it_is(
    loaded: LoadedModel, tmp_path: Path, quantization: str
) -> None:
    before = {name: tensor.clone() for name, tensor in loaded.model.state_dict().items()}
    convert(loaded, tmp_path / "converted", quantization)
    for name, tensor in loaded.model.state_dict().items():
        assert torch.equal(tensor, before[name]), name
