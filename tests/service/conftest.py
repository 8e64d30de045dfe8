"""A translator without a model, an application that serves it, and servers of small ones."""

from __future__ import annotations

import dataclasses
import functools
import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.config import ServiceConfig
from service.start.app import create_app
from tests.fake_models import FakeModel
from tests.service.redis_server import Redis
from tests.service.server import Server
from tests.waiting import TIMEOUT_S, wait_until
from translator.deadline import NO_DEADLINE, Deadline
from translator.detection.detector import Detector
from translator.engine.port import Statistics
from translator.pipeline.face import Lease, ModelState
from translator.pipeline.options import OnStep, SearchOptions
from translator.pipeline.steps import Batches, NumberedSentence
from translator.pipeline.translation import Language, SentenceTranslation
from translator.pipeline.translator import Translator
from translator.text.marked import MarkedText

KEY = {"Authorization": "DeepL-Auth-Key someone"}
MakeClient = Callable[..., FlaskClient]

LANGUAGES = (
    Language(code="de", name="German", targets=("de", "en")),
    Language(code="en", name="English", targets=("en", "pt-BR")),
    Language(code="pt-BR", name="Portuguese (Brazil)", targets=("pt-BR",)),
)


class FakeTranslator(FakeModel):
    """Translates by upper-casing, line by line; fails or waits when told to."""

    num_placeholders = 0

    def __init__(self) -> None:
        self.languages: tuple[Language, ...] = LANGUAGES
        self.card: dict[str, Any] = {"name": "upper", "commit": "abc1234"}
        self.checksum = "0123456789abcdef"
        self.done = Statistics()
        self.is_alive = True
        self.error: BaseException | None = None
        self.calls: list[tuple[tuple[str, ...], str, str, int]] = []
        self.forms: list[str | None] = []
        self.prefixes: list[str | None] = []
        self.started = threading.Event()
        self.may_finish = threading.Event()
        self.may_finish.set()
        self.timeout_s: float | None = None
        self.num_open_streams = 0
        self.translates_itself = True

    def statistics(self) -> Statistics:
        return self.done

    def cards(
        self, source: str, target: str, *, has_form: bool = False
    ) -> tuple[dict[str, Any], ...]:
        return (self.card,)

    def fingerprint(self, source: str, target: str) -> str:
        return self.checksum

    def models(self) -> tuple[ModelState, ...]:
        return (ModelState(name="upper", is_loaded=True, num_bytes=7, loads=1, load_s=0.5),)

    def engines(self) -> dict[str, Statistics]:
        return {"upper": self.done}

    @contextmanager
    def lease(
        self, source: str, target: str, deadline: Deadline = NO_DEADLINE, *, has_form: bool = False
    ) -> Iterator[Sequence[Lease]]:
        """Have a model, for the same language too, unless a test wants it otherwise."""
        if source == target and not self.translates_itself:
            yield ()
            return
        yield (Lease(source, target, self, self.checksum),)

    @contextmanager
    def decode(
        self,
        texts: Sequence[MarkedText],
        options: SearchOptions,
        deadline: Deadline = NO_DEADLINE,
        *,
        is_whole: bool = False,
        on_step: OnStep | None = None,
    ) -> Iterator[Batches]:
        count = options.num_alternatives or 0
        self.prefixes += [text.prefix for text in texts]
        self.calls.append((tuple(text.text for text in texts), *options[:2], count))
        if is_whole:
            yield iter([self.whole(texts, options, deadline)])
            return
        self.num_open_streams += 1
        try:
            yield self.stream(texts, options, deadline)
        finally:
            self.num_open_streams -= 1

    def whole(
        self, texts: Sequence[MarkedText], options: SearchOptions, deadline: Deadline
    ) -> list[NumberedSentence]:
        self.forms.append(options.formality)
        self.timeout_s = deadline.left_s()
        self.started.set()
        deadline.look()
        deadline.tell(len(texts) // 2, len(texts))
        assert self.may_finish.wait(timeout=TIMEOUT_S)
        if self.error is not None:
            raise self.error
        return [
            (number, sentence)
            for number, text in enumerate(texts)
            for sentence in self.sentences_of(text, options)
        ]

    def stream(
        self, texts: Sequence[MarkedText], options: SearchOptions, deadline: Deadline
    ) -> Batches:
        """Yield the first sentence at once; fail or wait before all others."""
        every = [(n, one) for n, text in enumerate(texts) for one in sentences_of(text)]
        for place, told in enumerate(every):
            if place:
                deadline.look()
                assert self.may_finish.wait(timeout=TIMEOUT_S)
                if self.error is not None:
                    raise self.error
            yield [told]

    def sentences_of(
        self, text: MarkedText, options: SearchOptions
    ) -> Iterator[SentenceTranslation]:
        *sentences, last = sentences_of(text)
        yield from sentences
        ranks = range(options.num_alternatives or 0)
        others = tuple(f"{upper(text)} {rank}" for rank in ranks)
        yield dataclasses.replace(last, alternatives=others)


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
    for line in text.text.splitlines(keepends=True):
        sentence = line.rstrip("\r\n")
        end = done + len(sentence)
        if sentence:
            spans = tuple((a - done, b - done) for a, b in text.spans if done <= a and b <= end)
            found.append(
                SentenceTranslation(
                    separator=separator,
                    source=sentence,
                    text=upper(MarkedText(sentence, spans)),  # which may be longer: of "ß"
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
def make_client(tmp_path: Path, translator: FakeTranslator) -> MakeClient:
    """Return what makes a client of a service with some settings, and a database of its own."""

    def make(**settings: Any) -> FlaskClient:
        values = {"database": str(tmp_path / "database"), **settings}
        return make_app(translator, ServiceConfig(**values)).test_client()

    return make


@pytest.fixture
def client(make_client: MakeClient) -> FlaskClient:
    return make_client()


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
