"""The shipped models on Multi30k: as good as their cards say, in every engine and company."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import pytest

from tests.benchmarks.ctranslate2_engine import load_in_ctranslate2
from tests.end_to_end.test_pretrained import CAPTIONS, INTO_GERMAN
from training.stages.evaluation import translate_and_score
from translator.config import DecodingOptions
from translator.pipeline.translator import Translator

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        "MULTI30K" not in os.environ,
        reason="for Multi30k: set MULTI30K to a folder with test_2016_flickr.de and .en",
    ),
]


def multi30k(language: str) -> list[str]:
    """Return the lines of one side of the test set."""
    path = Path(os.environ["MULTI30K"]) / f"test_2016_flickr.{language}"
    return path.read_text("utf-8").splitlines()


def test_both_engines_translate_alike() -> None:
    options, lines = DecodingOptions(beam_size=1, search_again=False), multi30k("de")[:500]
    answers = []
    for load in (partial(Translator.load, precision="float32"), load_in_ctranslate2):
        with load(CAPTIONS) as translator:
            found = translator.translate(lines, source="de", target="en", options=options)
            answers.append([translation.text for translation in found])
    assert answers[0] == answers[1]


def test_a_sentence_does_not_depend_on_its_company() -> None:
    lines = multi30k("de")[:200]
    with Translator.load(CAPTIONS, threads=1) as translator:
        together = translator.translate(lines, source="de", target="en")
        alone = [translator.translate([line], source="de", target="en")[0] for line in lines]
    assert [found.text for found in together] == [found.text for found in alone]


@pytest.mark.parametrize(
    ("model", "direction"), [(CAPTIONS, "de-en"), (CAPTIONS, "en-de"), (INTO_GERMAN, "en-de")]
)
def test_the_scores_in_the_card_can_be_repeated(model: Path, direction: str) -> None:
    sides = {language: multi30k(language) for language in ("de", "en")}
    with Translator.load(model, threads=1) as translator:
        [(_, _, scores)] = translate_and_score(translator, sides, [direction])
    card = translator.card["scores"][f"multi30k.test_2016_flickr.{direction}"]
    assert scores.bleu == pytest.approx(card["bleu"], abs=0.3)
    assert scores.lc_tok_bleu == pytest.approx(card["lc_tok_bleu"], abs=0.3)
