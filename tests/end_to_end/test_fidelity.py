"""The default model changes no number silently, with placeholders and without."""

from __future__ import annotations

import pytest

from tests.fidelity.judge import faults
from tests.fidelity.samples import MAKERS, PAIRS, PROTECTED, samples
from tests.fidelity.vocabulary import without_placeholders
from translator.pipeline.options import TextOptions
from translator.pipeline.texts import translate_texts
from translator.pipeline.translator import DEFAULT_MODEL, Translator
from translator.store.model_directory import load_model_directory

FLAGS = {"numbers", "placeholders"}


@pytest.mark.parametrize("has_placeholders", [True, False])
def test_what_is_wrong_is_flagged_and_hardly_anything_is(has_placeholders: bool) -> None:
    loaded = load_model_directory(DEFAULT_MODEL)
    if not has_placeholders:
        loaded = without_placeholders(loaded)
    made = [one for one in samples(2 * 2 * (len(MAKERS) + 1), seed=7) if one.kind not in PROTECTED]
    flagged = 0
    with Translator.from_model(loaded) as translator:
        for source, target in PAIRS:
            own = [one for one in made if one.source == source]
            options = TextOptions(source=source, target=target)
            answers = translate_texts(translator, [one.text for one in own], options)
            for one, answer in zip(own, answers, strict=True):
                is_flagged = bool(FLAGS & {*answer.flags})
                flagged += is_flagged
                wrong = faults(one.quantities, answer.text, one.units)
                assert is_flagged or not wrong, (one.text, answer.text, wrong)
    assert flagged <= 2
