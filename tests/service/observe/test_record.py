"""What is written down of a request, and what is not."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from logging.handlers import BufferingHandler

import pytest
from flask.testing import FlaskClient

from service.config import ServiceConfig
from service.observe.logs import formatter
from service.observe.record import HEADER
from tests.service.conftest import FakeTranslator, make_app

BODY = {"q": ["Klartext", "du"], "source": "de", "target": "en", "api_key": "geheim"}


@pytest.fixture
def lines() -> Iterator[list[logging.LogRecord]]:
    """What is logged of requests."""
    logger, handler = logging.getLogger("service.requests"), BufferingHandler(10_000)
    before = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    yield handler.buffer
    logger.removeHandler(handler)
    logger.setLevel(before)


def test_a_request_is_one_line(client: FlaskClient, lines: list[logging.LogRecord]) -> None:
    answer = client.post("/translate", json=BODY, headers={HEADER: "a-1.b_2"})
    assert answer.headers[HEADER] == "a-1.b_2"
    [line] = lines
    found = json.loads(formatter("json").format(line))
    assert {name: found[name] for name in ("id", "method", "path", "status")} == {
        "id": "a-1.b_2",
        "method": "POST",
        "path": "/translate",
        "status": 200,
    }
    assert (found["texts"], found["characters"]) == (2, 10)
    assert found["seconds"] > 0
    plain = formatter("plain").format(line)
    assert plain.partition(" INFO ")[2].startswith("POST /translate 200 ")
    assert plain.endswith(" s, 2 texts, 10 characters, id a-1.b_2")


@pytest.mark.parametrize("given", ["", "a b", "x" * 65, "ü", "<script>", "a,b"])
def test_an_id_that_is_not_sane_is_replaced(client: FlaskClient, given: str) -> None:
    answers = [client.get("/languages", headers={HEADER: given}) for _ in range(2)]
    first, second = (answer.headers[HEADER] for answer in answers)
    assert first != second
    assert len(first) == 32


def test_errors_have_an_id_and_a_line_too(
    client: FlaskClient, translator: FakeTranslator, lines: list[logging.LogRecord]
) -> None:
    translator.error = RuntimeError("bug")
    client.application.config["PROPAGATE_EXCEPTIONS"] = False
    answer = client.post("/translate", json=BODY)
    assert answer.status_code == 500
    assert answer.headers[HEADER] in lines[-1].getMessage()


def test_nothing_that_a_user_has_written_is_in_a_line(
    client: FlaskClient, lines: list[logging.LogRecord]
) -> None:
    secrets = {"Authorization": "Bearer geheim", "Cookie": "geheim", "User-Agent": "Klartext"}
    environ = {"REMOTE_ADDR": "10.9.8.7"}
    options = {"headers": secrets, "environ_overrides": environ}
    client.post("/translate?api_key=geheim&q=Klartext", json=BODY, **options)
    client.get("/download_file/geheim.txt", **options)
    client.post("/translate", data=b'{"q": "Klartext', content_type="application/json", **options)
    written = "".join(formatter("json").format(line) for line in lines)
    assert len(lines) == 3
    for secret in ("geheim", "Klartext", "10.9.8.7"):
        assert secret not in written, secret


def test_what_a_client_invents_is_short_and_has_no_line_breaks(
    client: FlaskClient, lines: list[logging.LogRecord]
) -> None:
    client.get("/a%0Ab%1B" + "x" * 5000)
    message = lines[-1].getMessage()
    assert message.startswith("GET /a\\nb\\x1bxxx")
    assert len(message) < 250


@pytest.mark.parametrize("path", ["/health", "/ready"])
def test_questions_of_supervisors_are_logged_only_if_they_fail(
    client: FlaskClient, translator: FakeTranslator, lines: list[logging.LogRecord], path: str
) -> None:
    client.get(path)
    assert lines == []
    translator.is_alive = False
    client.get(path)
    assert len(lines) == 1


def test_logs_can_be_switched_off(
    translator: FakeTranslator, lines: list[logging.LogRecord]
) -> None:
    client = make_app(translator, ServiceConfig(access_log="off")).test_client()
    assert HEADER in client.get("/nowhere").headers
    assert lines == []
