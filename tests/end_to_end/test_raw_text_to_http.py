"""Raw text → training → model directory → HTTP answer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.app import create_app
from service.config import ServiceConfig
from tests.ports import free_port
from tests.toyrun import run_until, toy_run
from translator.translate.translator import Translator

ROOT = Path(__file__).parents[2]
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


@pytest.fixture(scope="module")
def served(directory: Path) -> Iterator[str]:
    port = free_port()
    environment = {
        **os.environ,
        "TRANSLATOR_MODEL": str(directory),
        "TRANSLATOR_PORT": str(port),
        "TRANSLATOR_THREADS": "1",
    }
    command = [sys.executable, "-m", "gunicorn", "--config", "service/gunicorn.conf.py"]
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.PIPE)
    address = f"http://127.0.0.1:{port}"
    try:
        wait_until_healthy(address, process)
        yield address
    finally:
        process.terminate()
        process.communicate(timeout=60)


def wait_until_healthy(address: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(f"{address}/health", timeout=5) as answer:
                assert answer.status == 200
                return
        except OSError:
            time.sleep(0.2)
    process.kill()
    pytest.fail(f"the server did not start: {process.communicate()[1].decode()}")


def test_the_server_translates(served: str) -> None:
    body = json.dumps({"q": GERMAN, "source": "de", "target": "en"}).encode()
    request = urllib.request.Request(
        f"{served}/translate", body, {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        assert json.load(answer) == {"translatedText": ENGLISH}
    with urllib.request.urlopen(f"{served}/", timeout=60) as page:
        assert "text/html" in page.headers["Content-Type"]
