"""Which texts are translated together, and from which language."""

from __future__ import annotations

from typing import Any

import pytest

from service.config import ServiceConfig
from service.schemas.translate.request import TranslateRequest
from service.translation.plan import Plan, best_of, make_plan, undetected
from tests.service.conftest import LANGUAGES, detector
from translator.detection.detector import Detected
from translator.errors import InputError
from translator.translate.translation import Language

GERMAN, ENGLISH = "Wir gehen heute nicht nach Hause.", "We are not going home today."


def wanted(**fields: Any) -> TranslateRequest:
    fields = {"source": "auto", "target": "en", **fields}
    return TranslateRequest.read(fields, LANGUAGES, ServiceConfig())


def plan(**fields: Any) -> Plan:
    return make_plan(wanted(**fields), LANGUAGES, detector())


def test_a_language_that_is_named_is_one_group() -> None:
    assert plan(q=["a", "b"], source="de") == Plan(groups={"de": [0, 1]}, faults={})


def test_each_text_has_its_own_language_and_those_of_one_are_together() -> None:
    found = plan(q=[GERMAN, ENGLISH, GERMAN])
    assert found.groups == {"de": [0, 2], "en": [1]}
    assert [one.language for one in found.detected] == ["de", "en", "de"]
    assert all(one.confidence > 80 for one in found.detected)


def test_what_cannot_be_told_is_english_of_no_confidence() -> None:
    found = plan(q=["123", ""], target="en")
    assert found.groups == {"en": [0, 1]}
    assert found.detected == [Detected(language="en", confidence=0.0)] * 2


def test_where_english_is_not_translated_another_language_stands_for_it() -> None:
    assert undetected(LANGUAGES).language == "en"
    assert undetected(LANGUAGES, "de").language == "de"
    only = [Language(code="fr", name="French", targets=("fr",))]
    assert undetected(only, "de").language == "fr"


def test_texts_with_faults_are_in_no_group() -> None:
    assert plan(q=["a", None], source="de", errors="per_item").groups == {"de": [0]}
    assert plan(q=[None], source="de", errors="per_item").groups == {}
    assert plan(q=[GERMAN, 1], errors="per_item").groups == {"de": [0]}


def test_a_detected_language_without_that_target() -> None:
    message = "German (de) is not available as a target language from English (en)"
    with pytest.raises(InputError) as caught:
        plan(q=[GERMAN, ENGLISH], target="de")
    assert str(caught.value) == message
    found = plan(q=[GERMAN, ENGLISH], target="de", errors="per_item")
    assert (found.groups, found.faults) == ({"de": [0]}, {1: message})


def test_markup_does_not_count() -> None:
    page = (
        "<p title='the of and'><script>if (a < b) { this and that }</script><!-- the -->"
        "<style>p > a { color: red }</style><b>sch&ouml;n</b></p>"
    )

    class Heard:
        def detect(self, text: str) -> list[Detected]:
            assert text.split() == ["schön"]
            return [Detected(language="de", confidence=50.0)]

    fallback = Detected(language="en", confidence=0.0)
    heard: Any = Heard()
    assert best_of(page, wanted(q=page, format="html"), heard, fallback).language == "de"
