"""Two replicas behind nginx, with a Redis that they share: one is killed while both are at work."""

from __future__ import annotations

import asyncio
import json
import os
import random
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import requests

from tests.checkout import ROOT
from tests.load import Reply, open_loop, request_bytes, send
from tests.replicas import Replica, nginx, nginx_program, replicas
from tests.service.redis_server import Redis
from tests.small_models import write_model
from tests.waiting import wait_until

pytestmark = pytest.mark.slow

WORDS = ["der", "die", "das", "Hund", "Katze", "Kind", "Frau", "Vogel", "sieht", "hört", "mag"]
RATE, SECONDS = 8.0, 12.0


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found: Path = tmp_path_factory.mktemp("replicas")
    return found


@pytest.fixture(scope="module")
def environment(folder: Path) -> Iterator[dict[str, str]]:
    """Settings of both replicas, and the Redis that these name."""
    if nginx_program() is None:
        pytest.skip("for nginx: apt-get install nginx")
    if shutil.which("redis-server") is None:
        pytest.skip("for redis-server: apt-get install redis-server")
    write_model(folder / "model", "de-en", seed=1)
    server = Redis()
    yield {
        "TRANSLATOR_MODEL": str(folder / "model"),
        "TRANSLATOR_API_KEYS": "optional",
        "TRANSLATOR_KEYS_STORAGE": server.url,
        "TRANSLATOR_RATE_LIMIT": "10000 per minute",
        "TRANSLATOR_RATE_LIMIT_STORAGE": server.url,
        "TRANSLATOR_TRUSTED_PROXIES": "1",
        "TRANSLATOR_METRICS": "on",
        "TRANSLATOR_CHAR_LIMIT": "1000000",
        # no refusal for lack of a place, however slow the machine is
        "TRANSLATOR_CONCURRENCY_LIMIT": "200",
    }
    server.stop()


@pytest.fixture(scope="module")
def started(folder: Path, environment: dict[str, str]) -> Iterator[list[Replica]]:
    with replicas(folder, 2, environment) as running:
        yield running


@pytest.fixture
def pair(started: list[Replica]) -> Iterator[list[Replica]]:
    """Return both replicas, and start the one anew that a test has killed."""
    yield started
    for replica in started:
        if not replica.is_running:
            replica.start()
            replica.wait()


