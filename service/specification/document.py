"""The document of OpenAPI 3.1, made from the addresses of an application and their descriptions."""

from __future__ import annotations

import re
from http import HTTPStatus

from flask import Flask
from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, models_json_schema
from werkzeug.routing import Rule

from service.schemas.fields import Json
from service.specification.endpoint import JSON, MULTIPART, Endpoint, described, description_of

VERSION = "0.2.0"
INFO = {
    "title": "Translator",
    "version": VERSION,
    "summary": "Machine translation in the wire format of LibreTranslate",
    "license": {"name": "MIT", "identifier": "MIT"},
}
ERRORS = {
    400: "A field is missing or wrong. The message says which.",
    401: "A password is missing or wrong.",
    403: "The key is wrong, the caller is banned, or this is switched off.",
    404: "There is nothing at this address.",
    413: "The request is larger than the server allows.",
    429: "Too many requests. `Retry-After` says in how many seconds to try again.",
    456: "Too many requests in a longer time, such as a day.",
    500: "The server has a fault; its log says more.",
    503: "The server is too busy, its engine has stopped, or its model was replaced.",
    504: "The translation took longer than the server allows.",
}
SCHEMAS = "#/components/schemas/"


class Untitled(GenerateJsonSchema):
    """Describes fields without repeating their names as titles."""

    def field_title_should_be_set(self, schema: object) -> bool:
        """Return that it should not."""
        return False


def tags_of(app: Flask) -> list[str]:
    """Return the groups of addresses, in the order in which they were added."""
    endpoints = map(description_of, app.view_functions.values())
    return list(dict.fromkeys(endpoint.tag for endpoint in endpoints if endpoint))


def make_document(app: Flask) -> Json:
    """Return the description of all addresses of an application that have one."""
    endpoints = list(described(app))
    models: set[type[BaseModel]] = set()
    for _, _, endpoint in endpoints:
        models.add(endpoint.error)
        models |= {model for model in endpoint.answers.values() if model}
        models |= {endpoint.body} if endpoint.body else set()
    by_name = sorted(models, key=lambda model: model.__name__)
    _, schemas = models_json_schema(
        [(model, "validation") for model in by_name],
        ref_template=SCHEMAS + "{model}",
        schema_generator=Untitled,
    )
    paths: dict[str, Json] = {}
    for rule, method, endpoint in endpoints:
        address = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
        operation = _operation(rule, method, endpoint)
        paths.setdefault(address, {})[method.lower()] = operation
    return {
        "openapi": "3.1.0",
        "info": INFO,
        "servers": [{"url": "/"}],
        "tags": [{"name": tag} for tag in tags_of(app)],
        "paths": paths,
        "components": {"schemas": schemas["$defs"]},
    }


def _operation(rule: Rule, method: str, endpoint: Endpoint) -> Json:
    operation: Json = {
        "operationId": re.sub(r"\W+", "_", f"{method.lower()}{rule.rule}").strip("_"),
        "summary": endpoint.summary,
        "tags": [endpoint.tag],
        "responses": _responses(endpoint),
    }
    if endpoint.description:
        operation["description"] = endpoint.description
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in sorted(rule.arguments)
    ]
    parameters += _in_query(endpoint.query) if endpoint.query else []
    if parameters:
        operation["parameters"] = parameters
    if endpoint.body:
        operation["requestBody"] = {
            "required": True,
            "content": {
                mimetype: _body(mimetype, endpoint.body, endpoint)
                for mimetype in endpoint.body_types
            },
        }
    return operation


def _in_query(model: type[BaseModel]) -> list[Json]:
    schema = model.model_json_schema(schema_generator=Untitled)
    return [
        {
            "name": name,
            "in": "query",
            "required": name in schema.get("required", ()),
            "description": field.pop("description", ""),
            "schema": field,
        }
        for name, field in schema["properties"].items()
    ]


def _body(mimetype: str, body: type[BaseModel], endpoint: Endpoint) -> Json:
    content: Json = {"schema": {"$ref": SCHEMAS + body.__name__}}
    if mimetype == JSON:
        content["examples"] = {
            f"example{number}": {"summary": example.summary, "value": dict(example.fields)}
            for number, example in enumerate(endpoint.examples, start=1)
        }
    elif mimetype != MULTIPART:  # where that is what an object is written as anyway
        nested = {
            name: {"contentType": JSON}
            for name in body.model_fields
            if name in ("glossary", "do_not_translate")
        }
        content |= {"encoding": nested} if nested else {}
    return content


def _responses(endpoint: Endpoint) -> Json:
    content: Json = {}
    for mimetype, model in endpoint.answers.items():
        content[mimetype] = {
            "schema": {"$ref": SCHEMAS + model.__name__}
            if model
            else {"type": "object" if mimetype == JSON else "string"}
        }
    shown = [example for example in endpoint.examples if example.answer is not None]
    if shown and JSON in content:
        content[JSON]["examples"] = {
            f"example{number}": {"summary": example.summary, "value": example.answer}
            for number, example in enumerate(shown, start=1)
        }
    error = {JSON: {"schema": {"$ref": SCHEMAS + endpoint.error.__name__}}}
    answer = {"description": HTTPStatus(endpoint.status).phrase}
    return {str(endpoint.status): answer | ({"content": content} if content else {})} | {
        str(status): {"description": ERRORS[status], "content": error}
        for status in sorted({*endpoint.errors, 500})
    }
