"""Answers have what is described, and nothing else."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient
from pydantic import ValidationError

from service.dialects.deepl.schemas import (
    DeepLLanguages,
    DeepLTranslateAnswer,
    DocumentState,
    UsageAnswer,
)


def test_answers_are_as_described(client: FlaskClient) -> None:
    fields = {"text": ["a"], "source_lang": "DE", "target_lang": "EN-US"}
    DeepLTranslateAnswer.model_validate(client.post("/v2/translate", json=fields).json)
    DeepLLanguages.model_validate(client.get("/v2/languages?type=target").json)
    UsageAnswer.model_validate(client.get("/v2/usage").json)


def test_what_is_not_described_is_found() -> None:
    with pytest.raises(ValidationError, match="extra"):
        DocumentState.model_validate({"document_id": "a", "status": "done", "odd": 1})
