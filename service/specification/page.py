"""What the template of the documentation shows, made from the document of OpenAPI."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator

from service.schemas.fields import Fields, Json
from service.specification.document import SCHEMAS
from service.specification.endpoint import JSON

Text = list[tuple[bool, str]]
"""Parts of a text, each with whether it is code."""


def operations_of(document: Fields, url: str) -> list[Json]:
    """Return all methods of all addresses, group by group, for a server at `url`."""
    order = [tag["name"] for tag in document["tags"]]
    operations = [
        _operation(document, url, address, method, operation)
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


def _operation(document: Fields, url: str, address: str, method: str, operation: Fields) -> Json:
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
