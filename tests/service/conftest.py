"""A translator without a model, an application that serves it, and servers of small ones."""

from __future__ import annotations

import functools
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
from translator.detection.detector import Detector
from translator.translate.translation import Language, SentenceTranslation, Translation
from translator.translate.translator import Translator

LANGUAGES = (
    Language(code="de", name="German", targets=("de", "en")),
    Language(code="en", name="English", targets=("en", "pt-BR")),
    Language(code="pt-BR", name="Portuguese (Brazil)", targets=("pt-BR",)),
)


class FakeTranslator:
    """Translates by upper-casing, line by line; fails or waits when told to."""

    def __init__(self) -> None:
        self.languages = LANGUAGES
        self.card: dict[str, Any] = {"name": "upper", "commit": "abc1234"}
        self.is_alive = True
        self.error: Exception | None = None
        self.calls: list[tuple[tuple[str, ...], str, str, int]] = []
        self.started = threading.Event()
        self.may_finish = threading.Event()
        self.may_finish.set()
        self.timeout_s: float | None = None
        self.num_open_streams = 0

    def translate(
        self,
        texts: Sequence[str],
        *,
        source: str,
        target: str,
        num_alternatives: int,
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
        return [
            Translation(
                text=text.upper(),
                alternatives=tuple(f"{text.upper()} {rank}" for rank in range(num_alternatives)),
                score=-0.5,
                finish_reasons=("eos",),
                sentences=tuple(sentences_of(text)[:-1]),
            )
            for text in texts
        ]

    def stream(
        self,
        texts: Sequence[str],
        *,
        source: str,
        target: str,
        timeout_s: float | None,
        while_waiting: Callable[[], None],
    ) -> Iterator[tuple[int, SentenceTranslation]]:
        """Yield the first sentence at once; fail or wait before all others."""
        self.calls.append((tuple(texts), source, target, 0))
        self.num_open_streams += 1
        try:
            every = [
                (number, one) for number, text in enumerate(texts) for one in sentences_of(text)
            ]
            for place, told in enumerate(every):
                if place:
                    while_waiting()
                    assert self.may_finish.wait(timeout=10)
                    if self.error is not None:
                        raise self.error
                yield told
        finally:
            self.num_open_streams -= 1


def sentences_of(text: str) -> list[SentenceTranslation]:
    """Return the lines of a text as sentences, and the empty one behind them."""
    found, separator = [], ""
    for line in text.splitlines(keepends=True):
        sentence = line.rstrip("\r\n")
        if sentence:
            found.append(
                SentenceTranslation(
                    separator=separator,
                    source=sentence,
                    text=sentence.upper(),
                    score=-0.5,
                    finish_reasons=("eos",),
                )
            )
            separator = ""
        separator += line[len(sentence) :]
    return [*found, SentenceTranslation(separator=separator, source="", text="")]


@functools.cache
def detector() -> Detector:
    """Return one detector for all tests, since loading it takes a second."""
    return Detector([language.code for language in LANGUAGES])


def make_app(translator: FakeTranslator, config: ServiceConfig | None = None) -> Flask:
    """Return an application over the fake."""
    return create_app(config or ServiceConfig(), cast(Translator, translator), detector())


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
