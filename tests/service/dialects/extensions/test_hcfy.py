"""What Hcfy sends, as its page of documentation says."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from service.dialects.extensions.hcfy import HcfyAnswer, find_by_name, name_of
from tests.service.conftest import LANGUAGES
from translator.translate.translation import Language

GERMAN = "Wir gehen heute nicht nach Hause."


def test_the_first_language_that_is_another(client: FlaskClient) -> None:
    body = {"name": "ours", "text": f"{GERMAN}\n\nJa, wir gehen.", "destination": ["德语", "英语"]}
    said = client.post("/hcfy", json=body).json or {}
    assert (said["from"], said["to"]) == ("德语", "英语")
    assert said["result"] == [GERMAN.upper(), "", "JA, WIR GEHEN."]
    HcfyAnswer.model_validate(said)


def test_languages_that_there_are_not_are_passed_over(client: FlaskClient) -> None:
    body = {"text": "eins", "source": "德语", "destination": ["中文(简体)", "英语"]}
    assert (client.post("/hcfy", json=body).json or {})["to"] == "英语"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"destination": ["中文(简体)"]}, "中文(简体) is not supported"),
        ({"source": "中文(简体)"}, "中文(简体) is not supported"),
        ({"destination": [1]}, "destination[0] must be a string, got a number"),
        ({"text": ""}, "missing text parameter"),
    ],
)
def test_what_is_refused(client: FlaskClient, fields: dict[str, Any], message: str) -> None:
    body = {"text": "a", "destination": ["英语"], "source": "德语", **fields}
    answer = client.post("/hcfy", json=body)
    assert (answer.status_code, message in (answer.json or {})["error"]) == (400, True)


def test_names() -> None:
    assert [name_of(code) for code in ("de", "zh", "zh-Hant", "ja")] == [
        *("德语", "中文(简体)", "中文(繁体)", "日语")
    ]
    chinese = Language(code="zh", name="Chinese", targets=("en",))
    assert find_by_name("中文(简体)", [*LANGUAGES, chinese]) is chinese
    assert find_by_name("en-US", LANGUAGES) is LANGUAGES[1]
    assert find_by_name("火星语", LANGUAGES) is None
