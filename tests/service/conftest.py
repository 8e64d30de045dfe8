"""A translator without a model, an application that serves it, and servers of small ones."""

from __future__ import annotations

import functools
import shutil
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.app import create_app
from service.config import ServiceConfig
from tests.service.redis_server import Redis
from tests.service.server import Server
from tests.waiting import PATIENCE_S, wait_until
from translator.detection.detector import Detector
from translator.engine.port import Statistics
from translator.text.characters import Alphabet
from translator.text.marked import MarkedText, as_marked
from translator.translate.models.face import ModelState, Pair
from translator.translate.translation import (
    Language,
    SentenceStream,
    SentenceTranslation,
    Translation,
)
from translator.translate.translator import Translator

LANGUAGES = (
    Language(code="de", name="German", targets=("de", "en")),
    Language(code="en", name="English", targets=("en", "pt-BR")),
    Language(code="pt-BR", name="Portuguese (Brazil)", targets=("pt-BR",)),
)


class FakeTranslator:
    """Translates by upper-casing, line by line; fails or waits when told to."""

    def __init__(self) -> None:
        self.languages: tuple[Language, ...] = LANGUAGES
        self.tokenizer = SimpleNamespace(
            num_placeholders=0, log_prob=len, alphabet=Alphabet(frozenset())
        )
        self.card: dict[str, Any] = {"name": "upper", "commit": "abc1234"}
        self.checksum = "0123456789abcdef"
        self.done = Statistics()
        self.is_alive = True
        self.error: Exception | None = None
        self.calls: list[tuple[tuple[str, ...], str, str, int]] = []
        self.forms: list[str | None] = []
        self.started = threading.Event()
        self.may_finish = threading.Event()
        self.may_finish.set()
        self.timeout_s: float | None = None
        self.num_open_streams = 0

    def statistics(self) -> Statistics:
        return self.done

    def legs(self, source: str, target: str) -> tuple[Pair, ...]:
        return ((source, target),)

    def held(self, *_: object) -> AbstractContextManager[None]:
        return nullcontext()

    def cards(self, source: str, target: str) -> tuple[dict[str, Any], ...]:
        return (self.card,)

    def fingerprint(self, source: str, target: str) -> str:
        return self.checksum

    def models(self) -> tuple[ModelState, ...]:
        return (ModelState(name="upper", is_loaded=True, num_bytes=7, loads=1, load_s=0.5),)

    def engines(self) -> dict[str, Statistics]:
        return {"upper": self.done}

    def aligner(self, *_: object) -> Any:
        """Return one that knows of no alignment."""
        return SimpleNamespace(
            tokenizer=self.tokenizer, align=lambda pairs, *_, **__: [None for _ in pairs]
        )

    def translate_prepared(
        self,
        texts: Sequence[str | MarkedText],
        *,
        source: str,
        target: str,
        options: object = None,
        formality: str | None = None,
        num_alternatives: int | None = None,
        timeout_s: float | None,
        while_waiting: Callable[[], None],
        on_progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> list[Translation]:
        marked = [as_marked(text) for text in texts]
        count = num_alternatives or 0
        self.calls.append((tuple(one.text for one in marked), source, target, count))
        self.forms.append(formality)
        self.timeout_s = timeout_s
        self.started.set()
        while_waiting()
        on_progress(len(texts) // 2, len(texts))
        assert self.may_finish.wait(timeout=PATIENCE_S)
        if self.error is not None:
            raise self.error
        return [
            Translation(
                text=upper(one),
                alternatives=tuple(f"{upper(one)} {rank}" for rank in range(count)),
                score=-0.5,
                finish_reasons=("eos",),
                sentences=tuple(sentences_of(one)[:-1]),
            )
            for one in marked
        ]

    def stream_prepared(self, texts: Sequence[str | MarkedText], **options: Any) -> SentenceStream:
        stream = self._stream(texts, **options)
        return SentenceStream(stream, stream.close)

    def _stream(
        self,
        texts: Sequence[str | MarkedText],
        *,
        source: str,
        target: str,
        options: object = None,
        formality: str | None = None,
        timeout_s: float | None,
        while_waiting: Callable[[], None],
    ) -> Generator[tuple[int, SentenceTranslation], None, None]:
        """Yield the first sentence at once; fail or wait before all others."""
        marked = [as_marked(text) for text in texts]
        self.calls.append((tuple(one.text for one in marked), source, target, 0))
        self.num_open_streams += 1
        try:
            every = [(n, one) for n, text in enumerate(marked) for one in sentences_of(text)]
            for place, told in enumerate(every):
                if place:
                    while_waiting()
                    assert self.may_finish.wait(timeout=PATIENCE_S)
                    if self.error is not None:
                        raise self.error
                yield told
        finally:
            self.num_open_streams -= 1


def upper(text: MarkedText) -> str:
    """Return a text in capitals, but for its spans."""
    pieces, done = [], 0
    for start, end in text.spans:
        pieces += [text.text[done:start].upper(), text.text[start:end]]
        done = end
    return "".join([*pieces, text.text[done:].upper()])


def sentences_of(text: MarkedText) -> list[SentenceTranslation]:
    """Return the lines of a text as sentences, and the empty one behind them."""
    found, separator, done = [], "", 0
    translated = upper(text)
    for line in text.text.splitlines(keepends=True):
        sentence = line.rstrip("\r\n")
        if sentence:
            found.append(
                SentenceTranslation(
                    separator=separator,
                    source=sentence,
                    text=translated[done : done + len(sentence)],
                    score=-0.5,
                    finish_reasons=("eos",),
                )
            )
            separator = ""
        separator += line[len(sentence) :]
        done += len(line)
    return [*found, SentenceTranslation(separator=separator, source="", text="")]


@functools.cache
def detector(*codes: str) -> Detector:
    """Return one detector for all tests, since loading it takes a second."""
    return Detector(codes or [language.code for language in LANGUAGES])


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


@pytest.fixture
def redis() -> Iterator[Redis]:
    if shutil.which("redis-server") is None:
        pytest.skip("for redis-server: apt-get install redis-server")
    server = Redis()
    yield server
    server.stop()
