"""GET /languages."""

from __future__ import annotations

from service.schemas.languages import languages_to_json
from tests.service.conftest import LANGUAGES


def test_languages() -> None:
    assert languages_to_json(LANGUAGES[:1]) == [
        {"code": "de", "name": "German", "targets": ["de", "en"]}
    ]
