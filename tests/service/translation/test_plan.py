"""Which texts are translated together, and from which language."""

from __future__ import annotations

from typing import Any

import pytest

from service.config import ServiceConfig
from service.schemas.translate.request import TranslateRequest
from service.translation.plan import Plan, finder_of, make_plan
from tests.service.conftest import LANGUAGES, detector
from translator.detection.detector import Detected, Detection
from translator.errors import InputError, UnreadLanguageError
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
    assert [one and one.language for one in found.detected] == ["de", "en", "de"]
    assert all(one and one.confidence > 80 for one in found.detected)


def test_what_cannot_be_told_is_english_of_no_confidence() -> None:
    found = plan(q=["123", ""], target="en")
    assert found.groups == {"en": [0, 1]}
    assert found.detected == [Detected(language="en", confidence=0.0)] * 2


def test_where_english_is_not_translated_another_language_stands_for_it() -> None:
    assert finder_of("en", LANGUAGES, detector()).of_text("12").language == "en"
    assert finder_of("de", LANGUAGES, detector()).of_text("12").language == "de"
    only = [Language(code="fr", name="French", targets=("fr",))]
    assert finder_of("de", only, detector()).of_text("12").language == "fr"


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
        def examine(self, text: str) -> Detection:
            assert text.split() == ["schön"]
            return Detection(languages=[Detected(language="de", confidence=50.0)])

    heard: Any = Heard()
    assert make_plan(wanted(q=page, format="html"), LANGUAGES, heard).groups == {"de": [0]}


ITALIAN = "La tua password non è corretta"
SAID = (
    "{} seems to be in Italian (it, 98.4 %), which no model here reads; if that is wrong, name its "
    "language as source"
)


@pytest.mark.parametrize("q", [ITALIAN, [ITALIAN, ITALIAN], [ITALIAN, "", "123"]])
def test_a_language_that_no_model_reads_is_an_error(q: str | list[str]) -> None:
    with pytest.raises(UnreadLanguageError) as caught:
        plan(q=q)
    assert str(caught.value) == SAID.format("q" if isinstance(q, str) else "q[0]")
    assert (caught.value.language, caught.value.code) == ("it", "unread_language")
    assert caught.value.confidence == pytest.approx(98.4, abs=0.1)


def test_beside_others_a_text_in_such_a_language_is_left_as_it_is() -> None:
    found = plan(q=[GERMAN, ITALIAN])
    assert (found.groups, found.left) == ({"de": [0]}, (1,))
    assert found.faults == {1: SAID.format("q[1]")}
    assert [one and one.language for one in found.detected] == ["de", "it"]


def test_where_errors_are_wanted_it_has_one() -> None:
    found = plan(q=[ITALIAN, 7], errors="per_item")
    assert (found.groups, found.left) == ({}, ())
    assert found.faults[0] == SAID.format("q[0]")
    assert [one and one.language for one in found.detected] == ["it", None]
