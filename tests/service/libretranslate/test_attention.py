"""POST /attention."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

import numpy as np
import pytest
from flask.testing import FlaskClient

from service.config import ServiceConfig
from service.libretranslate import attention
from service.start.app import create_app
from tests.alone import run_alone
from tests.engines import CopyEngine
from tests.service.conftest import detector
from translator.deadline import Deadline
from translator.engine.port import Engine
from translator.pipeline.face import Lease
from translator.pipeline.translator import Translator
from translator.store.model_directory import LoadedModel

GERMAN, ENGLISH = "Der Hund sieht die Katze.", "The dog sees the cat."
BODY = {"q": GERMAN, "source": "de", "target": "en", "translation": ENGLISH}


@pytest.fixture
def asked(loaded: LoadedModel) -> FlaskClient:
    translator = Translator(loaded, cast(Engine, CopyEngine()))
    return create_app(ServiceConfig(), translator, detector("de", "en")).test_client()


def ask(client: FlaskClient, **fields: Any) -> dict[str, Any]:
    answer = client.post("/attention", json={**BODY, **fields})
    assert answer.status_code == 200, answer.text
    said: dict[str, Any] = answer.json or {}
    return said


def test_all_heads_of_a_kind_are_told_with_their_pieces(asked: FlaskClient) -> None:
    said = ask(asked)
    assert {(one["kind"], one["layer"], one["head"]) for one in said["maps"]} == {
        ("cross", layer, head) for layer in (1, 2) for head in (1, 2, 3, 4)
    }
    assert (said["layers"], said["heads"]) == ({"encoder": 2, "decoder": 2, "cross": 2}, 4)
    assert [one["piece"] for one in said["source"]][:1] == ["<2en>"]
    assert [one["piece"] for one in said["target"]][:1] == ["<s>"]
    assert "".join(GERMAN[one["start"] : one["end"]] for one in said["source"]) == GERMAN.replace(
        " ", ""
    )
    for one in said["maps"]:
        weights = np.array(one["weights"])
        assert weights.shape == (len(said["target"]), len(said["source"]))
        assert np.abs(weights.sum(axis=1) - 1).max() < 0.001 * len(said["source"])
        assert all(len(f"{weight}") <= 5 for row in one["weights"] for weight in row)


def test_kinds_layers_and_heads_can_be_chosen(asked: FlaskClient) -> None:
    said = ask(asked, kinds=["encoder", "decoder"], layer=2, head=3)
    assert [(one["kind"], one["layer"], one["head"]) for one in said["maps"]] == [
        ("encoder", 2, 3),
        ("decoder", 2, 3),
    ]
    decoder = np.array(said["maps"][1]["weights"])
    assert (decoder == np.tril(decoder)).all()


@pytest.mark.parametrize(
    ("fields", "kind", "count"),
    [
        ({"kinds": ["encoder", "encoder"], "layer": "2", "head": ""}, "encoder", 4),
        ({"kinds": "decoder", "head": "1"}, "decoder", 2),
        ({"kinds": []}, "cross", 8),
    ],
)
def test_choices_may_be_written_otherwise(
    asked: FlaskClient, fields: dict[str, Any], kind: str, count: int
) -> None:
    assert [one["kind"] for one in ask(asked, **fields)["maps"]] == [kind] * count


def test_an_answer_that_would_be_too_large_is_refused(
    asked: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    num_weights = sum(np.array(one["weights"]).size for one in ask(asked)["maps"])
    monkeypatch.setattr(attention, "MOST_WEIGHTS", num_weights)
    assert len(ask(asked)["maps"]) == 8
    monkeypatch.setattr(attention, "MOST_WEIGHTS", num_weights - 1)
    answer = asked.post("/attention", json=BODY)
    message = f"more than {num_weights - 1:,} weights; ask for one kind, layer or head"
    assert (answer.status_code, message in (answer.json or {})["error"]) == (400, True)
    assert len(ask(asked, head=2)["maps"]) == 2


def test_the_vectors_of_a_head_give_its_weights(asked: FlaskClient) -> None:
    said = ask(asked, kinds=["encoder"], layer=1, head=2, vectors=True)
    query, key = (np.array(said["vectors"][name]) for name in ("query", "key"))
    scores = query @ key.T / np.sqrt(query.shape[1])
    weights = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(weights, said["maps"][0]["weights"], atol=0.01)
    assert np.array(said["vectors"]["value"]).shape[0] == len(said["source"])


def test_the_models_own_translation_and_detection(asked: FlaskClient) -> None:
    said = ask(asked, translation=None, source="auto")
    assert said["translatedText"] == GERMAN, "the engine of the test copies"
    assert said["detectedLanguage"]["language"] == "de"
    form = asked.post("/attention", data={**BODY, "kinds": '["encoder"]', "layer": "1"})
    assert {one["kind"] for one in (form.json or {})["maps"]} == {"encoder"}


ONE_HEAD = {"vectors": True, "layer": 1, "head": 1}


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"q": ""}, "missing q parameter"),
        ({"q": ["a", "b"]}, "q must be one sentence, got an array"),
        ({"q": "a" * 1001}, "q has 1001 characters; attention is shown of one sentence"),
        ({"translation": "a" * 1001}, "translation has 1001 characters"),
        ({"q": "Katze. " * 100}, "source: has ... pieces, attention is shown for at most 100"),
        ({"source": "en"}, "source and target must be two languages"),
        ({"source": "auto", "q": ENGLISH}, "source and target must be two languages"),
        ({"target": "zz"}, "zz is not supported"),
        ({"kinds": ["all"]}, "kinds must be an array of encoder, decoder, cross"),
        ({"kinds": 7}, "kinds must be an array"),
        ({"layer": 0}, "layer must be a number from 1, got '0'"),
        ({"layer": 3}, "layer 3: cross-attention has layers 1 to 2"),
        ({"head": "x"}, "head must be a number from 1, got 'x'"),
        ({"head": True}, "head must be a number from 1, got a boolean"),
        ({"vectors": True}, "vectors are returned for one head; name one kind, layer and head"),
        ({**ONE_HEAD, "kinds": ["encoder", "decoder"]}, "name one kind, layer and head"),
    ],
)
def test_what_is_wrong_is_named(asked: FlaskClient, fields: dict[str, Any], message: str) -> None:
    answer = asked.post("/attention", json={**BODY, **fields})
    assert answer.status_code == 400
    error = (answer.json or {})["error"]
    assert re.search(message, error), error


def test_requests_are_counted_as_translations_are(loaded: LoadedModel) -> None:
    translator = Translator(loaded, cast(Engine, CopyEngine()))
    config = ServiceConfig(rate_limit="2 per minute")
    client = create_app(config, translator, detector("de", "en")).test_client()
    asked_from = {"REMOTE_ADDR": "10.0.0.1"}
    found = [
        client.post(path, json=BODY, environ_overrides=asked_from).status_code
        for path in ("/attention", "/translate", "/attention")
    ]
    assert found == [200, 200, 429]


def test_no_pictures_are_drawn_for_it() -> None:
    code = (
        "import sys, service.libretranslate.attention, translator.alignment.record; "
        "print('matplotlib' in sys.modules)"
    )
    done = run_alone(code)
    assert done.stdout.strip() == "False"


def test_a_pair_of_two_models_has_no_map(
    loaded: LoadedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    translator = Translator(loaded, cast(Engine, CopyEngine()))

    @contextmanager
    def lease(source: str, target: str, deadline: Deadline) -> Iterator[list[Lease]]:
        yield [Lease(source, "fr", translator), Lease("fr", target, translator)]

    monkeypatch.setattr(translator, "lease", lease)
    client = create_app(ServiceConfig(), translator, detector("de", "en")).test_client()
    answer = client.post("/attention", json=BODY)
    assert answer.status_code == 400
    said = {"error": "no single model translates de to en", "code": "no_single_model"}
    assert answer.json == said
