"""What a batch finds is what the model says; in company: `runtime/test_contract.py`."""

from __future__ import annotations

import pytest
import torch

from tests.reference import ReferenceRuntime
from tests.translator.runtime.stepping import random_sources
from tests.translator.search.dense import Beams, advance, prefixes
from translator.config import DecodingOptions
from translator.engine.running_batch import decode_batch
from translator.model.transformer import Transformer
from translator.runtime.arrange import arrange
from translator.runtime.contract import Runtime
from translator.runtime.device.model import DeviceRuntime
from translator.runtime.eager import EagerRuntime
from translator.search.hypothesis import Hypothesis
from translator.tokens.port import SpecialIds

SPECIAL = SpecialIds(bos_id=2, eos_id=3, forbidden_ids=(0, 1, 2, 4, 5))
OPTIONS = [
    DecodingOptions(beam_size=1),
    DecodingOptions(beam_size=4, num_hypotheses=3),
    DecodingOptions(beam_size=3, length_penalty="gnmt", alpha=0.6),
]
IDS = ["greedy", "beam", "gnmt"]


@pytest.fixture(params=[EagerRuntime, DeviceRuntime], ids=["eager", "device"])
def inference(model: Transformer, request: pytest.FixtureRequest) -> Runtime:
    with torch.no_grad():
        model.embedding.weight[3] *= 3  # end sentences at various lengths
    made: Runtime = request.param(arrange(model, SPECIAL.forbidden_ids))
    return made


@pytest.mark.parametrize("options", OPTIONS, ids=IDS)
@torch.inference_mode()
def test_scores_equal_forced_rescoring(
    inference: Runtime, model: Transformer, options: DecodingOptions
) -> None:
    for source in random_sources(5, 1, 25):
        [found] = decode_batch(inference, [source], options, SPECIAL)
        for hypothesis in found:
            ids = [*hypothesis.ids, *([3] if hypothesis.finish_reason == "eos" else [])]
            logits = model(torch.tensor([source]), torch.tensor([[2, *ids[:-1]]]), None)
            logits[..., list(SPECIAL.forbidden_ids)] = -torch.inf
            log_probs = logits[0].log_softmax(-1).gather(1, torch.tensor(ids)[:, None])
            assert hypothesis.log_prob == pytest.approx(log_probs.sum().item(), abs=1e-3)


def test_what_the_decoder_reads_first_takes_its_places(model: Transformer) -> None:
    endless = ReferenceRuntime(model, [*SPECIAL.forbidden_ids, SPECIAL.eos_id])
    endless.max_target_ids = 9
    starts = [[], [2], [2, 7, 8]]
    answers = decode_batch(endless, random_sources(3), OPTIONS[0], SPECIAL, starts)
    assert [len(best.ids) for [best] in answers] == [9, 9, 7]


@pytest.mark.parametrize("options", OPTIONS, ids=IDS)
@torch.inference_mode()
def test_what_is_found_is_what_sorting_all_log_probabilities_finds(
    inference: Runtime, model: Transformer, options: DecodingOptions
) -> None:
    for source in random_sources(6, 2, 25):
        [found] = decode_batch(inference, [source], options, SPECIAL)
        expected = search_by_hand(model, source, options)
        assert [(h.ids, h.finish_reason) for h in found] == [
            (h.ids, h.finish_reason) for h in expected
        ]
        assert [h.score for h in found] == pytest.approx([h.score for h in expected], abs=1e-4)
        assert not {*SPECIAL.forbidden_ids, 3} & {piece for h in found for piece in h.ids}


def search_by_hand(
    model: Transformer, source: list[int], options: DecodingOptions
) -> list[Hypothesis]:
    """Search with the model that is trained, reading all again at every step."""
    sentence = Beams(options, options.max_length(len(source)), SPECIAL.bos_id, SPECIAL.eos_id)
    length = 0
    while not sentence.is_done:
        read = [(*ids, *[SPECIAL.eos_id] * (length - len(ids))) for ids in prefixes(sentence)]
        rows = torch.tensor([[SPECIAL.bos_id, *ids] for ids in read])
        logits = model(torch.tensor([source] * len(rows)), rows, None)[:, -1]
        logits[:, list(SPECIAL.forbidden_ids)] = -torch.inf
        advance(sentence, logits.log_softmax(-1))
        length += 1
    return sentence.results()


@torch.inference_mode()
def test_limits_are_each_sentences_own(model: Transformer) -> None:
    options = DecodingOptions(beam_size=1, max_length_factor=1.0, max_length_offset=1)
    inference = EagerRuntime(arrange(model, SPECIAL.forbidden_ids))
    batch = random_sources(10)
    answers = decode_batch(inference, batch, options, SPECIAL)
    for source, [found] in zip(batch, answers, strict=True):
        assert len(found.ids) <= len(source) + 1
        assert found.finish_reason == "eos" or len(found.ids) == len(source) + 1
