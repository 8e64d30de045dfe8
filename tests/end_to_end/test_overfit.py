"""Sixteen pairs learned by heart: the first thing a broken model cannot do."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
import torch

from tests.small_models import small_config
from tests.streams import write_encoded
from tests.toy import toy_pairs
from training.config import TrainingConfig
from training.loop.distributed import World
from training.loop.trainer import Trainer, TrainerInputs
from training.stages.evaluation import score
from translator.config import ModelDescription, NormPlacement
from translator.model.reference import Reference
from translator.model.transformer import make_model
from translator.pipeline.translator import Translator
from translator.store.model_directory import LoadedModel
from translator.tokens.tokenizer import Tokenizer


@pytest.mark.slow  # `test_raw_text_to_http.py` is the quick one
@pytest.mark.parametrize("norm", ["pre", "post"])
def test_sixteen_pairs_to_bleu_100(
    tmp_path: Path, tokenizer: Tokenizer, norm: NormPlacement
) -> None:
    pairs = list(dict.fromkeys(toy_pairs(30, random.Random(5))))[:16]
    generator = random.Random(6)
    english = [pair[1] for pair in pairs]
    generator.shuffle(english)  # nothing to understand: only memory helps
    sides = {"de": [pair[0] for pair in pairs], "en": english}
    corpus = write_encoded(tmp_path, tokenizer, sides, ["de-en"])
    torch.manual_seed(0)
    model = make_model(
        small_config(tokenizer, 64, num_encoder_layers=2, num_decoder_layers=2, norm=norm)
    )
    inputs = TrainerInputs(
        model=model,
        tokenizer=tokenizer,
        train=corpus,
        dev=corpus,
        score_dev=lambda weights: {"bleu": 0.0, "chrf": 0.0},
    )
    config = TrainingConfig(
        max_steps=160,
        max_batch_tokens=1000,
        learning_rate=2e-3,
        warmup_steps=30,
        label_smoothing=0.0,
        bf16=False,
        checkpoint_every=160,
    )
    world = World(torch.device("cpu"))
    Trainer(inputs, config, tmp_path / "checkpoints", seed=1, world=world).train()
    description = ModelDescription(
        model=model.config, languages=("de", "en"), directions=("de-en",)
    )
    with Translator.from_model(
        LoadedModel(description, tokenizer, Reference.of(model), {}), threads=1
    ) as translator:
        answers = translator.translate(sides["de"], source="de", target="en")
    texts = [answer.text for answer in answers]
    assert texts == english
    assert score(texts, english, "en").bleu == pytest.approx(100)
