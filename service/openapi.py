"""GET /spec, the document of OpenAPI 3.1 made from what describes the addresses, and GET /docs."""

from __future__ import annotations

import json
import re
import shlex
import threading
from collections.abc import Iterator
from http import HTTPStatus

from flask import Blueprint, Flask, Response, current_app, jsonify, request
from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue, models_json_schema
from pydantic_core.core_schema import ModelSchema
from werkzeug.routing import Rule

from service.http.endpoint import JSON, MULTIPART, Endpoint, describe, described, description_of
from service.http.fields import Body, Fields, Json
from service.http.rendering import page_response, reader_language, summaries_in
from service.http.site import origin

VERSION = "0.2.0"
KEYS = "API_KEYS"
"""Where an application says whether keys count, as `ServiceConfig.api_keys` does."""

INFO = {
    "title": "Translator",
    "version": VERSION,
    "summary": "Machine translation in the wire format of LibreTranslate",
    "license": {"name": "MIT", "identifier": "MIT"},
}

ERRORS = {
    400: "A field is missing or wrong. The message says which.",
    401: "A password is missing or wrong.",
    403: "The key is wrong, the caller is banned (`Retry-After` says for how long), or this is "
    "switched off.",
    404: "There is nothing at this address.",
    413: "The request is larger than the server allows.",
    415: "The body has a `Content-Encoding`, which is not read.",
    429: "Too many requests. `Retry-After` says in how many seconds to try again.",
    456: "Too many requests in a longer time, such as a day.",
    500: "The server has a fault; its log says more.",
    503: "The server is too busy, its engine has stopped, or its model was replaced.",
    504: "The translation took longer than the server allows.",
}

WAIT = {"description": "Seconds to wait.", "schema": {"type": "integer", "minimum": 1}}
SECURITY = {
    "bearer": {"type": "http", "scheme": "bearer"},
    "query": {"type": "apiKey", "in": "query", "name": "api_key"},
}

FORM, PARTS = "Form", "Multipart"
"""What is added to the name of a schema: generated clients tell types of content apart by it."""

BINARY = {"format": "binary"}

SCHEMAS = "#/components/schemas/"


class Untitled(GenerateJsonSchema):
    """Describes fields without repeating their names as titles."""

    def field_title_should_be_set(self, schema: object) -> bool:
        """Return that it should not."""
        return False

    def model_schema(self, schema: ModelSchema) -> JsonSchemaValue:
        """Return a schema in which a required field of a request is not empty."""
        made, model = super().model_schema(schema), schema["cls"]
        filled = set(made.get("required", ())) if issubclass(model, Body) else set()
        for name in filled - {*getattr(model, "may_be_empty", ())}:
            field = made["properties"][name]
            kinds = field.get("anyOf") or field.get("oneOf") or [field]
            kinds[:] = [kind for kind in kinds if kind.get("type") != "null"]
            for kind in kinds:
                kind |= {"string": {"minLength": 1}, "array": {"minItems": 1}}.get(kind["type"], {})
        return made


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
    for _, _, endpoint in endpoints:
        for mimetype in endpoint.body_types if endpoint.body else ():
            first, name = (_name_of(one, endpoint) for one in (endpoint.body_types[0], mimetype))
            schemas["$defs"][name] = schemas["$defs"][first] | {"title": name}
    paths: dict[str, Json] = {}
    for rule, method, endpoint in endpoints:
        address = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
        operation = _operation(rule, method, endpoint, app.config.get(KEYS, "off"))
        paths.setdefault(address, {})[method.lower()] = operation
    return {
        "openapi": "3.1.0",
        "info": INFO,
        "servers": [{"url": "/"}],
        "tags": [{"name": tag} for tag in tags_of(app)],
        "paths": paths,
        "components": {"schemas": schemas["$defs"], "securitySchemes": SECURITY},
    }


def _operation(rule: Rule, method: str, endpoint: Endpoint, keys: str) -> Json:
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
    if 401 in endpoint.errors:
        operation["security"] = [{}, {"bearer": []}]
    elif endpoint.access != "open" and keys != "off":
        nobody: list[Json] = [] if keys == "required" else [{}]
        operation["security"] = [*nobody, *({name: []} for name in SECURITY)]
    if endpoint.body:
        operation["requestBody"] = {
            "required": len(endpoint.body_types) == 1  # others may be in the query string instead
            and any(field.is_required() for field in endpoint.body.model_fields.values()),
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


def _name_of(mimetype: str, endpoint: Endpoint) -> str:
    form = PARTS if mimetype == MULTIPART else FORM
    return getattr(endpoint.body, "__name__", "") + (
        form if mimetype != endpoint.body_types[0] else ""
    )


def _body(mimetype: str, body: type[BaseModel], endpoint: Endpoint) -> Json:
    content: Json = {"schema": {"$ref": SCHEMAS + _name_of(mimetype, endpoint)}}
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
            else {"type": "object"}
            if mimetype == JSON
            else {"type": "string"} | ({} if mimetype.startswith("text/") else BINARY)
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
        | ({"headers": {"Retry-After": WAIT}} if status in (403, 429, 456, 503) else {})
        for status in sorted({*endpoint.errors, *([415] if endpoint.body else []), 500})
    }


