"""From an empty home to another language: two commands, or a service that fetches it meanwhile."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import requests

from tests.checkout import ROOT
from tests.registry import Server, portuguese, served, status, well
from tests.serving import serving

pytestmark = pytest.mark.slow

WEIGHTS = "model.enpt.intgemm.alphas.bin.gz"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return portuguese(tmp_path_factory.mktemp("shelf") / "registry").folder


@pytest.fixture
def registry(folder: Path) -> Iterator[Server]:
    with served(folder) as found:
        yield found


@pytest.fixture
def environment(registry: Server, tmp_path: Path) -> dict[str, str]:
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith("LT_")},
        "NO_PROXY": "127.0.0.1",
        "TRANSLATOR_HOME": str(tmp_path / "home"),
        "TRANSLATOR_REGISTRY": registry.address,
    }


def run(environment: dict[str, str], *arguments: str) -> str:
    command = [sys.executable, "-m", "translator", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@contextmanager
def service(environment: dict[str, str], log: Path) -> Iterator[str]:
    """Serve for a while; yield the address."""
    with serving(log, environment=environment) as port:
        yield f"http://127.0.0.1:{port}"


def eventually(is_so: Callable[[], bool]) -> None:
    """Wait until something is so; ask not too often, since servers are asked."""
    end_s = time.monotonic() + 300
    while not is_so():
        assert time.monotonic() < end_s
        time.sleep(0.5)


def codes(address: str) -> list[str]:
    return [one["code"] for one in requests.get(f"{address}/languages", timeout=60).json()]


def targets(address: str) -> list[str]:
    """Return what German can be translated into."""
    found = requests.get(f"{address}/languages", timeout=60).json()
    return next((one["targets"] for one in found if one["code"] == "de"), [])


def translated(address: str, text: str, source: str, target: str) -> dict[str, Any]:
    fields = {"q": text, "source": source, "target": target}
    answer = requests.post(f"{address}/translate", json=fields, timeout=120)
    assert answer.ok, answer.text
    found: dict[str, Any] = answer.json()
    return found


def metrics(address: str) -> str:
    return requests.get(f"{address}/metrics", timeout=60).text


def test_two_commands_translate_portuguese(environment: dict[str, str]) -> None:
    said = run(environment, "models", "get", "en", "pt")
    assert "licence: not stated; origin: http://127.0.0.1" in said
    text = run(environment, "translate", "--from", "en", "--to", "pt", "The child is sleeping.")
    assert "criança" in text
    text = run(environment, "translate", "--from", "pt", "--to", "de", "Bom dia!")
    assert "Morgen" in text or "Tag" in text, "through English"
    assert "en-pt\t23.0 MB\tbleu 50.1 chrf 72.2\ten→pt" in run(environment, "models", "list")


def test_a_service_fetches_languages_and_offers_them_in_all_workers(
    registry: Server, environment: dict[str, str], tmp_path: Path
) -> None:
    registry.faults[WEIGHTS] = [status(500)] * 4 + [well]  # more often than is tried at once
    environment |= {"LT_LOAD_ONLY": "en,pt", "TRANSLATOR_WORKERS": "2", "TRANSLATOR_METRICS": "on"}
    log = tmp_path / "log"
    with service(environment, log) as address:
        assert codes(address)[:2] == ["de", "en"], "at once, with what is there"
        eventually(lambda: all("pt" in targets(address) for _ in range(16)))
        ready = requests.get(f"{address}/ready", timeout=60).json()
        assert {one["name"] for one in ready["models"]} >= {"en-pt", "pt-en"}
        [download] = ready["downloads"]
        assert (download["code"], download["name"]) == ("pt", "Portuguese")
        started_s = time.monotonic()
        answer = translated(address, "Das Kind schläft.", "de", "pt")
        print(f"first request: {time.monotonic() - started_s:.2f} s")
        assert "criança" in answer["translatedText"]
        assert answer["via"] == "en"
        eventually(lambda: 'translator_model_loads{model="en-pt"} 1.0' in metrics(address))
        assert "translator_downloaded_models 2.0" in metrics(address)
        assert "downloads are tried again in" in log.read_text()
        assert log.read_text().count("Booting worker") == 2, "no worker was replaced"
    asked = sum(registry.asked.values())
    with service(environment, log) as address:
        assert "pt" in codes(address), "it is there from the start"
        time.sleep(2)
    assert sum(registry.asked.values()) == asked, "and nothing is asked for"


def test_without_a_network_a_service_translates_with_what_it_has(
    registry: Server, environment: dict[str, str], tmp_path: Path
) -> None:
    registry.shutdown()
    registry.server_close()
    environment |= {"TRANSLATOR_LANGUAGES": "pt"}
    log = tmp_path / "log"
    with service(environment, log) as address:
        eventually(lambda: "not downloaded: 127.0.0.1: cannot be reached" in log.read_text())
        assert codes(address) == ["de", "en"]
        assert "sleeping" in translated(address, "Das Kind schläft.", "de", "en")["translatedText"]


@pytest.mark.parametrize("way", ["TRANSLATOR_LANGUAGES", "models get", "page"])
def test_better_german_takes_over_and_no_request_fails(
    environment: dict[str, str], tmp_path: Path, way: str
) -> None:
    shelf = portuguese(tmp_path / "registry", ("de", "en"))
    environment |= {"TRANSLATOR_WORKERS": "2"}
    environment |= {"TRANSLATOR_LANGUAGES": "de"} if way == "TRANSLATOR_LANGUAGES" else {}
    environment |= {"TRANSLATOR_DOWNLOADS": "on"} if way == "page" else {}
    names = list[str]()
    with served(shelf.folder) as registry:
        environment |= {"TRANSLATOR_REGISTRY": registry.address}
        with service(environment, tmp_path / "log") as address, ThreadPoolExecutor(20) as pool:

            def ask(number: int) -> None:
                fields: dict[str, Any] = {"q": f"Zimmer {number}", "source": "de", "target": "en"}
                fields |= {"details": True}
                answer = requests.post(f"{address}/translate", json=fields, timeout=120)
                assert answer.ok, answer.text
                names.append(answer.json()["details"]["model"]["name"])

            ask(0)
            assert names == ["de-en-words"], "the shipped one, at once"
            if way == "models get":
                assert "de → en" in run(environment, "models", "get", "de")
            if way == "page":
                assert "data-better" in requests.get(address, timeout=60).text
                body = {"language": "de"}
                eventually(lambda: requests.post(f"{address}/downloads", json=body, timeout=60).ok)
            asked = list[Future[None]]()
            end_s = time.monotonic() + 120
            while names[-30:] != ["de-en"] * 30:
                assert time.monotonic() < end_s
                asked.append(pool.submit(ask, len(asked) + 1))
                time.sleep(0.1)
            for one in asked:
                one.result()
            eventually(lambda: "<footer" not in requests.get(address, timeout=60).text)
    assert run(
        environment, "translate", "--from", "en", "--to", "de", "--formality", "formal", "You"
    )
