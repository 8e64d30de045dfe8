"""A hand beside the slots of a runtime: who joins, who is kept, and nobody at all."""

from __future__ import annotations

import torch

from translator.config import DecodingOptions
from translator.model.transformer import Transformer
from translator.runtime.arrange import arrange
from translator.runtime.eager.model import EagerModel

GREEDY = DecodingOptions(beam_size=1)


@torch.inference_mode()
def test_sentences_join_leave_and_are_found(model: Transformer) -> None:
    hand = EagerModel(arrange(model, (0, 1, 2)), compiles_search=False).hand(1, 2, 3)
    assert hand.advance(1, waits=False) == []
    assert hand.most_dead == 0.0
    hand.join([[4, 9, 8, 3], [4, 3]], [1, 5], [GREEDY] * 2, [(), ()])
    assert hand.most_dead == 0.25
    assert hand.advance(1, waits=False) == [0]
    [found] = hand.results(0)
    assert (len(found.ids), found.finish_reason) == (1, "length")
    hand.keep([1])
    hand.join([[4, 7, 3]], [1], [GREEDY], [()])
    assert hand.advance(1, waits=False) == [1], "behind those that were there"
    hand.keep([])
    assert hand.advance(1, waits=False) == []
    assert hand.most_dead == 0.0
