"""GET /languages."""

from __future__ import annotations

import pytest

from service.schemas.languages import find_language, languages_to_json
from tests.service.conftest import LANGUAGES


def test_languages() -> None:
    assert languages_to_json(LANGUAGES[:1]) == [
        {"code": "de", "name": "German", "targets": ["de", "en"]}
    ]


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("de", "de"),
        ("DE", "de"),
        ("de-DE", "de"),
        ("de_AT", "de"),
        ("de-Latn-AT", "de"),
        ("pt-BR", "pt-BR"),
        ("pt_br", "pt-BR"),
        ("pt-BR-x", "pt-BR"),
        ("pt", None),
        ("dee", None),
        ("-", None),
        ("", None),
        ("-de", None),
    ],
)
def test_the_nearest_language_is_found(code: str, found: str | None) -> None:
    language = find_language(code, LANGUAGES)
    assert (language and language.code) == found
