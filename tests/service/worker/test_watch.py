"""The watch tells an application that is well from one that is ill, whatever ails it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from service.worker import watch as module
from service.worker.watch import Watch
from tests.waiting import wait_until


class Application:
    """Answers with a status, or raises it."""

    def __init__(self, status: str | Exception = "200 OK") -> None:
        self.status = status
        self.paths: list[str] = []
        self.is_closed = False

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Application:
        self.paths.append(environ["PATH_INFO"])
        if isinstance(self.status, Exception):
            raise self.status
        wanted = {"Access-Control-Allow-Origin": "*", "X-Content-Type-Options": "nosniff"}
        start_response(self.status, [*wanted.items(), ("X", "y")])
        return self

    def __iter__(self) -> Iterator[bytes]:
        return iter([b"ok"])

    def close(self) -> None:
        self.is_closed = True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the time, which tests set."""
    now = [1000.0]
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: now[0]))
    return now


@pytest.mark.parametrize("status", ["200 OK", "404 Not Found", "429 Too Many Requests"])
def test_any_answer_but_a_servers_error_will_do(clock: list[float], status: str) -> None:
    application = Application(status)
    watch = Watch(application)
    clock[0] += 100
    assert watch.ask()
    assert watch.ill_s == 0
    assert application.paths == ["/health"]
    assert application.is_closed
    assert watch.common_headers() == {
        "Access-Control-Allow-Origin": "*",
        "X-Content-Type-Options": "nosniff",
    }


@pytest.mark.parametrize("status", ["503 Service Unavailable", RuntimeError("engine")])
def test_an_error_or_an_exception_is_an_illness(
    clock: list[float], status: str | Exception
) -> None:
    application = Application()
    watch = Watch(application)
    assert watch.ask()
    application.status = status
    clock[0] += 10
    assert not watch.ask()
    assert watch.ill_s == 10 - module.INTERVAL_S
    assert watch.common_headers(), "those of the last good answer stay"
    application.status = "200 OK"
    assert watch.ask()
    assert watch.ill_s == 0


def test_it_asks_until_it_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "INTERVAL_S", 0.001)
    application = Application()
    watch = Watch(application)
    watch.start()
    wait_until(lambda: len(application.paths) > 2)
    watch.stop()
    wait_until(lambda: not watch._thread.is_alive())
