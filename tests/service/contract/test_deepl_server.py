"""The stand-in for a model that DeepL's own tests are run against."""

from __future__ import annotations

import pytest

from tests.service.contract.deepl_server import TEXTS, make_example_app


@pytest.mark.parametrize("source", ["de", "fr", "ja"])
def test_example_texts_are_detected_and_translated(source: str) -> None:
    client = make_example_app().test_client()
    body = {"text": [TEXTS[source], "word"], "target_lang": "DE"}
    answer = client.post(
        "/v2/translate", json=body, headers={"Authorization": "DeepL-Auth-Key any"}
    )
    assert answer.get_json() == {
        "translations": [
            {"detected_source_language": source.upper(), "text": TEXTS["de"]},
            {"detected_source_language": "EN", "text": "word"},
        ]
    }