def keys(environment: dict[str, str], *arguments: str) -> str:
    """Run `python -m service keys`; return what it says."""
    done = subprocess.run(
        [sys.executable, "-m", "service", "keys", *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def ask(port: int, **fields: object) -> Reply:
    return asyncio.run(send(port, request_bytes("das Kind sieht die Katze", **fields)))


def metric(replica: Replica, name: str) -> float:
    with urllib.request.urlopen(f"http://127.0.0.1:{replica.port}/metrics", timeout=30) as answer:
        lines = answer.read().decode().splitlines()
    return float(next(line.split()[1] for line in lines if line.startswith(f"{name} ")))


def sentence(generator: random.Random) -> str:
    return " ".join(generator.choices(WORDS, k=generator.randint(3, 12)))


def test_keys_and_limits_hold_for_both(
    tmp_path: Path, environment: dict[str, str], pair: list[Replica]
) -> None:
    first, second = pair
    key = keys(environment, "add", "someone", "--rate", "4 per hour")
    assert ask(first.port, api_key="0a0a0a0a.wrong").status == 403
    with nginx(tmp_path, [first.port, second.port]) as port:
        statuses = [ask(one, api_key=key).status for one in (first.port, second.port, port, port)]
        assert statuses == [200] * 4
        assert [ask(one.port, api_key=key).status for one in pair] == [429, 429]
        keys(environment, "remove", "someone")
        assert [ask(one.port, api_key=key).status for one in pair] == [403, 403]


@pytest.mark.parametrize("end", [Replica.kill, Replica.terminate])
def test_no_request_is_lost_with_a_replica_that_ends(
    tmp_path: Path, pair: list[Replica], end: Callable[[Replica], None]
) -> None:
    generator = random.Random(1)
    ended: list[Replica] = []
    # each answer keeps a mark of its request, whichever weights a replica just now computes with
    marks = [f"{n} of {end.__name__}" for n in range(int(RATE * SECONDS))]
    texts = [f'<b translate="no">{mark}</b> {sentence(generator)}' for mark in marks]
    due = [(n / RATE, request_bytes(text, format="html")) for n, text in enumerate(texts)]

    def end_one(due_s: float) -> None:
        if due_s >= SECONDS / 2 and not ended:
            ended.append(pair[0])
            end(pair[0])

    with nginx(tmp_path, [one.port for one in pair]) as port:
        replies = asyncio.run(open_loop(port, due, end_one))
        assert ended
        assert [reply for reply in replies if not reply.is_good] == []
        answers = [json.loads(reply.body)["translatedText"] for reply in replies]
        assert all(f">{mark}<" in one for mark, one in zip(marks, answers, strict=True))
        pair[0].stop()
        pair[0].start()
        pair[0].wait()
        wait_until(lambda: ask(port).is_good and metric(pair[0], "translator_sentences_total") > 0)


def test_an_answer_that_has_begun_ends_early_and_is_not_begun_twice(
    tmp_path: Path, pair: list[Replica]
) -> None:
    generator = random.Random(2)
    text = "\n".join(
        sentence(generator) for _ in range(6000)
    )  # enough to be at it still when it is asked
    request = request_bytes(text, "Accept: application/x-ndjson")

    async def stream(port: int) -> tuple[list[bytes], Replica]:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(request)
        while not (line := await reader.readline()).startswith(b'{"'):
            assert line, "the answer has ended"  # the head, and the size of the first chunk
        assert b'"sentence"' in line
        busy = "translator_translations"
        [working] = [one for one in pair if await asyncio.to_thread(metric, one, busy)]
        working.kill()
        rest = await reader.read()
        writer.close()
        return [line for line in rest.splitlines() if line.startswith(b"{")], working

    before = [metric(one, "translator_texts_total") for one in pair]
    with nginx(tmp_path, [one.port for one in pair]) as port:
        lines, killed = asyncio.run(stream(port))
        assert not [line for line in lines if b'"type":"answer"' in line.replace(b" ", b"")]
        other = 1 - pair.index(killed)
        assert metric(pair[other], "translator_texts_total") == before[other]
        assert json.loads(ask(port).body)["translatedText"]


def test_files_come_from_the_replica_that_has_translated_them(
    tmp_path: Path, pair: list[Replica]
) -> None:
    text = ("das Kind sieht die Katze\n" * 3).encode()
    fields = {"source": "de", "target": "en"}
    with nginx(tmp_path, [one.port for one in pair]) as port:
        url = f"http://127.0.0.1:{port}"
        files = {"file": ("letter.txt", text)}
        sent = requests.post(f"{url}/translate_file", fields, files=files, timeout=60)
        address = sent.json()["translatedFileUrl"]
        assert address.startswith(f"{url}/download_file/")
        found = [requests.get(address, timeout=60) for _ in range(4)]
        assert [answer.status_code for answer in found] == [200] * 4
        assert len({answer.content for answer in found}) == 1
        assert requests.get(f"{address}x", timeout=60).status_code == 404


def test_a_document_of_deepls_is_asked_of_the_replica_that_has_it(
    tmp_path: Path, pair: list[Replica], environment: dict[str, str]
) -> None:
    headers = {"Authorization": f"DeepL-Auth-Key {keys(environment, 'add', 'deepl')}"}
    with nginx(tmp_path, [one.port for one in pair]) as port:
        url = f"http://127.0.0.1:{port}/v2/document"
        files = {"file": ("letter.txt", b"das Kind sieht die Katze")}
        fields = {"source_lang": "DE", "target_lang": "EN"}
        sent = requests.post(url, fields, files=files, headers=headers, timeout=60).json()
        key = {"document_key": sent["document_key"]}
        one = f"{url}/{sent['document_id']}"

        def is_done() -> bool:
            asked = requests.post(one, key, headers=headers, timeout=60)
            assert asked.status_code == 200
            return bool(asked.json()["status"] == "done")

        wait_until(is_done)
        assert is_done()
        assert requests.post(f"{one}/result", key, headers=headers, timeout=60).content
