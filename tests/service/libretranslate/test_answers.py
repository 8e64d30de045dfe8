"""What answers say, and the codes of errors."""

from __future__ import annotations

import dataclasses
from typing import Any, get_args

import pytest

from service.config import ServiceConfig
from service.http.errors import BY_STATUS, CODES, code_of_status
from service.http.rendering import strings_in, written_in
from service.libretranslate.answer import ModelAnswer, Outcome, answer_to_json
from service.libretranslate.request import TranslateRequest
from service.libretranslate.routes import settings_to_json
from service.operations.downloads import downloads_to_json, offers_to_json
from service.operations.fetcher import Progress, State
from tests.checkout import ROOT
from tests.service.conftest import LANGUAGES
from translator.alignment.words import AlignedWord, TranslatedWord
from translator.detection.detector import Detected
from translator.documents.kinds import kinds_by_ending
from translator.engine.port import Times
from translator.errors import InputProblem
from translator.pipeline.translation import Language, SentenceTranslation, Translation, WrongNumbers

EVERY_CODE = {*get_args(InputProblem), *CODES.values(), *BY_STATUS.values()}
OF_THE_PAGE = {"unread_other"}  # it has no name for the language that was found
UNSEEN = {
    *("unauthorized", "not_found", "method_not_allowed", "unsupported_media_type", "client_gone"),
    *("too_large_head", "too_slow_request", "not_ready", "expectation_failed", "not_implemented"),
}


"""Codes that no one meets on a page: of addresses that the pages do not ask, or cannot ask so."""


def test_what_its_status_says_all_of_is_named_by_it() -> None:
    assert code_of_status(504) == "too_slow"
    assert code_of_status(418) == "status_418"


def test_every_code_is_documented() -> None:
    documentation = (ROOT / "docs/reference.md").read_text(encoding="utf-8")
    assert [code for code in EVERY_CODE if f"`{code}`" not in documentation] == []


@pytest.mark.parametrize("language", written_in())
def test_every_code_that_a_visitor_can_meet_is_said_in_every_language(language: str) -> None:
    assert {*strings_in(language)["errors"]} == EVERY_CODE - UNSEEN | OF_THE_PAGE


def test_what_is_wanted_goes_before_what_could_be() -> None:
    state = State({"pt": Progress("downloading", 3, 9)}, ["de", "en", "fi", "pt"])
    [wanted] = downloads_to_json(state)
    assert (wanted.code, wanted.name, wanted.state, wanted.done) == (
        "pt",
        "Portuguese",
        "downloading",
        3,
    )
    found = offers_to_json(state, ["de", "en"])
    assert [(one["code"], one["state"]) for one in found] == [
        ("fi", "available"),
        ("pt", "downloading"),
    ]


def test_what_is_switched_on_is_said() -> None:
    config = ServiceConfig(api_keys="required", suggestions_limit=5, char_limit=9)
    assert settings_to_json(config, LANGUAGES) == {
        "apiKeys": True,
        "charLimit": 9,
        "fileSizeLimit": 2 * 1024 * 1024,
        "filesTranslation": True,
        "frontendTimeout": 500,
        "keyRequired": True,
        "language": {
            "source": {"code": "auto", "name": "Auto Detect"},
            "target": {"code": "en", "name": "English"},
        },
        "suggestions": True,
        "supportedFilesFormat": [f".{ending}" for ending in kinds_by_ending()],
    }


def test_what_is_switched_off_is_said_too() -> None:
    found = settings_to_json(ServiceConfig(files="off"), LANGUAGES)
    switches = ("apiKeys", "filesTranslation", "keyRequired", "suggestions")
    assert {found[name] for name in switches} == {False}
    assert found["supportedFilesFormat"] == []
    assert settings_to_json(ServiceConfig(api_keys="optional"), LANGUAGES)["apiKeys"] is True


def test_a_model_without_english_has_another_target() -> None:
    languages = (
        Language(code="cs", name="Czech", targets=("cs", "de")),
        Language(code="de", name="German", targets=("de",)),
    )
    found = settings_to_json(ServiceConfig(), languages)["language"]["target"]
    assert found in ({"code": "cs", "name": "Czech"}, {"code": "de", "name": "German"})


ONE = Translation(text="A", alternatives=("B", "C"), score=-1.0, finish_reasons=("eos",))


def answer(*found: Translation | None, outcome: dict[str, Any] | None = None, **fields: Any) -> Any:
    wanted: dict[str, Any] = {"q": "x", "source": "de", "target": "en", **fields}
    request = TranslateRequest.read(wanted, LANGUAGES, ServiceConfig())
    return answer_to_json(request, Outcome(translations=found, **outcome or {}))


def test_flags_are_told_where_there_are_any() -> None:
    bad = Translation(text="B", flags=("copied", "retried"))
    assert answer(ONE, bad, q=["x", "y"]) == {
        "translatedText": ["A", "B"],
        "flags": [[], ["copied", "retried"]],
    }
    assert answer(bad)["flags"] == ["copied", "retried"]


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
