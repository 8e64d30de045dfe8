"""What the page of the documentation shows."""

from __future__ import annotations

from typing import Any

import pytest

from service.specification.document import make_document
from service.specification.page import kind_of, operations_of, schemas_of, text_of
from tests.service.conftest import FakeTranslator, make_app


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({"type": "string"}, "string"),
        ({"$ref": "#/components/schemas/Details"}, "Details"),
        ({"type": "array", "items": {"type": "string"}}, "array of string"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "string or null"),
        ({"oneOf": [{"type": "number"}, {"type": "number"}]}, "number"),
        ({"enum": ["text", "html"], "type": "string"}, '"text" or "html"'),
        ({"const": "ok", "type": "string"}, '"ok"'),
        (
            {"type": "array", "prefixItems": [{"type": "string"}, {"type": "number"}]},
            "array of string and number",
        ),
        ({"type": "object", "additionalProperties": {"type": "string"}}, "object of string"),
        ({"type": "object"}, "object"),
        ({}, "anything"),
    ],
)
def test_kinds_in_words(schema: dict[str, Any], kind: str) -> None:
    assert kind_of(schema) == kind


def test_code_in_texts() -> None:
    assert text_of("Of `q`,\n  from `0`") == [
        (False, "Of "),
        (True, "q"),
        (False, ", from "),
        (True, "0"),
    ]
    assert text_of("") == []


def test_addresses_with_fields_and_examples() -> None:
    document = make_document(make_app(FakeTranslator()))
    found = {(one.method, one.address): one for one in operations_of(document, "http://host")}
    translate = found["POST", "/translate"]
    assert [field.name for field in translate.fields if field.is_required] == [
        "q",
        "source",
        "target",
    ]
    assert translate.body_types[0] == "application/json"
    assert ("application/x-ndjson", "StreamEvent") in translate.answers
    assert {status for status, _ in translate.errors} >= {"400", "503"}
    first = translate.examples[0]
    assert first.command == (
        "curl http://host/translate \\\n  -H 'Content-Type: application/json' \\\n"
        '  -d \'{"q": "Guten Morgen!", "source": "de", "target": "en"}\''
    )
    assert first.answer == '{\n  "translatedText": "Good morning!"\n}'
    assert found["GET", "/languages"].examples[0].command == "curl http://host/languages"


def test_addresses_come_group_by_group_the_dialects_last() -> None:
    document = make_document(make_app(FakeTranslator()))
    tags = [operation.tag for operation in operations_of(document, "")]
    groups = [tag for tag, before in zip(tags, ["", *tags], strict=False) if tag != before]
    assert groups == ["translation", "operations", "about", "DeepL", "browser extensions"]


def test_objects_are_shown_by_name() -> None:
    document = make_document(make_app(FakeTranslator()))
    schemas = {schema.name: schema for schema in schemas_of(document)}
    assert [field.name for field in schemas["DetectedLanguage"].fields] == [
        "confidence",
        "language",
    ]
