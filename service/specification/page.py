"""What the page of the documentation shows, made from the document of OpenAPI."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from dataclasses import dataclass

from service.schemas.fields import Fields
from service.specification.document import SCHEMAS
from service.specification.endpoint import JSON

Text = list[tuple[bool, str]]
"""Parts of a text, each with whether it is code."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Field:
    """A row of a table: a field of a request or of an answer."""

    name: str
    kind: str
    is_required: bool
    description: Text


@dataclass(frozen=True, kw_only=True, slots=True)
class Shown:
    """An example: what to type, and what comes."""

    summary: str
    command: str
    answer: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Operation:
    """One method of one address."""

    anchor: str
    tag: str
    method: str
    address: str
    summary: str
    description: Text
    body: str
    body_types: list[str]
    fields: list[Field]
    query: list[Field]
    status: str
    answers: list[tuple[str, str]]
    errors: list[tuple[str, Text]]
    examples: list[Shown]


@dataclass(frozen=True, kw_only=True, slots=True)
class Schema:
    """A kind of object."""

    name: str
    description: Text
    fields: list[Field]


def operations_of(document: Fields, url: str) -> list[Operation]:
    """Return all methods of all addresses, group by group, for a server at `url`."""
    order = [tag["name"] for tag in document["tags"]]
    operations = [
        _operation(document, url, address, method, operation)
        for address, methods in document["paths"].items()
        for method, operation in methods.items()
    ]

    def place(operation: Operation) -> tuple[bool, int, bool]:
        """Return the place of one: what nearly all look for comes first."""
        is_other = operation.address != "/translate"
        return operation.tag != "translation", order.index(operation.tag), is_other

    return sorted(operations, key=place)


def schemas_of(document: Fields) -> list[Schema]:
    """Return the kinds of objects, by name; a request's fields stand with its address."""
    return [
        Schema(
            name=name,
            description=text_of(schema.get("description", "")),
            fields=list(_fields(schema)),
        )
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


def _operation(
    document: Fields,
    url: str,
    address: str,
    method: str,
    operation: Fields,
) -> Operation:
    content = operation.get("requestBody", {}).get("content", {})
    name = kind_of(next(iter(content.values()))["schema"]) if content else ""
    responses = operation["responses"]
    status = min(responses)
    return Operation(
        anchor=operation["operationId"],
        tag=operation["tags"][0],
        method=method.upper(),
        address=address,
        summary=operation["summary"],
        description=text_of(operation.get("description", "")),
        body=name,
        body_types=list(content),
        fields=list(_fields(document["components"]["schemas"][name])) if name else [],
        query=[
            Field(
                name=parameter["name"],
                kind=kind_of(parameter["schema"]),
                is_required=parameter["required"],
                description=text_of(parameter["description"]),
            )
            for parameter in operation.get("parameters", ())
            if parameter["in"] == "query"
        ],
        status=status,
        answers=[
            (mimetype, kind_of(answer["schema"]))
            for mimetype, answer in responses[status].get("content", {}).items()
        ],
        errors=[
            (number, text_of(response["description"]))
            for number, response in responses.items()
            if number != status
        ],
        examples=list(_examples(url + address, method.upper(), content, responses[status])),
    )


def _fields(schema: Fields) -> Iterator[Field]:
    for name, field in schema.get("properties", {}).items():
        yield Field(
            name=name,
            kind=kind_of(field),
            is_required=name in schema.get("required", ()),
            description=text_of(field.get("description", "")),
        )


def _examples(url: str, method: str, content: Fields, response: Fields) -> Iterator[Shown]:
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
        yield Shown(summary=answer["summary"], command=command, answer=shown)
