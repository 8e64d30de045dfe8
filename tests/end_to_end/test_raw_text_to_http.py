"""Raw text → training → model directory → HTTP answer."""

from __future__ import annotations

import json
import os
import urllib.request
from pathlib import Path

import pytest

from service.config import ServiceConfig
from service.start.app import create_app
from tests.serving import serving
from tests.toyrun import run_until, toy_run
from translator.pipeline.translator import Translator

GERMAN, ENGLISH = "Der Hund sieht die Katze im Garten.", "The dog sees the cat in the garden."


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("toy")
    sparing = ("training.checkpoint_every=400", "training.dev_sentences=2")
    run_until(toy_run(folder, *sparing), "export")
    return folder / "run" / "model"


def test_the_card_tells_how_the_model_came_about(directory: Path) -> None:
    card = json.loads((directory / "card.json").read_text())
    assert card["data"]["toy"]["licence"] == "public domain"
    assert card["training"]["steps"] == 400
    assert 'name = "toy"' in card["recipe"]
    for direction in ("de-en", "en-de"):
        scores = card["scores"][f"toy.test.{direction}"]
        assert scores["bleu"] > 60
        assert scores["signatures"]["bleu"].startswith("nrefs:1|bs:1000|seed:12345|case:mixed")
        assert scores["margins"].keys() == {"bleu", "chrf", "ter", "lc_tok_bleu"}
        assert scores["decoding"]["length_penalty"] == "average"


def test_the_application_translates(directory: Path) -> None:
    with Translator.load(directory, threads=1) as translator:
        client = create_app(ServiceConfig(), translator).test_client()
        request = {"q": [GERMAN, f"  {GERMAN}\n\n😀 {GERMAN}"], "source": "de", "target": "en"}
        answer = client.post("/translate", json=request)
        assert answer.status_code == 200
        assert answer.json == {"translatedText": [ENGLISH, f"  {ENGLISH}\n\n😀 {ENGLISH}"]}
        back = client.post("/translate", data={"q": ENGLISH, "source": "en", "target": "de"})
        assert back.json == {"translatedText": GERMAN}


@pytest.mark.slow  # `tests/service/test_logs.py` serves a model, too
def test_the_server_translates(directory: Path, tmp_path: Path) -> None:
    body = json.dumps({"q": GERMAN, "source": "de", "target": "en"}).encode()
    environment = {**os.environ, "TRANSLATOR_MODEL": str(directory), "TRANSLATOR_THREADS": "1"}
    with serving(tmp_path / "log", environment=environment) as port:
        address = f"http://127.0.0.1:{port}"
        request = urllib.request.Request(
            f"{address}/translate", body, {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            assert json.load(answer) == {"translatedText": ENGLISH}
        with urllib.request.urlopen(f"{address}/", timeout=60) as page:
            assert "text/html" in page.headers["Content-Type"]
