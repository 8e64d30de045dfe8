from __future__ import annotations

from service.config import ServiceConfig
from service.schemas.settings import settings_to_json
from tests.service.conftest import LANGUAGES
from translator.translate.translation import Language


def test_what_is_switched_on_is_said() -> None:
    config = ServiceConfig(api_keys="required", suggestions_limit=5, char_limit=9)
    assert settings_to_json(config, LANGUAGES, ("txt", "po")) == {
        "apiKeys": True,
        "charLimit": 9,
        "fileSizeLimit": 2 * 1024 * 1024,
        "filesTranslation": True,
        "frontendTimeout": 500,
        "keyRequired": True,
        "language": {
            "source": {"code": "auto", "name": "Auto Detect"},
            "target": {"code": "en", "name": "English"},
        },
        "suggestions": True,
        "supportedFilesFormat": [".txt", ".po"],
    }


def test_what_is_switched_off_is_said_too() -> None:
    found = settings_to_json(ServiceConfig(files="off"), LANGUAGES, ("txt",))
    switches = ("apiKeys", "filesTranslation", "keyRequired", "suggestions")
    assert {found[name] for name in switches} == {False}
    assert found["supportedFilesFormat"] == []
    assert settings_to_json(ServiceConfig(api_keys="optional"), LANGUAGES, ())["apiKeys"] is True


def test_a_model_without_english_has_another_target() -> None:
    languages = (
        Language(code="cs", name="Czech", targets=("cs", "de")),
        Language(code="de", name="German", targets=("de",)),
    )
    found = settings_to_json(ServiceConfig(), languages, ())["language"]["target"]
    assert found in ({"code": "cs", "name": "Czech"}, {"code": "de", "name": "German"})
