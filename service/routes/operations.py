"""What those who run the service ask: GET /health."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from service.routes.context import Context
from service.schemas.operations import HealthAnswer
from service.specification.endpoint import JSON, Endpoint, Example, describe
from translator.errors import EngineClosedError

HEALTH = Endpoint(
    summary="Whether the engine can still translate",
    tag="operations",
    answers={JSON: HealthAnswer},
    errors=(503,),
    examples=(Example(summary="A server that is well", answer={"status": "ok"}),),
)


def blueprint(context: Context) -> Blueprint:
    """Return the addresses."""
    routes = Blueprint("operations", __name__)

    @routes.get("/health")
    @describe(HEALTH)
    def health() -> Response:
        """Say whether the engine can still translate."""
        if not context.translator.is_alive:
            raise EngineClosedError("the translation engine has stopped; restart the server")
        return jsonify({"status": "ok"})

    return routes
