"""What is counted, by itself and as an answer of the service."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace

from flask.testing import FlaskClient

from service.config import ServiceConfig
from service.http.metrics import NOW, OF_ALL, OF_MODELS, TOTALS, Metrics
from tests.checkout import ROOT
from tests.docs.pages import code_spans, read
from tests.service.conftest import FakeTranslator, make_app
from translator.engine.port import Statistics
from translator.pipeline.face import ModelState

BODY = {"q": ["Hallo", "du"], "source": "de", "target": "en"}


def samples(metrics: Metrics) -> dict[str, float]:
    return parse(metrics.exposition().decode())


def parse(exposition: str) -> dict[str, float]:
    lines = (line.rpartition(" ") for line in exposition.splitlines() if line[0] != "#")
    return {name: float(value) for name, _, value in lines}


def scrape(client: FlaskClient) -> dict[str, float]:
    return parse(client.get("/metrics").text)


def test_what_others_count_is_taken_over_and_never_twice() -> None:
    metrics, values = Metrics(), {"turns": 3.0, "queued_sentences": 5.0}
    metrics.read_from(lambda: values)
    for _ in range(2):
        metrics.read_worker(SimpleNamespace(dropped=7))
        metrics.refresh()
    found = samples(metrics)
    assert found["translator_turns_total"] == 3
    assert found["translator_queued_sentences"] == 5
    assert found["translator_dropped_total"] == 7
    values.update(turns=4.0, queued_sentences=0.0)
    metrics.refresh()
    found = samples(metrics)
    assert found["translator_turns_total"] == 4
    assert found["translator_queued_sentences"] == 0


def test_requests_texts_and_the_engine_are_counted(translator: FakeTranslator) -> None:
    client = make_app(translator, ServiceConfig(metrics="on")).test_client()
    client.post("/translate", json=BODY)
    client.post("/translate", json={})
    client.get("/secret/address")
    translator.done = Statistics(sentences=2, source_tokens=9, queue_s=0.5, running=1)
    found = scrape(client)
    request = 'translator_requests_total{endpoint="%s",method="%s",status="%s"}'
    assert found[request % ("/translate", "POST", 200)] == 1
    assert found[request % ("/translate", "POST", 400)] == 1
    assert found[request % ("unknown", "GET", 404)] == 1
    assert found['translator_request_seconds_count{endpoint="/translate"}'] == 2
    assert found["translator_texts_total"] == 2
    assert found["translator_characters_total"] == 7
    assert found["translator_sentences_total"] == 2
    assert found["translator_source_tokens_total"] == 9
    assert found["translator_queue_seconds_total"] == 0.5
    assert found["translator_running_sentences"] == 1


def test_no_label_has_what_a_client_has_chosen(translator: FakeTranslator) -> None:
    client = make_app(translator, ServiceConfig(metrics="on")).test_client()
    client.post(
        "/translate?api_key=geheim",
        json={**BODY, "q": "Klartext"},
        headers={"X-Request-ID": "kennung", "Authorization": "Bearer schlüssel".encode("latin-1")},
        environ_overrides={"REMOTE_ADDR": "10.9.8.7"},
    )
    client.get("/Klartext?q=Klartext")
    client.open("/translate", method="KLARTEXT")
    client.get("/download_file/geheim.txt")
    exposition = client.get("/metrics").text
    for secret in ("geheim", "Klartext", "KLARTEXT", "kennung", "schl", "10.9.8.7"):
        assert secret not in exposition, secret


def test_a_folder_that_was_removed_is_told(translator: FakeTranslator, tmp_path: Path) -> None:
    config = ServiceConfig(metrics="on", run_folder=str(tmp_path))
    answer = make_app(translator, config).test_client().get("/metrics")
    assert (answer.status_code, answer.json) == (
        503,
        {
            "code": "not_ready",
            "error": "the folder of the metrics has been removed; restart the server",
        },
    )


def test_the_cache_is_counted(translator: FakeTranslator) -> None:
    config = ServiceConfig(metrics="on", cache_bytes=10**6)
    client = make_app(translator, config).test_client()
    for _ in range(3):
        client.post("/translate", json=BODY)
    found = scrape(client)
    assert found["translator_cache_misses_total"] == 2
    assert found["translator_cache_hits_total"] == 4
    assert found["translator_cache_bytes"] > 0


def test_every_metric_is_described_and_no_other() -> None:
    spans = code_spans(read(ROOT / "docs" / "reference.md"))
    described = {span for span in spans if re.fullmatch(r"translator_\w+", span)}
    names = {f"translator_{name}_total" for name in TOTALS} | {f"translator_{n}" for n in NOW}
    of_requests = {"requests_total", "request_seconds", "texts_total", "characters_total"}
    names |= {f"translator_model_{name}" for name in OF_MODELS}
    names |= {f"translator_{name}" for name in OF_ALL}
    assert described == names | {f"translator_{name}" for name in of_requests}


def test_models_are_named_and_removed_ones_take_nothing() -> None:
    metrics = Metrics()
    states = [
        ModelState(name="de-en", is_loaded=True, num_bytes=7, loads=2, load_s=0.5, evictions=1),
        ModelState(name="en-fr", is_loaded=False, num_bytes=9),
    ]
    metrics.read_models(lambda: states)
    metrics.refresh()
    found = samples(metrics)
    expected = {"loaded": 1, "bytes": 7, "load_seconds": 0.5, "loads": 2, "evictions": 1}
    for figure, value in expected.items():
        assert found[f'translator_model_{figure}{{model="de-en"}}'] == value
        assert found[f'translator_model_{figure}{{model="en-fr"}}'] == 0
    states.pop(0)
    metrics.refresh()
    found = samples(metrics)
    assert found['translator_model_loaded{model="de-en"}'] == 0
    assert found['translator_model_bytes{model="de-en"}'] == 0
