"""What those who run the service ask: GET /health."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from service.routes.context import Context
from translator.errors import EngineClosedError


def blueprint(context: Context) -> Blueprint:
    """Return the addresses."""
    routes = Blueprint("operations", __name__)

    @routes.get("/health")
    def health() -> Response:
        """Say whether the engine can still translate."""
        if not context.translator.is_alive:
            raise EngineClosedError("the translation engine has stopped; restart the server")
        return jsonify({"status": "ok"})

    return routes
