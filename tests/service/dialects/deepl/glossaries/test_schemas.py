"""Answers have what is described, and nothing else."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient
from pydantic import ValidationError

from service.dialects.deepl.glossaries.schemas import GlossaryBody, PairsAnswer


def test_answers_are_as_described(client: FlaskClient) -> None:
    said = client.get("/v2/glossary-language-pairs").json
    found = PairsAnswer.model_validate(said).supported_languages
    assert [(one.source_lang, one.target_lang) for one in found] == [("de", "en"), ("en", "pt")]


def test_a_body_has_a_kind_of_entries() -> None:
    with pytest.raises(ValidationError, match="entries_format"):
        GlossaryBody.model_validate(
            {"name": "a", "source_lang": "de", "target_lang": "en", "entries": ""}
        )
