"""What the workers of a server have in common, as the system counts it."""

from __future__ import annotations

import json
import os
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from tests.cpu import NEEDS_INT8
from tests.serving import serving

MOST_OWN_BYTES = 90_000_000
"""Of a worker that has translated; one that loads the model itself has 200 million."""


def processes_at(port: int) -> Iterator[int]:
    """Yield the main process of a server and its workers."""
    mark = f"TRANSLATOR_PORT={port}\0".encode()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            is_server = b"service" in (folder / "cmdline").read_bytes()
            if is_server and mark in (folder / "environ").read_bytes():
                yield int(folder.name)
        except OSError:
            continue  # of another user, or no longer there


def own_bytes(pid: int) -> int:
    """Return the memory that no other process has a share in."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    own = [line.split()[1] for line in lines if line.startswith(("Private_Dirty", "Private_Clean"))]
    return 1024 * sum(map(int, own))


@NEEDS_INT8
def test_workers_share_model_and_code(tmp_path: Path) -> None:
    environment = {**os.environ, "TRANSLATOR_WORKERS": "2"}
    with serving(tmp_path / "log", environment=environment) as port:
        for _ in range(8):
            body = json.dumps({"q": "Der Hund schläft.", "source": "auto", "target": "en"})
            request = urllib.request.Request(
                f"http://localhost:{port}/translate",
                body.encode(),
                {"Content-Type": "application/json"},
            )
            with urllib.request.urlopen(request, timeout=60) as answer:
                assert json.load(answer)["translatedText"] == "The dog is sleeping."
        found = {pid: own_bytes(pid) for pid in processes_at(port)}
    assert len(found) == 3
    assert max(found.values()) < MOST_OWN_BYTES, found
