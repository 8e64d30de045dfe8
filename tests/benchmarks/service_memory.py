"""How much memory a worker takes after thousands of requests of all kinds.

    python -m tests.benchmarks.service_memory [--requests 2000]

Four clients send texts of one to thirty sentences, HTML, arrays, glossaries, alternatives,
alignments, streams, detections, attention maps and files. `Memory` is for other benchmarks, too.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import tempfile
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.benchmarks.arguments import print_header, print_row
from tests.benchmarks.file_samples import samples, sentences
from tests.serving import serving

LOOKS = (0, 100, 500, 1000, 2000, 5000, 10_000, 20_000)
"""Numbers of requests after which the memory is told."""


class Memory:
    """The most memory that processes have at once, looked at again and again."""

    def __init__(self) -> None:
        """Begin with what there is now."""
        self.before = self.now()
        self.most = self.before
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look)

    def __enter__(self) -> Memory:
        """Begin to look."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """End."""
        self._ended.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._ended.wait(0.05):
            self.most = max(self.most, self.now())

    def now(self) -> int:
        """Return the bytes of all processes that this one has started, and of theirs."""
        return sum(map(_own_bytes, _below(os.getpid())))


def _below(pid: int) -> Iterator[int]:
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = path.read_text().split()
        except OSError:
            continue
        for child in map(int, children):
            yield child
            yield from _below(child)


def _own_bytes(pid: int) -> int:
    """Return the memory of a process of the service; those that compile its engine are none."""
    try:
        if b"service" not in Path(f"/proc/{pid}/cmdline").read_bytes():
            return 0
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return 1024 * sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))


class Mixed:
    """Requests of all kinds, drawn by chance: always the same ones."""

    def __init__(self) -> None:
        """Prepare texts and files."""
        self._random = random.Random(1)
        self._sentences = [one for number in range(100) for one in sentences(number)]
        self._files = [(kind, one) for kind in ("txt", "docx", "po") for one in samples(kind, 5)]

    def draw(self) -> tuple[str, bytes, dict[str, str]]:
        """Return the address, the body and the headers of one request."""
        text = " ".join(self._some(self._random.choice([1, 1, 1, 3, 10, 30])))
        fields: dict[str, Any] = {"q": text, "source": "en", "target": "de"}
        kinds: list[dict[str, Any]] = [
            *({}, {}, {}, {"source": "auto"}, {"q": self._some(8)}, {"alternatives": 3}),
            *({"format": "html", "q": f"<p>{text}</p><p>A <b>{text}</b></p>"}, {"alignment": True}),
            *({"glossary": {"the": "das"}}, {"/": "/detect"}, {"/": "/attention"}, {"/": "stream"}),
        ]
        chosen = self._random.choice([*kinds, None])
        if chosen is None:
            return self._upload()
        address, headers = "/translate", {"Content-Type": "application/json"}
        if chosen.get("/") == "stream":
            headers["Accept"] = "application/x-ndjson"
        elif chosen.get("/"):
            address, fields["q"] = chosen["/"], self._some(1)[0][:200]
        fields |= {name: value for name, value in chosen.items() if name != "/"}
        return address, json.dumps(fields).encode(), headers

    def _some(self, count: int) -> list[str]:
        return self._random.sample(self._sentences, count)

    def _upload(self) -> tuple[str, bytes, dict[str, str]]:
        kind, content = self._random.choice(self._files)
        parts = [("source", b"en"), ("target", b"de"), (f'file"; filename="a.{kind}', content)]
        body = b"".join(
            b'--x\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n'
            % (name.encode(), value)
            for name, value in parts
        )
        headers = {"Content-Type": "multipart/form-data; boundary=x"}
        return "/translate_file", body + b"--x--\r\n", headers


def ask(port: int, request: tuple[str, bytes, dict[str, str]]) -> int:
    """Send a request; return the status of the answer."""
    address, body, headers = request
    url = f"http://127.0.0.1:{port}{address}"
    try:
        with urllib.request.urlopen(urllib.request.Request(url, body, headers)) as answer:
            answer.read()
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=2000)
    wanted = parser.parse_args().requests
    mixed, done, refused = Mixed(), 0, 0
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder) / "log") as port:
        print_header("requests", "MB now", "MB at most", "refused")
        with Memory() as memory, ThreadPoolExecutor(4) as clients:
            for until in [look for look in LOOKS if look <= wanted]:
                requests = [mixed.draw() for _ in range(until - done)]
                statuses = list(clients.map(lambda one: ask(port, one), requests))
                done, refused = until, refused + sum(status != 200 for status in statuses)
                now, most = memory.now() / 1e6, memory.most / 1e6
                print_row(done, f"{now:.0f}", f"{most:.0f}", refused)


if __name__ == "__main__":
    main()
