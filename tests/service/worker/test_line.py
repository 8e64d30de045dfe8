"""Translations beyond the slots wait for a moment in the loop, and are then refused there."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from tests.load import Reply, request_bytes, send
from tests.service.server import serving_app
from tests.waiting import TIMEOUT_S

SLOTS = 2
SLOW = """
import time

class SlowTranslator(FakeTranslator):
    def whole(self, texts, options, deadline):
        time.sleep(float(texts[0].text))
        return super().whole(texts, options, deadline)

app = make_app(SlowTranslator(), ServiceConfig(concurrency_limit={slots}, metrics="on"))
"""


@pytest.fixture
def port(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    monkeypatch.setenv("TRANSLATOR_CONCURRENCY_LIMIT", str(SLOTS))
    with serving_app(tmp_path, SLOW.format(slots=SLOTS)) as url:
        yield int(url.rpartition(":")[2])


async def at_once(port: int, texts: list[str]) -> list[Reply]:
    tasks = [asyncio.create_task(send(port, request_bytes(text))) for text in texts]
    return [await task for task in tasks]


def test_who_waits_for_a_moment_is_not_refused(port: int) -> None:
    replies = asyncio.run(at_once(port, ["0.05"] * 8 * SLOTS))
    assert Counter(reply.status for reply in replies) == {200: 8 * SLOTS}


def test_who_has_waited_is_refused_and_all_else_is_answered(port: int) -> None:
    async def flood() -> list[Reply]:
        tasks = asyncio.create_task(at_once(port, ["3.5"] * 20))
        await asyncio.sleep(0.5)
        health = await asyncio.to_thread(
            requests.get, f"http://127.0.0.1:{port}/health", timeout=TIMEOUT_S
        )
        assert health.status_code == 200
        return await tasks

    replies = asyncio.run(flood())
    refused = [reply for reply in replies if not reply.is_good]
    assert Counter(reply.status for reply in replies) == {200: SLOTS, 503: 20 - SLOTS}
    assert all(1 <= reply.seconds < 3.4 for reply in refused)
    body = json.loads(refused[0].body)
    assert body["code"] == "busy"
    assert body["error"] == body["message"]
    assert f"busy with {SLOTS} translations" in body["error"]
    metrics = requests.get(f"http://127.0.0.1:{port}/metrics", timeout=TIMEOUT_S).text
    assert f"translator_refused_total {20 - SLOTS}.0" in metrics


def test_a_long_request_does_not_wait_in_memory(port: int) -> None:
    async def flood() -> Reply:
        tasks = asyncio.create_task(at_once(port, ["2"] * SLOTS))
        await asyncio.sleep(0.5)
        reply = await send(port, request_bytes("a" * 100_000))
        await tasks
        return reply

    reply = asyncio.run(flood())
    assert reply.status == 503
    assert reply.seconds < 1
