"""What pages show of answers is what the shipped model answers.

All of it must come out alike whatever the CPU computes with: an example is chosen so.
"""

from __future__ import annotations

import itertools
import json
import re
import shlex
from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.config import ServiceConfig
from service.start.app import create_app
from tests.checkout import ROOT
from tests.docs.pages import read
from translator.pipeline.translator import Translator

REFERENCE = "docs/reference.md"
SHOWN = re.compile(
    r"^```sh\n(?P<code>curl [^`]+?)\n```\n\n```(?P<kind>json|text)\n(?P<answer>[^`]+?)\n```$",
    re.MULTILINE,
)
NEAR = 0.05
"""How far a probability or a weight may lie from the one that is shown."""

TERMS = {"Kind": "youngster"}
SENTENCES: list[tuple[str, str, str, dict[str, str]]] = [
    ("README.md", "Ich habe meinen Schlüssel verloren.", "prints `{}`", {}),
    (REFERENCE, "Das Haus ist NICHT alt.", "becomes `{}`", {}),
    ("docs/coming-from-deepl.md", "Das Kind schläft.", 'becomes "{}"', TERMS),
    ("docs/coming-from-deepl.md", "Die Kinder spielen.", 'becomes "{}"', TERMS),
    ("docs/bulk.md", "Das Hotel war sauber und ruhig.", ",{},,", {}),
    ("docs/bulk.md", "Wir kommen gerne wieder!", ",{},,", {}),
]


@pytest.fixture(scope="module")
def client() -> Iterator[FlaskClient]:
    with Translator.load(precision="float32") as translator:
        yield create_app(ServiceConfig(), translator).test_client()


def answer_to(client: FlaskClient, command: str) -> Any:
    """Return the answer to a command of curl."""
    words = shlex.split(command.replace("\\\n", " "))
    [address] = [word for word in words if word.startswith("localhost:5000")]
    fields = [after for word, after in itertools.pairwise(words) if word == "-d"]
    path = address.removeprefix("localhost:5000")
    if fields[0].startswith("{"):
        return client.post(path, json=json.loads(fields[0])).json
    return client.post(path, data=dict(field.split("=", 1) for field in fields)).json


def parts(value: Any) -> Iterator[Any]:
    """Yield a value and all that it holds."""
    yield value
    for part in (
        value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    ):
        yield from parts(part)


def agree(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) <= NEAR
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(agree(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(agree, one, other))
    return bool(one == other)


@pytest.mark.parametrize(
    "shown", [*SHOWN.finditer(read(ROOT / REFERENCE))], ids=lambda shown: str(shown.start())
)
def test_an_answer_comes_as_it_is_shown(client: FlaskClient, shown: re.Match[str]) -> None:
    answer = answer_to(client, shown["code"])
    if shown["kind"] == "json":
        assert agree(answer, json.loads(shown["answer"])), answer
        return
    try:
        part = json.loads(shown["answer"])
    except ValueError:
        part = shown["answer"]
    assert any(agree(found, part) for found in parts(answer)), answer


@pytest.mark.parametrize(("page", "sentence", "form", "terms"), SENTENCES)
def test_a_translation_comes_as_it_is_shown(
    client: FlaskClient, page: str, sentence: str, form: str, terms: dict[str, str]
) -> None:
    fields = {"q": sentence, "source": "de", "target": "en", "glossary": terms}
    answer = client.post("/translate", json=fields).json
    assert answer is not None
    text = read(ROOT / page)
    assert sentence in text
    assert form.format(answer["translatedText"]) in " ".join(text.split())


def test_the_model_has_the_name_that_is_shown(client: FlaskClient) -> None:
    fields = {"q": "Hallo.", "source": "de", "target": "en", "details": True}
    answer = client.post("/translate", json=fields).json
    assert answer is not None
    model = answer["details"]["model"]
    assert f",{model['name']} {model['version']}," in read(ROOT / "docs/bulk.md")
