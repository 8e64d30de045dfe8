"""A translator without a model, an application that serves it, and servers of small ones."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.app import create_app
from service.config import ServiceConfig
from tests.service.server import Server
from tests.waiting import wait_until
from translator.engine.port import Statistics
from translator.search.hypothesis import FinishReason
from translator.translate.translation import Language, Translation
from translator.translate.translator import Translator

LANGUAGES = (
    Language(code="de", name="German", targets=("de", "en")),
    Language(code="en", name="English", targets=("en", "pt-BR")),
    Language(code="pt-BR", name="Portuguese (Brazil)", targets=("pt-BR",)),
)


class FakeTranslator:
    """Translates by upper-casing; fails or waits when told to."""

    def __init__(self) -> None:
        self.languages = LANGUAGES
        self.checksum = "0123456789abcdef"
        self.done = Statistics()
        self.is_alive = True
        self.error: Exception | None = None
        self.calls: list[tuple[tuple[str, ...], str, str, int]] = []
        self.started = threading.Event()
        self.may_finish = threading.Event()
        self.may_finish.set()
        self.timeout_s: float | None = None

    def statistics(self) -> Statistics:
        return self.done

    def translate(
        self,
        texts: Sequence[str],
        *,
        source: str,
        target: str,
        num_alternatives: int = 0,
        timeout_s: float | None,
        while_waiting: Callable[[], None],
    ) -> list[Translation]:
        self.calls.append((tuple(texts), source, target, num_alternatives))
        self.timeout_s = timeout_s
        self.started.set()
        while_waiting()
        assert self.may_finish.wait(timeout=10)
        if self.error is not None:
            raise self.error
        finish_reasons: tuple[FinishReason, ...] = ("eos",)
        return [
            Translation(
                text=text.upper(),
                alternatives=tuple(f"{text.upper()} {rank}" for rank in range(num_alternatives)),
                score=-0.5,
                finish_reasons=finish_reasons,
            )
            for text in texts
        ]


def make_app(translator: FakeTranslator, config: ServiceConfig | None = None) -> Flask:
    """Return an application over the fake."""
    return create_app(config or ServiceConfig(), cast(Translator, translator))


@pytest.fixture
def translator() -> FakeTranslator:
    return FakeTranslator()


@pytest.fixture
def client(translator: FakeTranslator) -> FlaskClient:
    return make_app(translator).test_client()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    servers: list[Server] = []

    def start(*options: str, is_awaited: bool = True, **settings: Any) -> Server:
        servers.append(Server(tmp_path, *options, **settings))
        if is_awaited:
            wait_until(servers[0].is_well)
        return servers[0]

    yield start
    for server in servers:
        server.stop()
