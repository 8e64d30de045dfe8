"""Given translations are scored as the model itself would score them, one by one."""

from __future__ import annotations

import random

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.engines import CopyEngine
from tests.toy import toy_pairs
from translator.errors import InputError, UnsupportedLanguageError
from translator.pipeline.scoring import score_pairs
from translator.pipeline.translator import Translator
from translator.store.model_directory import LoadedModel

PAIRS = toy_pairs(5, random.Random(4))


def step_by_step(loaded: LoadedModel, source: str, translation: str, target: str) -> list[float]:
    """Return the log-probability of each piece and of the end, one forward pass for each."""
    tokenizer, model = loaded.tokenizer, loaded.model
    src = torch.tensor([tokenizer.encode_source(source, target)])
    given_ids, found = [tokenizer.bos_id], []
    for piece_id in [*tokenizer.encode(translation), tokenizer.eos_id]:
        with torch.inference_mode():
            states = model.decode(torch.tensor([given_ids]), model.encode(src, None), None)
            log_probs = model.logits(states)[0, -1].log_softmax(dim=-1)
        found.append(float(log_probs[piece_id]))
        given_ids.append(piece_id)
    return found


def test_scores_are_those_of_the_model_step_by_step(loaded: LoadedModel) -> None:
    with Translator(loaded, CopyEngine()) as translator:
        scores = score_pairs(translator, PAIRS, source="de", target="en")
    for (source, translation), score in zip(PAIRS, scores, strict=True):
        assert score is not None
        expected = step_by_step(loaded, source, translation, "en")
        assert [log_prob for _, log_prob in score.pieces] == pytest.approx(expected, abs=1e-4)
        assert score.log_prob == pytest.approx(sum(expected), abs=1e-3)
        # the search of the model divides by the number of pieces
        assert score.score == pytest.approx(sum(expected) / len(expected), abs=1e-4)
        pieces = "".join(piece for piece, _ in score.pieces)
        assert pieces.replace("▁", " ").strip() == f"{translation}</s>"


@settings(
    max_examples=200,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    pairs=st.lists(
        st.tuples(*[st.text(st.characters(exclude_categories=["Cs"]), max_size=30)] * 2), max_size=4
    )
)
def test_any_text_has_a_score_that_company_does_not_change(
    loaded: LoadedModel, pairs: list[tuple[str, str]]
) -> None:
    with Translator(loaded, CopyEngine()) as translator:
        together = score_pairs(translator, pairs, source="en", target="de")
        assert len(together) == len(pairs)
        for pair, score in zip(pairs, together, strict=True):
            [alone] = score_pairs(translator, [pair], source="en", target="de")
            assert score is not None
            assert alone is not None
            assert score.log_prob == pytest.approx(alone.log_prob, rel=1e-4, abs=1e-4)
            assert score.log_prob < 0
            names = [piece for piece, _ in score.pieces]
            assert names == [piece for piece, _ in alone.pieces]
            if "&" not in pair[1]:  # `&quot;` is read as the mark that it writes
                assert len(names) == len(loaded.tokenizer.encode(pair[1].rstrip())) + 1


def test_a_character_that_is_written_as_an_entity_is_scored_as_itself(loaded: LoadedModel) -> None:
    with Translator(loaded, CopyEngine()) as translator:
        pairs = [("Der &quot;Hund&quot;", "a &quot;dog&quot;"), ('Der "Hund"', 'a "dog"')]
        [entities, marks] = score_pairs(translator, pairs, source="de", target="en")
    assert entities == marks


def test_what_cannot_be_scored(loaded: LoadedModel) -> None:
    with Translator(loaded, CopyEngine()) as translator:
        [none, some] = score_pairs(
            translator, [("Hund " * 500, "dog"), PAIRS[0]], source="de", target="en"
        )
        assert none is None
        assert some is not None
        assert score_pairs(translator, [], source="de", target="en") == []
        with pytest.raises(UnsupportedLanguageError, match="fr"):
            score_pairs(translator, PAIRS, source="fr", target="en")
        with pytest.raises(InputError, match="nothing is translated"):
            score_pairs(translator, PAIRS, source="en", target="en")
