"""What those who run the service ask: GET /health, /ready and /metrics."""

from __future__ import annotations

import hmac
import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Literal

from flask import Blueprint, Response, jsonify, request
from prometheus_client import CONTENT_TYPE_LATEST
from pydantic import Field
from werkzeug.datastructures import WWWAuthenticate
from werkzeug.exceptions import NotFound, Unauthorized

from service.access.keys import Keys
from service.files.kept import kept_files
from service.http.context import Context
from service.http.endpoint import JSON, Endpoint, Example, describe
from service.http.errors import NotReady
from service.http.fields import Answer, Json
from service.operations.downloads import DownloadAnswer, downloading, downloads_to_json
from service.operations.fetcher import State
from translator.errors import EngineClosedError

if TYPE_CHECKING:
    from translator import AnyTranslator, ModelState


STUCK_S = 10.0
"""A turn takes some hundredths of a second."""


class Readiness:
    """Looks at an engine's progress each time that it is asked."""

    def __init__(
        self, translator: AnyTranslator, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._translator, self._clock = translator, clock
        self._lock = threading.Lock()
        self._turns: dict[str, int] = {}
        self._waiting_since_s: dict[str, float] = {}

    def look(self) -> str:
        """Return what is wrong; empty if nothing is.

        Each engine is looked at by itself. One is stuck when sentences wait, and at every look for
        ten seconds it has finished no turn since the look before. So looks must come more often
        than that: the worker's own watch sees to it.
        """
        if not self._translator.is_alive:
            return "the translation engine has stopped; restart the server"
        engines = self._translator.engines()
        now_s = self._clock()
        with self._lock:
            self._waiting_since_s = {
                name: self._waiting_since_s.get(name, now_s)
                for name, done in engines.items()
                if done.turns == self._turns.get(name) and done.queued + done.running
            }
            self._turns = {name: done.turns for name, done in engines.items()}
            longest_s = max((now_s - since for since in self._waiting_since_s.values()), default=-1)
        if longest_s < STUCK_S:
            return ""
        return f"the engine has finished nothing for {longest_s:.0f} s; restart the server"


class HealthAnswer(Answer):
    """All is well."""

    status: Literal["ok"]


class ModelStateAnswer(Answer):
    """A model, and what has become of it in the worker that answers."""

    name: str = Field(description="Its name.", examples=["de-en"])
    loaded: bool = Field(description="Whether it is in memory.")
    bytes: int = Field(description="Memory that it takes, or would take at most.")
    loads: int = Field(description="How often it has been loaded.")
    load_seconds: float = Field(description="How long that took the last time.")
    evictions: int = Field(description="How often it had to make room for another one.")


class ReadyAnswer(HealthAnswer):
    """All is well, and these are the models."""

    models: list[ModelStateAnswer] = Field(description="All models, in order of preference.")
    downloads: list[DownloadAnswer] = Field(description="What has been or is being downloaded.")
    missing: list[str] = Field(
        description="What the server cannot reach now and translates without: `API keys`. The keys "
        "that it has seen go on being good.",
        examples=[["API keys"]],
    )


def ready_to_json(models: Iterable[ModelState], state: State, missing: list[str]) -> Json:
    """Return the answer of GET /ready."""
    states = [
        ModelStateAnswer(
            name=model.name,
            loaded=model.is_loaded,
            bytes=model.num_bytes,
            loads=model.loads,
            load_seconds=round(model.load_s, 3),
            evictions=model.evictions,
        )
        for model in models
    ]
    downloads = downloads_to_json(state)
    return ReadyAnswer(
        status="ok", models=states, downloads=downloads, missing=missing
    ).model_dump()


HEALTH = Endpoint(
    summary="Whether the engine can still translate",
    tag="operations",
    answers={JSON: HealthAnswer},
    errors=(503,),
    examples=(Example(summary="A server that is well", answer={"status": "ok"}),),
    is_quiet=True,
)

READY = Endpoint(
    summary="Whether translations get done",
    description="For load balancers. It also fails if sentences wait and none gets done.",
    tag="operations",
    answers={JSON: ReadyAnswer},
    errors=(503,),
    examples=(
        Example(
            summary="A server that is ready",
            answer={
                "status": "ok",
                "models": [
                    {
                        "name": "de-en",
                        "loaded": True,
                        "bytes": 35_000_000,
                        "loads": 1,
                        "load_seconds": 0.8,
                        "evictions": 0,
                    }
                ],
                "downloads": [],
                "missing": [],
            },
        ),
    ),
    is_quiet=True,
)

METRICS = Endpoint(
    summary="Figures for Prometheus",
    description="Only if the server has switched them on. If it has set a token, send "
    "`Authorization: Bearer TOKEN`.",
    tag="operations",
    answers={"text/plain": None},
    errors=(401, 404, 503),
    is_quiet=True,
)

log = logging.getLogger(__name__)
KEYS = "API keys"
RETRY_AFTER_S = 5


def blueprint(context: Context, keys: Keys | None) -> Blueprint:
    """Return the addresses."""
    routes = Blueprint("operations", __name__)
    readiness, kept = Readiness(context.translator), kept_files(context)
    context.metrics.read_from(partial(_counted, context))
    context.metrics.read_models(context.translator.models)

    @routes.get("/health")
    @describe(HEALTH)
    def health() -> Response:
        """The worker asks every two seconds, so that this is also the time for what is due then."""
        readiness.look()
        context.metrics.refresh()
        kept.sweep_now_and_then()
        if not context.translator.is_alive:
            raise EngineClosedError("the translation engine has stopped; restart the server")
        return jsonify({"status": "ok"})

    @routes.get("/ready")
    @describe(READY)
    def ready() -> Response:
        trouble = readiness.look()
        if trouble:
            raise NotReady(trouble, retry_after=RETRY_AFTER_S)
        state = downloading(context.config)
        missing = [KEYS] if keys is not None and keys.are_away() else []
        return jsonify(ready_to_json(context.translator.models(), state, missing))

    @routes.get("/metrics")
    @describe(METRICS)
    def metrics() -> Response:
        if context.config.metrics == "off":
            raise NotFound
        _check_token(context.config.metrics_token)
        context.metrics.refresh()
        try:
            exposition = context.metrics.exposition()
        except FileNotFoundError as error:
            log.error("metrics: %s has been removed; restart the server", error)
            raise NotReady(
                "the folder of the metrics has been removed; restart the server"
            ) from None
        return Response(exposition, content_type=CONTENT_TYPE_LATEST)

    return routes


def _counted(context: Context) -> Mapping[str, float]:
    done, cache = context.translator.statistics(), context.cache
    counts: dict[str, float] = {
        "sentences": done.sentences,
        "source_tokens": done.source_tokens,
        "target_tokens": done.target_tokens,
        "queue_seconds": done.queue_s,
        "compute_seconds": done.compute_s,
        "turns": done.turns,
        "turn_sentences": done.turn_sentences,
        "busy_seconds": done.busy_s,
        "queued_sentences": done.queued,
        "running_sentences": done.running,
        "cache_hits": cache.hits if cache else 0,
        "cache_misses": cache.misses if cache else 0,
        "cache_bytes": cache.num_bytes if cache else 0,
        "translations": context.translations,
        "refused": context.refused,
    }
    if context.config.fetches:
        state = downloading(context.config)
        counts |= {"downloaded_models": state.downloaded, "failed_downloads": len(state.failed)}
    return counts


def _check_token(expected: str) -> None:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    given = token.strip().encode() if scheme.lower() == "bearer" else b""
    if expected and not hmac.compare_digest(given, expected.encode()):
        raise Unauthorized("Unauthorized", www_authenticate=WWWAuthenticate("bearer"))
