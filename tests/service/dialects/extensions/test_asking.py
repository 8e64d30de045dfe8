"""What the small dialects have in common."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from service.dialects.extensions.asking import texts_of
from tests.service.dialects.conftest import MakeClient
from translator.errors import InputError


def test_texts() -> None:
    assert texts_of({"a": ["b", 1]}, "a") == ["b", 1]
    with pytest.raises(InputError, match="missing a parameter"):
        texts_of({"a": []}, "a")
    with pytest.raises(InputError, match="a must be an array, got a string"):
        texts_of({"a": "b"}, "a")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"text_list": ["a", 1]}, r"q[1] must be a string"),
        ({"text_list": ["a"], "target_lang": "xx"}, "xx is not supported"),
        ({"text_list": ["a"], "target_lang": None}, "missing target parameter"),
        ({"text_list": ["a"] * 101}, "exceeds text limit"),
    ],
)
def test_what_is_refused(client: FlaskClient, fields: dict[str, Any], message: str) -> None:
    answer = client.post("/imme", json={"target_lang": "en", **fields})
    assert (answer.status_code, message in (answer.json or {})["error"]) == (400, True)


def test_texts_take_a_place(make_client: MakeClient, translator: Any) -> None:
    client = make_client()
    client.post("/imme", json={"text_list": ["a", "b"], "source_lang": "de", "target_lang": "en"})
    assert translator.calls == [(("a", "b"), "de", "en", 0)]
