"""POST /detect."""

from __future__ import annotations

from typing import Any

import pytest

from service.config import ServiceConfig
from service.schemas.detect import DetectedLanguage, detected_to_json, read_detect
from translator.detection.detector import Detected
from translator.errors import InputError

CONFIG = ServiceConfig(char_limit=10)


def test_a_text_and_an_array() -> None:
    assert read_detect({"q": "Hallo"}, CONFIG) == "Hallo"
    assert read_detect({"q": ["a", "b"]}, CONFIG) == "a\nb"


@pytest.mark.parametrize(
    ("q", "message"),
    [
        ("", "missing q parameter"),
        (None, "missing q parameter"),
        ([], "missing q parameter"),
        (0, "missing q parameter"),
        (5, "q must be a string, got a number"),
        (["a", 1], "q[1] must be a string, got a number"),
        ("a" * 11, "request (11) exceeds text limit (10)"),
    ],
)
def test_what_is_refused(q: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_detect({"q": q}, CONFIG)
    assert str(caught.value) == f"Invalid request: {message}"


def test_confidences_are_told_to_a_tenth() -> None:
    found = [Detected(language="de", confidence=99.96), Detected(language="en", confidence=0.04)]
    assert detected_to_json(found) == [
        {"confidence": 100.0, "language": "de"},
        {"confidence": 0.0, "language": "en"},
    ]
    assert isinstance(DetectedLanguage.of(found[0]).confidence, float)
