"""What those who run the service ask: GET /health, /ready and /metrics."""

from __future__ import annotations

import hmac
import logging

from flask import Blueprint, Response, jsonify, request
from prometheus_client import CONTENT_TYPE_LATEST
from werkzeug.datastructures import WWWAuthenticate
from werkzeug.exceptions import NotFound, Unauthorized

from service.errors import NotReady
from service.fetching.state import State
from service.observe.readiness import Readiness
from service.routes.context import Context
from service.schemas.operations import HealthAnswer, ReadyAnswer, ready_to_json
from service.specification.endpoint import JSON, Endpoint, Example, describe
from translator.errors import EngineClosedError

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


def blueprint(context: Context) -> Blueprint:
    """Return the addresses."""
    routes = Blueprint("operations", __name__)
    readiness = Readiness(context.translator)

    @routes.get("/health")
    @describe(HEALTH)
    def health() -> Response:
        """Say whether the engine can still translate.

        The worker asks every two seconds, so that this is also the time for what is due then.
        """
        readiness.look()
        context.metrics.refresh()
        context.downloads.sweep_now_and_then()
        if not context.translator.is_alive:
            raise EngineClosedError("the translation engine has stopped; restart the server")
        return jsonify({"status": "ok"})

    @routes.get("/ready")
    @describe(READY)
    def ready() -> Response:
        """Say whether translations get done."""
        trouble = readiness.look()
        if trouble:
            raise NotReady(trouble, retry_after=RETRY_AFTER_S)
        state = context.downloading() if context.config.fetches else State()
        missing = [KEYS] if context.keys is not None and context.keys.are_away() else []
        return jsonify(ready_to_json(context.translator.models(), state, missing))

    @routes.get("/metrics")
    @describe(METRICS)
    def metrics() -> Response:
        """Return what Prometheus collects."""
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


def _check_token(expected: str) -> None:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    given = token.strip().encode() if scheme.lower() == "bearer" else b""
    if expected and not hmac.compare_digest(given, expected.encode()):
        raise Unauthorized("Unauthorized", www_authenticate=WWWAuthenticate("bearer"))
