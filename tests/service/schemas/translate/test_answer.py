"""POST /translate: answers in shape."""

from __future__ import annotations

import dataclasses
from typing import Any

from service.config import ServiceConfig
from service.schemas.translate.answer import (
    ModelAnswer,
    Outcome,
    answer_to_json,
    sentence_to_answer,
)
from service.schemas.translate.request import TranslateRequest
from tests.service.conftest import LANGUAGES
from translator.detection.detector import Detected
from translator.engine.port import Times
from translator.translate.translation import (
    AlignedWord,
    SentenceTranslation,
    TranslatedWord,
    Translation,
    WrongNumbers,
)

ONE = Translation(text="A", alternatives=("B", "C"), score=-1.0, finish_reasons=("eos",))


def answer(*found: Translation | None, outcome: dict[str, Any] | None = None, **fields: Any) -> Any:
    wanted: dict[str, Any] = {"q": "x", "source": "de", "target": "en", **fields}
    request = TranslateRequest.read(wanted, LANGUAGES, ServiceConfig())
    return answer_to_json(request, Outcome(translations=found, **outcome or {}))


def test_a_text_and_an_array() -> None:
    assert answer(ONE) == {"translatedText": "A"}
    assert answer(ONE, alternatives=2) == {"translatedText": "A", "alternatives": ["B", "C"]}
    assert answer(ONE, q=["x"], alternatives=1) == {
        "translatedText": ["A"],
        "alternatives": [["B", "C"]],
    }


def test_flags_are_told_where_there_are_any() -> None:
    bad = Translation(text="B", flags=("copied", "retried"))
    assert answer(ONE, bad, q=["x", "y"]) == {
        "translatedText": ["A", "B"],
        "flags": [[], ["copied", "retried"]],
    }
    assert answer(bad)["flags"] == ["copied", "retried"]


def test_detected_languages_are_as_many_as_texts() -> None:
    detected = [Detected(language="de", confidence=91.26), Detected(language="en", confidence=0.0)]
    first, second = {"confidence": 91.3, "language": "de"}, {"confidence": 0.0, "language": "en"}
    both = answer(ONE, ONE, q=["x", "y"], outcome={"detected": detected})
    assert both["detectedLanguage"] == [first, second]
    assert answer(ONE, outcome={"detected": detected[:1]})["detectedLanguage"] == first


def test_glossary_terms_are_told_where_there_is_a_glossary() -> None:
    met = Translation(text="home", terms=("Haus",))
    both = answer(met, ONE, q=["x", "y"], glossary={"Haus": "home"})
    assert both["glossary_terms"] == [["Haus"], []]
    assert "glossary_terms" not in answer(ONE)


def test_errors_stand_at_the_places_of_their_texts() -> None:
    detected = [Detected(language="de", confidence=90.0), None]
    fields: dict[str, Any] = {"q": ["x", "y"], "errors": "per_item", "alternatives": 1}
    outcome = {"faults": {1: "too long"}, "detected": detected}
    assert answer(ONE, None, **fields, outcome=outcome) == {
        "translatedText": ["A", None],
        "alternatives": [["B", "C"], []],
        "detectedLanguage": [{"confidence": 90.0, "language": "de"}, None],
        "errors": [None, "too long"],
    }
    assert answer(ONE, q=["x"], errors="per_item")["errors"] == [None]


SENTENCE = SentenceTranslation(
    separator="\n", source="a", text="A", score=-0.25, finish_reasons=("eos",), flags=("retried",)
)


def test_details() -> None:
    translation = Translation(text="\nA", score=-0.25, sentences=(SENTENCE,))
    outcome = {"models": [ModelAnswer(name="upper", version=None)], "total_ms": 1.23456}
    said = answer(translation, details=True, outcome=outcome)["details"]
    assert said == {
        "model": {"name": "upper", "version": None},
        "total_ms": 1.235,
        "texts": [
            {
                "score": -0.25,
                "flags": [],
                "queue_ms": 0.0,
                "compute_ms": 0.0,
                "sentences": [
                    {
                        "separator": "\n",
                        "source": "a",
                        "text": "A",
                        "score": -0.25,
                        "finish_reasons": ["eos"],
                        "flags": ["retried"],
                    }
                ],
            }
        ],
    }
    failed = answer(None, q=["x"], details=True, errors="per_item")
    assert failed["details"]["texts"] == [None]


def test_wrong_numbers_are_told_with_the_sentence_that_has_them() -> None:
    wrong = dataclasses.replace(
        SENTENCE, flags=("numbers",), numbers=WrongNumbers(("5.592.260",), ("5,59260",))
    )
    translation = Translation(text="\nA", flags=("numbers",), sentences=(wrong, SENTENCE))
    said = answer(translation, details=True)["details"]["texts"][0]["sentences"]
    assert said[0]["numbers"] == {"missing": ["5.592.260"], "added": ["5,59260"]}
    assert "numbers" not in said[1]


def test_a_sentence_keeps_all_it_has() -> None:
    said = sentence_to_answer(SENTENCE, has_alignment=False)
    assert said.flags == ["retried"]
    assert "alignment" not in said.model_dump(exclude_unset=True)


def test_times_are_told_in_milliseconds() -> None:
    timed = Translation(text="A", times=Times(10.0, 10.5, 10.75))
    [text] = answer(timed, details=True)["details"]["texts"]
    assert (text["queue_ms"], text["compute_ms"]) == (500.0, 250.0)


def test_words_are_told_to_those_who_ask() -> None:
    words = (TranslatedWord(0, 1, -0.123456, (AlignedWord(0, 1, 0.98765),)),)
    known = dataclasses.replace(SENTENCE, words=words)
    [first, second] = answer(Translation(text="A", sentences=(known, SENTENCE)), alignment=True)[
        "details"
    ]["texts"][0]["sentences"]
    assert first["alignment"] == [
        {
            "start": 0,
            "end": 1,
            "log_prob": -0.1235,
            "sources": [{"start": 0, "end": 1, "weight": 0.988}],
        }
    ]
    assert second["alignment"] is None


def test_the_language_between_is_told_where_there_is_one() -> None:
    pivoted = Translation(text="B", via="en")
    assert answer(pivoted) == {"translatedText": "B", "via": "en"}
    said = answer(ONE, pivoted, None, q=["x", "y", 7], errors="per_item", details=True)
    assert said["via"] == [None, "en", None]
    assert ["via" in text for text in said["details"]["texts"][:2]] == [False, True]


def test_several_models_are_all_named() -> None:
    models = [ModelAnswer(name="de-en", version="1"), ModelAnswer(name="en-fr", version="2")]
    details = answer(ONE, details=True, outcome={"models": models})["details"]
    assert details["model"] == {"name": "de-en", "version": "1"}
    assert [model["name"] for model in details["models"]] == ["de-en", "en-fr"]
