from __future__ import annotations

import json
import logging
import logging.config
import re
import sys

from service.observe.logs import FIELDS, formatter
from tests.alone import run_alone


def record(message: str, **values: object) -> logging.LogRecord:
    made = logging.LogRecord("a.b", logging.INFO, "f", 1, message, (), None)
    made.__dict__.update(values)
    return made


def test_a_line_for_people_begins_with_time_and_level() -> None:
    line = formatter("plain").format(record("hello"))
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z INFO hello", line)


def test_a_line_of_json_has_all_values_and_is_one_line() -> None:
    line = formatter("json").format(record("a\nb", **{FIELDS: {"status": 200}}))
    assert "\n" not in line
    found = json.loads(line)
    assert found.pop("time").endswith("Z")
    assert found == {"level": "INFO", "logger": "a.b", "message": "a\nb", "status": 200}


def test_an_exception_is_a_value() -> None:
    try:
        raise KeyError("x")
    except KeyError:
        info = sys.exc_info()
    line = formatter("json").format(record("failed", exc_info=info))
    assert "KeyError: 'x'" in json.loads(line)["traceback"]


def test_all_libraries_and_gunicorn_write_the_same_lines() -> None:
    code = (
        "import logging, logging.config; from service.observe import logs\n"
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
        "import logging; from service.observe import logs\n"
        "logs.configure('json'); logging.getLogger('service.requests').info('i')\n"
    )
    done = run_alone(code)
    assert json.loads(done.stderr)["message"] == "i"
