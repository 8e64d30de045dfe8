"""What is written down of requests and engines: lines of the log, readiness."""

from __future__ import annotations

import json
import logging
import logging.config
import re
import sys
from collections.abc import Iterator
from logging.handlers import BufferingHandler
from typing import cast

import pytest
from flask.testing import FlaskClient

from service.config import ServiceConfig
from service.http.logs import FIELDS, FORMATTERS, HEADER
from service.operations.routes import STUCK_S, Readiness
from tests.alone import run_alone
from tests.service.conftest import FakeTranslator, make_app
from translator.engine.port import Statistics
from translator.pipeline.translator import Translator

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
    found = json.loads(FORMATTERS["json"]().format(line))
    assert {name: found[name] for name in ("id", "method", "path", "status")} == {
        "id": "a-1.b_2",
        "method": "POST",
        "path": "/translate",
        "status": 200,
    }
    assert (found["texts"], found["characters"]) == (2, 10)
    assert found["seconds"] > 0
    plain = FORMATTERS["plain"]().format(line)
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
    written = "".join(FORMATTERS["json"]().format(line) for line in lines)
    assert len(lines) == 3
    for secret in ("geheim", "Klartext", "10.9.8.7"):
        assert secret not in written, secret


def test_a_method_that_an_address_does_not_take_is_told_with_the_address(
    client: FlaskClient, lines: list[logging.LogRecord]
) -> None:
    for path, status in (("/translate", 405), ("/download_file/geheim.txt", 405), ("/no", 404)):
        assert client.put(path).status_code == status
    said = [line.getMessage().partition(" 0.")[0] for line in lines]
    assert said == ["PUT /translate 405", "PUT /download_file/<stored> 405", "PUT unknown 404"]


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


def record(message: str, **values: object) -> logging.LogRecord:
    made = logging.LogRecord("a.b", logging.INFO, "f", 1, message, (), None)
    made.__dict__.update(values)
    return made


def test_a_line_for_people_begins_with_time_and_level() -> None:
    line = FORMATTERS["plain"]().format(record("hello"))
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z INFO hello", line)


def test_a_line_of_json_has_all_values_and_is_one_line() -> None:
    line = FORMATTERS["json"]().format(record("a\nb", **{FIELDS: {"status": 200}}))
    assert "\n" not in line
    found = json.loads(line)
    assert found.pop("time").endswith("Z")
    assert found == {"level": "INFO", "logger": "a.b", "message": "a\nb", "status": 200}


def test_an_exception_is_a_value() -> None:
    try:
        raise KeyError("x")
    except KeyError:
        info = sys.exc_info()
    line = FORMATTERS["json"]().format(record("failed", exc_info=info))
    assert "KeyError: 'x'" in json.loads(line)["traceback"]


def test_all_libraries_and_gunicorn_write_the_same_lines() -> None:
    code = (
        "import logging, logging.config; from service.http import logs\n"
        "logging.getLogger('gunicorn.error').setLevel(logging.INFO)  # as gunicorn does\n"
        "logging.config.dictConfig(logs.gunicorn_config('json')); logs.configure('json')\n"
        "for name in ('gunicorn.error', 'service.x', 'translator.y'):\n"
        "    logging.getLogger(name).warning('w'); logging.getLogger(name).info('i')\n"
    )
    done = run_alone(code)
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    assert [(line["logger"], line["message"]) for line in lines] == [
        ("gunicorn.error", "w"),
        ("gunicorn.error", "i"),
        ("service.x", "w"),
        ("service.x", "i"),
        ("translator.y", "w"),
    ]


def test_without_gunicorn_lines_are_the_same() -> None:
    code = (
        "import logging; from service.http import logs\n"
        "logs.configure('json'); logging.getLogger('service.requests').info('i')\n"
    )
    done = run_alone(code)
    assert json.loads(done.stderr)["message"] == "i"


class Clock:
    now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


def test_an_engine_is_ready_while_it_takes_turns() -> None:
    fake, clock = FakeTranslator(), Clock()
    readiness = Readiness(cast(Translator, fake), clock)
    for turns in range(5):
        fake.done = Statistics(queued=100, running=5, turns=turns)
        assert readiness.look() == ""
        clock.now_s += STUCK_S


def test_an_engine_that_takes_no_turn_while_sentences_wait_is_not_ready() -> None:
    fake, clock = FakeTranslator(), Clock()
    readiness = Readiness(cast(Translator, fake), clock)
    fake.done = Statistics(queued=1, turns=7)
    found = []
    for _ in range(int(STUCK_S) + 4):
        found.append(readiness.look())
        clock.now_s += 1
    assert found[int(STUCK_S)] == ""
    assert found[-1] == "the engine has finished nothing for 12 s; restart the server"
    fake.done = Statistics(queued=1, turns=8)
    assert readiness.look() == "", "it goes on"


def test_an_idle_engine_is_ready_for_ever() -> None:
    fake, clock = FakeTranslator(), Clock()
    readiness = Readiness(cast(Translator, fake), clock)
    assert readiness.look() == ""
    clock.now_s += 1e6
    assert readiness.look() == ""
    fake.done = Statistics(queued=1)
    assert readiness.look() == "", "the first look at a sentence says nothing"


def test_an_engine_that_has_stopped_is_not_ready() -> None:
    fake = FakeTranslator()
    fake.is_alive = False
    assert "has stopped" in Readiness(cast(Translator, fake)).look()


def test_one_engine_that_is_stuck_is_seen_beside_one_that_goes_on() -> None:
    fake, clock = FakeTranslator(), Clock()
    readiness = Readiness(cast(Translator, fake), clock)
    for turns in range(int(STUCK_S) + 4):
        engines = {"good": Statistics(queued=1, turns=turns), "bad": Statistics(running=1)}
        fake.engines = lambda engines=engines: engines  # type: ignore[method-assign, misc]
        found = readiness.look()
        clock.now_s += 1
    assert found == "the engine has finished nothing for 12 s; restart the server"
    fake.engines = lambda: {"good": Statistics(turns=50)}  # type: ignore[method-assign]
    assert readiness.look() == "", "the other one has left"


def test_an_address_and_a_method_that_do_not_exist_are_not_written_down(
    client: FlaskClient, lines: list[logging.LogRecord]
) -> None:
    client.open("/translate/Mein%0AGeheimnis" + "x" * 5000, method="GEHEIM")
    [line] = [line.getMessage() for line in lines]
    assert line.startswith("other unknown 404 ")
    assert "eheim" not in line
