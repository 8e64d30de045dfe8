"""A service of five small models under load: they come and go, and no answer changes."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import requests
from flask.testing import FlaskClient

from service.config import ServiceConfig
from service.start.app import create_app
from tests.checkout import ROOT
from tests.ports import free_port
from tests.small_models import write_model
from tests.waiting import wait_until
from translator.pipeline.models.model_set import ModelSet
from translator.pipeline.translator import Translator

pytestmark = pytest.mark.slow

DIRECTIONS = {
    "de-en": ("de-en", "en-de"),
    "en-fr": ("en-fr",),
    "es-en": ("es-en",),
    "it-en": ("it-en",),
    "en-pl": ("en-pl",),
}
DIRECT = [("de", "en"), ("en", "de"), ("en", "fr"), ("es", "en"), ("it", "en"), ("en", "pl")]
BY_PIVOT = [("es", "pl"), ("it", "fr")]
SENTENCES = ["Der Hund sieht die Katze.", "Das Kind mag {0}!", "Die Frau hört den Vogel."]
CLIENTS = 16

Answers = dict[tuple[str, str], list[str]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found: Path = tmp_path_factory.mktemp("models")
    for seed, (name, directions) in enumerate(DIRECTIONS.items()):
        write_model(found / name, *directions, seed=seed)
    return found


@pytest.fixture(scope="module")
def expected(folder: Path) -> Answers:
    """Return what single models answer, one after the other for a pair that none of them has."""
    single: dict[tuple[str, str], Translator] = {}
    for name in DIRECTIONS:
        translator = Translator.load(folder / name)
        single |= dict.fromkeys(translator.directions, translator)
    found = {}
    for source, target in DIRECT + BY_PIVOT:
        direct = (source, target) in single
        texts = SENTENCES
        for first, second in [(source, target)] if direct else [(source, "en"), ("en", target)]:
            done = single[first, second].translate(texts, source=first, target=second)
            texts = [translation.text for translation in done]
        found[source, target] = texts
    for translator in single.values():
        translator.close()
    return found


@pytest.fixture
def models(folder: Path) -> Iterator[ModelSet]:
    with ModelSet.load([folder]) as roomy:
        for source, target in DIRECT:
            roomy.translate(SENTENCES[:1], source=source, target=target)
        largest = max(state.num_bytes for state in roomy.models())
    with ModelSet.load([folder], max_bytes=2 * largest) as found:
        for source, target in DIRECT:  # so that all have been measured
            found.translate(SENTENCES[:1], source=source, target=target)
        yield found


def ask(client: FlaskClient, path: str, **fields: Any) -> Any:
    answer = client.post(path, json=fields)
    assert answer.status_code == 200, answer.json
    return answer.json


def test_models_come_and_go_under_load(models: ModelSet, expected: Answers) -> None:
    app = create_app(ServiceConfig(access_log="off", metrics="on"), models)
    budget = 2 * max(state.num_bytes for state in models.models())
    over, used = threading.Event(), list[int]()

    def watch() -> None:
        while not over.wait(0.002):
            used.append(sum(one.num_bytes for one in models.models() if one.is_loaded))

    def work(seed: int) -> int:
        rng, client = random.Random(seed), app.test_client()
        for _ in range(12):
            source, target = pair = rng.choice(DIRECT + BY_PIVOT)
            number = rng.randrange(len(SENTENCES))
            if rng.random() < 0.5:
                text = SENTENCES[number]
                found = ask(client, "/translate", q=text, source=source, target=target)
                assert found["translatedText"] == expected[pair][number]
                assert found.get("via", "") == ("en" if pair in BY_PIVOT else "")
            else:
                found = ask(client, "/translate", q=SENTENCES, source=source, target=target)
                assert found["translatedText"] == expected[pair]
        return 12

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        with ThreadPoolExecutor(CLIENTS) as pool:
            assert sum(pool.map(work, range(CLIENTS))) == 12 * CLIENTS
    finally:
        over.set()
        watcher.join()
    assert max(used) <= budget
    states = (app.test_client().get("/ready").json or {})["models"]
    assert sum(state["evictions"] for state in states) > 5, "models have come and gone"
    assert sum(state["loaded"] for state in states) <= 2
    assert 'translator_model_loads{model="de-en"}' in app.test_client().get("/metrics").text


def test_languages_are_the_union_and_pivots_are_among_the_targets(models: ModelSet) -> None:
    client = create_app(ServiceConfig(access_log="off"), models).test_client()
    found = {one["code"]: one for one in client.get("/languages").json or []}
    assert found["es"]["targets"] == ["de", "en", "es", "fr", "pl"]
    assert found["pl"] == {"code": "pl", "name": "Polish", "targets": ["pl"]}
    said = ask(client, "/translate", q=SENTENCES[0], source="es", target="pl", details=True)
    assert [model["name"] for model in said["details"]["models"]] == ["es-en", "en-pl"]
    assert said["details"]["texts"][0]["via"] == said["via"] == "en"
    [detected, *_] = ask(client, "/detect", q="Cześć, jak się masz dzisiaj?")
    assert detected["language"] == "pl"


def test_a_first_load_that_takes_too_long_is_told_in_time(models: ModelSet) -> None:
    client = create_app(ServiceConfig(access_log="off", timeout_s=1), models).test_client()
    residence, may_go_on = models._residence, threading.Event()
    load = residence._load

    def slow(model: Any) -> Translator:
        assert may_go_on.wait(60)
        return load(model)

    residence._load = slow
    residence.keep_only([])  # all leave
    answer = client.post("/translate", json={"q": "Der Hund.", "source": "de", "target": "en"})
    may_go_on.set()
    assert answer.status_code == 504
    assert "takes longer than the server allows" in (answer.json or {})["error"]


def test_a_server_sees_new_models_at_sighup_and_loses_no_request(tmp_path: Path) -> None:
    write_model(tmp_path / "models" / "de-en", "de-en")
    port = free_port()
    settings = {
        "TRANSLATOR_MODELS": str(tmp_path / "models"),
        "TRANSLATOR_PORT": str(port),
        "TRANSLATOR_WORKERS": "2",
    }
    log, address = tmp_path / "log", f"http://127.0.0.1:{port}"
    with log.open("wb") as stream:
        command = [sys.executable, "-m", "service"]
        server = subprocess.Popen(command, cwd=ROOT, env={**os.environ, **settings}, stderr=stream)

    def languages() -> int:
        try:
            return len(requests.get(f"{address}/languages", timeout=60).json())
        except requests.ConnectionError:
            return 0

    wanted = {"q": "Der Hund. " * 50, "source": "de", "target": "en"}
    over, answers = threading.Event(), list[int]()

    def work() -> None:
        while not over.is_set():
            answer = requests.post(f"{address}/translate", data=wanted, timeout=60)
            answers.append(answer.status_code)

    threads = [threading.Thread(target=work) for _ in range(4)]
    try:
        wait_until(lambda: languages() == 2)
        for thread in threads:
            thread.start()
        wait_until(lambda: len(answers) > 4)
        workers = log.read_text().count("Booting worker")
        write_model(tmp_path / "models" / "en-fr", "en-fr")
        server.send_signal(signal.SIGHUP)
        wait_until(lambda: {languages() for _ in range(8)} == {3})
        before = len(answers)
        wait_until(lambda: len(answers) > before + 4)
        over.set()
        for thread in threads:
            thread.join()
        assert {*answers} == {200}
        assert log.read_text().count("Booting worker") == workers, "no worker was replaced"
    finally:
        over.set()
        server.terminate()
        server.wait(60)