Text = list[tuple[bool, str]]
"""Parts of a text, each with whether it is code."""


def operations_of(document: Fields, url: str) -> list[Json]:
    """Return all methods of all addresses, group by group, for a server at `url`."""
    order = [tag["name"] for tag in document["tags"]]
    operations = [
        _shown_operation(document, url, address, method, operation)
        for address, methods in document["paths"].items()
        for method, operation in methods.items()
    ]

    def place(operation: Json) -> tuple[bool, int, bool]:
        """Return the place of an operation: what nearly all look for comes first."""
        tag, is_other = operation["tag"], operation["address"] != "/translate"
        return tag != "translation", order.index(tag), is_other

    return sorted(operations, key=place)


def schemas_of(document: Fields) -> list[Json]:
    """Return the kinds of objects, by name; a request's fields stand with its address."""
    return [
        {
            "name": name,
            "description": text_of(schema.get("description", "")),
            "fields": _fields(schema),
        }
        for name, schema in document["components"]["schemas"].items()
        if not name.endswith((FORM, PARTS))
    ]


def text_of(markdown: str) -> Text:
    """Return a text in parts; what stood in backticks is code."""
    parts = " ".join(markdown.split()).split("`")
    return [(number % 2 == 1, part) for number, part in enumerate(parts) if part]


def kind_of(schema: Fields) -> str:
    """Return a kind of value in words, such as `array of strings or null`."""
    if "$ref" in schema:
        return str(schema["$ref"]).removeprefix(SCHEMAS)
    if "anyOf" in schema or "oneOf" in schema:
        kinds = [kind_of(alternative) for alternative in schema.get("anyOf") or schema["oneOf"]]
        return " or ".join(dict.fromkeys(kinds))
    if "const" in schema or "enum" in schema:
        return " or ".join(json.dumps(value) for value in schema.get("enum") or [schema["const"]])
    if "prefixItems" in schema:
        return "array of " + " and ".join(kind_of(item) for item in schema["prefixItems"])
    kind = str(schema.get("type", "anything"))
    if kind == "array":
        return f"array of {kind_of(schema.get('items', {}))}"
    values = schema.get("additionalProperties")
    if kind == "object" and isinstance(values, dict):
        return f"object of {kind_of(values)}"
    return kind


def _shown_operation(
    document: Fields, url: str, address: str, method: str, operation: Fields
) -> Json:
    content = operation.get("requestBody", {}).get("content", {})
    name = kind_of(next(iter(content.values()))["schema"]) if content else ""
    responses = operation["responses"]
    status = min(responses)
    return {
        "anchor": operation["operationId"],
        "tag": operation["tags"][0],
        "method": method.upper(),
        "address": address,
        "summary": operation["summary"],
        "description": text_of(operation.get("description", "")),
        "body_types": list(content),
        "fields": _fields(document["components"]["schemas"][name]) if name else [],
        "query": [
            _field(parameter["name"], parameter | parameter["schema"], parameter["required"])
            for parameter in operation.get("parameters", ())
            if parameter["in"] == "query"
        ],
        "status": status,
        "answers": [
            (mimetype, kind_of(answer["schema"]))
            for mimetype, answer in responses[status].get("content", {}).items()
        ],
        "errors": [
            (number, text_of(response["description"]))
            for number, response in responses.items()
            if number != status
        ],
        "examples": list(_examples(url + address, method.upper(), content, responses[status])),
    }


def _fields(schema: Fields) -> list[Json]:
    required = schema.get("required", ())
    return [
        _field(name, field, name in required)
        for name, field in schema.get("properties", {}).items()
    ]


def _field(name: str, schema: Fields, is_required: bool) -> Json:
    return {
        "name": name,
        "kind": kind_of(schema),
        "is_required": is_required,
        "description": text_of(schema.get("description", "")),
    }


def _examples(url: str, method: str, content: Fields, response: Fields) -> Iterator[Json]:
    answers = response.get("content", {}).get(JSON, {}).get("examples", {})
    requests = content.get(JSON, {}).get("examples", {})
    for name, answer in answers.items():
        command = f"curl {shlex.quote(url)}"
        if name in requests:
            body = json.dumps(requests[name]["value"], ensure_ascii=False)
            command += f" \\\n  -H 'Content-Type: {JSON}' \\\n  -d {shlex.quote(body)}"
        elif method != "GET":
            command += f" -X {method}"
        shown = json.dumps(answer["value"], ensure_ascii=False, indent=2, sort_keys=True)
        yield {"summary": answer["summary"], "command": command, "answer": shown}


SPEC = Endpoint(
    summary="This description",
    description="A document of OpenAPI 3.1. `GET /docs` shows it as a page.",
    tag="about",
    answers={JSON: None},
)


def blueprint() -> Blueprint:
    """Return the addresses."""
    routes = Blueprint("openapi", __name__)
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
        url, language = origin() + request.script_root, reader_language()
        return page_response(
            "docs.html",
            language,
            version=VERSION,
            summaries=summaries_in(language),
            operations=operations_of(document(), url),
            schemas=schemas_of(document()),
        )

    return routes
