"""The document of OpenAPI, and the page that shows it."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from pydantic import BaseModel, Field

from service.config import ServiceConfig
from service.http.endpoint import JSON, Endpoint, Example, describe, described, description_of
from service.libretranslate.routes import DetectAnswer, DetectBody
from service.openapi import VERSION, kind_of, make_document, operations_of, schemas_of, text_of
from service.operations.routes import HealthAnswer
from tests.checkout import ROOT
from tests.service.conftest import FakeTranslator, make_app


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return make_document(make_app(FakeTranslator()))


def check(document: dict[str, Any]) -> None:
    """Raise an exception if it is no OpenAPI."""
    import schemathesis  # takes two seconds, also of those who only collect tests

    schemathesis.openapi.from_dict(document).validate()


def test_it_is_openapi(document: dict[str, Any]) -> None:
    check(document)
    assert document["openapi"].startswith("3.1")


def test_what_is_no_openapi_is_found(document: dict[str, Any]) -> None:
    broken = json.loads(json.dumps(document))
    broken["paths"]["/detect"]["post"]["responses"] = []
    with pytest.raises(Exception, match="responses"):
        check(broken)


def test_its_version_is_the_projects() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == VERSION


def test_every_reference_leads_somewhere(document: dict[str, Any]) -> None:
    text = json.dumps(document)
    named = {part.partition('"')[0] for part in text.split("#/components/schemas/")[1:]}
    assert named - {*document["components"]["schemas"]} == set()
    assert "$defs" not in text
    assert {"TranslateBody", "TranslateAnswer", "StreamEvent", "ErrorAnswer"} <= named


def test_fields_have_descriptions_and_no_titles(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    fields = schemas["TranslateBody"]["properties"]
    assert {*schemas["TranslateBody"]["required"]} == {"q", "source", "target"}
    assert all(field["description"] for field in fields.values())
    assert not any("title" in field for field in fields.values())
    assert schemas["TranslateAnswer"]["required"] == ["translatedText"]


def test_an_address_with_parts_and_an_example() -> None:
    app = Flask("x")
    endpoint = Endpoint(
        summary="Something",
        tag="about",
        body=DetectBody,
        body_types=(JSON,),
        answers={JSON: DetectAnswer, "text/plain": None},
        errors=(404,),
        examples=(
            Example(summary="one", fields={"q": "a"}, answer=[]),
            Example(summary="without an answer", fields={"q": "b"}),
        ),
    )

    @app.post("/parts/<int:number>/<name>")
    @describe(endpoint)
    def parts(number: int, name: str) -> str:
        return name * number

    [(rule, method, found)] = described(app)
    assert (rule.rule, method, found) == ("/parts/<int:number>/<name>", "POST", endpoint)
    [(address, operations)] = make_document(app)["paths"].items()
    assert address == "/parts/{number}/{name}"
    operation = operations["post"]
    assert [one["name"] for one in operation["parameters"]] == ["name", "number"]
    assert set(operation["responses"]) == {"200", "404", "415", "500"}
    content = operation["responses"]["200"]["content"]
    assert content[JSON]["schema"] == {"$ref": "#/components/schemas/DetectAnswer"}
    assert content[JSON]["examples"] == {"example1": {"summary": "one", "value": []}}
    assert content["text/plain"]["schema"] == {"type": "string"}
    assert len(operation["requestBody"]["content"][JSON]["examples"]) == 2


class Wish(BaseModel):
    """A query."""

    kind: str = Field(default="a", description="What.")


class Fault(BaseModel):
    """An error of another shape."""

    message: str


def test_an_address_with_a_query_another_status_and_errors_of_its_own() -> None:
    app = Flask("x")

    @app.delete("/thing/<name>")
    @describe(
        Endpoint(
            summary="a", tag="a", query=Wish, status=204, answers={}, errors=(456,), error=Fault
        )
    )
    def thing(name: str) -> tuple[str, int]:
        return "", 204

    document = make_document(app)
    operation = document["paths"]["/thing/{name}"]["delete"]
    assert operation["responses"]["204"] == {"description": "No Content"}
    assert {*operation["responses"]} == {"204", "456", "500"}
    error = operation["responses"]["456"]["content"][JSON]["schema"]
    assert error == {"$ref": "#/components/schemas/Fault"}
    assert {*document["components"]["schemas"]} == {"Fault"}
    assert operation["parameters"][1] == {
        "name": "kind",
        "in": "query",
        "required": False,
        "description": "What.",
        "schema": {"type": "string", "default": "a"},
    }
    [shown] = operations_of(document, "http://x")
    assert (shown["status"], shown["answers"]) == ("204", [])
    assert [field["name"] for field in shown["query"]] == ["kind"]


def test_dialects_have_tags_of_their_own(document: dict[str, Any]) -> None:
    by_tag: dict[str, set[str]] = {}
    for address, operations in document["paths"].items():
        for operation in operations.values():
            by_tag.setdefault(operation["tags"][0], set()).add(address)
    assert "/v3/glossaries/{glossary_id}" in by_tag["DeepL"]
    assert by_tag["browser extensions"] == {
        *("/hcfy", "/imme", "/kiss", "/deeplx", "/translate/batch")
    }
    assert "/translate" in by_tag["translation"]


def test_objects_in_a_form_are_json(document: dict[str, Any]) -> None:
    content = document["paths"]["/translate"]["post"]["requestBody"]["content"]
    form = content["application/x-www-form-urlencoded"]
    assert form["encoding"] == {
        "glossary": {"contentType": JSON},
        "do_not_translate": {"contentType": JSON},
    }


ENDPOINT = Endpoint(summary="Something", tag="about", answers={JSON: HealthAnswer})


def test_a_handler_keeps_its_description_and_works_as_before() -> None:
    @describe(ENDPOINT)
    def view(name: str) -> str:
        return name.upper()

    assert description_of(view) is ENDPOINT
    assert view("a") == "A"


def test_a_handler_without_one() -> None:
    assert description_of(lambda: "") is None


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


def test_addresses_with_fields_and_examples(document: dict[str, Any]) -> None:
    found = {
        (operation["method"], operation["address"]): operation
        for operation in operations_of(document, "http://host")
    }
    translate = found["POST", "/translate"]
    assert [field["name"] for field in translate["fields"] if field["is_required"]] == [
        "q",
        "source",
        "target",
    ]
    assert translate["body_types"][0] == "application/json"
    assert ("application/x-ndjson", "StreamEvent") in translate["answers"]
    assert {status for status, _ in translate["errors"]} >= {"400", "503"}
    first = translate["examples"][0]
    assert first["command"] == (
        "curl http://host/translate \\\n  -H 'Content-Type: application/json' \\\n"
        '  -d \'{"q": "Guten Morgen!", "source": "de", "target": "en"}\''
    )
    assert first["answer"] == '{\n  "translatedText": "Good morning!"\n}'
    languages = found["GET", "/languages"]
    assert languages["examples"][0]["command"] == "curl http://host/languages"


def test_addresses_come_group_by_group_the_dialects_last(document: dict[str, Any]) -> None:
    tags = [operation["tag"] for operation in operations_of(document, "")]
    groups = [tag for tag, before in zip(tags, ["", *tags], strict=False) if tag != before]
    assert groups == ["translation", "operations", "about", "DeepL", "browser extensions"]


def test_objects_are_shown_by_name(document: dict[str, Any]) -> None:
    schemas = {schema["name"]: schema for schema in schemas_of(document)}
    assert [field["name"] for field in schemas["DetectedLanguage"]["fields"]] == [
        "confidence",
        "language",
    ]


def test_the_description_says_what_a_program_needs_to_know(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    assert {
        kind.get("minLength") for kind in schemas["TranslateBody"]["properties"]["q"]["oneOf"]
    } == {*(1, None)}
    assert schemas["TranslateBody"]["properties"]["source"]["minLength"] == 1
    assert "minLength" not in schemas["DeepLXBody"]["properties"]["text"], "it may be empty"
    paths = document["paths"]
    download = paths["/download_file/{stored}"]["get"]["responses"]["200"]["content"]
    assert {*download} == {"application/octet-stream", "*/*"}
    assert all(one["schema"]["format"] == "binary" for one in download.values())
    for operations in paths.values():
        for operation in operations.values():
            for status in {"429", "503"} & {*operation["responses"]}:
                assert "Retry-After" in operation["responses"][status]["headers"]
    for address, method in (("/v3/glossaries", "post"), ("/v3/glossaries/{glossary_id}", "patch")):
        assert [*paths[address][method]["requestBody"]["content"]] == [JSON]
    assert paths["/translate_file"]["post"]["requestBody"]["required"] is True
    assert paths["/v3/glossaries/{glossary_id}"]["patch"]["requestBody"]["required"] is False
    contents = paths["/translate"]["post"]["requestBody"]["content"].values()
    names = [content["schema"]["$ref"].rpartition("/")[2] for content in contents]
    assert names == ["TranslateBody", "TranslateBodyForm", "TranslateBodyMultipart"]
    assert [schemas[name]["title"] for name in names] == names


@pytest.mark.parametrize(
    ("keys", "security"),
    [
        ("off", None),
        ("optional", [{}, {"bearer": []}, {"query": []}]),
        ("required", [{"bearer": []}, {"query": []}]),
    ],
)
def test_where_a_key_is_needed(tmp_path: Path, keys: Any, security: object) -> None:
    config = ServiceConfig(api_keys=keys, database=str(tmp_path / "database"))
    described = make_document(make_app(FakeTranslator(), config))
    assert described["paths"]["/translate"]["post"].get("security") == security
    assert "security" not in described["paths"]["/health"]["get"]
    assert described["paths"]["/metrics"]["get"]["security"] == [{}, {"bearer": []}]
    assert {*described["components"]["securitySchemes"]} == {"bearer", "query"}
