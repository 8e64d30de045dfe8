from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from service.config import ServiceConfig
from tests.service.conftest import FakeTranslator, make_app


def test_limits_reach_flask(translator: FakeTranslator) -> None:
    app = make_app(translator, ServiceConfig(max_body_bytes=77, max_form_bytes=55))
    assert app.config["MAX_CONTENT_LENGTH"] == 77
    assert app.config["MAX_FORM_MEMORY_SIZE"] == 55


def test_two_applications_are_independent() -> None:
    first, second = FakeTranslator(), FakeTranslator()
    apps = [make_app(first), make_app(second)]
    first.is_alive = False
    assert [app.test_client().get("/health").status_code for app in apps] == [503, 200]


def test_json_escapes_what_utf8_cannot_carry(translator: FakeTranslator) -> None:
    app = make_app(translator)
    assert app.json.dumps({"b": "ü\ud800", "a": 1}) == '{"a": 1, "b": "ü\\ud800"}'


@pytest.mark.parametrize(
    "path", ["/", "/languages", "/nowhere", "/static/css/base.css", "/translate"]
)
def test_every_answer_says_what_browsers_may_do_with_it(client: FlaskClient, path: str) -> None:
    with client.get(path) as answer:
        headers = answer.headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Content-Security-Policy"].startswith("default-src 'none'; ")
    assert headers["X-Request-ID"]
