"""What a trainer reads: padded on the CPU, or gathered on a device in a few shapes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import torch

from tests.streams import write_encoded
from tests.trainers import MakeTrainer
from training.data.encoded import EncodedCorpus, TrainBatch
from training.data.loader import plans
from training.data.on_device import RowBatch
from training.data.subword_sampling import SubwordSampler
from translator.tokens.tokenizer import Tokenizer

CPU = torch.device("cpu")


def test_with_shapes_the_same_pairs_are_gathered(make_trainer: MakeTrainer) -> None:
    trainer = make_trainer(max_batch_tokens=300)
    inputs, config = trainer.inputs, trainer.config
    shapes = inputs.shapes(config)
    assert shapes is not None
    sampler = inputs.sampler(config, 1, shapes)
    [first, *_] = inputs.sampler(config, 1, shapes).batches(0)
    step = next(inputs.steps(plans(sampler, 1, 0, 1), CPU, shapes, 0))
    assert isinstance(step.batches[0], RowBatch)
    assert step.batches[0].num_targets == inputs.train.lengths[1, first].sum()
    assert step.batches[0].to(CPU).src.shape == shapes.of(inputs.train.lengths[:, first])


def test_without_shapes_batches_are_padded(make_trainer: MakeTrainer) -> None:
    trainer = make_trainer()
    step_plans = plans(trainer.sampler, 2, 0, 1)
    step = next(trainer.inputs.steps(step_plans, CPU, None, 0))
    assert [type(batch) for batch in step.batches] == [TrainBatch, TrainBatch]


def test_words_that_are_split_anew_have_no_shapes(
    make_trainer: MakeTrainer, tokenizer: Tokenizer
) -> None:
    trainer = make_trainer()
    corpus = trainer.inputs.train
    sampler = SubwordSampler(tokenizer, unigram_alpha=0.2)
    resampled = EncodedCorpus(corpus.streams, corpus.eos_id, sampler)
    assert replace(trainer.inputs, train=resampled).shapes(trainer.config) is None


def test_positions_of_the_widest_shape_are_there_beforehand(
    make_trainer: MakeTrainer, tokenizer: Tokenizer, tmp_path: Path
) -> None:
    sides = {"de": ["x " * 700], "en": ["y"]}
    corpus = write_encoded(tmp_path / "long", tokenizer, sides, ["de-en"])
    trainer = make_trainer()
    model = trainer.inputs.model
    before = model.embedding.positions(900).clone()
    shapes = replace(trainer.inputs, train=corpus).shapes(trainer.config)
    assert shapes is not None
    assert len(model.embedding.position_table) == shapes.widths[-1] > 700
    assert torch.equal(model.embedding.positions(900), before)
