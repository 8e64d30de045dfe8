"""GET / and GET /how-it-attends."""

from __future__ import annotations

import re

from flask.testing import FlaskClient

from service.routes.pages.page import modules_of, named
from translator.translate.translation import Language


def test_the_page_labels_its_controls(client: FlaskClient) -> None:
    page = client.get("/").text
    controls = re.findall(r"<(?:select|textarea|input)\b[^>]*>", page)
    assert controls
    for control in controls:
        found = re.search(r'\bid="([^"]+)"', control)
        is_labelled = found and f'for="{found[1]}"' in page
        assert is_labelled or "aria-label" in control or 'type="radio"' in control, control
    for button in re.findall(r"<button\b.*?</button>", page, re.DOTALL):
        words = re.sub(r"<[^>]*>|\s", "", button)
        assert words or "aria-label" in button or 'id="retry"' in button, button


def test_the_page_offers_the_languages_by_name(client: FlaskClient) -> None:
    english = client.get("/").text
    assert '<option value="auto">Detect language</option>' in english
    assert '<option value="pt-BR">Portuguese (Brazil)</option>' in english
    german = client.get("/?lang=de").text
    assert '<option value="en">Englisch</option>' in german


def test_languages_are_sorted_by_name_and_know_their_direction() -> None:
    languages = (
        Language(code="de", name="German", targets=("de", "ar")),
        Language(code="ar", name="Arabic", targets=("ar",)),
    )
    assert named(languages, "en") == [
        {"code": "ar", "name": "Arabic", "targets": [], "rtl": True},
        {"code": "de", "name": "German", "targets": ["ar"], "rtl": False},
    ]
    assert [language["name"] for language in named(languages, "de")] == ["Arabisch", "Deutsch"]


def test_all_scripts_of_a_page_are_fetched_at_once(client: FlaskClient) -> None:
    for path, folder in (("/", "page"), ("/how-it-attends", "attends")):
        page = client.get(path).text
        modules = re.findall(r'<link rel="modulepreload" href="/static/([^"]+)"', page)
        assert tuple(modules) == modules_of(folder)
        assert {"js/api.js", f"js/{folder}/main.js"} <= {*modules}
