"""GET /spec, the document of OpenAPI, and GET /docs, a page that shows it."""

from __future__ import annotations

import threading

from flask import Blueprint, Response, current_app, jsonify, request

from service.routes.context import Context
from service.routes.pages.rendering import page_response, reader_language, summaries_in
from service.schemas.fields import Json
from service.specification.document import VERSION, make_document
from service.specification.endpoint import JSON, Endpoint, describe
from service.specification.page import operations_of, schemas_of

SPEC = Endpoint(
    summary="This description",
    description="A document of OpenAPI 3.1. `GET /docs` shows it as a page.",
    tag="about",
    answers={JSON: None},
)


def blueprint(context: Context) -> Blueprint:
    """Return the addresses."""
    routes = Blueprint("specification", __name__)
    documents: list[Json] = []
    lock = threading.Lock()

    def document() -> Json:
        """Return the document, made once: when all addresses are there."""
        with lock:
            if not documents:
                documents.append(make_document(current_app))
                if request.script_root:
                    documents[0]["servers"] = [{"url": request.script_root}]
        return documents[0]

    @routes.get("/spec")
    @describe(SPEC)
    def spec() -> Response:
        return jsonify(document())

    @routes.get("/docs")
    def docs() -> Response:
        url, language = request.url_root.rstrip("/"), reader_language()
        return page_response(
            "docs.html",
            language,
            version=VERSION,
            summaries=summaries_in(language),
            operations=operations_of(document(), url),
            schemas=schemas_of(document()),
        )

    return routes
